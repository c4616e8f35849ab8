package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.Policy;
import dev.stowage.policies.baseline.Baselines;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.FirstFit;
import dev.stowage.policies.fit.Remembering;
import dev.stowage.policies.fit.Score;
import java.util.List;

/** The policies of this package. */
public final class LifetimePolicies {
    private static final Parameter SCORE =
            Parameter.word(Score.PARAMETER.name(), Score.PARAMETER.meaning(), Score.EVEN);
    private static final Parameter RULE = Parameter.word(
            "rule",
            "which servers go first; those other than extension are of the literature, for comparison",
            LifetimeRule.EXTENSION);

    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(Entry.of(
            "lifetime-classes",
            "best fit among the servers that are expected to be in use as long as the request",
            "J. Ling et al.: LAVA, Lifetime-Aware VM Allocation with Learned Distributions and Adaptation to"
                    + " Mispredictions, MLSys 2025; of the other rules: docs/lifetimes.md",
            "none. Measured: docs/lifetimes.md. Without expected lifetimes, or if most are wrong by more than a factor"
                    + " of 3: best fit with the same score",
            List.of(Baselines.WHEN_FULL, RULE, SCORE),
            values -> make(values, values.word(RULE, LifetimeRule.class), values.word(SCORE, Score.class))));

    private static Policy make(Values values, LifetimeRule rule, Score score) {
        return switch (rule) {
            case EXTENSION -> {
                Trust trust = new Trust();
                yield new Remembering(
                        Baselines.make(
                                values, (view, open) -> new LeastExtension(view, trust::isTrusted, false, score, open)),
                        trust);
            }
            case NILAS ->
                Baselines.make(values, (view, open) -> new LeastExtension(view, () -> true, true, score, open));
            case LAVA -> {
                Lava lava = new Lava();
                yield new Remembering(byGroup(values, lava, score), lava);
            }
            case ALIGNMENT -> byGroup(values, new Alignment(), score);
            case DURATION ->
                Baselines.make(values, (view, open) -> new ByGroup(view, open, new DurationClasses(), FirstFit::new));
            case HYBRID -> {
                Hybrid hybrid = new Hybrid();
                yield new Remembering(
                        Baselines.make(values, (view, open) -> new ByGroup(view, open, hybrid, FirstFit::new)), hybrid);
            }
        };
    }

    private static Policy byGroup(Values values, Grouping groups, Score score) {
        return Baselines.make(
                values,
                (view, open) ->
                        new ByGroup(view, open, groups, (now, admitted) -> BestFit.servers(now, score, admitted)));
    }

    private LifetimePolicies() {}
}

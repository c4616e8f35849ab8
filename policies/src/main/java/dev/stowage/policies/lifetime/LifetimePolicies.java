package dev.stowage.policies.lifetime;

import dev.stowage.policies.baseline.Baselines;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.fit.Score;
import java.util.List;

/** The policies of this package. */
public final class LifetimePolicies {
    private static final Parameter SCORE =
            Parameter.word(Score.PARAMETER.name(), Score.PARAMETER.meaning(), Score.EVEN);
    private static final Parameter CLASSES = Parameter.word(
            "classes",
            "how finely times in use are told apart; with none a request goes where it prolongs the use of a server least",
            TimeClasses.DOUBLING);

    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(Entry.of(
            "lifetime-classes",
            "best fit among the servers that are expected to be in use as long as the request, by classes of time",
            "J. Ling et al.: LAVA, Lifetime-Aware VM Allocation with Learned Distributions and Adaptation to"
                    + " Mispredictions, MLSys 2025",
            "none. Measured: docs/lifetimes.md. Without expected lifetimes: best fit with the same score",
            List.of(Baselines.WHEN_FULL, CLASSES, SCORE),
            values -> Baselines.make(
                    values,
                    (view, open) -> new LifetimeClasses(
                            view, values.word(CLASSES, TimeClasses.class), values.word(SCORE, Score.class), open))));

    private LifetimePolicies() {}
}

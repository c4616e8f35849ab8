package dev.stowage.policies.lifetime;

import dev.stowage.policies.baseline.Baselines;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.fit.Score;
import java.util.List;

/** The policies of this package. */
public final class LifetimePolicies {
    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(Entry.of(
            "lifetime-classes",
            "best fit among the servers that are expected to be in use as long as the request, by classes of time",
            "J. Ling et al.: LAVA, Lifetime-Aware VM Allocation with Learned Distributions and Adaptation to"
                    + " Mispredictions, MLSys 2025",
            "none. League of docs/choosing.md: at worst 3.5 % behind the best baseline. Without expected lifetimes: best fit",
            List.of(Baselines.WHEN_FULL, Score.PARAMETER),
            values -> Baselines.make(
                    values,
                    (view, open) -> new LifetimeClasses(view, values.word(Score.PARAMETER, Score.class), open))));

    private LifetimePolicies() {}
}

package dev.stowage.policies.baseline;

import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.View;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.fit.AtStart;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.FirstFit;
import dev.stowage.policies.fit.JobByJob;
import dev.stowage.policies.fit.Score;
import dev.stowage.policies.fit.ServerChoice;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** The policies of this package. */
public final class Baselines {
    private static final Capability[] CAPABILITIES = {
        Capability.SITE_LIMITS,
        Capability.CONSTRAINTS,
        Capability.PENALTIES,
        Capability.OVERCOMMITMENT,
        Capability.GANGS,
        Capability.EVICTION,
        Capability.MIGRATION,
        Capability.DEVICES
    };
    private static final Capability[] PREEMPTING = Stream.concat(
                    Stream.of(CAPABILITIES), Stream.of(Capability.PRIORITIES))
            .toArray(Capability[]::new);
    /** What becomes of a request that fits nowhere. */
    public static final Parameter WHEN_FULL = Parameter.word(
            "when-full",
            "what becomes of a request that fits nowhere: rejected, or kept in a central queue",
            WhenFull.REJECT);

    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(
            Entry.of(
                    "first-fit",
                    "each request goes to the lowest-numbered server with room",
                    "folklore; as a bin packing rule see D. S. Johnson: Near-Optimal Bin Packing Algorithms, MIT 1973",
                    "none. Compared on public traces (docs/choosing.md): mean time from arrival to end at worst"
                            + " 3.6 % above the best baseline",
                    List.of(WHEN_FULL),
                    values -> make(values, FirstFit::new)),
            Entry.of(
                    "best-fit",
                    "each request goes to the server with the least residual capacity, or best score, that fits",
                    "folklore; score after R. Grandl et al.: Multi-Resource Packing for Cluster Schedulers, SIGCOMM"
                            + " 2014",
                    "none. Compared on public traces (docs/choosing.md): mean time from arrival to end at worst 5.7 %"
                            + " above the best baseline, and without a queue at worst 3.5 % fewer requests accepted",
                    List.of(WHEN_FULL, Score.PARAMETER),
                    values -> make(
                            values,
                            (view, open) -> BestFit.servers(view, values.word(Score.PARAMETER, Score.class), open))),
            Entry.of(
                    "fifo-ff",
                    "first in, first out; the head goes to the lowest-numbered server with room, or holds up the rest",
                    "K. Psychas, J. Ghaderi: Scheduling Jobs with Random Resource Requirements in Computing Clusters,"
                            + " INFOCOM 2019, section VII-B",
                    "none. Compared on public traces (docs/choosing.md): its queue grows where those of best fit and"
                            + " first fit do not",
                    List.of(),
                    values -> new AtStart(1, FifoFirstFit::new, CAPABILITIES)));

    private Baselines() {}

    /**
     * Each request goes to the server that a choice names; one that fits nowhere is treated as {@link #WHEN_FULL} says.
     *
     * @param choice made when the policy starts, for the servers that are open
     */
    public static Policy make(Values values, BiFunction<View, IntPredicate, ServerChoice> choice) {
        return switch (values.word(WHEN_FULL, WhenFull.class)) {
            case REJECT -> new AtStart(0, view -> new LossPolicy(view, choice.apply(view, server -> true)), PREEMPTING);
            case QUEUE ->
                new AtStart(1, view -> new JobByJob(view, open -> choice.apply(view, open), true), PREEMPTING);
        };
    }
}

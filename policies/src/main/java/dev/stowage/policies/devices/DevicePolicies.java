package dev.stowage.policies.devices;

import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.baseline.Baselines;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.fit.Remembering;
import java.util.List;
import java.util.function.Function;

/** The policies of this package. */
public final class DevicePolicies {
    private static final String PAPER = "Q. Weng et al.: Beware of Fragmentation: Scheduling GPU-Sharing Workloads with"
            + " Fragmentation Gradient Descent, USENIX ATC 2023";
    private static final Parameter SCORE = Parameter.word(
            "score",
            "as in the paper; best-fit: least left over; dot-product: least product of free and demanded; clustering:"
                    + " servers with requests for as many devices first; packing: devices in use before free ones",
            RoundedScore.BEST_FIT);
    private static final Parameter TIES =
            Parameter.word("ties", "which of equally good servers is taken, by number", Ties.FIRST);
    private static final Parameter ROUNDED = Parameter.flag(
            "rounded", "whether scores are rounded down to whole numbers, as in the published simulator", true);
    private static final Parameter TARGET = Parameter.perType(
            "target",
            "how often each type of request comes, its weight in the fragmentation; learned: from what has arrived so"
                    + " far",
            0,
            1e9,
            "learned");
    private static final List<Parameter> OF_FGD = List.of(Baselines.WHEN_FULL, TARGET, ROUNDED, TIES);

    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(
            Entry.of(
                    "fgd",
                    "each request goes where the free device capacity that requests, on average, cannot use grows"
                            + " least",
                    PAPER,
                    "none. On the paper's lists: docs/gpus.md",
                    OF_FGD,
                    values -> fgd(
                            values,
                            values.isWord(TARGET)
                                    ? view -> TargetWorkload.learned()
                                    : view -> TargetWorkload.of(view, values.perType(TARGET)))),
            Entry.of(
                    "fill",
                    "each request goes where the device capacity that stays unused in the end, estimated from arrivals,"
                            + " grows least",
                    "Stowage's own, after the paper of fgd",
                    "none. On that paper's lists it allocates more GPUs than fgd and first-fit: docs/gpus.md",
                    List.of(Baselines.WHEN_FULL, TIES),
                    values -> learning(values, new FillPotential())),
            Entry.of(
                    "device-score",
                    "each request goes to the server with the best rounded score of its devices and one more resource",
                    PAPER + ", section 6.1",
                    "none",
                    List.of(Baselines.WHEN_FULL, SCORE),
                    values -> Baselines.make(
                            values,
                            (view, open) -> new BestState(
                                    view, values.word(SCORE, RoundedScore.class).score(), false, open))));

    private DevicePolicies() {}

    /**
     * The policy {@code fgd} with a target workload that is the commonest of these requests: as in the paper's runs,
     * whose policy knows all requests of the list.
     *
     * @param spec its parameters
     * @param list what it knows
     */
    public static Policy fgd(PolicySpec spec, List<NewRequest> list) {
        return fgd(Values.of(spec, OF_FGD), view -> TargetWorkload.of(view, list));
    }

    private static Policy fgd(Values values, Function<View, TargetWorkload> target) {
        return learning(values, new FragmentationGradient(values.flag(ROUNDED), target));
    }

    private static <S extends StateScore & Remembering.Memory> Policy learning(Values values, S score) {
        boolean last = values.word(TIES, Ties.class) == Ties.LAST;
        return new Remembering(Baselines.make(values, (view, open) -> new BestState(view, score, last, open)), score);
    }
}

package dev.stowage.study.fgd;

import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.policies.devices.DevicePolicies;
import java.util.Map;
import java.util.Optional;

/** The policies of the table, in its order. */
enum GpuPolicies {
    RANDOM("random", "01-Random"),
    DOT_PRODUCT("dot-product", "02-DotProd"),
    CLUSTERING("clustering", "03-GpuClustering"),
    PACKING("packing", "04-GpuPacking"),
    BEST_FIT("best-fit", "05-BestFit"),
    FGD("fgd", "06-FGD"),
    FIRST_FIT("first-fit", ""),
    FGD_UNROUNDED("fgd-unrounded", ""),
    /** Not told the workload. */
    FGD_LEARNED("fgd-learned", ""),
    FILL("fill", ""),
    /** The same with the other tie rule: shows how little hangs on ties. */
    FILL_LAST("fill-ties-last", "");

    private final String key;
    private final String published;

    GpuPolicies(String key, String published) {
        this.key = key;
        this.published = published;
    }

    /** Name in the table. */
    String key() {
        return key;
    }

    /** Name in the published file, if its runs are published. */
    Optional<String> published() {
        return published.isEmpty() ? Optional.empty() : Optional.of(published);
    }

    /** Carries a run out. */
    GpuRun run(GpuSequence sequence) {
        return GpuRun.of(sequence, policy(sequence));
    }

    /** The policy of a run; FGD is told the whole list, as the published runs are. */
    Policy policy(GpuSequence sequence) {
        return switch (this) {
            case RANDOM -> new RandomFit(sequence.random());
            case DOT_PRODUCT, CLUSTERING, PACKING, BEST_FIT -> registered("device-score", Map.of("score", key));
            case FGD -> DevicePolicies.fgd(PolicySpec.of("fgd"), sequence.list());
            case FIRST_FIT -> registered("first-fit", Map.of());
            case FGD_UNROUNDED -> DevicePolicies.fgd(PolicySpec.of("fgd", Map.of("rounded", "false")), sequence.list());
            case FGD_LEARNED -> registered("fgd", Map.of());
            case FILL -> registered("fill", Map.of());
            case FILL_LAST -> registered("fill", Map.of("ties", "last"));
        };
    }

    private static Policy registered(String name, Map<String, String> parameters) {
        return new Policies().create(PolicySpec.of(name, parameters));
    }
}

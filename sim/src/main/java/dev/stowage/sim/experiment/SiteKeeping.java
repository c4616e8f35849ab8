package dev.stowage.sim.experiment;

import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import java.util.List;
import java.util.Optional;

/** Whether a policy can be given requests that only some sites may run. */
public final class SiteKeeping {
    private SiteKeeping() {}

    /** Why it cannot, and which policies can; empty if it can. */
    public static Optional<String> obstacle(PolicySpec spec, PolicyFactory policies) {
        if (policies.create(spec).capabilities().contains(Capability.SITE_LIMITS)) {
            return Optional.empty();
        }
        List<String> keeping = policies.names().stream()
                .filter(name ->
                        policies.create(PolicySpec.of(name)).capabilities().contains(Capability.SITE_LIMITS))
                .toList();
        return Optional.of("'" + spec.name() + "' does not keep requests to sites, as their origins demand"
                + (keeping.isEmpty() ? "" : "; these do: " + String.join(", ", keeping)));
    }
}

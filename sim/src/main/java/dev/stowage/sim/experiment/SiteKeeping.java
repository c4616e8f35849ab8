package dev.stowage.sim.experiment;

import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.workload.Origins;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Whether a policy can be given requests that only some servers may run. */
public final class SiteKeeping {
    private SiteKeeping() {}

    /** Why it cannot, and which policies can; empty if it can. */
    public static Optional<String> obstacle(PolicySpec spec, PolicyFactory policies, Origins origins) {
        return obstacle(spec, policies, origins, false);
    }

    /** The same where requests have constraints of their own, too. */
    static Optional<String> obstacle(PolicySpec spec, PolicyFactory policies, Origins origins, boolean constrained) {
        Set<Capability> needed = needed(origins);
        if (constrained) {
            needed.add(Capability.CONSTRAINTS);
        }
        if (policies.create(spec).capabilities().containsAll(needed)) {
            return Optional.empty();
        }
        List<String> keeping = policies.names().stream()
                .filter(name ->
                        policies.create(PolicySpec.of(name)).capabilities().containsAll(needed))
                .toList();
        String what = needed.contains(Capability.CONSTRAINTS)
                ? "keep constraints of labels and spread"
                : "keep requests to sites";
        return Optional.of("'" + spec.name() + "' does not " + what + (constrained ? "" : ", as their origins demand")
                + (keeping.isEmpty() ? "" : "; these do: " + String.join(", ", keeping)));
    }

    private static Set<Capability> needed(Origins origins) {
        Set<Capability> needed = new TreeSet<>();
        origins.all().forEach(origin -> {
            if (!origin.sites().isEmpty()) {
                needed.add(Capability.SITE_LIMITS);
            }
            if (!origin.constraints().hasSitesOnly()) {
                needed.add(Capability.CONSTRAINTS);
            }
        });
        return needed;
    }
}

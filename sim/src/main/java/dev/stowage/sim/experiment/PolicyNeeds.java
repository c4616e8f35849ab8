package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.RequestTraits;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The capabilities that the cluster and the requests of an experiment need, and whether a policy has them. */
public final class PolicyNeeds {
    private PolicyNeeds() {}

    /** The needed capabilities. */
    public static Set<Capability> of(Cluster cluster, Workload workload, Origins origins, Hazards hazards) {
        Set<Capability> needed = new TreeSet<>();
        if (cluster.resources().stream().anyMatch(Resource::comesInDevices)) {
            needed.add(Capability.DEVICES);
        }
        origins.all().forEach(origin -> {
            if (!origin.sites().isEmpty()) {
                needed.add(Capability.SITE_LIMITS);
            }
            if (!origin.constraints().hasSitesOnly()) {
                needed.add(Capability.CONSTRAINTS);
            }
        });
        if (workload.isConstrained()) {
            needed.add(Capability.CONSTRAINTS);
        }
        for (int type = 0; type < workload.types().size(); type++) {
            RequestTraits traits = workload.typeTraits(type);
            if (traits.isGang()) {
                needed.add(Capability.GANGS);
            }
            if (traits.distinctServers()) {
                needed.add(Capability.CONSTRAINTS);
            }
            if (traits.priority() != 0) {
                needed.add(Capability.PRIORITIES);
            }
        }
        if (hazards.starts() != null) {
            needed.add(Capability.EVICTION);
        }
        return needed;
    }

    /** Why a policy cannot handle these requests, and which policies can; empty if it can. */
    public static Optional<String> obstacle(PolicySpec spec, PolicyFactory policies, Set<Capability> needed) {
        Set<Capability> missing = new TreeSet<>(needed);
        missing.removeAll(policies.create(spec).capabilities());
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        List<String> able = policies.names().stream()
                .filter(name ->
                        policies.create(PolicySpec.of(name)).capabilities().containsAll(needed))
                .toList();
        String what = missing.stream().map(PolicyNeeds::words).collect(Collectors.joining(", nor "));
        return Optional.of("'" + spec.name() + "' does not " + what
                + (able.isEmpty() ? "; no policy does" : "; these do: " + String.join(", ", able)));
    }

    private static String words(Capability capability) {
        return switch (capability) {
            case SITE_LIMITS -> "support site limits, which the requests' origins set";
            case CONSTRAINTS -> "support constraints such as labels and spread";
            case OVERCOMMITMENT -> "work with servers that hold more than their capacity";
            case GANGS -> "support gangs, requests that are placed at once or not at all";
            case EVICTION -> "work with requests that may fail to start";
            case MIGRATION -> "move requests off draining servers";
            case DEVICES -> "support devices, such as whole GPUs and parts of one";
            case PENALTIES -> "support penalties";
            case PRIORITIES -> "support priorities";
        };
    }
}

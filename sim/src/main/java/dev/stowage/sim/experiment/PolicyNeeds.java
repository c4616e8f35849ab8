package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Resource;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.RequestTraits;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The capabilities that the cluster and the requests of an experiment need, and whether a policy has them. */
public final class PolicyNeeds {
    /** Which a single request may need. */
    private static final Set<Capability> OF_REQUESTS =
            EnumSet.of(Capability.CONSTRAINTS, Capability.GANGS, Capability.PRIORITIES);

    private PolicyNeeds() {}

    /**
     * Why a policy cannot handle the requests.
     *
     * @param policy its name
     * @param what it does not, with the first request that it cannot handle
     * @param able names of the policies that can
     */
    public record Unmet(String policy, String what, List<String> able) {
        /** Takes a copy. */
        public Unmet {
            able = List.copyOf(able);
        }

        @Override
        public String toString() {
            return "'" + policy + "' does not " + what
                    + (able.isEmpty() ? "; no policy does" : "; these do: " + String.join(", ", able));
        }
    }

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
        for (int type = 0; type < workload.types().size(); type++) {
            for (Capability each : OF_REQUESTS) {
                if (!asked(workload, type, each).isEmpty()) {
                    needed.add(each);
                }
            }
        }
        if (hazards.starts() != null) {
            needed.add(Capability.EVICTION);
        }
        return needed;
    }

    /** Why a policy cannot handle these requests; empty if it can. */
    public static Optional<Unmet> obstacle(
            PolicySpec spec, PolicyFactory policies, Set<Capability> needed, Workload workload) {
        Set<Capability> missing = new TreeSet<>(needed);
        missing.removeAll(policies.create(spec).capabilities());
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        List<String> able = policies.names().stream()
                .filter(name ->
                        policies.create(PolicySpec.of(name)).capabilities().containsAll(needed))
                .toList();
        String what = missing.stream()
                .map(each -> words(each) + first(workload, each))
                .collect(Collectors.joining(", nor "));
        return Optional.of(new Unmet(spec.name(), what, able));
    }

    /** What requests of a type ask for that needs a capability; empty if they need it for nothing. */
    private static String asked(Workload workload, int type, Capability capability) {
        RequestTraits traits = workload.typeTraits(type);
        ConstraintWords words = workload.typeConstraints(type);
        List<String> parts = new ArrayList<>();
        if (capability == Capability.GANGS && traits.isGang()) {
            parts.add(traits.members() + " members at once");
        } else if (capability == Capability.PRIORITIES && traits.priority() != 0) {
            parts.add("priority " + traits.priority());
        } else if (capability == Capability.CONSTRAINTS) {
            parts.add(String.join(" or ", words.where()));
            parts.add(words.avoid().isEmpty() ? "" : "not on " + String.join(", ", words.avoid()));
            parts.add(words.spread().isEmpty() ? "" : "spread " + String.join(", ", words.spread()));
            parts.add(traits.distinctServers() ? "its members on different servers" : "");
            parts.removeIf(String::isEmpty);
        }
        return String.join("; ", parts);
    }

    /** The first request that needs a capability, of a generator the first type, and what it asks for. */
    private static String first(Workload workload, Capability capability) {
        List<String> asked = IntStream.range(0, workload.types().size())
                .mapToObj(type -> asked(workload, type, capability))
                .toList();
        RequestStream requests = workload.isGiven() ? workload.open(0) : null;
        for (int number = 1; requests != null && requests.next(); number++) {
            String its = asked.get(requests.type());
            if (!its.isEmpty()) {
                return " (request " + (requests.id().isEmpty() ? "number " + number : "'" + requests.id() + "'") + ": "
                        + its + ")";
            }
        }
        return IntStream.range(0, asked.size())
                .filter(type -> !asked.get(type).isEmpty())
                .mapToObj(type -> " (type '" + workload.types().get(type) + "': " + asked.get(type) + ")")
                .findFirst()
                .orElse("");
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

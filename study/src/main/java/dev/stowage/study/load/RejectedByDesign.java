package dev.stowage.study.load;

import dev.stowage.core.model.Resource;
import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.PolicyInfo;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Policies that rejected nearly every request of a run, and what they need. */
public final class RejectedByDesign {
    private static final double NEARLY_ALL = 0.9;

    private RejectedByDesign() {}

    /**
     * A sentence for each of them.
     *
     * @param rejected greatest fraction of the requests that a server could hold and that a run rejected, by label of
     *     the policy
     */
    public static Stream<String> of(Experiment point, Map<String, Double> rejected) {
        return point.policies().stream()
                .filter(policy -> rejected.getOrDefault(policy.label(), 0.0) >= NEARLY_ALL)
                .map(policy -> String.format(
                        Locale.ROOT,
                        "%s rejected %s%.3g %% of the requests that a server could hold. %s",
                        policy.label(),
                        point.replications() > 1 ? "up to " : "",
                        100 * rejected.getOrDefault(policy.label(), 0.0),
                        needs(policy, point)));
    }

    private static String needs(LabelledPolicy policy, Experiment point) {
        Optional<PolicyInfo> info = Policies.all().stream()
                .filter(each -> each.key().equals(policy.spec().name()))
                .findFirst();
        if (info.stream().anyMatch(each -> each.traits().contains(PolicyInfo.Trait.NEEDS_DIVISIBLE_RESOURCE))
                && point.cluster().resources().stream().noneMatch(Resource::divisible)) {
            return "It divides a resource among the tasks of jobs, and no resource of this cluster is divisible;"
                    + " set 'divisible: cpu' in the cluster (docs/planning.md).";
        }
        if (has(info, policy, "load-per-server", "unlimited")) {
            return "Its load-per-server is unlimited, so it holds servers ready for the types that earn most, and rejects"
                    + " the others: give it the load of each type.";
        }
        if (has(info, policy, "when-full", "reject")) {
            return "It rejects what fits nowhere on arrival; with when-full=queue requests wait.";
        }
        return info.map(each -> "What it does: " + each.summary() + ".").orElse("");
    }

    private static boolean has(Optional<PolicyInfo> info, LabelledPolicy policy, String name, String value) {
        return info.stream()
                .flatMap(each -> each.parameters().stream())
                .filter(parameter -> parameter.name().equals(name))
                .map(Parameter::defaultValue)
                .anyMatch(usual ->
                        policy.spec().parameters().getOrDefault(name, usual).equals(value));
    }
}

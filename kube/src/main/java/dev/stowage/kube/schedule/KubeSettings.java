package dev.stowage.kube.schedule;

import dev.stowage.core.policy.PolicySpec;
import java.time.Duration;

/**
 * How a scheduler works.
 *
 * @param name name of the scheduler whose pods it places ({@code spec.schedulerName})
 * @param policy the policy
 * @param bindings bindings under way at once, at most
 * @param explainEvery a pod that waits gets an event with the reason at most so often
 * @param holdFor a pod whose binding was refused is tried again after this time
 * @param groupPatience a group that is bound in part is undone if the rest does not follow for so long
 * @param preempt whether pods of lower priority are evicted for those that find no room
 */
public record KubeSettings(
        String name,
        PolicySpec policy,
        int bindings,
        Duration explainEvery,
        Duration holdFor,
        Duration groupPatience,
        boolean preempt) {
    /** The usual ones. */
    public static KubeSettings of(String name, PolicySpec policy) {
        return new KubeSettings(
                name, policy, 32, Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(20), true);
    }
}

package dev.stowage.kube.schedule;

import dev.stowage.core.policy.PolicySpec;
import java.time.Duration;

/**
 * Settings of a scheduler.
 *
 * @param name name of the scheduler whose pods it places ({@code spec.schedulerName})
 * @param policy the policy
 * @param bindings bindings under way at once, at most
 * @param explainEvery least time between two events about the reason why a pod waits
 * @param holdFor a pod whose binding was refused is tried again after this time
 * @param groupPatience how long the rest of a group that is bound in part may take, before its bound pods are evicted
 * @param stuckAfter a pod that has not ended so long after its grace period is stuck: others that wait for its room
 *     look for another node
 * @param volumePatience how long a claim of a pod may take to be bound to a volume of the chosen node, before another
 *     node is tried
 * @param preempt whether pods of lower priority are evicted for pods that find no room
 * @param preferences weight of preferences against packing: they count in steps of 100 points by this; 0 ignores them
 */
public record KubeSettings(
        String name,
        PolicySpec policy,
        int bindings,
        Duration explainEvery,
        Duration holdFor,
        Duration groupPatience,
        Duration stuckAfter,
        Duration volumePatience,
        boolean preempt,
        int preferences) {
    /** The largest weight of preferences. */
    public static final int MOST_PREFERENCES = 100;

    /** The defaults. */
    public static KubeSettings of(String name, PolicySpec policy) {
        return new KubeSettings(
                name,
                policy,
                32,
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                Duration.ofSeconds(20),
                Duration.ofSeconds(60),
                Duration.ofSeconds(600),
                true,
                10);
    }
}

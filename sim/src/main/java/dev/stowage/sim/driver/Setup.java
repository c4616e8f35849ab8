package dev.stowage.sim.driver;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.Workload;
import java.util.List;

/**
 * One run: everything that decides its outcome.
 *
 * @param cluster resources, sites and servers at the start
 * @param workload requests; its resources are those of the cluster, pooled ones included, in any order
 * @param origins where requests come from, and so at which sites they may run; if any request is limited, the policy
 *     must keep to these sites
 * @param policy the policy
 * @param policies makes it
 * @param steps continuous or slotted
 * @param slotNanos length of a slot, at least 1 in slotted time
 * @param seed of the workload and the policy
 * @param end when the run ends
 * @param changes of servers, in order of time
 * @param speedOneShare share of the divisible resource that gives speed one; 1 where none is divisible
 * @param hazards failures and starts
 */
public record Setup(
        Cluster cluster,
        Workload workload,
        Origins origins,
        PolicySpec policy,
        PolicyFactory policies,
        Steps steps,
        long slotNanos,
        long seed,
        End end,
        List<ScheduledChange> changes,
        long speedOneShare,
        Hazards hazards) {
    /** Checks the slot and takes a copy of the changes. */
    public Setup {
        if (steps == Steps.SLOTS && slotNanos < 1) {
            throw new IllegalArgumentException("slot length " + slotNanos + " ns must be at least 1 ns");
        }
        changes = List.copyOf(changes);
    }

    /** A run without hazards. */
    public Setup(
            Cluster cluster,
            Workload workload,
            Origins origins,
            PolicySpec policy,
            PolicyFactory policies,
            Steps steps,
            long slotNanos,
            long seed,
            End end,
            List<ScheduledChange> changes,
            long speedOneShare) {
        this(
                cluster,
                workload,
                origins,
                policy,
                policies,
                steps,
                slotNanos,
                seed,
                end,
                changes,
                speedOneShare,
                Hazards.NONE);
    }
}

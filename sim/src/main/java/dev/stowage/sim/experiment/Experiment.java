package dev.stowage.sim.experiment;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.measure.MeasuredPart;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.RequestTraits;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An experiment, read, checked and resolved: one point of its sweep.
 *
 * @param name name, also of the results directory
 * @param hash first 16 hex digits of the SHA-256 of the resolved text of the whole experiment, sweep included
 * @param point value of every sweep axis, in order; empty without a sweep
 * @param cluster resources, sites and servers at the start; its request types are the workload's
 * @param workload requests
 * @param origins where requests come from, and so at which sites they may run
 * @param policies what is compared, in order
 * @param steps continuous or slotted
 * @param slotNanos length of a slot; 0 in continuous time
 * @param end when the run ends
 * @param warmUp what is cut from the start
 * @param seed seed of replication 0
 * @param replications how many, at least 1
 * @param confidence level of the intervals
 * @param changes of servers at given times, in order of time
 * @param speedOneShare share of the divisible resource that gives speed one; 1 where none is divisible
 * @param precision precision up to which replications are added to the pilot of {@code replications}; null to add none
 * @param hazards failures and starts
 * @param allSeries whether series are kept of every replication, not only of the first
 */
public record Experiment(
        String name,
        String hash,
        Map<String, String> point,
        Cluster cluster,
        Workload workload,
        Origins origins,
        List<LabelledPolicy> policies,
        Steps steps,
        long slotNanos,
        End end,
        WarmUpRule warmUp,
        long seed,
        int replications,
        double confidence,
        List<ScheduledChange> changes,
        long speedOneShare,
        @Nullable Precision precision,
        Hazards hazards,
        boolean allSeries) {
    /** The same with other requests and that many replications. */
    public Experiment with(Workload other, int number) {
        return with(other, policies, end, number);
    }

    /** The same with other policies and as many replications. */
    public Experiment with(List<LabelledPolicy> others, int number) {
        return with(workload, others, end, number);
    }

    /** The same with another end. */
    public Experiment until(End other) {
        return with(workload, policies, other, replications);
    }

    /** The same with another warm-up. */
    public Experiment with(WarmUpRule other) {
        return with(workload, policies, end, other, seed, replications);
    }

    /** One replication alone, with a seed of its own. */
    public Experiment replication(long itsSeed) {
        return with(workload, policies, end, warmUp, itsSeed, 1);
    }

    /** The same with other servers. */
    public Experiment with(Cluster other) {
        return with(other, workload, policies, end, warmUp, seed, replications);
    }

    private Experiment with(Workload requests, List<LabelledPolicy> compared, End until, int number) {
        return with(requests, compared, until, warmUp, seed, number);
    }

    private Experiment with(
            Workload requests, List<LabelledPolicy> compared, End until, WarmUpRule cut, long first, int number) {
        return with(cluster, requests, compared, until, cut, first, number);
    }

    private Experiment with(
            Cluster servers,
            Workload requests,
            List<LabelledPolicy> compared,
            End until,
            WarmUpRule cut,
            long first,
            int number) {
        return new Experiment(
                name,
                hash,
                point,
                servers,
                requests,
                origins,
                compared,
                steps,
                slotNanos,
                until,
                cut,
                first,
                number,
                confidence,
                changes,
                speedOneShare,
                precision,
                hazards,
                allSeries);
    }

    /** Whether the sites that requests come from are drawn at random, so that replications differ in them. */
    public boolean drawsOrigins() {
        return origins instanceof DrawnOrigins && origins != DrawnOrigins.ANYWHERE;
    }

    /** Whether all of an inventory is there from the start and none of it ends, on servers that do not change. */
    public boolean standsStill() {
        return workload.isInventory() && changes.isEmpty() && hazards.failures().isEmpty();
    }

    /** The optional parts that this experiment has. */
    public Set<MeasuredPart> parts() {
        Set<MeasuredPart> parts = new TreeSet<>();
        if (!hazards.failures().isEmpty()) {
            parts.add(MeasuredPart.FAILURES);
        }
        if (hazards.starts() != null) {
            parts.add(MeasuredPart.STARTS);
        }
        for (int type = 0; type < workload.types().size(); type++) {
            RequestTraits traits = workload.typeTraits(type);
            if (traits.priority() != 0) {
                parts.add(MeasuredPart.PRIORITIES);
            }
            if (traits.isGang()) {
                parts.add(MeasuredPart.GANGS);
            }
            if (traits.maxWait() != null) {
                parts.add(MeasuredPart.LONGEST_WAITS);
            }
        }
        return parts;
    }
}

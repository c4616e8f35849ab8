package dev.stowage.sim.workload;

import dev.stowage.core.model.ConstraintWords;
import java.util.List;
import java.util.TreeSet;

/**
 * Requests of given types from one arrival process.
 *
 * <p>All types share one process with the sum of their rates, and each request draws its type: for Poisson arrivals
 * that is the same as one process per type. Arrivals are keyed by the number of the event; type, demand and service
 * time are keyed by the number of the request. So a change of one type's service times leaves every arrival, every type
 * and every other request's demand and service time as they were (common random numbers).
 *
 * <p>Time and memory: O(log types) per request, none for idle time.
 *
 * @param resources names of the demanded resources
 * @param arrivals how arrivals follow each other
 * @param phases the types, by time: the first from 0 on, the times strictly rising, the same type names in the same
 *     order
 * @param maxRequests the workload ends after that many requests ({@link Long#MAX_VALUE}: it does not)
 * @param untilNanos the workload ends before that time ({@link Long#MAX_VALUE}: it does not)
 */
public record SyntheticWorkload(
        List<String> resources, ArrivalProcess arrivals, List<WorkloadPhase> phases, long maxRequests, long untilNanos)
        implements Workload {
    public SyntheticWorkload {
        resources = List.copyOf(resources);
        phases = List.copyOf(phases);
        Parameters.check(!resources.isEmpty(), "number of resources", resources.size(), "at least 1");
        Parameters.check(!phases.isEmpty(), "number of phases", phases.size(), "at least 1");
        Parameters.check(maxRequests >= 0, "number of requests", maxRequests, "at least 0");
        Parameters.check(untilNanos >= 0, "end in nanoseconds", untilNanos, "at least 0");
        checkTypes(phases.get(0).names());
        checkPhases(phases);
        checkDemands(phases, resources);
    }

    /** The same types from beginning to end, and no end. */
    public static SyntheticWorkload of(List<String> resources, ArrivalProcess arrivals, List<SyntheticType> types) {
        return new SyntheticWorkload(
                resources, arrivals, List.of(new WorkloadPhase(0, types)), Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** The same workload, ending after that many requests. */
    public SyntheticWorkload limit(long requests) {
        return new SyntheticWorkload(resources, arrivals, phases, requests, untilNanos);
    }

    /** The same workload, ending before that time. */
    public SyntheticWorkload until(long nanos) {
        return new SyntheticWorkload(resources, arrivals, phases, maxRequests, nanos);
    }

    @Override
    public List<String> types() {
        return phases.get(0).names();
    }

    /** Demand that a type has at the start. */
    @Override
    public long typeDemand(int type, int resource) {
        return phases.get(0).types().get(type).demand().fixedUnits(resource);
    }

    /** Reward that a type has at the start. */
    @Override
    public long typeRewardMicros(int type) {
        return phases.get(0).types().get(type).rewardMicros();
    }

    @Override
    public ConstraintWords typeConstraints(int type) {
        return phases.get(0).types().get(type).constraints();
    }

    @Override
    public RequestTraits typeTraits(int type) {
        return phases.get(0).types().get(type).traits();
    }

    /** Mean service time that a type has at the start; the policy does not learn that a later phase changes it. */
    @Override
    public long typeMeanServiceNanos(int type) {
        SyntheticType declared = phases.get(0).types().get(type);
        double mean = declared.service().mean() * declared.serviceUnitNanos();
        return mean > 0 && mean < Long.MAX_VALUE ? Math.max(1, Math.round(mean)) : 0;
    }

    @Override
    public long endNanos() {
        return untilNanos;
    }

    @Override
    public RequestStream open(long seed) {
        return new SyntheticStream(this, seed);
    }

    private static void checkTypes(List<String> names) {
        var seen = new TreeSet<String>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw new IllegalArgumentException("two request types are named " + name + ": names must differ");
            }
        }
    }

    private static void checkPhases(List<WorkloadPhase> phases) {
        Parameters.check(
                phases.get(0).fromNanos() == 0,
                "start of the first phase in nanoseconds",
                phases.get(0).fromNanos(),
                "0");
        for (int i = 1; i < phases.size(); i++) {
            long before = phases.get(i - 1).fromNanos();
            long from = phases.get(i).fromNanos();
            Parameters.check(
                    from > before, "start of phase " + i + " in nanoseconds", from, "above the one before, " + before);
            if (!phases.get(i).names().equals(phases.get(0).names())) {
                throw new IllegalArgumentException("phase " + i + " has the types "
                        + phases.get(i).names() + ", must have those of the first phase in the same order: "
                        + phases.get(0).names() + "; a type that does not arrive has rate 0");
            }
        }
    }

    private static void checkDemands(List<WorkloadPhase> phases, List<String> resources) {
        for (WorkloadPhase phase : phases) {
            for (SyntheticType type : phase.types()) {
                int given = type.demand().resources();
                Parameters.check(
                        given == resources.size(),
                        "number of demanded resources of type " + type.name(),
                        given,
                        resources.size() + ", one for each of " + resources);
            }
        }
    }
}

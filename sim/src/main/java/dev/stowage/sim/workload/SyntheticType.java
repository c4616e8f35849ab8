package dev.stowage.sim.workload;

import dev.stowage.core.model.ConstraintWords;

/**
 * One kind of request of a {@link SyntheticWorkload}.
 *
 * @param name unique in its workload
 * @param ratePerSecond expected arrivals per second, at least 0
 * @param demand what each request asks for
 * @param service service time at speed one, in units of {@code serviceUnitNanos}
 * @param serviceUnitNanos length of the unit: a second, or a slot
 * @param rewardMicros reward per hour of service, micro-units
 * @param constraints which servers may run it
 * @param traits its priority, and whether each request is a gang
 */
public record SyntheticType(
        String name,
        double ratePerSecond,
        Demand demand,
        Distribution service,
        long serviceUnitNanos,
        long rewardMicros,
        ConstraintWords constraints,
        RequestTraits traits) {
    private static final long SECOND_NANOS = 1_000_000_000L;

    public SyntheticType {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a request type is blank");
        }
        Parameters.nonnegative("rate of type " + name + " per second", ratePerSecond);
        Parameters.check(
                serviceUnitNanos >= 1,
                "unit of the service time of type " + name + " in nanoseconds",
                serviceUnitNanos,
                "at least 1");
        Parameters.check(rewardMicros >= 0, "reward of type " + name, rewardMicros, "at least 0 micro-units per hour");
    }

    /** A type that every server may run. */
    public SyntheticType(
            String name,
            double ratePerSecond,
            Demand demand,
            Distribution service,
            long serviceUnitNanos,
            long rewardMicros) {
        this(
                name,
                ratePerSecond,
                demand,
                service,
                serviceUnitNanos,
                rewardMicros,
                ConstraintWords.NONE,
                RequestTraits.NONE);
    }

    /** A type with service times in seconds and no reward. */
    public static SyntheticType inSeconds(String name, double ratePerSecond, Demand demand, Distribution service) {
        return new SyntheticType(name, ratePerSecond, demand, service, SECOND_NANOS, 0);
    }

    /** A type with a rate per slot and service times in slots, without reward. */
    public static SyntheticType inSlots(
            String name, double ratePerSlot, long slotNanos, Demand demand, Distribution service) {
        Parameters.check(slotNanos >= 1, "slot length in nanoseconds", slotNanos, "at least 1");
        return new SyntheticType(name, ratePerSlot * SECOND_NANOS / slotNanos, demand, service, slotNanos, 0);
    }

    /** The same type with another rate. */
    public SyntheticType withRate(double newRatePerSecond) {
        return new SyntheticType(
                name, newRatePerSecond, demand, service, serviceUnitNanos, rewardMicros, constraints, traits);
    }

    /** The same type with another service time, in the same unit. */
    public SyntheticType withService(Distribution newService) {
        return new SyntheticType(
                name, ratePerSecond, demand, newService, serviceUnitNanos, rewardMicros, constraints, traits);
    }

    /** The same type with a reward per hour of service. */
    public SyntheticType withReward(long micros) {
        return new SyntheticType(name, ratePerSecond, demand, service, serviceUnitNanos, micros, constraints, traits);
    }

    /** The same type with a priority, or as a gang. */
    public SyntheticType withTraits(RequestTraits newTraits) {
        return new SyntheticType(
                name, ratePerSecond, demand, service, serviceUnitNanos, rewardMicros, constraints, newTraits);
    }
}

package dev.stowage.sim.workload;

import java.util.Arrays;
import java.util.List;

/**
 * How arrivals follow each other, given the rate. Rates always count requests: with batches, batches come at the rate
 * divided by the mean batch size.
 *
 * @param random gaps are exponential (Poisson); otherwise every gap holds exactly one expected arrival
 * @param slotNanos arrivals are moved back to the start of their slot of that length; 0 leaves them where they are. The
 *     number of Poisson arrivals per slot is then Poisson and independent from slot to slot: the slotted model.
 * @param batchSize requests that arrive together, whole numbers of at least 1
 * @param hourFactors factors of the rate for the hours of a day (24) or of a week (168), repeated for ever; empty for a
 *     constant rate. They are used as given: with an average of 1 the rate of the types is the average rate.
 */
public record ArrivalProcess(boolean random, long slotNanos, Distribution batchSize, List<Double> hourFactors) {
    private static final int HOURS_PER_DAY = 24;
    private static final int HOURS_PER_WEEK = 168;

    public ArrivalProcess {
        Parameters.check(slotNanos >= 0, "slot length in nanoseconds", slotNanos, "at least 0 (0: no slots)");
        if (!batchSize.whole()) {
            throw new IllegalArgumentException("batch size " + batchSize
                    + " is not always a whole number: use a deterministic, geometric or discrete distribution");
        }
        Parameters.atLeast("mean batch size", batchSize.mean(), 1);
        hourFactors = List.copyOf(hourFactors);
        int hours = hourFactors.size();
        Parameters.check(
                hours == 0 || hours == HOURS_PER_DAY || hours == HOURS_PER_WEEK,
                "number of hourly factors",
                hours,
                "24 (a day) or 168 (a week), or 0 for a constant rate");
        double sum = 0;
        for (int i = 0; i < hours; i++) {
            sum += Parameters.nonnegative("hourly factor " + i, hourFactors.get(i));
        }
        if (hours > 0) {
            Parameters.positive("sum of the hourly factors", sum);
        }
    }

    /** Poisson arrivals in continuous time. */
    public static ArrivalProcess poisson() {
        return new ArrivalProcess(true, 0, Distribution.deterministic(1), List.of());
    }

    /** A Poisson number of arrivals at the start of every slot. */
    public static ArrivalProcess poissonPerSlot(long slotNanos) {
        Parameters.check(slotNanos > 0, "slot length in nanoseconds", slotNanos, "above 0");
        return poisson().inSlots(slotNanos);
    }

    /** Compound Poisson: batches at Poisson times. */
    public static ArrivalProcess batches(Distribution size) {
        return new ArrivalProcess(true, 0, size, List.of());
    }

    /** Equal gaps (in expected arrivals, where the rate varies); the first arrival comes after one gap. */
    public static ArrivalProcess deterministic() {
        return new ArrivalProcess(false, 0, Distribution.deterministic(1), List.of());
    }

    /** The same process with every arrival moved back to the start of its slot. */
    public ArrivalProcess inSlots(long nanos) {
        return new ArrivalProcess(random, nanos, batchSize, hourFactors);
    }

    /** The same process with the rate multiplied by a factor per hour of the day (24) or week (168). */
    public ArrivalProcess withProfile(double... factors) {
        return new ArrivalProcess(
                random, slotNanos, batchSize, Arrays.stream(factors).boxed().toList());
    }
}

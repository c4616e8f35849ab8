package dev.stowage.sim.workload;

/**
 * Moves through time by <em>expected arrivals</em>: the inverse of the integrated rate. The rate is constant per phase
 * (rates[i] per second from starts[i] on) times a factor per hour that repeats. Points of a unit-rate Poisson process
 * on the scale of expected arrivals become an exact non-homogeneous Poisson process. Idle time costs nothing; each
 * phase, or each hour of a profile, costs one step.
 */
final class ArrivalClock {
    static final long HOUR_NANOS = 3_600_000_000_000L;

    /** End of time, 146 years: nothing arrives later, so that sums of times cannot overflow. */
    static final long HORIZON_NANOS = Long.MAX_VALUE / 2;

    private static final double NANOS_PER_SECOND = 1e9;

    private final long[] starts;
    private final double[] rates;
    private final double[] hourFactors;
    private int phase;
    private long whole;
    private double fraction;
    private long segmentEnd;
    private double perSecond;

    /** The clock at starts[0]; hour 0 of the factors begins at time 0. An empty array means no factors. */
    ArrivalClock(long[] starts, double[] ratesPerSecond, double[] hourFactors) {
        this.starts = starts;
        this.rates = ratesPerSecond;
        this.hourFactors = hourFactors;
        this.whole = starts[0];
        enterSegment();
    }

    /** The present, to the nearest nanosecond. */
    long nanos() {
        return fraction >= 0.5 && whole + 1 < segmentEnd ? whole + 1 : whole;
    }

    /** The phase at {@link #nanos()}. */
    int phase() {
        return phase;
    }

    /** Moves on by that many expected arrivals; false if fewer are left until the end of time. */
    boolean advance(double expected) {
        double left = expected;
        while (whole < HORIZON_NANOS) {
            double room = (segmentEnd - whole - fraction) / NANOS_PER_SECOND * perSecond;
            if (left < room) {
                move(left / perSecond * NANOS_PER_SECOND);
                return true;
            }
            left -= room;
            whole = segmentEnd;
            fraction = 0;
            enterSegment();
        }
        return false;
    }

    private void move(double nanos) {
        double to = fraction + nanos;
        long steps = (long) to;
        whole += steps;
        fraction = to - steps;
        if (whole >= segmentEnd) {
            // rounding carried the point over the edge of its segment; it belongs to the last instant before
            whole = segmentEnd - 1;
            fraction = 0;
        }
    }

    private void enterSegment() {
        while (phase + 1 < starts.length && starts[phase + 1] <= whole) {
            phase++;
        }
        segmentEnd = phase + 1 < starts.length ? starts[phase + 1] : HORIZON_NANOS;
        perSecond = rates[phase];
        if (hourFactors.length > 0 && perSecond > 0 && whole < HORIZON_NANOS) {
            long hour = Math.floorDiv(whole, HOUR_NANOS);
            segmentEnd = Math.min(segmentEnd, (hour + 1) * HOUR_NANOS);
            perSecond *= hourFactors[Math.floorMod(hour, hourFactors.length)];
        }
    }
}

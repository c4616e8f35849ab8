package dev.stowage.sim.statistics;

/**
 * Equal intervals of time for a trajectory or for windows of waits. When a run outgrows {@code maxIntervals}, pairs of
 * neighbours are merged and the width doubles, so the horizon need not be known. Grids made by {@link #coarser} double
 * at the same instants as this one: their boundaries stay boundaries of this one.
 *
 * @param startNanos start of the first interval
 * @param widthNanos width at the beginning, at least 1
 * @param maxIntervals even, at least 2
 * @param keptFromNanos end of a given warm-up, from which on exact figures are kept beside those of the intervals; at
 *     least the start
 */
public record TimeGrid(long startNanos, long widthNanos, int maxIntervals, long keptFromNanos) {
    /** Intervals of a trajectory by default: enough for a plot and for the tests. */
    public static final int DEFAULT_INTERVALS = 500;
    /** Trajectory intervals in one window of waits. */
    public static final int WINDOW = 5;

    private static final long FIRST_WIDTH_NANOS = 1_000_000;

    public TimeGrid {
        if (widthNanos < 1) {
            throw new IllegalArgumentException("interval width " + widthNanos + " ns, must be at least 1");
        }
        if (maxIntervals < 2 || maxIntervals % 2 != 0) {
            throw new IllegalArgumentException(
                    "at most " + maxIntervals + " intervals, must be even and at least 2, because pairs are merged");
        }
        if (keptFromNanos < startNanos) {
            throw new IllegalArgumentException(
                    "kept from " + keptFromNanos + " ns, must be at least the start, " + startNanos + " ns");
        }
    }

    /** A grid of which everything is kept. */
    public TimeGrid(long startNanos, long widthNanos, int maxIntervals) {
        this(startNanos, widthNanos, maxIntervals, startNanos);
    }

    /** This grid with a given warm-up until {@code nanos}. */
    public TimeGrid keptFrom(long nanos) {
        return new TimeGrid(startNanos, widthNanos, maxIntervals, nanos);
    }

    /** A grid that just covers {@code [startNanos, endNanos)}. */
    public static TimeGrid forHorizon(long startNanos, long endNanos) {
        return forHorizon(startNanos, endNanos, DEFAULT_INTERVALS);
    }

    /** A grid of at most {@code intervals} intervals that just covers {@code [startNanos, endNanos)}. */
    public static TimeGrid forHorizon(long startNanos, long endNanos, int intervals) {
        long width = Math.max(1, (endNanos - startNanos + intervals - 1) / intervals);
        return new TimeGrid(startNanos, width, intervals);
    }

    /**
     * A grid for a run of unknown length: starts at 1 ms and doubles; ends with half to all of the intervals in use.
     */
    public static TimeGrid forUnknownHorizon(long startNanos) {
        return new TimeGrid(startNanos, FIRST_WIDTH_NANOS, DEFAULT_INTERVALS);
    }

    /** The grid whose every interval is {@code factor} of this one. */
    public TimeGrid coarser(int factor) {
        if (factor < 1 || maxIntervals % factor != 0) {
            throw new IllegalArgumentException("factor " + factor + " must divide " + maxIntervals + " intervals");
        }
        return new TimeGrid(startNanos, widthNanos * factor, maxIntervals / factor, keptFromNanos);
    }

    /**
     * Number of the first interval of this width that starts at or after an instant, counted from {@code startNanos}.
     */
    static long intervalFrom(long startNanos, long widthNanos, long nanos) {
        return (nanos - startNanos + widthNanos - 1) / widthNanos;
    }
}

package dev.stowage.sim.statistics;

import java.util.List;

/**
 * The warm-up to cut if none is given: a fifth of the run, or half if the quantity still rises or falls after that. The
 * place of the cut hardly depends on the measured values, so it does not bias the measurements after it, unlike rules
 * that look for the cut with the least variance after it (MSER). See docs/statistics.md.
 *
 * @param intervals trajectory intervals to cut, a multiple of 5
 * @param reached false if the quantity still rises or falls after half of the run: the run was too short, or the queue
 *     grows
 */
public record WarmUp(int intervals, boolean reached) {
    private static final int WINDOWS = 100;
    private static final int MIN_INTERVALS = 50;
    /** Probability of seeing a slope where there is none: small, so that the cut depends on chance in few runs only. */
    private static final double RISK = 0.01;

    /**
     * Chooses one cut for all replications.
     *
     * @param replications one trajectory each, of the same quantity and interval width; with fewer than 50 complete
     *     intervals nothing is cut and the warm-up counts as not reached
     */
    public static WarmUp choose(List<Trajectory> replications) {
        if (replications.isEmpty()) {
            throw new IllegalArgumentException("no trajectory, need at least 1");
        }
        long width = replications.get(0).widthNanos();
        for (Trajectory each : replications) {
            if (each.widthNanos() != width) {
                throw new IllegalArgumentException("interval widths " + width + " and " + each.widthNanos()
                        + " ns differ; all replications need the same horizon");
            }
        }
        return choose(
                replications.stream().map(each -> each.completeMeansFrom(0)).toArray(double[][]::new));
    }

    /** Chooses the cut of series of means over equal intervals, by replication. */
    static WarmUp choose(double[][] series) {
        int common = Integer.MAX_VALUE;
        for (double[] each : series) {
            common = Math.min(common, each.length);
        }
        if (common < MIN_INTERVALS) {
            return new WarmUp(0, false);
        }
        int fifth = wholeWindows(common, 5);
        if (isLevel(series, fifth)) {
            return new WarmUp(fifth, true);
        }
        int half = wholeWindows(common, 2);
        return new WarmUp(half, isLevel(series, half));
    }

    private static int wholeWindows(int intervals, int part) {
        return intervals / (part * TimeGrid.WINDOW) * TimeGrid.WINDOW;
    }

    private static boolean isLevel(double[][] series, int first) {
        Growth growth = Growth.of(Growth.windows(series, first, WINDOWS));
        return Math.abs(growth.perWindow()) <= growth.halfWidth(1 - RISK);
    }
}

package dev.stowage.sim.statistics;

import java.util.Arrays;
import java.util.List;

/**
 * The warm-up to cut, chosen by MSER-5 (White, Simulation 69(6), 1997; Franklin and White, WSC 2008): means of 5 intervals are
 * the batches, and the cut is the one that makes the standard error of what remains smallest.
 *
 * @param intervals trajectory intervals to cut, a multiple of 5
 * @param reached false if no cut within the first half is best: then half is cut and the run was too short, or the queue grows
 */
public record WarmUp(int intervals, boolean reached) {
    /** As White: a mean of fewer remaining batches is small by chance. */
    private static final int KEPT_BATCHES = 5;

    /**
     * Chooses one cut for all replications, from their average trajectory.
     *
     * @param replications one trajectory each, of the same quantity and interval width
     */
    public static WarmUp choose(List<Trajectory> replications) {
        return mser5(average(replications));
    }

    /**
     * Chooses the cut of a series of means over equal intervals. Of equally good cuts the first. O(n).
     *
     * @param intervalMeans in order of time; with fewer than 50 nothing is cut and the warm-up counts as not reached
     */
    public static WarmUp mser5(double[] intervalMeans) {
        int batches = intervalMeans.length / TimeGrid.WINDOW;
        if (batches < 2 * KEPT_BATCHES) {
            return new WarmUp(0, false);
        }
        double[] firstBatches = Arrays.copyOf(intervalMeans, batches * TimeGrid.WINDOW);
        int best = bestCut(Sample.groupMeans(firstBatches, batches));
        int half = batches / 2;
        return new WarmUp(Math.min(best, half) * TimeGrid.WINDOW, best <= half);
    }

    /** The cut d with the smallest sum over i >= d of (Y_i - mean)^2 / (n - d)^2, from the back by Welford's update. */
    private static int bestCut(double[] batches) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        double mean = 0;
        double squares = 0;
        for (int d = batches.length - 1; d >= 0; d--) {
            int n = batches.length - d;
            double step = batches[d] - mean;
            mean += step / n;
            squares += step * (batches[d] - mean);
            double statistic = squares / n / n;
            if (n >= KEPT_BATCHES && statistic <= least) {
                least = statistic;
                best = d;
            }
        }
        return best;
    }

    private static double[] average(List<Trajectory> replications) {
        if (replications.isEmpty()) {
            throw new IllegalArgumentException("no trajectory, need at least 1");
        }
        long width = replications.get(0).widthNanos();
        int common = Integer.MAX_VALUE;
        for (Trajectory each : replications) {
            if (each.widthNanos() != width) {
                throw new IllegalArgumentException("interval widths " + width + " and " + each.widthNanos()
                        + " ns differ; all replications need the same horizon");
            }
            common = Math.min(common, each.complete());
        }
        double[] sum = new double[common];
        for (Trajectory each : replications) {
            for (int i = 0; i < common; i++) {
                sum[i] += each.mean(i) / replications.size();
            }
        }
        return sum;
    }
}

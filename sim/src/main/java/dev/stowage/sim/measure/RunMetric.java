package dev.stowage.sim.measure;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.statistics.Intervals;

/**
 * A metric of one run, and the pieces of the run from which its interval is computed.
 *
 * @param value the metric over the run after warm-up
 * @param numerators per piece of equal length: the piece's mean, or the numerator of a ratio; empty if there is no
 *     interval
 * @param denominators per piece the denominator of a ratio; empty if the metric is a mean over time
 */
public record RunMetric(double value, double[] numerators, double[] denominators) {
    private static final double[] EMPTY = {};

    static RunMetric plain(double value) {
        return new RunMetric(value, EMPTY, EMPTY);
    }

    static RunMetric mean(double value, double[] pieces) {
        return new RunMetric(value, pieces, EMPTY);
    }

    /** Interval from this run alone. */
    public Estimate estimate(double confidence) {
        if (numerators.length == 0) {
            return new Estimate(value, null, confidence, Intervals.SINGLE_RUN, 1);
        }
        Estimate batches = denominators.length == 0
                ? Intervals.batchMeans(numerators, confidence)
                : Intervals.batchRatio(numerators, denominators, confidence);
        return new Estimate(value, batches.halfWidth(), confidence, batches.method(), batches.count());
    }
}

package dev.stowage.sim.statistics;

import dev.stowage.sim.result.Estimate;
import java.util.Arrays;

/**
 * Replications until a mean is known to a wanted precision, by two stages (Stein, A two-sample test for a linear
 * hypothesis whose power is independent of the variance, Annals of Mathematical Statistics 16, 1945): a pilot gives the
 * standard deviation, from which the number of replications follows; the interval is that of the mean of all of them
 * with the standard deviation and the degrees of freedom of the pilot. Because only the pilot's standard deviation
 * decides when to stop, the interval keeps its coverage; a rule that stops when the interval of all replications
 * happens to be narrow stops too often when it is too narrow by chance.
 */
public final class TwoStage {
    /** Method name of the interval. */
    public static final String METHOD = "two-stage";
    /** Fewer replications are too few for a pilot: the factor of Student's t and its noise cost more than they save. */
    public static final int LEAST_PILOT = 10;

    private TwoStage() {}

    /**
     * Mean of all replications with the interval of the pilot's standard deviation.
     *
     * @param values the metric in each replication, in order
     * @param pilot number of them, from the first, that are the pilot
     * @param confidence level, e.g. 0.95
     */
    public static Estimate estimate(double[] values, int pilot, double confidence) {
        double half = factor(values, pilot, confidence) / Math.sqrt(values.length);
        return new Estimate(Sample.mean(values), half, confidence, METHOD, values.length);
    }

    /**
     * Replications needed for a half-width of at most {@code relative} times the mean, as far as the mean is known now;
     * no fewer than there are, and {@link Long#MAX_VALUE} if the mean is 0.
     */
    public static long needed(double[] values, int pilot, double relative, double confidence) {
        double factor = factor(values, pilot, confidence);
        double ratio = factor == 0 ? 0 : factor / (relative * Math.abs(Sample.mean(values)));
        return Math.max(values.length, (long) Math.ceil(ratio * ratio));
    }

    private static double factor(double[] values, int pilot, double confidence) {
        double[] first = Arrays.copyOf(values, pilot);
        double deviation = Math.sqrt(Sample.sumOfSquares(first, Sample.mean(first)) / (pilot - 1));
        return StudentT.twoSided(confidence, pilot - 1) * deviation;
    }
}

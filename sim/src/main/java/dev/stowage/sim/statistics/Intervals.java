package dev.stowage.sim.statistics;

import dev.stowage.sim.result.Estimate;
import java.util.Arrays;

/**
 * Confidence intervals by Student's t: from independent replications, from paired replications (common random numbers),
 * and from batch means of one long run. Formulas and when not to trust them: docs/statistics.md. All methods read their
 * arrays in index order, so the same replications give the same bits.
 */
public final class Intervals {
    /** Method name: independent replications. */
    public static final String REPLICATIONS = "replications";
    /** Method name: batches of one long run. */
    public static final String BATCH_MEANS = "batch-means";
    /** Method name: one run too short for batches; there is no interval. */
    public static final String SINGLE_RUN = "single-run";

    /** Method name: replications on the same given requests, for which only their origins and the like are drawn. */
    public static final String ONE_TRACE = "one-trace";

    /** Method name: a figure of given requests, where nothing is estimated. */
    public static final String EXACT = "exact";

    /** Batches used if the run does not have more independent ones; fewer give no interval. */
    static final int MIN_BATCHES = 20;

    private static final int MAX_BATCHES = 40;
    /** Keeps the correction finite; a lag-1 correlation above this means that the run is too short anyway. */
    private static final double MAX_CORRELATION = 0.9;

    private Intervals() {}

    /**
     * Mean over replications.
     *
     * @param values the metric in each replication, at least one
     * @param confidence level, e.g. 0.95
     */
    public static Estimate replications(double[] values, double confidence) {
        requireSome(values.length, "replication");
        double mean = Sample.mean(values);
        if (values.length == 1) {
            return new Estimate(mean, null, confidence, SINGLE_RUN, 1);
        }
        double half = halfWidth(Sample.sumOfSquares(values, mean), values.length, confidence);
        return new Estimate(mean, half, confidence, REPLICATIONS, values.length);
    }

    /** Mean over replications on the same given requests: the interval is over what is drawn for them. */
    public static Estimate ofOneTrace(double[] values, double confidence) {
        Estimate drawn = replications(values, confidence);
        return new Estimate(drawn.mean(), drawn.halfWidth(), confidence, ONE_TRACE, drawn.count());
    }

    /**
     * What one more value stays below with this probability if all are independent and of one log-normal distribution:
     * the one-sided prediction bound exp(m + t(n - 1) s sqrt(1 + 1 / n)) of the logarithms. What peaks decide is
     * skewed, and normal theory too short for it.
     *
     * <p>Source: Hahn and Meeker, <em>Statistical Intervals</em>, Wiley 1991, section 4.7.
     *
     * @param values at least 2, above 0
     * @param confidence between 0.5 and 1
     */
    public static double another(double[] values, double confidence) {
        double[] logs = Arrays.stream(values).map(StrictMath::log).toArray();
        Estimate estimate = replications(logs, 2 * confidence - 1);
        double half = estimate.halfWidth() == null ? 0 : estimate.halfWidth();
        return StrictMath.exp(estimate.mean() + half * StrictMath.sqrt(values.length + 1));
    }

    /**
     * Mean of {@code a - b}, replication by replication. With common random numbers it is much narrower than two
     * separate intervals suggest.
     */
    public static Estimate difference(double[] a, double[] b, double confidence) {
        requireSameLength(a, b);
        double[] differences = new double[a.length];
        Arrays.setAll(differences, i -> a[i] - b[i]);
        return replications(differences, confidence);
    }

    /**
     * Ratio of the means of {@code a} and {@code b}, paired by replication: a mean per request over replications with
     * different numbers of requests, or how many times one policy's metric is another's. Delta method; NaN if b is 0 on
     * average.
     */
    public static Estimate ratio(double[] a, double[] b, double confidence) {
        requireSameLength(a, b);
        Estimate aroundZero = replications(linearized(a, b), confidence);
        return around(Sample.mean(a) / Sample.mean(b), aroundZero);
    }

    /**
     * Mean of one long run from the means of equally long pieces of it, e.g. {@link Trajectory#completeMeansFrom}. Uses
     * 40 batches if neighbouring batches look independent, else 20, widened for the correlation that remains.
     *
     * @param pieces means of pieces of equal length, in order; below 20 there is no interval
     */
    public static Estimate batchMeans(double[] pieces, double confidence) {
        requireSome(pieces.length, "piece of the run");
        if (pieces.length < MIN_BATCHES) {
            return new Estimate(Sample.mean(pieces), null, confidence, SINGLE_RUN, 1);
        }
        double[] batches = batches(pieces);
        double mean = Sample.mean(batches);
        double half = halfWidth(Sample.sumOfSquares(batches, mean), batches.length, confidence);
        double inflation = Math.sqrt(varianceInflation(correlation(batches, mean)));
        return new Estimate(Sample.mean(pieces), half * inflation, confidence, BATCH_MEANS, batches.length);
    }

    /**
     * Ratio over one long run from pieces of it, e.g. mean wait = sum of waits / number of requests in each window.
     * Delta method on 20 or 40 batches.
     */
    public static Estimate batchRatio(double[] numerators, double[] denominators, double confidence) {
        requireSameLength(numerators, denominators);
        Estimate aroundZero = batchMeans(linearized(numerators, denominators), confidence);
        return around(Sample.mean(numerators) / Sample.mean(denominators), aroundZero);
    }

    /**
     * Difference of two ratios over the same pieces of one long run, e.g. of the mean waits under two policies:
     * computed from the contribution of each piece, in 20 or 40 batches as in {@link #batchMeans}. A mean over time has
     * denominators of 1.
     */
    public static Estimate batchDifference(
            double[] numerators,
            double[] denominators,
            double[] otherNumerators,
            double[] otherDenominators,
            double confidence) {
        requireSameLength(numerators, denominators);
        requireSameLength(otherNumerators, otherDenominators);
        requireSameLength(numerators, otherNumerators);
        double[] linear = linearized(numerators, denominators);
        double[] other = linearized(otherNumerators, otherDenominators);
        Arrays.setAll(linear, i -> linear[i] - other[i]);
        return around(
                Sample.mean(numerators) / Sample.mean(denominators)
                        - Sample.mean(otherNumerators) / Sample.mean(otherDenominators),
                batchMeans(linear, confidence));
    }

    /** Lag-1 correlation of a series, corrected for the bias of about -1/n of a short series. */
    static double correlation(double[] x, double mean) {
        double squares = Sample.sumOfSquares(x, mean);
        return squares == 0 ? 0 : Sample.sumOfNeighbours(x, mean) / squares + 1.0 / x.length;
    }

    /**
     * Factor by which a lag-1 correlation (first-order autoregression) increases the variance of a mean; never below 1.
     */
    static double varianceInflation(double correlation) {
        double r = Math.max(0, Math.min(MAX_CORRELATION, correlation));
        return (1 + r) / (1 - r);
    }

    /** Contribution of each pair to the error of the ratio of the means, to first order; sums to zero. */
    private static double[] linearized(double[] a, double[] b) {
        double scale = Sample.mean(b);
        double ratio = Sample.mean(a) / scale;
        double[] linear = new double[a.length];
        Arrays.setAll(linear, i -> (a[i] - ratio * b[i]) / scale);
        return linear;
    }

    private static Estimate around(double mean, Estimate aroundZero) {
        return new Estimate(
                mean, aroundZero.halfWidth(), aroundZero.confidence(), aroundZero.method(), aroundZero.count());
    }

    /** 40 batches if their lag-1 correlation is within noise (one-sided 10 %), else 20. */
    private static double[] batches(double[] pieces) {
        if (pieces.length >= MAX_BATCHES) {
            double[] many = Sample.groupMeans(pieces, MAX_BATCHES);
            if (correlation(many, Sample.mean(many)) < 1.2816 / Math.sqrt(MAX_BATCHES)) {
                return many;
            }
        }
        return Sample.groupMeans(pieces, MIN_BATCHES);
    }

    private static double halfWidth(double sumOfSquares, int n, double confidence) {
        return StudentT.twoSided(confidence, n - 1) * Math.sqrt(sumOfSquares / (n - 1) / n);
    }

    private static void requireSome(int n, String what) {
        if (n == 0) {
            throw new IllegalArgumentException("no " + what + ", need at least 1");
        }
    }

    private static void requireSameLength(double[] a, double[] b) {
        requireSome(a.length, "pair");
        if (a.length != b.length) {
            throw new IllegalArgumentException(
                    a.length + " and " + b.length + " values cannot be paired: both need one value per replication");
        }
    }
}

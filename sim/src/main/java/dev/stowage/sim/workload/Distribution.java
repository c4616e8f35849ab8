package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;

/**
 * Distribution of one nonnegative quantity: a service time, a demand, a batch size. The unit (seconds, slots, shares of
 * a server) belongs to whoever uses it.
 *
 * <p>Draws are made by inversion from one uniform number (the hyperexponential takes two), with arithmetic and
 * {@link StrictMath} only, so the same key gives the same bits on every JVM. Parameters outside their range throw
 * {@link IllegalArgumentException} with the value and the allowed range.
 */
public sealed interface Distribution
        permits Deterministic,
                Discrete,
                Exponential,
                Geometric,
                Hyperexponential,
                Lognormal,
                Quantiles,
                TruncatedNormal,
                Uniform,
                Weibull {
    /** One draw, at least 0 and finite; takes a fixed number of uniform numbers. */
    double sample(KeyedRandom random);

    /** Probability that a draw is {@code x} or less; does not fall with x. */
    double atMost(double x);

    /** Expected value. */
    double mean();

    /** Whether every draw is a whole number, as the size of a batch must be. */
    default boolean whole() {
        return false;
    }

    /** Always {@code value}, at least 0. Takes no random number. */
    static Distribution deterministic(double value) {
        return new Deterministic(value);
    }

    /** Exponential with that mean, above 0. */
    static Distribution exponential(double mean) {
        return new Exponential(mean);
    }

    /** Geometric on {1, 2, ...} with that mean, at least 1: P(k) = p (1 - p)^(k - 1), p = 1 / mean. */
    static Distribution geometric(double mean) {
        return new Geometric(mean);
    }

    /** Uniform between two bounds, 0 &lt;= low &lt;= high. */
    static Distribution uniform(double low, double high) {
        return new Uniform(low, high);
    }

    /**
     * Normal with the given mean and standard deviation <em>before</em> truncation, conditioned on [low, high]; low is
     * at least 0, high may be infinite. At least 1e-12 of the normal's mass must lie between the bounds.
     */
    static Distribution truncatedNormal(double mean, double standardDeviation, double low, double high) {
        return new TruncatedNormal(mean, standardDeviation, low, high);
    }

    /** Lognormal: exp of a normal with mean {@code logMean} and standard deviation {@code logStandardDeviation}. */
    static Distribution lognormal(double logMean, double logStandardDeviation) {
        return new Lognormal(logMean, logStandardDeviation);
    }

    /** The lognormal with that mean (above 0) and squared coefficient of variation (at least 0). */
    static Distribution lognormalOfMean(double mean, double squaredVariation) {
        Parameters.positive("mean", mean);
        Parameters.nonnegative("squared coefficient of variation", squaredVariation);
        double logVariance = StrictMath.log1p(squaredVariation);
        return new Lognormal(StrictMath.log(mean) - logVariance / 2, StrictMath.sqrt(logVariance));
    }

    /** Weibull: P(X &gt; x) = exp(-(x / scale)^shape). The order is (shape, scale). */
    static Distribution weibull(double shape, double scale) {
        return new Weibull(shape, scale);
    }

    /** Mixture of exponentials: mean {@code means[i]} with a probability in proportion to {@code weights[i]}. */
    static Distribution hyperexponential(double[] weights, double[] means) {
        return new Hyperexponential(weights, means);
    }

    /** {@code values[i]} with a probability in proportion to {@code weights[i]}. */
    static Distribution discrete(double[] values, double[] weights) {
        return new Discrete(values, weights);
    }

    /** A sample itself: each of its values with the same probability. */
    static Distribution empirical(double[] sample) {
        double[] weights = new double[sample.length];
        Arrays.fill(weights, 1);
        return new Discrete(sample, weights);
    }

    /**
     * Continuous, given by its quantiles: {@code values[i]} is the quantile of {@code probabilities[i]}, linear in
     * between. The probabilities rise strictly from 0 to 1, the values do not fall.
     */
    static Distribution quantiles(double[] probabilities, double[] values) {
        return new Quantiles(probabilities, values);
    }
}

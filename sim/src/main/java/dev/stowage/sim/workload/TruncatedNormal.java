package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/**
 * Normal conditioned on an interval, by inversion. The interval is mirrored where it lies right of the mean, so that
 * probabilities are always taken from the left tail, where they keep their relative precision.
 */
record TruncatedNormal(double normalMean, double normalStandardDeviation, double low, double high)
        implements Distribution {
    private static final double LEAST_MASS = 1e-12;

    TruncatedNormal {
        Parameters.finite("mean", normalMean);
        Parameters.positive("standard deviation", normalStandardDeviation);
        Parameters.nonnegative("low", low);
        Parameters.check(high > low, "high", high, "above low, which is " + low);
        double mass = mass(normalMean, normalStandardDeviation, low, high);
        Parameters.check(
                mass >= LEAST_MASS,
                "mass of the normal between the bounds",
                mass,
                "at least " + LEAST_MASS + ": move the bounds [" + low + ", " + high + "] towards the mean "
                        + normalMean);
    }

    private static double mass(double mean, double deviation, double low, double high) {
        double a = (low - mean) / deviation;
        double b = (high - mean) / deviation;
        return a > 0 ? Normal.cumulative(-a) - Normal.cumulative(-b) : Normal.cumulative(b) - Normal.cumulative(a);
    }

    @Override
    public double sample(KeyedRandom random) {
        double a = lowScore();
        double b = highScore();
        boolean mirrored = a > 0;
        double left = Normal.cumulative(mirrored ? -b : a);
        double right = Normal.cumulative(mirrored ? -a : b);
        double score = Normal.quantile(left + random.nextDouble() * (right - left));
        double value = normalMean + normalStandardDeviation * (mirrored ? -score : score);
        return StrictMath.max(low, StrictMath.min(high, value));
    }

    @Override
    public double atMost(double x) {
        return x < low
                ? 0
                : x >= high
                        ? 1
                        : mass(normalMean, normalStandardDeviation, low, x)
                                / mass(normalMean, normalStandardDeviation, low, high);
    }

    @Override
    public double mean() {
        return normalMean + normalStandardDeviation * firstMoment();
    }

    private double firstMoment() {
        return (Normal.density(lowScore()) - Normal.density(highScore()))
                / mass(normalMean, normalStandardDeviation, low, high);
    }

    private double lowScore() {
        return (low - normalMean) / normalStandardDeviation;
    }

    private double highScore() {
        return (high - normalMean) / normalStandardDeviation;
    }
}

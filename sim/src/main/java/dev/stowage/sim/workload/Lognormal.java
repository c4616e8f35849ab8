package dev.stowage.sim.workload;

import dev.stowage.core.random.KeyedRandom;

/** Exponential function of a normal. */
record Lognormal(double logMean, double logStandardDeviation) implements Distribution {
    Lognormal {
        Parameters.finite("mean of the logarithm", logMean);
        Parameters.nonnegative("standard deviation of the logarithm", logStandardDeviation);
        double largest = logMean + 9 * logStandardDeviation + logStandardDeviation * logStandardDeviation;
        Parameters.check(
                largest < 700,
                "mean of the logarithm + 9 standard deviations + variance",
                largest,
                "below 700, or draws overflow");
    }

    @Override
    public double sample(KeyedRandom random) {
        return StrictMath.exp(logMean + logStandardDeviation * Normal.quantile(random.nextDouble()));
    }

    @Override
    public double atMost(double x) {
        if (x <= 0) {
            return 0;
        }
        double score = StrictMath.log(x) - logMean;
        return logStandardDeviation == 0 ? (score >= 0 ? 1 : 0) : Normal.cumulative(score / logStandardDeviation);
    }

    @Override
    public double mean() {
        return StrictMath.exp(logMean + logStandardDeviation * logStandardDeviation / 2);
    }
}

package dev.stowage.policies.reservation;

/**
 * P(N >= k) for N Poisson with a mean, without a sum: it equals P(X <= 2 mean) for X chi-squared with 2 k degrees of
 * freedom, by the normal approximation of Wilson and Hilferty (1931) and formula 26.2.17 of Abramowitz and Stegun
 * (1964). Within 0.02 of the exact value. O(1).
 */
final class PoissonTail {
    private static final double[] B = {0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429};
    private static final double B0 = 0.2316419;

    private PoissonTail() {}

    static double atLeast(long k, double mean) {
        if (k <= 0) {
            return 1;
        }
        if (mean <= 0) {
            return 0;
        }
        double c = 1 / (9.0 * k);
        return normal((StrictMath.cbrt(mean / k) - (1 - c)) / StrictMath.sqrt(c));
    }

    /** The distribution function of the standard normal distribution. */
    private static double normal(double z) {
        double t = 1 / (1 + B0 * Math.abs(z));
        double sum = 0;
        for (int k = B.length - 1; k >= 0; k--) {
            sum = (sum + B[k]) * t;
        }
        double tail = StrictMath.exp(-z * z / 2) / StrictMath.sqrt(2 * StrictMath.PI) * sum;
        return z >= 0 ? 1 - tail : tail;
    }
}

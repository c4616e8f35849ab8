package dev.stowage.sim.workload;

/** Logarithm of the gamma function in {@link StrictMath}, because arrival rates depend on means of distributions. */
final class LogGamma {
    // Lanczos' approximation with g = 7 and 9 terms (Godfrey's coefficients): relative error about 1e-15.
    private static final double G = 7;
    private static final double[] COEFFICIENTS = {
        0.9999999999998099,
        676.5203681218851,
        -1259.1392167224028,
        771.3234287776531,
        -176.6150291621406,
        12.507343278686905,
        -0.13857109526572012,
        9.984369578019572e-06,
        1.5056327351493116e-07
    };
    private static final double HALF_LOG_TWO_PI = 0.9189385332046728;

    private LogGamma() {}

    /** ln Gamma(x) for x &gt;= 1. */
    static double of(double x) {
        double z = x - 1;
        double sum = COEFFICIENTS[0];
        for (int i = 1; i < COEFFICIENTS.length; i++) {
            sum += COEFFICIENTS[i] / (z + i);
        }
        double t = z + G + 0.5;
        return HALF_LOG_TWO_PI + (z + 0.5) * StrictMath.log(t) - t + StrictMath.log(sum);
    }
}

package dev.stowage.sim.statistics;

import org.apache.commons.statistics.distribution.TDistribution;

/** Quantiles of Student's t. */
final class StudentT {
    private StudentT() {}

    /** The value that |T| stays below with probability {@code confidence}. */
    static double twoSided(double confidence, double degreesOfFreedom) {
        if (!(confidence > 0 && confidence < 1)) {
            throw new IllegalArgumentException(
                    "confidence " + confidence + ", must be between 0 and 1, e.g. 0.95 for a 95 % interval");
        }
        return TDistribution.of(degreesOfFreedom).inverseSurvivalProbability((1 - confidence) / 2);
    }
}

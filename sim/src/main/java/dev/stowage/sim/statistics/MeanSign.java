package dev.stowage.sim.statistics;

/**
 * Is the mean of independent values at most 0, or above 0? Tested by the one-sided interval of Student's t, at one of
 * several looks.
 */
public final class MeanSign {
    /** The result of a look. */
    public enum Finding {
        /** The upper limit of the mean is at most 0. */
        AT_MOST_ZERO,
        /** The lower limit is above 0. */
        ABOVE_ZERO,
        /** Neither. */
        OPEN
    }

    private MeanSign() {}

    /**
     * Tests the values so far.
     *
     * @param values of the replications, at least 2
     * @param risk of a wrong answer at this look, above 0 and below 0.5
     */
    public static Finding find(double[] values, double risk) {
        double mean = Sample.mean(values);
        double deviation = Math.sqrt(Sample.sumOfSquares(values, mean) / (values.length - 1));
        double half = StudentT.twoSided(1 - 2 * risk, values.length - 1) * deviation / Math.sqrt(values.length);
        return mean + half <= 0 ? Finding.AT_MOST_ZERO : mean - half > 0 ? Finding.ABOVE_ZERO : Finding.OPEN;
    }
}

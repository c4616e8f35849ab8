package dev.stowage.policies.randomized;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;

/** Statistical tests at the level of one in a thousand; seeds are fixed, so they always come out the same. */
final class GoodnessOfFit {
    /** 3.09 standard deviations: one run in a thousand lies beyond. */
    private static final double NORMAL_999 = 3.0902;
    /** Kolmogorov's distribution: sqrt(n) times the greatest distance is beyond once in a thousand. */
    private static final double KOLMOGOROV_999 = 1.9495;

    private GoodnessOfFit() {}

    /** Quantile of the chi-square distribution, by Wilson and Hilferty. */
    static double chiSquare999(int freedom) {
        double a = 2.0 / (9 * freedom);
        return freedom * StrictMath.pow(1 - a + NORMAL_999 * StrictMath.sqrt(a), 3);
    }

    /** Counts of outcomes against their probabilities; an outcome of probability 0 must not occur. */
    static void checkCounts(int[] seen, double... probabilities) {
        int all = Arrays.stream(seen).sum();
        double chi = 0;
        int cells = 0;
        for (int i = 0; i < seen.length; i++) {
            double expected = all * probabilities[i];
            if (expected == 0) {
                assertThat(seen[i])
                        .as("outcome %d of %s", i, Arrays.toString(seen))
                        .isZero();
            } else {
                assertThat(expected).as("expected number of outcome %d", i).isGreaterThan(5);
                chi += (seen[i] - expected) * (seen[i] - expected) / expected;
                cells++;
            }
        }
        if (cells > 1) {
            assertThat(chi)
                    .as("chi-square of %s for %s", Arrays.toString(seen), Arrays.toString(probabilities))
                    .isLessThan(chiSquare999(cells - 1));
        }
    }

    /** Durations that should be exponential, by Kolmogorov and Smirnov. */
    static void checkExponential(double[] durations, double rate) {
        double[] sorted = durations.clone();
        Arrays.sort(sorted);
        double farthest = 0;
        for (int i = 0; i < sorted.length; i++) {
            double law = 1 - StrictMath.exp(-rate * sorted[i]);
            farthest = Math.max(farthest, Math.max(law - (double) i / sorted.length, (i + 1.0) / sorted.length - law));
        }
        assertThat(farthest * StrictMath.sqrt(sorted.length))
                .as("distance of %d durations from the exponential law of rate %s", sorted.length, rate)
                .isLessThan(KOLMOGOROV_999);
    }

    /** Counts that should be Poisson: their sum, and their dispersion. */
    static void checkPoisson(int[] counts, double mean) {
        double all = counts.length * mean;
        assertThat((double) Arrays.stream(counts).sum())
                .as("sum of %d counts of mean %s", counts.length, mean)
                .isBetween(all - NORMAL_999 * StrictMath.sqrt(all), all + NORMAL_999 * StrictMath.sqrt(all));
        double dispersion = Arrays.stream(counts)
                .mapToDouble(count -> (count - mean) * (count - mean) / mean)
                .sum();
        double a = 2.0 / (9 * counts.length);
        double least = counts.length * StrictMath.pow(1 - a - NORMAL_999 * StrictMath.sqrt(a), 3);
        assertThat(dispersion).as("dispersion").isBetween(least, chiSquare999(counts.length));
    }
}

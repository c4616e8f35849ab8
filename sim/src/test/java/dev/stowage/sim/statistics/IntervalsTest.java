package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.result.Estimate;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IntervalsTest {
    private static final int RUNS = 400;
    /** Four standard errors of a coverage of 0.95 over 400 runs: 4 * sqrt(0.95 * 0.05 / 400) = 0.044. */
    private static final double FOUR_ERRORS = 0.044;

    @Test
    void replicationsByHand() {
        Estimate mean = Intervals.replications(new double[] {1, 2, 3, 4}, 0.95);
        // mean 2.5, s^2 = (2.25 + 0.25 + 0.25 + 2.25) / 3 = 5/3, standard error sqrt(5/12), t(3, 0.975) = 3.182446
        assertThat(mean.mean()).isEqualTo(2.5);
        assertThat(mean.halfWidth()).isCloseTo(3.182446 * Math.sqrt(5.0 / 12), within(1e-6));
        assertThat(mean.method()).isEqualTo("replications");
        assertThat(mean.count()).isEqualTo(4);
    }

    @Test
    void oneReplicationHasNoInterval() {
        Estimate mean = Intervals.replications(new double[] {7}, 0.95);
        assertThat(mean.halfWidth()).isNull();
        assertThat(mean.method()).isEqualTo("single-run");
    }

    @Test
    void pairsCancelWhatTheyShare() {
        // the runs differ by 90, the pairs by 1, 2, 3: mean 2, standard error 1 / sqrt(3), t(2, 0.975) = 4.302653
        Estimate difference = Intervals.difference(new double[] {11, 52, 103}, new double[] {10, 50, 100}, 0.95);
        assertThat(difference.mean()).isEqualTo(2);
        assertThat(difference.halfWidth()).isCloseTo(4.302653 / Math.sqrt(3), within(1e-6));
    }

    @Test
    void ratioByHand() {
        // (2 + 6) / (1 + 1) = 4; contributions (2 - 4) / 1, (6 - 4) / 1: s^2 = 8, error sqrt(8 / 2) = 2, t(1, 0.975) =
        // 12.7062
        Estimate ratio = Intervals.ratio(new double[] {2, 6}, new double[] {1, 1}, 0.95);
        assertThat(ratio.mean()).isEqualTo(4);
        assertThat(ratio.halfWidth()).isCloseTo(2 * 12.7062, within(1e-4));
        assertThat(Intervals.ratio(new double[] {2, 6}, new double[] {1, 3}, 0.95)
                        .halfWidth())
                .isZero();
    }

    @Test
    void batchMeansByHand() {
        // 20 pieces 0, 1, 0, 1, ..: neighbours differ, no widening. mean 1/2, s^2 = 20 * 0.25 / 19, t(19, 0.975) =
        // 2.093024
        double[] pieces = new double[20];
        Arrays.setAll(pieces, i -> i % 2);
        Estimate mean = Intervals.batchMeans(pieces, 0.95);
        assertThat(mean.mean()).isEqualTo(0.5);
        assertThat(mean.halfWidth()).isCloseTo(2.093024 * Math.sqrt(5.0 / 19 / 20), within(1e-6));
        assertThat(mean.method()).isEqualTo("batch-means");
        assertThat(mean.count()).isEqualTo(20);
        assertThat(Intervals.batchMeans(Arrays.copyOf(pieces, 19), 0.95).halfWidth())
                .isNull();
    }

    @Test
    void batchesAreFewerWhereNeighboursAreAlike() {
        double[] slow = new double[400];
        double[] fast = new double[400];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 400; i++) {
            fast[i] = random.nextDouble();
            slow[i] = i / 40 % 2;
        }
        assertThat(Intervals.batchMeans(fast, 0.95).count()).isEqualTo(40);
        assertThat(Intervals.batchMeans(slow, 0.95).count()).isEqualTo(20);
    }

    /** With 40 pieces there may be 40 batches of one, with 39 there are 20 of one and the rest is left out. */
    @Test
    void fortyPiecesAreEnoughForFortyBatches() {
        double[] pieces = new double[40];
        SplittableRandom random = new SplittableRandom(1);
        Arrays.setAll(pieces, i -> random.nextDouble());
        assertThat(Intervals.batchMeans(pieces, 0.95).count()).isEqualTo(40);
        assertThat(Intervals.batchMeans(Arrays.copyOf(pieces, 39), 0.95).count())
                .isEqualTo(20);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> Intervals.replications(new double[0], 0.95)).hasMessageContaining("no replication");
        assertThatThrownBy(() -> Intervals.replications(new double[] {1, 2}, 95))
                .hasMessageContaining("95.0");
        assertThatThrownBy(() -> Intervals.difference(new double[1], new double[2], 0.95))
                .hasMessageContaining("1 and 2 values");
    }

    /** M/M/1 at load 0.5: 10 replications of 1000 waits each after 500; the mean wait is 1. */
    @Test
    void replicationsCoverTheMeanWait() {
        int covered = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] means = new double[10];
            for (int r = 0; r < means.length; r++) {
                means[r] = Sample.mean(MM1.waits(0.5, 500, 1_000, run * 10L + r));
            }
            covered += covers(Intervals.replications(means, 0.95), MM1.meanWait(0.5)) ? 1 : 0;
        }
        // skewed means cost a point or so
        assertThat(covered / (double) RUNS).isBetween(0.94 - FOUR_ERRORS, 0.95 + FOUR_ERRORS);
    }

    /** The same queue as one run of 50,000 waits in 500 pieces. */
    @Test
    void batchMeansCoverTheMeanWait() {
        int covered = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] pieces = Sample.groupMeans(MM1.waits(0.5, 500, 50_000, run), 500);
            covered += covers(Intervals.batchMeans(pieces, 0.95), MM1.meanWait(0.5)) ? 1 : 0;
        }
        assertThat(covered / (double) RUNS).isBetween(0.94 - FOUR_ERRORS, 0.95 + FOUR_ERRORS);
    }

    /** At load 0.9 the pieces are strongly correlated; the mean wait is 9. */
    @Test
    void batchMeansCoverTheMeanWaitUnderHighLoad() {
        int covered = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] pieces = Sample.groupMeans(MM1.waits(0.9, 5_000, 100_000, run), 500);
            covered += covers(Intervals.batchMeans(pieces, 0.95), MM1.meanWait(0.9)) ? 1 : 0;
        }
        assertThat(covered / (double) RUNS).isBetween(0.92 - FOUR_ERRORS, 0.96 + FOUR_ERRORS);
    }

    /** Mean wait as sum of waits / number of requests in windows of unequal counts. */
    @Test
    void batchRatioCoversTheMeanWait() {
        int covered = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] waits = MM1.waits(0.5, 500, 50_000, run);
            SplittableRandom random = new SplittableRandom(run);
            double[] sums = new double[100];
            double[] counts = new double[100];
            for (int i = 0; i < waits.length; i++) {
                int window = Math.min(99, (int) (i / 500.0 + random.nextDouble() * 0.2));
                sums[window] += waits[i];
                counts[window]++;
            }
            covered += covers(Intervals.batchRatio(sums, counts, 0.95), MM1.meanWait(0.5)) ? 1 : 0;
        }
        assertThat(covered / (double) RUNS).isBetween(0.94 - FOUR_ERRORS, 0.95 + FOUR_ERRORS);
    }

    private static boolean covers(Estimate estimate, double truth) {
        return Math.abs(estimate.mean() - truth) <= Objects.requireNonNull(estimate.halfWidth());
    }

    /** 5 % of 4,000 are 200, with a standard deviation of 13.8: between 150 and 250. */
    @Test
    void anotherLogNormalValueIsBelowItsBoundIn95OfAHundred() {
        SplittableRandom random = new SplittableRandom(11);
        int above = 0;
        for (int trial = 0; trial < 4_000; trial++) {
            double[] values = new double[8];
            for (int i = 0; i < values.length; i++) {
                values[i] = StrictMath.exp(10 + 3 * random.nextGaussian());
            }
            above += StrictMath.exp(10 + 3 * random.nextGaussian()) > Intervals.another(values, 0.95) ? 1 : 0;
        }
        assertThat(above).isBetween(150, 250);
    }
}

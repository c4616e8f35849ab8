package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    @Test
    void cutsAStepExactly() {
        // 20 batches of 5: the first 3 batches at 10, then 0 and 1 in turn
        double[] series = new double[100];
        Arrays.setAll(series, i -> i < 15 ? 10 : i / 5 % 2);
        assertThat(WarmUp.mser5(series)).isEqualTo(new WarmUp(15, true));
    }

    @Test
    void aConstantNeedsNoWarmUp() {
        assertThat(WarmUp.mser5(new double[500])).isEqualTo(new WarmUp(0, true));
    }

    @Test
    void neverCutsMoreThanHalf() {
        double[] growing = new double[500];
        Arrays.setAll(growing, i -> i);
        assertThat(WarmUp.mser5(growing)).isEqualTo(new WarmUp(250, false));
    }

    @Test
    void tooShortIsNotReached() {
        assertThat(WarmUp.mser5(new double[49])).isEqualTo(new WarmUp(0, false));
    }

    @Test
    void agreesWithTheDefinition() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] series = new double[5 * random.nextInt(10, 60) + random.nextInt(5)];
            double level = random.nextDouble() * 20;
            double decay = 0.5 + random.nextDouble() / 2;
            for (int i = 0; i < series.length; i++) {
                level *= decay;
                series[i] = level + random.nextDouble();
            }
            assertThat(WarmUp.mser5(series)).as("seed %d", seed).isEqualTo(slowMser5(series));
        }
    }

    private static WarmUp slowMser5(double[] series) {
        int batches = series.length / 5;
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int d = 0; d <= batches - 5; d++) {
            double mean = 0;
            double squares = 0;
            for (int i = d; i < batches; i++) {
                mean += batch(series, i) / (batches - d);
            }
            for (int i = d; i < batches; i++) {
                squares += Math.pow(batch(series, i) - mean, 2);
            }
            double statistic = squares / Math.pow(batches - d, 2);
            if (statistic < least) {
                least = statistic;
                best = d;
            }
        }
        return new WarmUp(5 * Math.min(best, batches / 2), best <= batches / 2);
    }

    private static double batch(double[] series, int i) {
        return Arrays.stream(series, 5 * i, 5 * i + 5).average().orElseThrow();
    }

    /**
     * AR(1) with phi = 0.95 and unit innovations, started 40 above its mean: standard deviation 1 / sqrt(1 - 0.95^2) = 3.2, the
     * start has decayed to one of them after ln(40 / 3.2) / -ln(0.95) = 49 steps.
     */
    @Test
    void cutsTheKnownTransientOfAnAutoregression() {
        double withCut = 0;
        double without = 0;
        double cuts = 0;
        int reachedLevel = 0;
        int runs = 200;
        for (int run = 0; run < runs; run++) {
            SplittableRandom random = new SplittableRandom(run);
            double[] series = new double[500];
            double deviation = 40;
            for (int i = 0; i < series.length; i++) {
                series[i] = 100 + deviation;
                deviation = 0.95 * deviation + random.nextGaussian();
            }
            WarmUp found = WarmUp.mser5(series);
            reachedLevel += 40 * Math.pow(0.95, found.intervals()) < 2 * 3.2 ? 1 : 0;
            cuts += (double) found.intervals() / runs;
            withCut += Math.pow(Sample.mean(Arrays.copyOfRange(series, found.intervals(), 500)) - 100, 2) / runs;
            without += Math.pow(Sample.mean(series) - 100, 2) / runs;
        }
        assertThat(reachedLevel).isGreaterThan(runs * 8 / 10);
        assertThat(cuts).isBetween(40.0, 150.0);
        // untouched: bias 40 / (1 - 0.95) / 500 = 1.6; squared error at least its square plus the noise (20 /
        // sqrt(500))^2 = 0.8
        assertThat(without).isCloseTo(1.6 * 1.6 + 0.8, within(0.8));
        assertThat(withCut).isLessThan(without / 2);
    }

    @Test
    void averagesReplicationsOfOneHorizon() {
        List<Trajectory> queues = MM1.queues(0.8, 20_000, 1, 4);
        WarmUp found = WarmUp.choose(queues);
        assertThat(found.reached()).isTrue();
        assertThat(found.intervals() % TimeGrid.WINDOW).isZero();
        assertThatThrownBy(() -> WarmUp.choose(List.of(queues.get(0), MM1.queue(0.8, 10_000, 1))))
                .hasMessageContaining("differ");
        assertThatThrownBy(() -> WarmUp.choose(List.of())).hasMessageContaining("no trajectory");
    }
}

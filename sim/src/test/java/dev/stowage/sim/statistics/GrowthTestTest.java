package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.result.Stability;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class GrowthTestTest {
    @Test
    void noQueue() {
        Trajectory empty = new Trajectory(TimeGrid.forHorizon(0, 1_000_000), 0);
        empty.advance(1_000_000);
        assertThat(GrowthTest.judge(List.of(empty), 0)).isEqualTo(new Stability("no-queue", 0, null));
    }

    @Test
    void tooShortIsUndecided() {
        Stability found = GrowthTest.judge(List.of(series(19, i -> 3 * i)), 0.5, false);
        // 3 per interval of half an hour
        assertThat(found).isEqualTo(new Stability("undecided", 6, null));
    }

    @Test
    void aStraightLineGrows() {
        Stability found = GrowthTest.judge(List.of(series(500, i -> 2 * i)), 0.1, false);
        assertThat(found.verdict()).isEqualTo("unstable");
        assertThat(found.growthPerHour()).isCloseTo(20, within(1e-9));
        assertThat(Objects.requireNonNull(found.halfWidth())).isLessThan(1e-6);
    }

    @Test
    void aLevelIsStableAndSoIsADailyWave() {
        assertThat(GrowthTest.judge(List.of(series(500, i -> 7)), 1, false).verdict())
                .isEqualTo("stable");
        assertThat(GrowthTest.judge(List.of(series(500, i -> 7 + 5 * Math.sin(i * 2 * Math.PI / 25))), 1, false)
                        .verdict())
                .isEqualTo("stable");
    }

    /** Five days: from 0 at midnight to 12 at noon and back. Too slow to tell from a random walk, but it empties every night. */
    @Test
    void aQueueThatEmptiesEveryNightIsStable() {
        long hour = 3600 * MM1.SECOND;
        Trajectory queue = new Trajectory(TimeGrid.forHorizon(0, 120 * hour), 0);
        for (int h = 0; h < 120; h++) {
            queue.set(h * hour, Math.min(h % 24, 24 - h % 24));
        }
        queue.advance(120 * hour);
        assertThat(GrowthTest.judge(List.of(queue), 0).verdict()).isEqualTo("stable");
    }

    @Test
    void aQueueThatDrainsDoesNotGrow() {
        Stability found = GrowthTest.judge(List.of(series(500, i -> 5_000 - 10.0 * i)), 1, false);
        assertThat(found.verdict()).isNotEqualTo("unstable");
        assertThat(found.growthPerHour()).isCloseTo(-10, within(1e-9));
    }

    /** Fills up towards a level, with and without noise: levels off, so it is not called unstable. */
    @Test
    void aTransientFromEmptyIsNotUnstable() {
        for (int constant : new int[] {10, 50, 100, 150}) {
            SplittableRandom random = new SplittableRandom(constant);
            IntToDoubleFunction filling = i -> 1_000 * (1 - Math.exp(-i / (double) constant));
            assertThat(GrowthTest.judge(List.of(series(500, filling)), 1, false).verdict())
                    .as("time constant %d", constant)
                    .isNotEqualTo("unstable");
            double[] noisy = series(500, i -> filling.applyAsDouble(i) + 50 * random.nextGaussian());
            assertThat(GrowthTest.judge(List.of(noisy), 1, false).verdict())
                    .as("time constant %d, noisy", constant)
                    .isNotEqualTo("unstable");
        }
    }

    @Test
    void aGrowingDailyWaveIsUnstable() {
        SplittableRandom random = new SplittableRandom(5);
        double[] wave = series(500, i -> i + 60 + 50 * Math.sin(i * 2 * Math.PI / 50) + 5 * random.nextGaussian());
        Stability found = GrowthTest.judge(List.of(wave), 1, false);
        assertThat(found.verdict()).isEqualTo("unstable");
        assertThat(found.growthPerHour()).isCloseTo(1, within(Objects.requireNonNull(found.halfWidth())));
    }

    @Test
    void lineAgreesWithTheNormalEquations() {
        // x = 0, 1, 2, 3; y = 1, 3, 2, 4: slope = sum (x - 1.5)(y - 2.5) / 5 = (2.25 - 0.25 - 0.25 + 2.25) / 5 = 0.8
        Line line = Line.fit(new double[][] {{1, 3, 2, 4}});
        assertThat(line.slope(0.95)[0]).isCloseTo(0.8, within(1e-12));
    }

    /** 200 runs of 10,000 seconds from empty: at most one false alarm in twenty (plus four errors, 0.06). */
    @Test
    void stableQueuesAreRarelyCalledUnstable() {
        for (double load : new double[] {0.5, 0.8, 0.95}) {
            assertThat(share(GrowthTest.UNSTABLE, load, 10_000, 1))
                    .as("load %s", load)
                    .isLessThan(0.11);
        }
        assertThat(share(GrowthTest.STABLE, 0.5, 10_000, 1)).isGreaterThan(0.85);
        assertThat(share(GrowthTest.STABLE, 0.8, 10_000, 5)).isGreaterThan(0.85);
    }

    @Test
    void overloadIsFoundAndNeverCalledStable() {
        assertThat(share(GrowthTest.UNSTABLE, 1.2, 10_000, 1)).isGreaterThan(0.95);
        assertThat(share(GrowthTest.UNSTABLE, 1.05, 10_000, 5)).isGreaterThan(0.9);
        assertThat(share(GrowthTest.STABLE, 1.02, 10_000, 1)).isLessThan(0.06);
    }

    private static double share(String verdict, double load, long seconds, int replications) {
        int runs = 200;
        int found = 0;
        for (int run = 0; run < runs; run++) {
            List<Trajectory> queues = MM1.queues(load, seconds, run, replications);
            found += GrowthTest.judge(queues, WarmUp.choose(queues).intervals())
                            .verdict()
                            .equals(verdict)
                    ? 1
                    : 0;
        }
        return (double) found / runs;
    }

    private static double[] series(int n, IntToDoubleFunction value) {
        double[] series = new double[n];
        Arrays.setAll(series, value);
        return series;
    }
}

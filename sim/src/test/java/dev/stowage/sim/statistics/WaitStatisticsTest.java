package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WaitStatisticsTest {
    private static final double[] PROBABILITIES = {0, 0.07, 0.5, 0.9, 0.99, 1};

    @Test
    void quantilesByRank() {
        WaitStatistics waits = new WaitStatistics();
        for (long wait = 1; wait <= 100; wait++) {
            waits.add(wait);
        }
        // rank ceil(p * 100): 50, 90, 99; rank 7 although 0.07 * 100 = 7.000000000000001 in doubles
        assertThat(waits.quantileNanos(0.5)).isEqualTo(50);
        assertThat(waits.quantileNanos(0.9)).isEqualTo(90);
        assertThat(waits.quantileNanos(0.99)).isEqualTo(99);
        assertThat(waits.quantileNanos(0.07)).isEqualTo(7);
        assertThat(waits.quantileNanos(0)).isEqualTo(1);
        assertThat(waits.meanNanos()).isEqualTo(50.5);
    }

    @Test
    void zerosCountInEveryQuantile() {
        WaitStatistics waits = new WaitStatistics();
        for (int i = 0; i < 9; i++) {
            waits.add(0);
        }
        waits.add(1_000);
        assertThat(waits.quantileNanos(0.9)).isZero();
        assertThat(waits.quantileNanos(0.91)).isEqualTo(1_000);
        assertThat(waits.meanNanos()).isEqualTo(100);
        assertThat(waits.positiveCount()).isEqualTo(1);
    }

    @Test
    void nothingObserved() {
        WaitStatistics waits = new WaitStatistics();
        assertThat(waits.meanNanos()).isNaN();
        assertThat(waits.quantileNanos(0.5)).isNaN();
        assertThat(waits.count()).isZero();
    }

    @Test
    void refusesWhatIsNoWait() {
        WaitStatistics waits = new WaitStatistics();
        assertThatThrownBy(() -> waits.add(-1)).hasMessageContaining("-1 ns");
        assertThatThrownBy(() -> waits.quantileNanos(1.5)).hasMessageContaining("1.5");
    }

    @Test
    void agreesWithSortedWaitsAndMergesInAnyOrder() {
        for (long seed = 0; seed < 60; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            WaitStatistics whole = new WaitStatistics();
            WaitStatistics[] parts = {new WaitStatistics(), new WaitStatistics(), new WaitStatistics()};
            long[] waits = new long[random.nextInt(1, 500)];
            BigInteger sum = BigInteger.ZERO;
            for (int i = 0; i < waits.length; i++) {
                waits[i] = random.nextInt(3) == 0 ? 0 : random.nextLong(1L << random.nextInt(1, 51));
                sum = sum.add(BigInteger.valueOf(waits[i]));
                whole.add(waits[i]);
                parts[random.nextInt(3)].add(waits[i]);
            }
            Arrays.sort(waits);
            compare(whole, waits, sum, seed);
            WaitStatistics merged = new WaitStatistics();
            for (int i : new int[] {2, 0, 1}) {
                merged.add(parts[i]);
            }
            compare(merged, waits, sum, seed);
        }
    }

    private static void compare(WaitStatistics found, long[] sorted, BigInteger sum, long seed) {
        assertThat(found.count()).isEqualTo(sorted.length);
        assertThat(found.sumNanos()).isEqualTo(sum.doubleValue());
        assertThat(found.maxNanos()).isEqualTo(sorted[sorted.length - 1]);
        for (double probability : PROBABILITIES) {
            int rank = Math.max(1, (int) Math.ceil(probability * sorted.length - 1e-9));
            double exact = sorted[rank - 1];
            assertThat(found.quantileNanos(probability))
                    .as("seed %d, probability %s", seed, probability)
                    .isCloseTo(exact, within(exact * 0.004));
        }
    }

    @Test
    void handlesMillionsOfSeconds() {
        WaitStatistics waits = new WaitStatistics();
        long millionSeconds = 1_000_000_000_000_000L;
        waits.add(millionSeconds);
        waits.add(Long.MAX_VALUE);
        assertThat(waits.quantileNanos(0.5)).isCloseTo(1e15, within(4e12));
        assertThat(waits.sumNanos()).isCloseTo(0x1p63 + 1e15, within(1e3));
    }

    @Test
    void windowsKeepTypesApartAndMerge() {
        WaitWindows windows = new WaitWindows(new TimeGrid(0, 10, 2), 2);
        windows.add(5, 0, 100);
        windows.add(15, 1, 200);
        assertThat(windows.typeFrom(1, 1).count()).isEqualTo(1);
        assertThat(windows.typeFrom(0, 1).count()).isZero();
        windows.add(25, 0, 400);
        // a third window of 10 ns does not fit: now [0,20) and [20,40)
        assertThat(windows.widthNanos()).isEqualTo(20);
        assertThat(windows.window(0).sumNanos()).isEqualTo(300);
        assertThat(windows.window(1).sumNanos()).isEqualTo(400);
        assertThat(windows.typeFrom(0, 0).sumNanos()).isEqualTo(500);
        assertThat(windows.allFrom(windows.windowFrom(20)).count()).isEqualTo(1);
        assertThat(windows.windowFrom(21)).isEqualTo(2);
        assertThat(windows.allFrom(2).count()).isZero();
    }

    @Test
    void windowsAgreeWithAnswersFromAllWaits() {
        for (long seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            WaitWindows windows = new WaitWindows(new TimeGrid(50, 3, 8), 3);
            int n = 300;
            long[] time = new long[n];
            long[] wait = new long[n];
            int[] type = new int[n];
            for (int i = 0; i < n; i++) {
                time[i] = 50 + random.nextLong(1 + i);
                wait[i] = random.nextLong(1000);
                type[i] = random.nextInt(3);
                windows.add(time[i], type[i], wait[i]);
            }
            int first = windows.windowFrom(50 + random.nextInt(n));
            long expected = 0;
            for (int i = 0; i < n; i++) {
                expected += type[i] == 1 && time[i] >= 50 + first * windows.widthNanos() ? wait[i] : 0;
            }
            assertThat(windows.typeFrom(1, first).sumNanos())
                    .as("seed %d", seed)
                    .isEqualTo((double) expected);
        }
    }

    @Test
    void windowsOfACoarserGridStayAlignedWithTheTrajectory() {
        TimeGrid grid = TimeGrid.forUnknownHorizon(0);
        Trajectory trajectory = new Trajectory(grid, 0);
        WaitWindows windows = new WaitWindows(grid.coarser(TimeGrid.WINDOW), 1);
        for (long time = 1; time < 1L << 50; time *= 3) {
            trajectory.advance(time);
            windows.add(time - 1, 0, 1);
            assertThat(windows.widthNanos()).isEqualTo(TimeGrid.WINDOW * trajectory.widthNanos());
        }
    }

    @Test
    void windowsStartWhereTheRunIsKept() {
        WaitWindows windows = new WaitWindows(new TimeGrid(0, 10, 4).keptFrom(13), 1);
        windows.add(12, 0, 100);
        windows.add(13, 0, 1);
        windows.add(22, 0, 2);
        windows.add(23, 0, 4);
        assertThat(windows.allFrom(windows.windowFrom(13)).sumNanos()).isEqualTo(7);
        assertThat(windows.window(0).sumNanos()).isEqualTo(3);
    }

    @Test
    void windowsCatchUpWithATrajectoryThatWentOn() {
        WaitWindows windows = new WaitWindows(new TimeGrid(0, 10, 4), 1);
        windows.add(5, 0, 1);
        windows.add(35, 0, 2);

        windows.widenTo(80);

        assertThat(windows.widthNanos()).isEqualTo(80);
        assertThat(windows.window(0).sumNanos()).isEqualTo(3);
        assertThat(windows.allFrom(1).count()).isZero();
        windows.widenTo(5);
        assertThat(windows.widthNanos()).isEqualTo(80);
    }
}

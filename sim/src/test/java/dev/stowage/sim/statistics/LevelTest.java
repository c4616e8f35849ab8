package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LevelTest {
    private static final int WINDOWS = 100;
    private static final int STEPS = 20;

    /** A queue at load 1 from empty: at most 1 %, so that 8 of 200 have a probability of 0.1 %. */
    @Test
    void aQueueAtLoadOneKeepsNoLevel() {
        for (int replications : new int[] {1, 4, 30}) {
            SplittableRandom random = new SplittableRandom(replications);
            int kept = 0;
            for (int i = 0; i < 200; i++) {
                kept += Level.isKept(runs(replications, () -> atLoadOne(random))) ? 1 : 0;
            }
            assertThat(kept).as("%d replications", replications).isLessThan(8);
        }
    }

    /**
     * Twenty relaxation times with four replications: nearly always detected, whereas the line is hardly ever accepted.
     */
    @Test
    void aLevelIsSeenEarlierThanALine() {
        SplittableRandom random = new SplittableRandom(3);
        int kept = 0;
        int swings = 0;
        for (int i = 0; i < 100; i++) {
            double[][] runs = runs(4, () -> returning(random, WINDOWS * STEPS / 20.0));
            kept += Level.isKept(runs) ? 1 : 0;
            swings += Growth.of(runs).swings() ? 1 : 0;
        }
        assertThat(kept).isGreaterThan(85);
        assertThat(swings).isLessThan(60);
    }

    @Test
    void aRisingLineIsNoLevelAndAConstantIsOne() {
        assertThat(Level.isKept(new double[][] {series(i -> 3 * i)})).isFalse();
        assertThat(Level.isKept(new double[][] {series(i -> 3 * i + i % 2)})).isFalse();
        assertThat(Level.isKept(new double[][] {series(i -> 3)})).isTrue();
    }

    /** A wave of five windows crosses the mean often; the means of five windows show what it hides. */
    @Test
    void aWaveDoesNotHideAWalk() {
        SplittableRandom random = new SplittableRandom(4);
        int kept = 0;
        for (int i = 0; i < 100; i++) {
            double[] walk = atLoadOne(random);
            kept += Level.isKept(new double[][] {series(w -> walk[w] + 50 * Math.sin(w * 2 * Math.PI / 5))}) ? 1 : 0;
        }
        assertThat(kept).isLessThan(8);
    }

    private interface Run {
        double[] windows();
    }

    private interface At {
        double value(int window);
    }

    private static double[] series(At at) {
        double[] series = new double[WINDOWS];
        Arrays.setAll(series, at::value);
        return series;
    }

    private static double[][] runs(int replications, Run run) {
        double[][] runs = new double[replications][];
        Arrays.setAll(runs, r -> run.windows());
        return runs;
    }

    /** Means of windows of a random walk reflected at 0, after a fifth is cut. */
    private static double[] atLoadOne(SplittableRandom random) {
        double[] means = new double[WINDOWS * 5 / 4];
        double x = 0;
        for (int step = 0; step < means.length * STEPS; step++) {
            x = Math.max(0, x + random.nextGaussian());
            means[step / STEPS] += x / STEPS;
        }
        return Arrays.copyOfRange(means, means.length - WINDOWS, means.length);
    }

    /** Means of windows of an Ornstein-Uhlenbeck process with this relaxation time in steps. */
    private static double[] returning(SplittableRandom random, double relaxation) {
        double[] means = new double[WINDOWS];
        double kept = Math.exp(-1 / relaxation);
        double x = random.nextGaussian() / Math.sqrt(1 - kept * kept);
        for (int step = 0; step < WINDOWS * STEPS; step++) {
            x = kept * x + random.nextGaussian();
            means[step / STEPS] += x / STEPS;
        }
        return means;
    }
}

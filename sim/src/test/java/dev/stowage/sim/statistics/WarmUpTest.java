package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    @Test
    void aLevelLosesAFifth() {
        assertThat(choose(500, i -> 7)).isEqualTo(new WarmUp(100, true));
        SplittableRandom random = new SplittableRandom(1);
        assertThat(choose(500, i -> random.nextGaussian())).isEqualTo(new WarmUp(100, true));
    }

    /** Whole windows of 5, rounded down: a fifth of 263 is 52.6. */
    @Test
    void cutsWholeWindows() {
        assertThat(choose(263, i -> 7)).isEqualTo(new WarmUp(50, true));
        assertThat(choose(50, i -> 7)).isEqualTo(new WarmUp(10, true));
    }

    /**
     * A start that is over after a fifth needs no more; one that lasts for three fifths needs half; one of four fifths,
     * more.
     */
    @Test
    void aSlowStartLosesHalf() {
        SplittableRandom random = new SplittableRandom(2);
        double[] noise = new double[500];
        Arrays.setAll(noise, i -> random.nextGaussian());
        assertThat(choose(500, i -> noise[i] - (i < 100 ? 50 : 0))).isEqualTo(new WarmUp(100, true));
        assertThat(choose(500, i -> noise[i] - Math.max(0, 300 - i))).isEqualTo(new WarmUp(250, true));
        assertThat(choose(500, i -> noise[i] + Math.max(0, 300 - i))).isEqualTo(new WarmUp(250, true));
        assertThat(choose(500, i -> noise[i] - Math.max(0, 400 - i))).isEqualTo(new WarmUp(250, false));
        assertThat(choose(500, i -> i)).isEqualTo(new WarmUp(250, false));
    }

    @Test
    void tooShortIsNotReached() {
        assertThat(choose(49, i -> 7)).isEqualTo(new WarmUp(0, false));
    }

    /**
     * AR(1) with phi = 0.95 and unit innovations, started 40 above its mean: the start is over after 100 steps, to 40 *
     * 0.95^100 = 0.24. The mean behind the cut is unbiased: 0.24 / 0.05 / 400 = 0.01, and the noise of 400 runs 20 /
     * sqrt(400 * 400) = 0.05.
     */
    @Test
    void theMeanBehindTheCutIsUnbiased() {
        double bias = 0;
        int runs = 400;
        for (int run = 0; run < runs; run++) {
            SplittableRandom random = new SplittableRandom(run);
            double[] series = new double[500];
            double deviation = 40;
            for (int i = 0; i < series.length; i++) {
                series[i] = deviation;
                deviation = 0.95 * deviation + random.nextGaussian();
            }
            WarmUp found = WarmUp.choose(new double[][] {series});
            bias += Sample.mean(Arrays.copyOfRange(series, found.intervals(), 500)) / runs;
        }
        assertThat(bias).isCloseTo(0.01, within(3 * 0.05));
    }

    @Test
    void takesReplicationsOfOneHorizon() {
        List<Trajectory> queues = MM1.queues(0.8, 20_000, 1, 4);
        assertThat(WarmUp.choose(queues)).isEqualTo(new WarmUp(100, true));
        assertThatThrownBy(() -> WarmUp.choose(List.of(queues.get(0), MM1.queue(0.8, 10_000, 1))))
                .hasMessageContaining("differ");
        assertThatThrownBy(() -> WarmUp.choose(List.of())).hasMessageContaining("no trajectory");
    }

    private static WarmUp choose(int intervals, IntToDoubleFunction value) {
        double[] series = new double[intervals];
        Arrays.setAll(series, value);
        return WarmUp.choose(new double[][] {series});
    }
}

package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.result.Estimate;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TwoStageTest {
    /**
     * 1 to 10: mean 5.5, s = sqrt(82.5 / 9) = 3.0277, t(0.975, 9) = 2.26216. Two more of 5.5 change neither mean nor s.
     */
    @Test
    void thePilotGivesTheInterval() {
        double[] values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5.5, 5.5};
        Estimate found = TwoStage.estimate(values, 10, 0.95);
        assertThat(found.mean()).isCloseTo(5.5, within(1e-12));
        assertThat(found.halfWidth()).isCloseTo(2.26216 * 3.02765 / Math.sqrt(12), within(1e-4));
        assertThat(found.method()).isEqualTo("two-stage");
        // (2.26216 * 3.02765 / 0.55)^2 = 155.07
        assertThat(TwoStage.needed(values, 10, 0.1, 0.95)).isEqualTo(156);
        assertThat(TwoStage.needed(values, 10, 0.5, 0.95)).isEqualTo(12);
    }

    @Test
    void noSpreadNeedsNoMoreAndNoMeanNeverEnds() {
        double[] same = new double[10];
        assertThat(TwoStage.needed(same, 10, 0.01, 0.95)).isEqualTo(10);
        double[] aroundNothing = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
        assertThat(TwoStage.needed(aroundNothing, 10, 0.01, 0.95)).isEqualTo(Long.MAX_VALUE);
    }

    /** 4,000 experiments of N(10, 3^2) to 5 %: Stein's interval covers 95 %, +- 4 errors of 0.0034. */
    @Test
    void keepsItsCoverage() {
        int covered = 0;
        int experiments = 4_000;
        for (int e = 0; e < experiments; e++) {
            SplittableRandom random = new SplittableRandom(e);
            double[] values = toPrecision(random, 0.05);
            Estimate found = TwoStage.estimate(values, 10, 0.95);
            assertThat(found.halfWidth()).isLessThanOrEqualTo(0.05 * found.mean() * (1 + 1e-12));
            covered += Math.abs(found.mean() - 10) <= found.halfWidth() ? 1 : 0;
        }
        assertThat((double) covered / experiments).isCloseTo(0.95, within(0.014));
    }

    private static double[] toPrecision(SplittableRandom random, double relative) {
        double[] values = {};
        for (long needed = 10; needed > values.length; needed = TwoStage.needed(values, 10, relative, 0.95)) {
            int from = values.length;
            values = Arrays.copyOf(values, (int) needed);
            for (int i = from; i < needed; i++) {
                values[i] = 10 + 3 * random.nextGaussian();
            }
        }
        return values;
    }
}

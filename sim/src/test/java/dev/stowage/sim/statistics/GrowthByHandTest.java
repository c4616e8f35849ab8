package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Factors and degrees of freedom worked out by hand; that the intervals cover is for {@link CalibrationTest}. */
class GrowthByHandTest {
    private static final double RISK = 0.01;

    @Test
    void theInflationOfAFirstOrderAutoregression() {
        assertThat(Intervals.varianceInflation(0.5)).isEqualTo(3);
        assertThat(Intervals.varianceInflation(0)).isOne();
        assertThat(Intervals.varianceInflation(-0.5)).isOne();
        assertThat(Intervals.varianceInflation(0.99)).isCloseTo(19, within(1e-12));
    }

    /**
     * Two series 1, -1, -1, 1, 1, -1, -1, 1: no slope, squares 8 each, neighbours -1 each. Correlation -1 / 8 + 2 / 8,
     * inflation (9 / 8) / (7 / 8), variance 16 / (2 x 6) / 42 x 9 / 7 / 2 = 1 / 49; 2 (8 x 7 / 9 - 2) = 76 / 9 degrees
     * of freedom.
     */
    @Test
    void theHalfWidthOfALine() {
        double[] one = swings(8, 0);
        FittedLine line = FittedLine.fit(new double[][] {one, one});
        assertThat(line.slopes()).containsExactly(0, 0);
        assertThat(line.halfWidth(0.95)).isCloseTo(StudentT.twoSided(0.95, 76 / 9.0) / 7, within(1e-12));
        // Squares 4, neighbours -1: 4 x 3 / 5 - 2 = .4, and there is at least one degree of freedom.
        assertThat(FittedLine.fit(new double[][] {swings(4, 0)}).halfWidth(0.95))
                .isCloseTo(StudentT.twoSided(0.95, 1) * Math.sqrt(2 / 3.0), within(1e-12));
    }

    /** At the simulated quantiles for paths together, or a little above. */
    @Test
    void theLimitForRandomWalks() {
        double[][] simulated = {{1, 37.1}, {2, 26.7}, {3, 22.4}, {5, 19}, {10, 15.8}, {20, 14.1}};
        for (double[] paths : simulated) {
            assertThat(FittedLine.unitRootLimit((int) paths[0])).isBetween(paths[1], paths[1] + 4);
        }
    }

    /**
     * Ten steps of drift + 1 and ten of drift - 1 wander. Of r series the error of a step is 1 / sqrt(20 r - 1); a
     * drift tells if it exceeds (sqrt(2 / pi) (sqrt(r) - 1) + 1.05 t) of them.
     */
    @Test
    void theGrowthOfAQueueThatWanders() {
        for (int r : new int[] {1, 4}) {
            double critical =
                    Math.sqrt(2 / Math.PI) * (Math.sqrt(r) - 1) + 1.05 * StudentT.twoSided(1 - RISK, 20 * r - 1);
            double limit = critical / Math.sqrt(20 * r - 1);
            assertThat(wandering(r, 1.0001 * limit).significant(RISK))
                    .as("%d series", r)
                    .isTrue();
            assertThat(wandering(r, 0.9999 * limit).significant(RISK))
                    .as("%d series", r)
                    .isFalse();
        }
    }

    private static Growth wandering(int series, double drift) {
        double[] walk = new double[21];
        for (int i = 1; i <= 20; i++) {
            walk[i] = walk[i - 1] + drift + (i <= 10 ? 1 : -1);
        }
        double[][] windows = new double[series][];
        Arrays.fill(windows, walk);
        Growth growth = Growth.of(windows);
        assertThat(growth.swings()).isFalse();
        assertThat(growth.perWindow()).isCloseTo(drift, within(1e-12));
        return growth;
    }

    /** Forty windows that swing around a line, whose pairs do not: one line's half-width at twice the risk. */
    @Test
    void theGrowthOfAQueueThatSwings() {
        // Squares 40, neighbours -10 + 9.
        double inflation = (41 / 40.0) / (39 / 40.0);
        double error = Math.sqrt(40 / 38.0 / (40 * (40.0 * 40 - 1) / 12) * inflation);
        double limit = StudentT.twoSided(1 - 2 * RISK, 40 / inflation - 2) * error;
        assertThat(swinging(limit * 1.0001).significant(RISK)).isTrue();
        assertThat(swinging(limit * 0.9999).significant(RISK)).isFalse();
    }

    /** Three such lines with slopes that differ by more than they swing: their spread at twice the risk. */
    @Test
    void theSpreadOfReplicationsIsAFloor() {
        double limit = StudentT.twoSided(1 - 2 * RISK, 2) * 1 / Math.sqrt(3);
        for (double factor : new double[] {0.9999, 1.0001}) {
            double mean = factor * limit;
            Growth growth = Growth.of(new double[][] {swings(40, mean - 1), swings(40, mean), swings(40, mean + 1)});
            assertThat(growth.swings()).isTrue();
            assertThat(growth.significant(RISK)).isEqualTo(factor > 1);
        }
    }

    private static Growth swinging(double slope) {
        Growth growth = Growth.of(new double[][] {swings(40, slope)});
        assertThat(growth.swings()).isTrue();
        return growth;
    }

    private static double[] swings(int length, double slope) {
        double[] x = new double[length];
        Arrays.setAll(x, i -> slope * i + (i % 4 == 1 || i % 4 == 2 ? -1 : 1));
        return x;
    }

    /**
     * Means of thirds 1, 3, 4: gains of 2 and 1, so a third of the run is log 2 time constants, and ten of them are 10
     * / 3 / log 2 runs. 10, 11, 13: gains of 1 and 2, 4 (34 / 9 - 3 / 4) runs.
     */
    @Test
    void howLongAQueueFills() {
        assertThat(GrowthTest.whenFull(thirds(1, 3, 4), 5)).isCloseTo(5 * 10 / 3.0 / Math.log(2), within(1e-9));
        assertThat(GrowthTest.whenFull(thirds(10, 11, 13), 5)).isCloseTo(5 * 4 * (34 / 9.0 - 0.75), within(1e-9));
        // At least twice as long: over already, or nearly.
        assertThat(GrowthTest.whenFull(thirds(1, 3, 3), 5)).isEqualTo(10);
        assertThat(GrowthTest.whenFull(thirds(1, 2, 4), 5)).isEqualTo(10);
        // Nothing longer than a thousand runs is proposed.
        assertThat(GrowthTest.whenFull(thirds(1000, 1001, 1002), 5)).isNull();
        assertThat(GrowthTest.whenFull(thirds(7, 7, 7), 5)).isNull();
    }

    private static double[][] thirds(double... means) {
        double[] x = new double[60];
        Arrays.setAll(x, i -> means[i / 20]);
        return new double[][] {x};
    }
}

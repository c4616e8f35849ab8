package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LogHistogramTest {
    @Test
    void cellsByHand() {
        assertThat(LogHistogram.cell(0)).isZero();
        assertThat(LogHistogram.cell(255)).isEqualTo(255);
        // 256 and 257 share the first cell of width 2
        assertThat(LogHistogram.cell(256)).isEqualTo(256);
        assertThat(LogHistogram.cell(257)).isEqualTo(256);
        assertThat(LogHistogram.cell(258)).isEqualTo(257);
        assertThat(LogHistogram.middle(256)).isEqualTo(256.5);
        // the top cell: shift 55, 55 * 128 + 255
        assertThat(LogHistogram.cell(Long.MAX_VALUE)).isEqualTo(7_295);
        assertThat(LogHistogram.middle(7_295)).isCloseTo(0x1p63, within(0x1p63 / 256));
    }

    @Test
    void cellsAreInOrderAndNarrow() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            long value = random.nextLong() >>> random.nextInt(1, 64);
            int cell = LogHistogram.cell(value);
            assertThat(Math.abs(LogHistogram.middle(cell) - (double) value))
                    .as("value %d", value)
                    .isLessThanOrEqualTo(value / 256.0);
            assertThat(LogHistogram.cell(Math.max(0, value - 1))).isLessThanOrEqualTo(cell);
        }
    }

    @Test
    void agreesWithHdrHistogram() {
        for (long seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            LogHistogram ours = new LogHistogram();
            Histogram theirs = new Histogram(1_000_000_000_000_000L, 3);
            int n = random.nextInt(1, 5000);
            for (int i = 0; i < n; i++) {
                long value = random.nextLong(1L << random.nextInt(1, 49));
                ours.add(value);
                theirs.recordValue(value);
            }
            for (int rank = 1; rank <= n; rank += 1 + n / 50) {
                double expected = theirs.getValueAtPercentile((rank - 0.5) * 100 / n);
                assertThat(ours.valueAtRank(rank))
                        .as("seed %d, rank %d", seed, rank)
                        .isCloseTo(expected, within(expected * 0.005));
            }
        }
    }

    @Test
    void refusesRanksThatAreNotThere() {
        LogHistogram one = new LogHistogram();
        one.add(5);
        assertThat(one.valueAtRank(1)).isEqualTo(5);
        assertThatThrownBy(() -> one.valueAtRank(2)).hasMessageContaining("rank 2");
    }
}

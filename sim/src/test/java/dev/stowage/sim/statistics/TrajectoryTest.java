package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TrajectoryTest {
    @Test
    void meanMinAndMaxPerInterval() {
        Trajectory queue = new Trajectory(TimeGrid.forHorizon(0, 40, 4), 1);
        queue.set(5, 3);
        queue.set(20, 0);
        queue.set(35, 4);
        queue.advance(40);
        assertThat(queue.size()).isEqualTo(4);
        assertThat(queue.widthNanos()).isEqualTo(10);
        // [0,10): 1 for 5, 3 for 5; [10,20): 3; [20,30): 0; [30,40): 0 for 5, 4 for 5
        assertThat(queue.completeMeansFrom(0)).containsExactly(2, 3, 0, 2);
        assertThat(new long[] {queue.min(0), queue.min(1), queue.min(2), queue.min(3)})
                .containsExactly(1, 3, 0, 0);
        assertThat(new long[] {queue.max(0), queue.max(1), queue.max(2), queue.max(3)})
                .containsExactly(3, 3, 0, 4);
        assertThat(queue.meanFrom(10)).isEqualTo(5.0 / 3);
        assertThat(queue.maxFrom(20)).isEqualTo(4);
    }

    @Test
    void mergesPairsWhenTheRunIsLongerThanTheGrid() {
        Trajectory queue = new Trajectory(new TimeGrid(100, 1, 4), 6);
        queue.set(103, 2);
        queue.advance(105);
        // 5 ns do not fit 4 intervals of 1: now 2 each: [100,102) 6, [102,104) (6+2)/2, [104,105) 2
        assertThat(queue.widthNanos()).isEqualTo(2);
        assertThat(queue.size()).isEqualTo(3);
        assertThat(queue.complete()).isEqualTo(2);
        assertThat(queue.mean(0)).isEqualTo(6);
        assertThat(queue.mean(1)).isEqualTo(4);
        assertThat(queue.mean(2)).isEqualTo(2);
        assertThat(queue.startNanos(2)).isEqualTo(104);
    }

    @Test
    void emptyBeforeAnyTimeHasPassed() {
        Trajectory queue = new Trajectory(TimeGrid.forUnknownHorizon(0), 3);
        assertThat(queue.size()).isZero();
        assertThat(queue.complete()).isZero();
        assertThat(queue.meanFrom(0)).isNaN();
        assertThat(queue.maxFrom(0)).isEqualTo(3);
        assertThatThrownBy(() -> queue.mean(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void oneLongJumpFillsTheGrid() {
        Trajectory queue = new Trajectory(TimeGrid.forUnknownHorizon(0), 3);
        queue.advance(1_000_000_000_000_000L);
        assertThat(queue.size()).isBetween(250, 500);
        assertThat(queue.meanFrom(0)).isEqualTo(3);
        assertThat(queue.endNanos()).isEqualTo(1_000_000_000_000_000L);
    }

    @Test
    void agreesWithIntegrationNanosecondByNanosecond() {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int horizon = random.nextInt(1, 400);
            long[] valueAt = new long[horizon];
            TimeGrid grid = new TimeGrid(7, random.nextInt(1, 4), 2 * random.nextInt(1, 6));
            Trajectory fast = new Trajectory(grid, 5);
            long value = 5;
            for (int t = 0; t < horizon; t++) {
                while (random.nextInt(4) == 0) {
                    value = random.nextInt(-9, 10);
                    fast.set(7 + t, value);
                }
                valueAt[t] = value;
            }
            fast.advance(7 + horizon);
            compare(fast, valueAt, seed);
        }
    }

    /** From an instant inside an interval that is known before the run: exact nevertheless. */
    @Test
    void isExactFromWhereTheRunIsKept() {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int horizon = random.nextInt(2, 400);
            int cut = random.nextInt(horizon);
            TimeGrid grid = new TimeGrid(7, random.nextInt(1, 4), 2 * random.nextInt(1, 6)).keptFrom(7 + cut);
            Trajectory queue = new Trajectory(grid, 5);
            long value = 5;
            long sum = 0;
            long max = Long.MIN_VALUE;
            for (int t = 0; t < horizon; t++) {
                while (random.nextInt(4) == 0) {
                    value = random.nextInt(-9, 10);
                    queue.set(7 + t, value);
                }
                sum += t >= cut ? value : 0;
                max = t >= cut ? Math.max(max, value) : max;
            }
            queue.advance(7 + horizon);
            assertThat(queue.meanFrom(7 + cut)).as("seed %d", seed).isEqualTo((double) sum / (horizon - cut));
            assertThat(queue.maxFrom(7 + cut)).as("seed %d", seed).isEqualTo(max);
            int first = queue.intervalFrom(7 + cut);
            assertThat(queue.startNanos(first))
                    .as("seed %d", seed)
                    .isBetween(7L + cut, 7 + cut + queue.widthNanos() - 1);
        }
    }

    @Test
    void refusesInstantsItDoesNotKnow() {
        Trajectory queue = new Trajectory(new TimeGrid(0, 10, 4).keptFrom(13), 1);
        queue.advance(35);
        assertThat(queue.meanFrom(13)).isEqualTo(1);
        assertThat(queue.meanFrom(20)).isEqualTo(1);
        assertThatThrownBy(() -> queue.meanFrom(15))
                .hasMessageContaining("15 ns")
                .hasMessageContaining("13 ns");
        assertThat(queue.meanFrom(40)).isNaN();
        assertThatThrownBy(() -> new TimeGrid(5, 10, 4).keptFrom(4)).hasMessageContaining("kept from 4");
    }

    @Test
    void refusesTimeThatRunsBackwards() {
        Trajectory queue = new Trajectory(new TimeGrid(10, 10, 4), 0);
        queue.set(30, 1);
        assertThatThrownBy(() -> queue.set(29, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("29 ns")
                .hasMessageContaining("30 ns");
    }

    @Test
    void isExactToThreeRoundingsOverHugeValues() {
        for (long seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Trajectory average = new Trajectory(TimeGrid.forUnknownHorizon(0), 0);
            BigInteger integral = BigInteger.ZERO;
            long now = 0;
            long value = 0;
            for (int i = 0; i < 200; i++) {
                long step = random.nextLong(1L << random.nextInt(1, 53));
                integral = integral.add(BigInteger.valueOf(value).multiply(BigInteger.valueOf(step)));
                now += step;
                value = random.nextLong(-1L << 62, 1L << 62) >> random.nextInt(40);
                average.set(now, value);
            }
            average.advance(now);
            double exact = new BigDecimal(integral)
                    .divide(BigDecimal.valueOf(now), MathContext.DECIMAL128)
                    .doubleValue();
            assertThat(average.meanFrom(0)).as("seed %d", seed).isCloseTo(exact, within(Math.abs(exact) * 4e-16));
        }
    }

    private static void compare(Trajectory fast, long[] valueAt, long seed) {
        int width = (int) fast.widthNanos();
        assertThat(fast.size()).as("seed %d", seed).isEqualTo((valueAt.length + width - 1) / width);
        for (int i = 0; i < fast.size(); i++) {
            long sum = 0;
            long min = Long.MAX_VALUE;
            long max = Long.MIN_VALUE;
            int end = Math.min(valueAt.length, (i + 1) * width);
            for (int t = i * width; t < end; t++) {
                sum += valueAt[t];
                min = Math.min(min, valueAt[t]);
                max = Math.max(max, valueAt[t]);
            }
            double mean = (double) sum / (end - i * width);
            assertThat(fast.mean(i)).as("seed %d, interval %d", seed, i).isEqualTo(mean, within(1e-12));
            assertThat(fast.min(i)).as("seed %d, interval %d", seed, i).isEqualTo(min);
            assertThat(fast.max(i)).as("seed %d, interval %d", seed, i).isEqualTo(max);
        }
    }

    @Test
    void hasTheValueOfTheEnd() {
        Trajectory queue = new Trajectory(TimeGrid.forHorizon(0, 100), 3);
        assertThat(queue.value()).isEqualTo(3);
        queue.set(10, 8);
        queue.advance(100);
        assertThat(queue.value()).isEqualTo(8);
    }

    @Test
    void gridRefusesOddCountsAndNoWidth() {
        assertThatThrownBy(() -> new TimeGrid(0, 0, 4)).hasMessageContaining("width 0");
        assertThatThrownBy(() -> new TimeGrid(0, 1, 5)).hasMessageContaining("5 intervals");
        assertThatThrownBy(() -> new TimeGrid(0, 1, 500).coarser(3)).hasMessageContaining("factor 3");
    }
}

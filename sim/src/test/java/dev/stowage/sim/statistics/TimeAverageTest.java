package dev.stowage.sim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimeAverageTest {
    @Test
    void averagesStepsByTheirLength() {
        TimeAverage queue = new TimeAverage(0, 2);
        queue.set(10, 5);
        queue.add(14, -5);
        queue.advance(20);
        // 2 for 10 ns, 5 for 4 ns, 0 for 6 ns: (20 + 20 + 0) / 20 = 2
        assertThat(queue.mean()).isEqualTo(2);
        assertThat(queue.max()).isEqualTo(5);
        assertThat(queue.value()).isZero();
    }

    @Test
    void warmUpIsForgotten() {
        TimeAverage queue = new TimeAverage(0, 9);
        queue.set(5, 1);
        queue.restart(10);
        queue.set(16, 3);
        queue.advance(20);
        // 1 for 6 ns, 3 for 4 ns: 18 / 10
        assertThat(queue.mean()).isEqualTo(1.8);
        assertThat(queue.max()).isEqualTo(3);
        assertThat(queue.durationNanos()).isEqualTo(10);
    }

    @Test
    void valuesOfNoDurationDoNotCount() {
        TimeAverage queue = new TimeAverage(0, 7);
        queue.set(0, 1);
        queue.set(10, 100);
        queue.set(10, 2);
        queue.advance(20);
        assertThat(queue.max()).isEqualTo(2);
        queue.set(20, 50);
        assertThat(queue.max()).isEqualTo(2);
    }

    @Test
    void withoutTimeTheAverageIsTheValue() {
        TimeAverage queue = new TimeAverage(3, 7);
        queue.set(3, 4);
        assertThat(queue.mean()).isEqualTo(4);
        assertThat(queue.max()).isEqualTo(4);
    }

    @Test
    void refusesTimeThatRunsBackwards() {
        TimeAverage queue = new TimeAverage(10, 0);
        assertThatThrownBy(() -> queue.set(9, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9 ns")
                .hasMessageContaining("10 ns");
    }

    @Test
    void isExactToThreeRoundingsOverHugeValues() {
        for (long seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TimeAverage average = new TimeAverage(0, 0);
            BigInteger integral = BigInteger.ZERO;
            long now = 0;
            long value = 0;
            for (int i = 0; i < 200; i++) {
                long step = random.nextLong(1L << random.nextInt(1, 55));
                integral = integral.add(BigInteger.valueOf(value).multiply(BigInteger.valueOf(step)));
                now += step;
                value = random.nextLong(-1L << 62, 1L << 62) >> random.nextInt(40);
                average.set(now, value);
            }
            double exact = new BigDecimal(integral)
                    .divide(BigDecimal.valueOf(now), MathContext.DECIMAL128)
                    .doubleValue();
            assertThat(average.mean()).as("seed %d", seed).isCloseTo(exact, within(Math.abs(exact) * 4e-16));
        }
    }
}

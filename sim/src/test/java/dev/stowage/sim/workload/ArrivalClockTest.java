package dev.stowage.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ArrivalClockTest {
    private static final double HOUR_SECONDS = 3600;

    @Test
    void constantRate() {
        ArrivalClock clock = new ArrivalClock(new long[] {0}, new double[] {.5}, new double[0]);
        assertThat(clock.advance(3)).isTrue();
        assertThat(clock.nanos()).isEqualTo(6_000_000_000L);
        assertThat(clock.advance(.25)).isTrue();
        assertThat(clock.nanos()).isEqualTo(6_500_000_000L);
    }

    @Test
    void crossesHoursAndPhases() {
        // 2 per hour in even hours and 1 in odd ones; from 1.5 h on all doubled.
        // 2.25 expected: 2 in hour 0, then .25 at rate 1 = 15 min: 1 h 15 min.
        // 1 more: .25 until 1 h 30, then rate 2: .75 = 22.5 min: 1 h 52 min 30 s.
        // 1 more: .25 until 2 h, then rate 4: .75 = 11.25 min: 2 h 11 min 15 s.
        long halfPastOne = 5400L * 1_000_000_000;
        ArrivalClock clock = new ArrivalClock(
                new long[] {0, halfPastOne}, new double[] {1 / HOUR_SECONDS, 2 / HOUR_SECONDS}, new double[] {2, 1});
        assertReaches(clock, 2.25, 4500);
        assertThat(clock.phase()).isZero();
        assertReaches(clock, 1, 6750);
        assertThat(clock.phase()).isEqualTo(1);
        assertReaches(clock, 1, 7875);
    }

    private static void assertReaches(ArrivalClock clock, double expected, double seconds) {
        assertThat(clock.advance(expected)).isTrue();
        assertThat(clock.nanos() / 1e9).isCloseTo(seconds, within(1e-8));
    }

    @Test
    void arrivalsThatNeverCome() {
        ArrivalClock none = new ArrivalClock(new long[] {0, 10}, new double[] {1, 0}, new double[] {1});
        assertThat(none.advance(1)).isFalse();
        assertThat(none.advance(1)).isFalse();
    }

    /** Reference: the expected arrivals up to the returned time, summed hour by hour, are what was asked for. */
    @RepeatedTest(50)
    void invertsTheIntegratedRate(RepetitionInfo repetition) {
        int seed = repetition.getCurrentRepetition();
        KeyedRandom random = new KeyedRandom().key(seed, 0, 0);
        int phases = 1 + random.nextInt(4);
        long[] starts = new long[phases];
        double[] rates = new double[phases];
        for (int i = 0; i < phases; i++) {
            starts[i] = i == 0 ? 0 : starts[i - 1] + 1 + (long) (random.nextDouble() * 20 * ArrivalClock.HOUR_NANOS);
            rates[i] = random.nextInt(3) == 0 && i + 1 < phases ? 0 : random.nextDouble() / HOUR_SECONDS;
        }
        double[] factors = new double[random.nextInt(2) == 0 ? 0 : 24];
        for (int h = 0; h < factors.length; h++) {
            factors[h] = random.nextInt(4) == 0 ? 0 : random.nextDouble();
        }
        if (factors.length > 0) {
            factors[5] = 1;
        }
        ArrivalClock clock = new ArrivalClock(starts, rates, factors);
        double asked = 0;
        for (int n = 0; n < 100; n++) {
            double step = random.nextExponential();
            asked += step;
            assertThat(clock.advance(step)).isTrue();
            assertThat(integral(starts, rates, factors, clock.nanos()))
                    .as("seed %d, step %d", seed, n)
                    .isCloseTo(asked, within(1e-9 * (1 + asked)));
        }
    }

    private static double integral(long[] starts, double[] rates, double[] factors, long until) {
        double sum = 0;
        for (int i = 0; i < starts.length; i++) {
            long end = i + 1 < starts.length ? Math.min(until, starts[i + 1]) : until;
            for (long from = starts[i]; from < end; ) {
                long hour = from / ArrivalClock.HOUR_NANOS;
                long to = Math.min(end, (hour + 1) * ArrivalClock.HOUR_NANOS);
                double factor = factors.length == 0 ? 1 : factors[(int) (hour % factors.length)];
                sum += (to - from) / 1e9 * rates[i] * factor;
                from = to;
            }
        }
        return sum;
    }
}

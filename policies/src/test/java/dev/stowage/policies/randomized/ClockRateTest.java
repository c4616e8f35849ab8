package dev.stowage.policies.randomized;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockRateTest {
    /** exp(f(Q)) with f = log(10 (1 + Q)) is 10 (1 + Q); with exponent 1/2 it is exp(sqrt(log(10 (1 + Q)))). */
    @Test
    void ofEveryQueueLengthInWhateverOrderTheyAreAskedFor() {
        int[][] orders = {{0, 63, 64, 65, 127, 128, 1000}, {1000, 64, 0}, {64, 128, 63}, {65, 1, 10_000, 9_999}};
        for (int[] order : orders) {
            ClockRate linear = new ClockRate(10, 1);
            ClockRate root = new ClockRate(10, 0.5);
            for (int length : order) {
                assertThat(linear.of(length)).as("length %d", length).isEqualTo(10.0 * (1 + length));
                assertThat(root.of(length))
                        .as("length %d", length)
                        .isEqualTo(StrictMath.exp(StrictMath.pow(StrictMath.log(10.0 * (1 + length)), 0.5)));
            }
        }
    }
}

package dev.stowage.policies.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MoveBudgetTest {
    private static final long MINUTE = 60_000_000_000L;

    /** Four per hour: four at once, one more every 15 minutes, and after ten hours again no more than four. */
    @Test
    void fourPerHour() {
        MoveBudget budget = new MoveBudget(4);
        assertThat(budget.take(3, 0)).isTrue();
        assertThat(budget.take(2, 0)).as("one is left").isFalse();
        assertThat(budget.take(1, 0)).isTrue();
        assertThat(budget.take(1, 14 * MINUTE)).isFalse();
        assertThat(budget.take(1, 15 * MINUTE)).isTrue();
        assertThat(budget.take(5, 615 * MINUTE)).isFalse();
        assertThat(budget.take(4, 615 * MINUTE)).isTrue();
        assertThat(budget.take(1, 615 * MINUTE)).isFalse();
    }

    @Test
    void noneAndAnyNumber() {
        assertThat(new MoveBudget(0).take(1, 1000 * MINUTE)).isFalse();
        assertThat(new MoveBudget(Double.POSITIVE_INFINITY).take(1_000_000, 0)).isTrue();
    }
}

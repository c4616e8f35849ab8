package dev.stowage.study.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Stability;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is shown, what is refuted, what is open. */
class TruthTest {
    private static Estimate estimate(double mean, Double half) {
        return new Estimate(mean, half, 0.99, "replications", 5);
    }

    @Test
    void theWholeIntervalDecides() {
        assertThat(Truth.above(estimate(1.2, 0.1), 1)).isEqualTo(Truth.YES);
        assertThat(Truth.above(estimate(1.05, 0.1), 1)).isEqualTo(Truth.OPEN);
        assertThat(Truth.above(estimate(0.8, 0.1), 1)).isEqualTo(Truth.NO);
        assertThat(Truth.atMost(estimate(0.8, 0.1), 1)).isEqualTo(Truth.YES);
        // Without an interval nothing is shown, unless it is proven.
        assertThat(Truth.above(estimate(5, null), 1)).isEqualTo(Truth.OPEN);
        assertThat(Truth.above(new Estimate(5, null, 1, "proven", 1), 1)).isEqualTo(Truth.YES);
        assertThat(Truth.above(estimate(Double.NaN, 0.1), 1)).isEqualTo(Truth.OPEN);
        // Within a quarter of the size.
        assertThat(Truth.about(estimate(0.6, 0.05), 0.7)).isEqualTo(Truth.YES);
        assertThat(Truth.about(estimate(0.5, 0.05), 0.7)).isEqualTo(Truth.OPEN);
        assertThat(Truth.about(estimate(0.4, 0.05), 0.7)).isEqualTo(Truth.NO);
        assertThat(Truth.about(estimate(1.1, 0.05), 0.7)).isEqualTo(Truth.NO);
    }

    @Test
    void statementsTogether() {
        assertThat(Truth.all(Truth.YES, Truth.OPEN)).isEqualTo(Truth.OPEN);
        assertThat(Truth.all(Truth.NO, Truth.OPEN)).isEqualTo(Truth.NO);
        assertThat(Truth.any(List.of(Truth.NO, Truth.OPEN))).isEqualTo(Truth.OPEN);
        assertThat(Truth.any(List.of(Truth.YES, Truth.NO))).isEqualTo(Truth.YES);
        assertThat(Truth.most(List.of(Truth.YES, Truth.YES, Truth.NO))).isEqualTo(Truth.YES);
        assertThat(Truth.most(List.of(Truth.YES, Truth.OPEN, Truth.OPEN))).isEqualTo(Truth.OPEN);
        assertThat(Truth.most(List.of(Truth.YES, Truth.NO))).isEqualTo(Truth.NO);
        assertThat(Verdict.of(Truth.YES, Truth.YES)).isEqualTo(Verdict.REPRODUCED);
        assertThat(Verdict.of(Truth.OPEN, Truth.YES)).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(Verdict.of(Truth.NO, Truth.OPEN)).isEqualTo(Verdict.UNDECIDED);
        assertThat(Verdict.of(Truth.NO, Truth.NO)).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /** 10, 20, 30 against 11, 21, 31: the means' own intervals overlap, the pairs all say one more. */
    @Test
    void policiesAreComparedInTheSameReplications() {
        Measured pairs = new MadeUp()
                .add("one", Map.of(), Map.of("m", new double[] {11, 21, 31}))
                .add("two", Map.of(), Map.of("m", new double[] {10, 20, 30}))
                .measured();
        assertThat(pairs.difference("one", "two", "", "m").mean()).isEqualTo(1);
        assertThat(pairs.difference("one", "two", "", "m").halfWidth()).isCloseTo(0, within(1e-12));
        assertThat(pairs.estimate("one", "", "m").halfWidth()).isGreaterThan(10);
        // Unequal numbers of replications are no pairs: both half-widths count.
        Measured others = new MadeUp()
                .add("one", Map.of(), Map.of("m", new double[] {11, 21, 31}))
                .add("two", Map.of(), Map.of("m", new double[] {10, 20}))
                .measured();
        assertThat(others.difference("one", "two", "", "m").halfWidth()).isGreaterThan(100);
    }

    @Test
    void withoutAnIntervalNoneIsTold() {
        assertThat(Measured.percent(estimate(0.123, 0.004))).isEqualTo("+12.3 ± 0.4 %");
        assertThat(Measured.percent(estimate(0.123, null))).isEqualTo("+12.3 %");
        assertThat(Measured.percent(estimate(0.123, Double.POSITIVE_INFINITY))).isEqualTo("+12.3 %");
        assertThat(Measured.tell(estimate(123, null), "%.0f", "%.0f")).isEqualTo("123");
        assertThat(Measured.tell(estimate(123, 4.0), "%.0f", "%.0f")).isEqualTo("123 ± 4");
    }

    /**
     * Replications that are all the same: rounding error is not an interval, and a small interval is never shown as
     * 0.0.
     */
    @Test
    void anIntervalOfNoWidthIsNotTold() {
        assertThat(Measured.tell(estimate(5, 0.0))).isEqualTo("5.00");
        assertThat(Measured.tell(estimate(5, 1e-13))).isEqualTo("5.00");
        assertThat(Measured.percent(estimate(0, 1e-16))).isEqualTo("+0.0 %");
        assertThat(Measured.percent(estimate(0.123, 1e-4))).isEqualTo("+12.3 ± 0.1 %");
        assertThat(Measured.tell(estimate(123, 0.2), "%.0f", "%.0f")).isEqualTo("123 ± 1");
        assertThat(Measured.percent(estimate(0.123, 6e-4))).isEqualTo("+12.3 ± 0.1 %");
    }

    @Test
    void finalQueuesAreToldWhereReplicationsDisagree() {
        Stability queue = new Stability("unstable", 390, 580.0, null, null, List.of(239L, 5_937L));
        assertThat(new MadeUp()
                        .add("one", Map.of(), queue, Map.of("m", MadeUp.about(1)), Map.of())
                        .measured()
                        .tell("one", "", "m"))
                .isEqualTo("one unstable, +390 ± 580 requests/h, final queues 239, 5,937");
    }

    /** In each replication another one is the largest; in the mean the second. */
    @Test
    void theLargestMeanIsNotTheMeanOfTheLargest() {
        double[] one = {5, 1, 1};
        double[] two = {3, 4, 2};
        assertThat(Measured.largestMean(List.of(one, two))).containsExactly(3, 4, 2);
    }

    private static Truth longer(String verdict, double mean, String otherVerdict, double otherMean) {
        return new MadeUp()
                .add("one", Map.of(), new Stability(verdict, 9, 1.0), Map.of("m", MadeUp.about(mean)), Map.of())
                .add(
                        "two",
                        Map.of(),
                        new Stability(otherVerdict, 5, 1.0),
                        Map.of("m", MadeUp.about(otherMean)),
                        Map.of())
                .measured()
                .isLonger("one", "two", "", "m");
    }

    @Test
    void aQueueThatMayGrowIsNeverShownToBeTheShorter() {
        assertThat(longer("stable", 5, "stable", 4)).isEqualTo(Truth.YES);
        assertThat(longer("undecided", 5, "stable", 4)).isEqualTo(Truth.YES);
        assertThat(longer("stable", 5, "undecided", 4)).isEqualTo(Truth.OPEN);
        assertThat(longer("undecided", 4, "stable", 5)).isEqualTo(Truth.OPEN);
        assertThat(longer("unstable", 4, "stable", 5)).isEqualTo(Truth.YES);
        assertThat(longer("unstable", 4, "undecided", 5)).isEqualTo(Truth.OPEN);
        assertThat(longer("stable", 9, "unstable", 5)).isEqualTo(Truth.NO);
        // Both grow: 9 an hour against 5.
        assertThat(longer("unstable", 1, "unstable", 1)).isEqualTo(Truth.YES);
    }
}

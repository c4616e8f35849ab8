package dev.stowage.report.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The claims of the reservation paper with made-up rewards. */
class ReservationJudgesTest {
    private final List<SummaryRow> rows = new ArrayList<>();

    private static Estimate estimate(double mean) {
        return new Estimate(mean, mean / 1000, 0.99, "replications", 5);
    }

    /** A policy that earns this fraction of a greatest reward of 100, where greedy earns 70. */
    private ReservationJudgesTest earns(String policy, Map<String, String> point, double fraction) {
        rows.add(new SummaryRow(
                new Origin("stowage.results/1", "made-up", "0", "0", "17", policy, Map.of(), point),
                5,
                "none",
                new Stability("no-queue", 0, null),
                Map.of(
                        "reward_of_bound", estimate(fraction),
                        "greedy_of_bound", estimate(0.7),
                        "reward_rate", estimate(100 * fraction))));
        return this;
    }

    private Finding judge(String figure) {
        return ReservationPaper.PAPER.figure(figure).orElseThrow().judge().judge(new Measured(rows, List.of()));
    }

    private static Finding guarantee(double low, double high) {
        ReservationJudgesTest made = new ReservationJudgesTest();
        for (String policy : List.of("dra", "best-fit")) {
            made.earns(policy, Map.of("load", "0.8"), high).earns(policy, Map.of("load", "1.2"), low);
        }
        return made.judge("l100");
    }

    @Test
    void theGuaranteeHoldsAtEveryLoadOrItDoesNotHold() {
        assertThat(guarantee(0.64, 0.9).verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(guarantee(0.6, 0.9).verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(guarantee(0.49, 0.9).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(guarantee(0.64, 0.9).evidence())
                .containsExactly(
                        "At 0.8: dra 90.0 % of the greatest; the greedy assignment 70.0 %; best-fit 90.0 %.",
                        "At 1.2: dra 64.0 % of the greatest; the greedy assignment 70.0 %; best-fit 64.0 %.");
    }

    private static Verdict worstCase(double fraction) {
        ReservationJudgesTest made = new ReservationJudgesTest();
        made.earns("dra", Map.of(), fraction).earns("first-fit", Map.of(), 1);
        return made.earns("best-fit", Map.of(), 1).judge("worst-case").verdict();
    }

    @Test
    void theWorstCaseIsThatOfGreedy() {
        assertThat(worstCase(0.72)).isEqualTo(Verdict.REPRODUCED);
        assertThat(worstCase(0.6)).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(worstCase(0.8)).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    private static Verdict slack(double log, double most) {
        ReservationJudgesTest made = new ReservationJudgesTest();
        made.earns("dra", Map.of("slack", "1"), 0.9).earns("dra", Map.of("slack", "log"), log);
        return made.earns("dra", Map.of("slack", "100"), most).judge("slack").verdict();
    }

    @Test
    void fewReservedSlotsAreEnough() {
        assertThat(slack(0.89, 0.6)).isEqualTo(Verdict.REPRODUCED);
        assertThat(slack(0.89, 0.9)).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(slack(0.8, 0.6)).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void earnsMoreThanTheRivalEverywhereSomewhereOrNowhere() {
        earns("dra", Map.of("servers", "1000"), 0.8).earns("best-fit", Map.of("servers", "1000"), 0.7);
        assertThat(judge("trace-azure").verdict()).isEqualTo(Verdict.REPRODUCED);
        earns("dra", Map.of("servers", "1400"), 0.8).earns("best-fit", Map.of("servers", "1400"), 0.9);
        assertThat(judge("trace-azure").verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        rows.subList(0, 2).clear();
        assertThat(judge("trace-azure").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(judge("trace-azure").evidence()).containsExactly("At 1400: dra 80.0 per second, best-fit 90.0.");
    }
}

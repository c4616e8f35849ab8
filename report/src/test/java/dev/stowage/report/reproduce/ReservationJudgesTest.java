package dev.stowage.report.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The claims of the reservation paper with made-up rewards. */
class ReservationJudgesTest {
    private final List<SummaryRow> rows = new ArrayList<>();
    private final List<SeriesRow> series = new ArrayList<>();

    private static Estimate estimate(double mean) {
        return new Estimate(mean, mean / 1000, 0.99, "replications", 5);
    }

    /** A policy that earns this fraction of a greatest reward of 100, where greedy earns 70. */
    private ReservationJudgesTest earns(String policy, Map<String, String> point, double fraction) {
        return earns(policy, point, fraction, Map.of());
    }

    private ReservationJudgesTest earns(
            String policy, Map<String, String> point, double fraction, Map<String, Estimate> more) {
        Map<String, Estimate> metrics = new TreeMap<>(more);
        metrics.put("reward_of_bound", estimate(fraction));
        metrics.put("greedy_of_bound", estimate(0.7));
        metrics.put("reward_rate", estimate(100 * fraction));
        rows.add(new SummaryRow(origin(policy, point), 5, "none", new Stability("no-queue", 0, null), metrics));
        return this;
    }

    private static Origin origin(String policy, Map<String, String> point) {
        return new Origin("stowage.results/1", "made-up", "0", "0", "17", policy, Map.of(), point);
    }

    private Finding judge(String figure) {
        return ReservationPaper.PAPER.figure(figure).orElseThrow().judge().judge(new Measured(rows, series));
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
        earns("dra", Map.of(), 0.8).earns("best-fit", Map.of(), 0.7);
        assertThat(judge("daily").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(judge("daily").evidence())
                .containsExactly("dra 80.0 per second, best-fit 70.0: 80.0 % and 70.0 % of the greatest.");
        rows.clear();
        earns("dra", Map.of(), 0.7).earns("best-fit", Map.of(), 0.8);
        assertThat(judge("daily").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void theTraceTellsWhomEachRejects() {
        Map<String, Estimate> rejections = Map.of(
                "rejection_fraction{type=1 vCPU, 2 GiB}", estimate(0.25), "rejection_fraction{type=b}", estimate(0));
        for (String policy : List.of("dra", "best-fit", "trunk-reservation")) {
            earns(policy, Map.of("servers", "1000"), policy.equals("dra") ? 0.6 : 0.7, rejections);
            earns(policy, Map.of("servers", "1400"), policy.equals("dra") ? 0.8 : 0.7);
        }
        assertThat(judge("trace-azure").verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(judge("trace-azure").evidence())
                .hasSize(5)
                .contains("At 1000: best-fit rejects 1 vCPU, 2 GiB 25.0 %, b 0.0 %.");
    }

    /** Of 0.7: 10 servers miss 0.1, 100 servers 0.05, 1,000 the given; empty slots 6, 30 and the given. */
    private static Finding growth(double missing, double slots, double migrations) {
        ReservationJudgesTest made = new ReservationJudgesTest();
        double[] misses = {0.1, 0.05, missing};
        double[] empty = {6, 30, slots};
        for (int i = 0; i < 3; i++) {
            Map<String, Estimate> metrics = new TreeMap<>(Map.of(
                    "accept_group_mean", estimate(StrictMath.pow(10, i + 1) - 1),
                    "reject_group_mean", estimate(1),
                    "reserved_slots_mean{type=a}", estimate(empty[i] / 3),
                    "reserved_slots_mean{type=b}", estimate(empty[i] * 2 / 3),
                    "left", estimate(1000),
                    "migrations", estimate(1000 * migrations)));
            // At the lower load nothing is missing, and it is not looked at.
            made.earns("dra", point(i, "0.8"), 0.7);
            made.earns("dra", point(i, "1.2"), 0.7 - misses[i], metrics);
        }
        return made.judge("growth");
    }

    /** In the order in which results have them. */
    private static Map<String, String> point(int experiment, String load) {
        Map<String, String> point = new LinkedHashMap<>();
        point.put("experiment", "l" + experiment);
        point.put("load", load);
        return point;
    }

    @Test
    void whatIsMissingToGreedyShrinksAsServersGrow() {
        assertThat(growth(0.01, 100, 0.2).verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(growth(0.01, 100, 0.2).evidence().get(2))
                .isEqualTo(
                        "1,000 servers, load 1.2: dra 69.0 % of the greatest, 0.010 below the greedy assignment; 100 empty"
                                + " slots, 0.100 per server; 0.200 migrations per departure.");
        // Empty slots that grow with the servers; more than one migration; not near.
        assertThat(growth(0.01, 300, 0.2).verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(growth(0.01, 100, 1.1).verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(growth(0.06, 100, 0.2).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /** Every hour for 30 h; of 100 the rate is 90, but as given in the hours from 12 to 15. */
    private static Verdict step(double... afterChange) {
        ReservationJudgesTest made = new ReservationJudgesTest();
        for (String policy : List.of("dra", "dra every minute", "best-fit")) {
            made.earns(policy, Map.of(), policy.equals("best-fit") ? 0.7 : 0.8);
            double[] rate = new double[30];
            Arrays.fill(rate, 90);
            System.arraycopy(afterChange, 0, rate, 12, afterChange.length);
            made.overTime(policy, "reward_rate", rate);
            double[] bound = new double[30];
            Arrays.fill(bound, 100);
            made.overTime(policy, "reward_bound", bound);
        }
        return made.judge("step").verdict();
    }

    private void overTime(String policy, String name, double[] hourly) {
        double[] start = new double[hourly.length];
        Arrays.setAll(start, hour -> 3600.0 * hour);
        series.add(new SeriesRow(origin(policy, Map.of()), 0, name, "reward / s", start, hourly, hourly, hourly));
    }

    @Test
    void theRewardIsBackInThreeHours() {
        assertThat(step(60, 80, 88)).isEqualTo(Verdict.REPRODUCED);
        assertThat(step(60, 70, 80)).isEqualTo(Verdict.DIRECTION_ONLY);
    }
}

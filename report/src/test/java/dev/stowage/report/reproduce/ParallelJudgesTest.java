package dev.stowage.report.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The claims of the parallel paper with made-up measurements. */
class ParallelJudgesTest {
    private static final List<String> PLANNERS = List.of(
            "TaPRA",
            "TaPRA-fast",
            "priced search",
            "Min-Min",
            "MM-GA",
            "GSA",
            "Min-Min equal",
            "MM-GA equal",
            "GSA equal",
            "bound");

    private final List<SummaryRow> rows = new ArrayList<>();

    private void add(String policy, Map<String, String> point, Map<String, Double> values) {
        Map<String, Estimate> metrics = new TreeMap<>();
        values.forEach((name, value) -> metrics.put(name, new Estimate(value, 0.01, 0.99, "replications", 5)));
        rows.add(new SummaryRow(
                new Origin("stowage.results/1", "made-up", "0", "0", "17", policy, Map.of(), point),
                5,
                "none",
                new Stability("stable", 0, null),
                metrics));
    }

    private Finding judge(String figure) {
        return Paper.find("parallel")
                .orElseThrow()
                .figure(figure)
                .orElseThrow()
                .judge()
                .judge(new Measured(rows, List.of()));
    }

    private ParallelJudgesTest online(String label, double seconds, double time) {
        add(label, Map.of(), Map.of("job_completion_mean_s", seconds, "scheduler_cpu_s", time));
        return this;
    }

    /** All labels of figure 6; each order at its time, TaPRA 4 % sooner and 12 times as long to decide. */
    private static ParallelJudgesTest schedulers(double llf, double genetic, double geneticTime) {
        ParallelJudgesTest made = new ParallelJudgesTest();
        Map<String, Double> seconds = Map.of("SJF", 100.0, "SLF", 170.0, "FCFS", 180.0, "LLF", llf);
        seconds.forEach((order, mean) -> {
            double slow = order.equals("SJF") ? 2 : 1;
            made.online(order + " TaPRA-fast", mean, slow).online(order + " TaPRA", 0.96 * mean, 12 * slow);
            made.online(order + " MM-GA", genetic, geneticTime).online(order + " GSA", genetic, geneticTime);
            made.online(order + " TaPRA-fast NDRC", 1.2 * mean, slow);
        });
        return made;
    }

    @Test
    void shortestJobFirstIsAheadByTheClaimedMargin() {
        assertThat(schedulers(161, 200, 50).judge("fig6a").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(schedulers(159, 200, 50).judge("fig6a").verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(schedulers(161, 159, 50).judge("fig6a").verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(schedulers(99, 200, 50).judge("fig6a").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(schedulers(159, 200, 50).judge("fig6a").evidence())
                .contains("SLF TaPRA-fast: 170 ± 0 s, +70 % against SJF TaPRA-fast.");
    }

    @Test
    void residualCapacityShortensEveryOrderOrSome() {
        ParallelJudgesTest made = schedulers(161, 200, 50);
        assertThat(made.judge("fig6-drc").verdict()).isEqualTo(Verdict.REPRODUCED);
        made.rows.removeIf(row -> row.origin().policy().equals("LLF TaPRA-fast NDRC"));
        made.online("LLF TaPRA-fast NDRC", 90, 1);
        assertThat(made.judge("fig6-drc").verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(made.judge("fig6-drc").evidence()).contains("LLF: 161 ± 0 s with it, 90 ± 0 s without, -44 %.");
    }

    @Test
    void timesOfSchedulers() {
        assertThat(schedulers(161, 200, 13).judge("fig6b").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(schedulers(161, 200, 11).judge("fig6b").verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(schedulers(161, 200, 13).judge("fig6-fast").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(schedulers(161, 200, 13).judge("fig6-fast").evidence())
                .contains("SJF: TaPRA-fast takes +4 % to completion, and TaPRA 12.0 times as long to decide.");
    }

    /** All planners at one size; the equal ones relative to TaPRA, their amounts, their times. */
    private void planners(String axis, String at, double ratio, double amount, double time) {
        for (String planner : PLANNERS) {
            boolean equal = planner.endsWith("equal");
            add(
                    planner,
                    Map.of(axis, at),
                    Map.of(
                            "completion_of_tapra", equal ? ratio : 1.02,
                            "completion_of_bound_p50", 1.1,
                            "problems_infeasible", 2.0,
                            "amount_held", equal ? amount : 100,
                            "planning_cpu_s", equal ? time : planner.equals("TaPRA-fast") ? 0.5 : 1));
        }
    }

    private Finding plans(String figure, double ratio, double amount, double time) {
        rows.clear();
        for (String at : List.of("40", "100", "200")) {
            planners("tasks", at, ratio, at.equals("40") ? amount : 100, time);
        }
        return judge(figure);
    }

    @Test
    void completionTimesOfPlans() {
        assertThat(plans("fig4a", 2, 90, 1).verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(plans("fig4a", 1.9, 90, 1).verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(plans("fig4a", 1, 90, 1).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(plans("fig4a", 2, 90, 1).evidence())
                .contains(
                        "200: Min-Min +100 ± 1 %, MM-GA +100 ± 1 %, GSA +100 ± 1 %; with equation (16) Min-Min +2 ± 1 %,"
                                + " MM-GA +2 ± 1 %, GSA +2 ± 1 %; TaPRA-fast +2 ± 1 %, priced search +2 ± 1 %.")
                .contains("Infeasible and left out: 40: 2 of 5; 100: 2 of 5; 200: 2 of 5.");
    }

    @Test
    void amountsAndTimesOfPlans() {
        assertThat(plans("fig4b", 2, 90, 1).verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(plans("fig4b", 2, 110, 1).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(plans("fig4c", 2, 90, 200).verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(plans("fig4c", 2, 90, 20).verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(plans("fig4c", 2, 90, 0.4).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }
}

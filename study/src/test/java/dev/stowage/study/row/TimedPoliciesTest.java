package dev.stowage.study.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.RunObserver;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.study.bound.JobBound;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A short run of jobs of many tasks. */
final class TimedPoliciesTest {
    private static final String TEXT = """
            cluster:
              divisible: cpu
              servers: {count: 16, cpu: 10, load_ms: 1000000000}
            workload:
              parallel-jobs: {rate: 0.05 / s, until: 10 min, task-shape: 0.8, task-scale: 7,
                most-tasks: 70, most-load: 100 s}
            policies:
              - {policy: ontapra, label: timed, efficiency: uniform, budget-spread: none}
            horizon: 2 h
            warm-up: none
            replications: 3
            """;

    private static List<Experiment> points() {
        return points(TEXT);
    }

    private static List<Experiment> points(String text) {
        return ExperimentReader.read("test", text, Path.of(""), List.of(), new Policies())
                .points();
    }

    private static List<ResultRow> run(PolicyFactory policies) throws InterruptedException {
        return run(TEXT, policies);
    }

    private static List<ResultRow> run(String text, PolicyFactory policies) throws InterruptedException {
        List<ResultRow> rows = new ArrayList<>();
        new ExperimentRunner(policies, "", 1, ProgressListener.NONE, (point, policy, replication) -> RunObserver.NONE)
                .run(points(text), rows::add);
        return rows;
    }

    private static SummaryRow summary(List<ResultRow> rows) {
        return rows.stream()
                .filter(SummaryRow.class::isInstance)
                .map(SummaryRow.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void decideTheSameAndTellTheirTime() throws InterruptedException {
        TimedPolicies timed = new TimedPolicies(new Policies());
        List<ResultRow> rows = run(timed);
        SummaryRow plain = summary(run(new Policies()));
        assertThat(summary(rows)).isEqualTo(plain);
        List<ResultRow> with = timed.with(points().get(0), rows);
        assertThat(with.get(0)).isEqualTo(rows.get(0));
        SummaryRow told = summary(with);
        Estimate seconds = told.metrics().get(TimedPolicies.METRIC);
        assertThat(seconds.mean()).isPositive();
        assertThat(seconds.count()).isEqualTo(3);
        assertThat(told.metrics()).hasSize(plain.metrics().size() + 1);
    }

    /** Two sites; a quarter of the requests may run at one only. All arrive and none is refused, timed or not. */
    @Test
    void keepToSitesAsThePoliciesDo() throws InterruptedException {
        String text = """
                cluster:
                  sites:
                    - {name: east, servers: {count: 4, cpu: 4}}
                    - {name: west, servers: {count: 4, cpu: 4}}
                workload:
                  types:
                    - {name: a, rate: 24 / h, demand: {cpu: 1}, service: {exponential: 10 min}}
                  origins:
                    of:
                      - {name: w, sites: [west], weights: 1}
                      - {name: any, weights: 3}
                policies: [first-fit]
                horizon: 10 h
                warm-up: none
                """;
        List<ResultRow> timed = run(text, new TimedPolicies(new Policies()));
        RunRow run = (RunRow) timed.get(0);
        assertThat(run).isEqualTo(run(text, new Policies()).get(0));
        assertThat(run.metrics()).containsEntry("refused", 0.0);
        assertThat(run.metrics().get("placed")).isGreaterThan(100);
    }

    /** Whatever a policy declares is also declared by the timed one. */
    @Test
    void sayWhatThePoliciesSay() {
        Policies policies = new Policies();
        TimedPolicies timed = new TimedPolicies(policies);
        assertThat(timed.names()).isEqualTo(policies.names()).isNotEmpty();
        for (String name : policies.names()) {
            PolicySpec spec = PolicySpec.of(name);
            assertThat(timed.create(spec).capabilities())
                    .as(name)
                    .isEqualTo(policies.create(spec).capabilities());
        }
    }

    /** Without a budget none is rejected, so the bound is known; it is below what was measured, but not idle. */
    @Test
    void theBoundIsBelowTheMeasuredMean() throws InterruptedException {
        SummaryRow summary = summary(run(new Policies()));
        Estimate bound = JobBound.of(points().get(0), summary).orElseThrow();
        Estimate mean = summary.metrics().get("job_completion_mean_s");
        assertThat(bound.mean()).isBetween(mean.mean() / 20, mean.mean());
        assertThat(bound.count()).isEqualTo(3);
    }
}

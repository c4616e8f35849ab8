package dev.stowage.study.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.parallel.Allocation;
import dev.stowage.policies.parallel.PaperProblems;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.policies.parallel.Planners;
import dev.stowage.policies.parallel.PlanningProblem;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SummaryRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PlannerStudyTest {
    private static final int PROBLEMS = 3;

    private static List<ResultRow> rows() {
        PaperProblems family = PaperProblems.of(12, 4);
        Map<String, Planner> planners = Map.of(
                PlannerStudy.TAPRA, planner("tapra"),
                PlannerStudy.FAST, planner("tapra-fast"));
        List<SolvedProblem> solved = new ArrayList<>();
        int tried = 0;
        while (solved.size() < PROBLEMS) {
            tried++;
            SolvedProblem.of(family.problem(tried), tried, planners).ifPresent(solved::add);
        }
        List<ResultRow> rows = new ArrayList<>();
        new PlannerRows("study", "hash", "version", Map.of("tasks", "12"), tried, solved).emit(rows::add);
        return rows;
    }

    /** Each row again from the problem of its seed; the bound below every plan, and the mean is that of the rows. */
    @Test
    void rowsAreThePlansOfTheirSeeds() {
        double sum = 0;
        for (ResultRow row : rows()) {
            if (row instanceof RunRow run) {
                PlanningProblem problem = PaperProblems.of(12, 4).problem(run.seed());
                double bound = Planners.relax(problem, LinearSolvers.best()).bound();
                double completion = switch (run.origin().policy()) {
                    case PlannerStudy.TAPRA ->
                        planner("tapra").plan(problem, run.seed()).completion();
                    case PlannerStudy.FAST ->
                        planner("tapra-fast").plan(problem, run.seed()).completion();
                    default -> bound;
                };
                sum = run.replication() == 0 ? completion : sum + completion;
                assertThat(run.metrics().get("job_completion_mean_s")).isEqualTo(completion);
                assertThat(run.metrics().get("completion_of_bound"))
                        .isEqualTo(completion / bound)
                        .isGreaterThanOrEqualTo(1 - 1e-9);
                assertThat(run.metrics().get("amount_held"))
                        .isLessThanOrEqualTo(problem.limits().limit(0) * (1 + 1e-9));
            } else if (row instanceof SummaryRow summary) {
                assertThat(summary.metrics().get("job_completion_mean_s").mean())
                        .isCloseTo(sum / PROBLEMS, within(1e-9));
                assertThat(summary.replications()).isEqualTo(PROBLEMS);
            }
        }
    }

    @Test
    void ratiosAreToTapraAndTimesOnlyInSummaries() {
        for (ResultRow row : rows()) {
            if (row instanceof SummaryRow summary) {
                assertThat(summary.metrics()).containsKey("planning_cpu_s");
                if (summary.origin().policy().equals(PlannerStudy.TAPRA)) {
                    assertThat(summary.metrics().get("completion_of_tapra").mean())
                            .isEqualTo(1);
                }
            } else {
                assertThat(((RunRow) row).metrics().keySet()).noneMatch(name -> name.contains("cpu"));
            }
        }
    }

    @Test
    void aStudyWithoutTapraHasNoRatiosToIt() {
        PaperProblems family = PaperProblems.of(6, 4);
        Map<String, Planner> planners = Map.of("Min-Min", planner("min-min"));
        List<SolvedProblem> solved = new ArrayList<>();
        for (int seed = 1; solved.isEmpty(); seed++) {
            SolvedProblem.of(family.problem(seed), seed, planners).ifPresent(solved::add);
        }
        List<ResultRow> rows = new ArrayList<>();
        new PlannerRows("study", "hash", "version", Map.of(), 1, solved).emit(rows::add);
        assertThat(rows)
                .filteredOn(SummaryRow.class::isInstance)
                .hasSize(2)
                .allSatisfy(row -> assertThat(((SummaryRow) row).metrics())
                        .containsKey("job_completion_mean_s")
                        .doesNotContainKeys("completion_of_tapra", "planning_of_tapra_fast"));
    }

    private static Planner planner(String key) {
        return PlannerKeys.planner(key, Allocation.EQUATION_16);
    }
}

package dev.stowage.study.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.optimize.lp.LinearSolvers;
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
                PlannerStudy.TAPRA, PlannerStudy.planners().get(PlannerStudy.TAPRA),
                PlannerStudy.FAST, PlannerStudy.planners().get(PlannerStudy.FAST));
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
                Planner planner = PlannerStudy.planners().get(run.origin().policy());
                double completion = planner == null
                        ? bound
                        : planner.plan(problem, run.seed()).completion();
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
    void studiesHaveNames() {
        assertThat(PlannerStudy.find("parallel-tasks", 1).orElseThrow().text()).contains("{tasks=200}");
        assertThat(PlannerStudy.find("parallel-servers", 1).orElseThrow().text())
                .contains("{servers=432}");
        assertThat(PlannerStudy.find("parallel-fig6", 1)).isEmpty();
    }
}

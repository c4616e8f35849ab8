package dev.stowage.study.planner;

import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.Problem;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.statistics.Intervals;
import dev.stowage.study.planner.SolvedProblem.Solution;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * The rows of a {@link PlannerStudy} at one size: a row per planner and problem, then its summary. The bound is listed
 * among the planners, as {@value #BOUND}. Processor times are in summaries only, so that the rows of single problems
 * are the same on every machine, as far as the solutions of linear programs are.
 */
final class PlannerRows {
    static final String BOUND = "bound";
    private static final double NANOS = 1e9;
    private static final double CONFIDENCE = 0.99;

    private final String name;
    private final String hash;
    private final String version;
    private final Map<String, String> point;
    private final int infeasible;
    private final List<SolvedProblem> solved;

    PlannerRows(
            String name,
            String hash,
            String version,
            Map<String, String> point,
            int problems,
            List<SolvedProblem> solved) {
        if (solved.isEmpty()) {
            throw new ExperimentException(
                    name,
                    List.of(new Problem("points", "all " + problems + " problems at " + point + " are infeasible")));
        }
        this.name = name;
        this.hash = hash;
        this.version = version;
        this.point = point;
        this.infeasible = problems - solved.size();
        this.solved = solved;
    }

    void emit(Consumer<ResultRow> rows) {
        for (String planner : solved.get(0).byPlanner().keySet()) {
            emit(planner, problem -> problem.by(planner), rows);
        }
        emit(BOUND, PlannerRows::bound, rows);
    }

    private static Solution bound(SolvedProblem problem) {
        return new Solution(problem.bound(), problem.amountLimit(), 0, problem.boundNanos());
    }

    /** A problem's solution by one planner. */
    private interface Choice {
        Solution of(SolvedProblem problem);
    }

    private void emit(String planner, Choice choice, Consumer<ResultRow> rows) {
        Origin origin = new Origin(
                ResultRow.SCHEMA, name, hash, version, Runtime.version().toString(), planner, Map.of(), point);
        for (int i = 0; i < solved.size(); i++) {
            SolvedProblem problem = solved.get(i);
            Solution solution = choice.of(problem);
            Map<String, Double> metrics = new TreeMap<>();
            metrics.put("job_completion_mean_s", solution.completion());
            metrics.put("completion_of_bound", solution.completion() / problem.bound());
            metrics.put("amount_held", solution.amount());
            String digest = String.format(Locale.ROOT, "%016x", solution.digest());
            rows.accept(new RunRow(origin, i, problem.seed(), digest, 0, 0, metrics));
        }
        rows.accept(new SummaryRow(origin, solved.size(), "none", new Stability("no-queue", 0, null), summary(choice)));
    }

    private Map<String, Estimate> summary(Choice choice) {
        double[] completion = values(problem -> choice.of(problem).completion());
        double[] ofBound = values(problem -> choice.of(problem).completion() / problem.bound());
        double[] nanos = values(problem -> choice.of(problem).nanos());
        Map<String, Estimate> metrics = new TreeMap<>();
        metrics.put("job_completion_mean_s", mean(completion));
        metrics.put("job_completion_p50_s", median(completion));
        if (planned(PlannerStudy.TAPRA)) {
            metrics.put(
                    "completion_of_tapra",
                    ratio(completion, problem -> problem.by(PlannerStudy.TAPRA).completion()));
        }
        metrics.put("completion_of_bound", mean(ofBound));
        metrics.put("completion_of_bound_p50", median(ofBound));
        metrics.put("amount_held", mean(values(problem -> choice.of(problem).amount())));
        metrics.put(
                "planning_cpu_s", mean(Arrays.stream(nanos).map(n -> n / NANOS).toArray()));
        if (planned(PlannerStudy.FAST)) {
            metrics.put(
                    "planning_of_tapra_fast",
                    ratio(nanos, problem -> problem.by(PlannerStudy.FAST).nanos()));
        }
        metrics.put("problems_infeasible", new Estimate(infeasible, null, 1, "counted", infeasible + solved.size()));
        return metrics;
    }

    private boolean planned(String planner) {
        return solved.get(0).byPlanner().containsKey(planner);
    }

    private double[] values(ToDoubleFunction<SolvedProblem> value) {
        return solved.stream().mapToDouble(value).toArray();
    }

    private static Estimate mean(double[] values) {
        return Intervals.replications(values, CONFIDENCE);
    }

    /** Ratio of the means, paired by problem. */
    private Estimate ratio(double[] values, ToDoubleFunction<SolvedProblem> other) {
        return Intervals.ratio(values, values(other), CONFIDENCE);
    }

    private static Estimate median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Estimate(sorted[(sorted.length - 1) / 2], null, CONFIDENCE, "median", sorted.length);
    }
}

package dev.stowage.study.planner;

import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.parallel.Allocation;
import dev.stowage.policies.parallel.Plan;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.policies.parallel.Planners;
import dev.stowage.policies.parallel.PlanningProblem;
import java.util.Arrays;

/**
 * Completion time against energy: how early a job is complete for several energy budgets, as planned by
 * {@code thrifty}, and a lower bound for any plan. The problem's own budget is ignored.
 *
 * @param budgets ascending, same unit as the problem's
 * @param completion seconds, by {@code thrifty}; never later with a larger budget
 * @param bound seconds, the relaxed program's lower bound
 */
public record EnergyCurve(double[] budgets, double[] completion, double[] bound) {
    private static final int TRIES = 100;
    /** Budgets relative to the least energy, minus 1. */
    private static final double[] ABOVE = {
        0, 0.0005, 0.001, 0.0015, 0.002, 0.003, 0.004, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1,
        0.15, 0.2, 0.3
    };

    /** The curve from the least energy to 1.3 times it. Solves one linear program for each budget. */
    public static EnergyCurve of(PlanningProblem problem) {
        double[] budgets = Arrays.stream(ABOVE)
                .map(above -> problem.minimumEnergy() * (1 + above))
                .toArray();
        double[] completion = new double[budgets.length];
        double[] bound = new double[budgets.length];
        for (int k = 0; k < budgets.length; k++) {
            completion[k] = thrifty(problem, budgets[k]).completion();
            if (k > 0) {
                completion[k] = Math.min(completion[k], completion[k - 1]);
            }
            bound[k] = Planners.relax(with(problem, budgets[k]), LinearSolvers.best())
                    .bound();
        }
        return new EnergyCurve(budgets, completion, bound);
    }

    /** The plan of {@code thrifty} with another budget. */
    public static Plan thrifty(PlanningProblem problem, double budget) {
        Planner thrifty = Planners.thrifty(Allocation.EQUATION_16, TRIES);
        return thrifty.plan(with(problem, budget), 1);
    }

    private static PlanningProblem with(PlanningProblem problem, double budget) {
        return new PlanningProblem(problem.job(), problem.limits(), budget);
    }
}

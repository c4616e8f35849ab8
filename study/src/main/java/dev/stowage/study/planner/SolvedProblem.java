package dev.stowage.study.planner;

import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.parallel.Plan;
import dev.stowage.policies.parallel.Planner;
import dev.stowage.policies.parallel.Planners;
import dev.stowage.policies.parallel.PlanningProblem;
import dev.stowage.study.CpuTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One problem, planned by all planners.
 *
 * @param bound lower bound of the completion time, seconds
 * @param amountLimit upper bound of the amount held: the limit for the whole center
 * @param boundNanos processor time of the bound
 */
record SolvedProblem(long seed, double bound, double amountLimit, long boundNanos, Map<String, Solution> byPlanner) {

    /**
     * A planner's solution.
     *
     * @param completion seconds
     * @param amount held in all
     * @param digest of servers and amounts
     * @param nanos processor time
     */
    record Solution(double completion, double amount, long digest, long nanos) {
        static Solution of(Planner planner, PlanningProblem problem, long seed) {
            long start = CpuTime.nanos();
            Plan plan = planner.plan(problem, seed);
            long nanos = CpuTime.nanos() - start;
            return new Solution(plan.completion(), plan.totalAmount(), digest(plan), nanos);
        }

        private static long digest(Plan plan) {
            long digest = 0;
            for (int i = 0; i < plan.problem().job().tasks(); i++) {
                digest = 31 * digest + plan.server(i);
                digest = 31 * digest + Double.doubleToLongBits(plan.amount(i));
            }
            return digest;
        }
    }

    /** Plans a problem; nothing if it is infeasible. */
    static Optional<SolvedProblem> of(PlanningProblem problem, long seed, Map<String, Planner> planners) {
        if (problem.isInfeasible()) {
            return Optional.empty();
        }
        long start = CpuTime.nanos();
        double bound = Planners.relax(problem, LinearSolvers.best()).bound();
        long nanos = CpuTime.nanos() - start;
        Map<String, Solution> byPlanner = new LinkedHashMap<>();
        planners.forEach((name, planner) -> byPlanner.put(name, Solution.of(planner, problem, seed)));
        return Optional.of(new SolvedProblem(seed, bound, problem.limits().limit(0), nanos, byPlanner));
    }

    Solution by(String planner) {
        Solution solution = byPlanner.get(planner);
        if (solution == null) {
            throw new IllegalArgumentException("no planner " + planner + "; known: " + byPlanner.keySet());
        }
        return solution;
    }
}

package dev.stowage.policies.parallel;

/** Plans one job: where its tasks run and how much each gets. */
public interface Planner {
    /**
     * Plans a job. The same problem and seed give the same plan, bit for bit where no linear program is solved.
     *
     * @param seed for randomized planners; others ignore it
     * @return a plan; infeasible if and only if the problem is. If a solver of linear programs gives up, there is still
     *     a plan, and its {@link Plan#relaxation} reports that
     */
    Plan plan(PlanningProblem problem, long seed);
}

package dev.stowage.policies.parallel;

/**
 * TaPRA-fast, section 4.3.1: each task on the server where it is most efficient, which is the least energy, then the
 * local search of TaPRA. O(tasks x servers) for the start.
 */
record TapraFast(Allocation allocation) implements Planner {
    @Override
    public Plan plan(PlanningProblem problem, long seed) {
        if (problem.isInfeasible()) {
            return Plan.infeasible(problem);
        }
        Placement placement = place(problem);
        return Plan.of(placement, allocation);
    }

    /** The placement that it ends with, of a feasible problem. */
    static Placement place(PlanningProblem problem) {
        int[] servers = new int[problem.job.tasks()];
        for (int i = 0; i < servers.length; i++) {
            servers[i] = problem.mostEfficientServer(i);
        }
        Placement placement = Placement.of(problem, Allocation.EQUATION_16, servers);
        LocalSearch.improve(placement);
        return placement;
    }
}

package dev.stowage.policies.parallel;

/**
 * Min-Min, section 6.1.3: of all unplaced tasks and all servers, the pair is chosen with which the tasks placed so far
 * complete earliest, until all tasks are placed; then REC. Ties: the lowest task, then the lowest server. O(tasks^2 x
 * servers x rows per server).
 */
record MinMin(Allocation allocation) implements Planner {
    @Override
    public Plan plan(PlanningProblem problem, long seed) {
        if (problem.isInfeasible()) {
            return Plan.infeasible(problem);
        }
        Placement placement = place(problem, allocation);
        EnergyRepair.repair(placement);
        return Plan.of(placement, allocation);
    }

    /** The placement before REC. */
    static Placement place(PlanningProblem problem, Allocation allocation) {
        Placement placement = new Placement(problem, allocation);
        for (int placed = 0; placed < problem.job.tasks(); placed++) {
            placeNext(placement);
        }
        return placement;
    }

    private static void placeNext(Placement placement) {
        PlanningProblem problem = placement.problem;
        double before = placement.completion();
        double most = Double.POSITIVE_INFINITY;
        int task = Placement.NONE;
        int server = Placement.NONE;
        // A task cannot make the job complete earlier, so the first pair that does not make it later is the best.
        for (int i = 0; i < problem.job.tasks() && most > before; i++) {
            for (int j = 0;
                    placement.server(i) == Placement.NONE && j < problem.limits.servers() && most > before;
                    j++) {
                if (problem.canRun(i, j)) {
                    double time = Math.max(before, placement.timeOn(i, j, most));
                    if (time < most) {
                        most = time == before ? before : time * (1 - PlanningProblem.TOLERANCE);
                        task = i;
                        server = j;
                    }
                }
            }
        }
        placement.place(task, server);
    }
}

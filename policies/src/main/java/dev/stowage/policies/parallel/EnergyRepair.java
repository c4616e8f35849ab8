package dev.stowage.policies.parallel;

/**
 * REC, Algorithm 2: while a placement takes more energy than its budget, moves a task to a server where it takes less
 * energy, with the move that raises the job completion time least (or lowers it most). Ties: the lowest task, then the
 * lowest server.
 *
 * <p>An iteration costs O(tasks x servers x rows per server); each lowers the energy, so it ends. At the least energy
 * no move is left, and only an infeasible problem then still exceeds its budget.
 */
final class EnergyRepair {
    private final Placement placement;
    private final PlanningProblem problem;
    private int bestTask;
    private int bestServer;
    private double bestCompletion;

    private EnergyRepair(Placement placement) {
        this.placement = placement;
        this.problem = placement.problem;
    }

    /** Repairs a placement of a feasible problem. Returns the number of movements. */
    static int repair(Placement placement) {
        int movements = 0;
        while (!placement.problem.withinBudget(placement.energy())) {
            new EnergyRepair(placement).step();
            movements++;
        }
        return movements;
    }

    private void step() {
        bestTask = Placement.NONE;
        bestCompletion = Double.POSITIVE_INFINITY;
        for (int i = 0; i < problem.job.tasks(); i++) {
            tryTask(i);
        }
        if (bestTask == Placement.NONE) {
            throw new IllegalStateException("energy " + placement.energy() + " is above the budget "
                    + problem.energyBudget + ", and no move lowers it: the problem is infeasible");
        }
        placement.move(bestTask, bestServer);
    }

    private void tryTask(int task) {
        double energy = problem.job.energy(task, placement.server(task));
        placement.lift(task);
        double others = placement.completion();
        double most = bestCompletion * (1 - PlanningProblem.TOLERANCE);
        for (int j = 0; others < most && j < problem.limits.servers(); j++) {
            if (problem.canRun(task, j) && problem.job.energy(task, j) < energy) {
                double completion = Math.max(others, placement.timeOn(task, j, most));
                if (completion < most) {
                    bestTask = task;
                    bestServer = j;
                    bestCompletion = completion;
                    most = completion * (1 - PlanningProblem.TOLERANCE);
                }
            }
        }
        placement.putBack();
    }
}

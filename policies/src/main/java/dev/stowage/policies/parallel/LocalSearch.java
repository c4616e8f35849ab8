package dev.stowage.policies.parallel;

/**
 * Phase III of Algorithm 1: while a task that runs longest can run shorter on another server within the energy budget,
 * it moves to where it runs shortest. Ties: the lowest task, then the lowest server.
 *
 * <p>A task runs longest if one of its rows has the job completion time within a relative 1e-12, and runs shorter if
 * the gain is more than that. A movement lowers rows that have the job completion time and lifts others to less than
 * it, so the search ends. To try all places of a task costs O(servers x rows per server), with most servers given up at
 * their first row.
 */
final class LocalSearch {
    private LocalSearch() {}

    /** Improves a placement within the budget. Returns the number of movements. */
    static int improve(Placement placement) {
        int movements = 0;
        while (step(placement)) {
            movements++;
        }
        return movements;
    }

    private static boolean step(Placement placement) {
        double longest = placement.completion() * (1 - Problem.TOLERANCE);
        for (int i = 0; i < placement.problem.job.tasks(); i++) {
            if (placement.timeOf(i) >= longest) {
                int server = shortest(placement, i);
                if (server != Placement.NONE) {
                    placement.move(i, server);
                    return true;
                }
            }
        }
        return false;
    }

    /** The server on which a task would run shortest, if shorter than now and within the budget. */
    private static int shortest(Placement placement, int task) {
        Problem problem = placement.problem;
        int now = placement.server(task);
        double otherEnergy = placement.energy() - problem.job.energy(task, now);
        double most = placement.timeOf(task) * (1 - Problem.TOLERANCE);
        int best = Placement.NONE;
        placement.lift(task);
        for (int j = 0; j < problem.limits.servers(); j++) {
            if (j != now && problem.canRun(task, j)) {
                double time = placement.timeOn(task, j, most);
                if (time < most && problem.withinBudget(otherEnergy + problem.job.energy(task, j))) {
                    best = j;
                    most = time * (1 - Problem.TOLERANCE);
                }
            }
        }
        placement.putBack();
        return best;
    }
}

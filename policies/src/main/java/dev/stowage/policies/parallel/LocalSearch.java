package dev.stowage.policies.parallel;

import java.util.BitSet;

/**
 * Phase III of Algorithm 1: while a task that runs longest can run shorter on another server within the energy budget,
 * it moves to where it runs shortest. Ties: the lowest task, then the lowest server.
 *
 * <p>A task runs longest if one of its rows has the job completion time within a relative 1e-12, and runs shorter if
 * the gain is more than that. A movement lowers rows that have the job completion time and lifts others to less than
 * it, so the search ends. To try all servers for a task costs O(servers x rows per server), but most servers are ruled
 * out by their first row; only tasks that run longest are tried.
 */
final class LocalSearch {
    private final Placement placement;
    private final PlanningProblem problem;
    private final BitSet[] tasksOn;
    /** Servers whose tasks run longest. */
    private final int[] longest;

    private int count;

    private LocalSearch(Placement placement) {
        this.placement = placement;
        this.problem = placement.problem;
        this.tasksOn = new BitSet[problem.limits.servers()];
        this.longest = new int[tasksOn.length];
        for (int j = 0; j < tasksOn.length; j++) {
            tasksOn[j] = new BitSet();
        }
        for (int i = 0; i < problem.job.tasks(); i++) {
            tasksOn[placement.server(i)].set(i);
        }
    }

    /** Improves a placement within the budget. Returns the number of movements. */
    static int improve(Placement placement) {
        LocalSearch search = new LocalSearch(placement);
        int movements = 0;
        while (search.step()) {
            movements++;
        }
        return movements;
    }

    private boolean step() {
        findLongest();
        for (int task = next(0); task != Placement.NONE; task = next(task + 1)) {
            int server = shortest(task);
            if (server != Placement.NONE) {
                tasksOn[placement.server(task)].clear(task);
                tasksOn[server].set(task);
                placement.move(task, server);
                return true;
            }
        }
        return false;
    }

    private void findLongest() {
        double time = placement.completion() * (1 - PlanningProblem.TOLERANCE);
        count = 0;
        for (int j = 0; j < tasksOn.length; j++) {
            if (placement.timeOfServer(j) >= time) {
                longest[count++] = j;
            }
        }
    }

    /** The lowest task that runs longest, from a number on. */
    private int next(int from) {
        int lowest = Placement.NONE;
        for (int n = 0; n < count; n++) {
            int task = tasksOn[longest[n]].nextSetBit(from);
            if (task >= 0 && (lowest == Placement.NONE || task < lowest)) {
                lowest = task;
            }
        }
        return lowest;
    }

    /** The server on which a task would run shortest, if shorter than now and within the budget. */
    private int shortest(int task) {
        int now = placement.server(task);
        double otherEnergy = placement.energy() - problem.job.energy(task, now);
        double most = placement.timeOf(task) * (1 - PlanningProblem.TOLERANCE);
        int best = Placement.NONE;
        placement.lift(task);
        for (int j = 0; j < problem.limits.servers(); j++) {
            if (j != now && problem.canRun(task, j)) {
                double time = placement.timeOn(task, j, most);
                if (time < most && problem.withinBudget(otherEnergy + problem.job.energy(task, j))) {
                    best = j;
                    most = time * (1 - PlanningProblem.TOLERANCE);
                }
            }
        }
        placement.putBack();
        return best;
    }
}

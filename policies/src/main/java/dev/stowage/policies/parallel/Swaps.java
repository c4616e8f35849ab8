package dev.stowage.policies.parallel;

/**
 * Swaps of two tasks, as a step of a local search beyond the paper's: while a task that runs longest can be swapped
 * with another one such that all rows of both servers have less than the job completion time, within the energy budget,
 * the swap with the least time of those rows is made. O(tasks x rows per server) to try all swaps of a task. Ties: the
 * lowest tasks.
 */
final class Swaps {
    private final Placement placement;
    private final PlanningProblem problem;
    private final Limits limits;

    Swaps(Placement placement) {
        this.placement = placement;
        this.problem = placement.problem;
        this.limits = problem.limits;
    }

    /** The local search of TaPRA and swaps, in turn, until neither finds an improvement. */
    static void search(Placement placement) {
        Swaps swaps = new Swaps(placement);
        do {
            LocalSearch.improve(placement);
        } while (swaps.step());
    }

    /** Makes one swap; false if there is none. */
    private boolean step() {
        double longest = placement.completion() * (1 - PlanningProblem.TOLERANCE);
        for (int i = 0; i < problem.job.tasks(); i++) {
            if (placement.timeOf(i) >= longest) {
                int other = best(i, longest);
                if (other != Placement.NONE) {
                    int server = placement.server(i);
                    placement.move(i, placement.server(other));
                    placement.move(other, server);
                    return true;
                }
            }
        }
        return false;
    }

    private int best(int task, double longest) {
        int best = Placement.NONE;
        double most = longest;
        for (int q = 0; q < problem.job.tasks(); q++) {
            int here = placement.server(task);
            int there = placement.server(q);
            if (here != there && problem.canRun(task, there) && problem.canRun(q, here) && affordable(task, q)) {
                double time = time(task, q, most);
                if (time < most) {
                    best = q;
                    most = time;
                }
            }
        }
        return best;
    }

    private boolean affordable(int one, int other) {
        ParallelJob job = problem.job;
        int here = placement.server(one);
        int there = placement.server(other);
        return problem.withinBudget(placement.energy()
                - job.energy(one, here)
                - job.energy(other, there)
                + job.energy(one, there)
                + job.energy(other, here));
    }

    /**
     * The largest time of the rows of both servers after a swap of two tasks; any number of at least {@code most} if
     * not less.
     */
    double time(int one, int other, double most) {
        int here = placement.server(one);
        int there = placement.server(other);
        double comesHere = problem.job.equivalentLoad(other, here) - problem.job.equivalentLoad(one, here);
        double comesThere = problem.job.equivalentLoad(one, there) - problem.job.equivalentLoad(other, there);
        int e = limits.start[here];
        int f = limits.start[there];
        double largest = 0;
        while ((e < limits.start[here + 1] || f < limits.start[there + 1]) && largest < most) {
            int rowHere = e < limits.start[here + 1] ? limits.row[e] : Integer.MAX_VALUE;
            int rowThere = f < limits.start[there + 1] ? limits.row[f] : Integer.MAX_VALUE;
            int row = Math.min(rowHere, rowThere);
            double comes = 0;
            if (rowHere == row) {
                comes += limits.coefficient[e++] * comesHere;
            }
            if (rowThere == row) {
                comes += limits.coefficient[f++] * comesThere;
            }
            largest = Math.max(largest, placement.rowTime(row) + comes / limits.limit[row]);
        }
        return largest;
    }
}

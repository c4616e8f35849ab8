package dev.stowage.policies.parallel;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;

/**
 * Searches a placement that completes by a given time with little energy: each task starts on the server where it takes
 * the least energy among those on which it alone completes in time. While a row takes too long, one task of the longest
 * row is moved to a server all of whose rows stay within the time: the task with the least additional energy per second
 * by which the row gets shorter (counting only the excess). Ties: the lowest task, then the server that takes less.
 * Weights of tasks multiply their additional energy, which leads to other placements of the same kind.
 *
 * <p>A movement costs O(tasks in the row x servers x rows per server) at most; servers are looked at in order of
 * energy, so usually some are enough. Never above the energy budget.
 */
final class TargetTime {
    /** Moves per task after which the search gives up. */
    private static final int PATIENCE = 20;

    private static final double ROUNDING = 1e-9;

    private final PlanningProblem problem;
    private final ParallelJob job;
    private final Limits limits;
    private final EnergyOrder order;
    private final int[] server;
    private final double[] time;
    private final double[] weight;
    private double energy;
    private double target;
    private int bestTask;
    private int bestServer;
    private double bestPrice;

    TargetTime(PlanningProblem problem) {
        this.problem = problem;
        job = problem.job;
        limits = problem.limits;
        order = new EnergyOrder(problem);
        server = new int[job.tasks()];
        time = new double[limits.rows()];
        weight = new double[server.length];
        Arrays.fill(weight, 1);
    }

    /** Draws weights from 1 to {@code most}. */
    void weigh(KeyedRandom random, double most) {
        for (int i = 0; i < weight.length; i++) {
            weight[i] = 1 + (most - 1) * random.nextDouble();
        }
    }

    /** The server of each task after a time was reached. */
    int[] servers() {
        return server.clone();
    }

    /** The least time by which every task alone could complete: no placement completes earlier. */
    double least() {
        double least = 0;
        for (int i = 0; i < server.length; i++) {
            double alone = Double.POSITIVE_INFINITY;
            for (int j = 0; j < limits.servers(); j++) {
                alone = problem.canRun(i, j) ? Math.min(alone, problem.alone(i, j)) : alone;
            }
            least = Math.max(least, alone);
        }
        return least;
    }

    /**
     * Another time before which no placement completes: the least load of all tasks, on servers each as fast as the
     * tightest of its limits allows.
     */
    double leastTogether() {
        double load = 0;
        for (int i = 0; i < server.length; i++) {
            double smallest = Double.POSITIVE_INFINITY;
            for (int j = 0; j < limits.servers(); j++) {
                smallest = problem.canRun(i, j) ? Math.min(smallest, job.equivalentLoad(i, j)) : smallest;
            }
            load += smallest;
        }
        double speed = 0;
        for (int j = 0; j < limits.servers(); j++) {
            double most = Double.POSITIVE_INFINITY;
            for (int e = limits.start[j]; e < limits.start[j + 1]; e++) {
                most = Math.min(most, limits.limit[limits.row[e]] / limits.coefficient[e]);
            }
            speed += most;
        }
        return load / speed;
    }

    /** Whether a placement within a time and the budget was found. */
    boolean reach(double within) {
        target = within * (1 + ROUNDING);
        if (!start()) {
            return false;
        }
        for (int moves = PATIENCE * server.length; moves >= 0; moves--) {
            int row = longest();
            if (time[row] <= target) {
                return true;
            }
            bestTask = Placement.NONE;
            bestPrice = Double.POSITIVE_INFINITY;
            for (int i = 0; i < server.length; i++) {
                double coefficient = limits.coefficient(server[i], row);
                if (coefficient > 0) {
                    tryTask(i, row, coefficient);
                }
            }
            if (bestTask == Placement.NONE) {
                return false;
            }
            enter(bestTask, -1);
            server[bestTask] = bestServer;
            enter(bestTask, 1);
        }
        return false;
    }

    private boolean start() {
        Arrays.fill(time, 0);
        energy = 0;
        for (int i = 0; i < server.length; i++) {
            server[i] = problem.mostEfficientServer(i);
            if (problem.alone(i, server[i]) > target) {
                server[i] = Placement.NONE;
                for (int j : order.of(i)) {
                    if (problem.alone(i, j) <= target) {
                        server[i] = j;
                        break;
                    }
                }
            }
            if (server[i] == Placement.NONE) {
                return false;
            }
            enter(i, 1);
        }
        return problem.withinBudget(energy);
    }

    private int longest() {
        int longest = 0;
        for (int k = 1; k < time.length; k++) {
            longest = time[k] > time[longest] ? k : longest;
        }
        return longest;
    }

    private void tryTask(int task, int row, double coefficient) {
        int from = server[task];
        double held = coefficient * job.equivalentLoad(task, from) / limits.limit[row];
        double tooMuch = time[row] - target;
        double most = Math.min(held, tooMuch);
        double now = job.energy(task, from);
        for (int to : order.of(task)) {
            double more = job.energy(task, to) - now;
            if (!problem.withinBudget(energy + more) || (more > 0 && weight[task] * more / most >= bestPrice)) {
                return;
            }
            double gain = held - limits.coefficient(to, row) * job.equivalentLoad(task, to) / limits.limit[row];
            double price = weight[task] * more / Math.min(gain, tooMuch);
            if (gain > 0 && price < bestPrice && fits(task, from, to)) {
                bestTask = task;
                bestServer = to;
                bestPrice = price;
            }
        }
    }

    /** Whether all rows of a server that get longer stay within the time. */
    private boolean fits(int task, int from, int to) {
        double leaves = job.equivalentLoad(task, from);
        double comes = job.equivalentLoad(task, to);
        int f = limits.start[from];
        for (int e = limits.start[to]; e < limits.start[to + 1]; e++) {
            int row = limits.row[e];
            while (f < limits.start[from + 1] && limits.row[f] < row) {
                f++;
            }
            boolean both = f < limits.start[from + 1] && limits.row[f] == row;
            double load = limits.coefficient[e] * comes - (both ? limits.coefficient[f] * leaves : 0);
            if (load > 0 && time[row] + load / limits.limit[row] > target) {
                return false;
            }
        }
        return true;
    }

    private void enter(int task, int sign) {
        int on = server[task];
        double load = sign * job.equivalentLoad(task, on);
        for (int e = limits.start[on]; e < limits.start[on + 1]; e++) {
            time[limits.row[e]] += limits.coefficient[e] * load / limits.limit[limits.row[e]];
        }
        energy += sign * job.energy(task, on);
    }
}

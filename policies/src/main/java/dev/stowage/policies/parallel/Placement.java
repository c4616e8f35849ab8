package dev.stowage.policies.parallel;

import java.util.Arrays;

/**
 * Which task runs on which server, with the time of every row, the job completion time and the energy. At most one task
 * at a time is <em>lifted</em>: taken out of its rows while servers for it are tried.
 *
 * <p>To try a server for the lifted task costs O(rows of that server); to lift it, put it back or move it permanently
 * O(rows of its server, log rows), without accumulated rounding errors ({@link ExactSum}). With equal shares, a row
 * that one of its two largest tasks leaves is recomputed, O(tasks x rows per server).
 */
final class Placement {
    static final int NONE = -1;

    final PlanningProblem problem;
    private final Limits limits;
    private final int[] server;
    private final RowTimes rows;
    private final RowMaximum times;
    private final double[] saved;
    private int lifted = NONE;
    private final double[] energy = new double[ExactSum.WIDTH];

    /** A placement without any task placed. */
    Placement(PlanningProblem problem, Allocation allocation) {
        this.problem = problem;
        this.limits = problem.limits;
        this.server = new int[problem.job.tasks()];
        this.rows = allocation.rowTimes(limits);
        this.times = new RowMaximum(limits.rows());
        this.saved = new double[limits.rows() * rows.width];
        Arrays.fill(server, NONE);
    }

    /** All tasks placed. */
    static Placement of(PlanningProblem problem, Allocation allocation, int[] servers) {
        Placement placement = new Placement(problem, allocation);
        placement.set(servers);
        return placement;
    }

    /** Places all tasks anew. */
    void set(int[] servers) {
        System.arraycopy(servers, 0, server, 0, server.length);
        lifted = NONE;
        times.clear();
        Arrays.fill(rows.state, 0);
        Arrays.fill(energy, 0);
        for (int i = 0; i < server.length; i++) {
            enter(i);
        }
        for (int k = 0; k < limits.rows(); k++) {
            times.set(k, rows.time(k));
        }
    }

    int[] servers() {
        return server.clone();
    }

    int server(int task) {
        return server[task];
    }

    double energy() {
        return energy[0];
    }

    /** Time of a row, without the lifted task. */
    double rowTime(int row) {
        return times.get(row);
    }

    /** The job completion time, without the lifted task. */
    double completion() {
        return times.largest();
    }

    /** How long a placed task runs: the largest time of its rows. */
    double timeOf(int task) {
        return timeOfServer(server[task]);
    }

    /** How long the tasks of a server run, the same for all of them. */
    double timeOfServer(int ofServer) {
        double largest = 0;
        for (int e = limits.start[ofServer]; e < limits.start[ofServer + 1]; e++) {
            largest = Math.max(largest, times.get(limits.row[e]));
        }
        return largest;
    }

    /**
     * How long a task that is lifted or not placed would run on a server; any number of at least {@code most} if not
     * less.
     */
    double timeOn(int task, int onServer, double most) {
        double load = problem.job.equivalentLoad(task, onServer);
        double largest = 0;
        for (int e = limits.start[onServer]; e < limits.start[onServer + 1]; e++) {
            largest = Math.max(largest, rows.timeWith(limits.row[e], limits.coefficient[e], load));
            if (largest >= most) {
                return largest;
            }
        }
        return largest;
    }

    /** Takes a task out of its rows temporarily. */
    void lift(int task) {
        lifted = task;
        double load = problem.job.equivalentLoad(task, server[task]);
        int from = limits.start[server[task]];
        for (int e = from; e < limits.start[server[task] + 1]; e++) {
            rows.save(limits.row[e], saved, e - from);
            rows.remove(limits.row[e], limits.coefficient[e], load);
            times.set(limits.row[e], rows.time(limits.row[e]));
        }
    }

    /** Puts the lifted task back. */
    void putBack() {
        int from = limits.start[server[lifted]];
        for (int e = from; e < limits.start[server[lifted] + 1]; e++) {
            rows.restore(limits.row[e], saved, e - from);
            times.set(limits.row[e], rows.time(limits.row[e]));
        }
        lifted = NONE;
    }

    /** Places a task that had no place. */
    void place(int task, int onServer) {
        server[task] = onServer;
        enter(task);
        updateTimes(onServer);
    }

    /** Moves a task, lifted or not, permanently. */
    void move(int task, int toServer) {
        if (lifted == task) {
            putBack();
        }
        int from = server[task];
        double load = problem.job.equivalentLoad(task, from);
        ExactSum.add(energy, 0, -problem.job.energy(task, from));
        server[task] = toServer;
        for (int e = limits.start[from]; e < limits.start[from + 1]; e++) {
            if (rows.knowsWithout(limits.row[e], load)) {
                rows.remove(limits.row[e], limits.coefficient[e], load);
            } else {
                addUpWithout(task, limits.row[e]);
            }
        }
        updateTimes(from);
        enter(task);
        updateTimes(toServer);
    }

    private void addUpWithout(int task, int row) {
        rows.clear(row);
        for (int i = 0; i < server.length; i++) {
            double coefficient = i == task || server[i] == NONE ? 0 : limits.coefficient(server[i], row);
            if (coefficient > 0) {
                rows.add(row, coefficient, problem.job.equivalentLoad(i, server[i]));
            }
        }
    }

    private void updateTimes(int ofServer) {
        for (int e = limits.start[ofServer]; e < limits.start[ofServer + 1]; e++) {
            times.set(limits.row[e], rows.time(limits.row[e]));
        }
    }

    /** Adds a task to the rows of its server and to the energy. */
    private void enter(int task) {
        double load = problem.job.equivalentLoad(task, server[task]);
        for (int e = limits.start[server[task]]; e < limits.start[server[task] + 1]; e++) {
            rows.add(limits.row[e], limits.coefficient[e], load);
        }
        ExactSum.add(energy, 0, problem.job.energy(task, server[task]));
    }
}

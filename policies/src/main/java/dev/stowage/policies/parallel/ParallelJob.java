package dev.stowage.policies.parallel;

/**
 * An embarrassingly parallel job: independent tasks, each run on one server, complete when the last of them is
 * complete.
 *
 * <p>A task's load is how long it runs with one unit of the resource on a server of efficiency 1. On server j with
 * amount c it runs load / (efficiency c) (equation (1)), and takes energy power load / efficiency, for any amount
 * (equation (8)).
 */
public final class ParallelJob {
    final double[] load;
    final double[] power;
    /** By task, then server. */
    final double[] efficiency;

    private final int servers;

    /**
     * A job.
     *
     * @param load Load_i per task, seconds, above 0
     * @param power alpha_VM per task, watts per unit of the resource, at least 0
     * @param efficiency lambda_ij in [0, 1], task by task: that of task i on server j is number i x servers + j; 0
     *     where the task cannot run
     * @throws IllegalArgumentException if a number is out of its range, or there is no task
     */
    public ParallelJob(double[] load, double[] power, double[] efficiency) {
        if (load.length == 0 || load.length != power.length || efficiency.length % load.length != 0) {
            throw new IllegalArgumentException(load.length + " loads, " + power.length + " powers, " + efficiency.length
                    + " efficiencies; must be one load and one power per task, and one efficiency per task and server");
        }
        this.load = load.clone();
        this.power = power.clone();
        this.efficiency = efficiency.clone();
        this.servers = efficiency.length / load.length;
        for (int i = 0; i < load.length; i++) {
            if (!(load[i] > 0) || load[i] == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("task " + i + ": load " + load[i] + ", must be a number above 0");
            }
            if (!(power[i] >= 0) || power[i] == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException(
                        "task " + i + ": power " + power[i] + ", must be a number of at least 0");
            }
        }
        for (int e = 0; e < efficiency.length; e++) {
            if (!(efficiency[e] >= 0 && efficiency[e] <= 1)) {
                throw new IllegalArgumentException("task " + e / servers + " on server " + e % servers + ": efficiency "
                        + efficiency[e] + ", must be from 0 to 1");
            }
        }
    }

    /** Number of tasks. */
    public int tasks() {
        return load.length;
    }

    /** Number of servers that efficiencies are given for. */
    public int servers() {
        return servers;
    }

    /** Load of a task, seconds on one unit of a server of efficiency 1. */
    public double load(int task) {
        return load[task];
    }

    /** Efficiency of a task on a server; 0 where it cannot run. */
    public double efficiency(int task, int server) {
        return efficiency[task * servers + server];
    }

    /** Sum of the loads. */
    public double totalLoad() {
        double total = 0;
        for (double one : load) {
            total += one;
        }
        return total;
    }

    /** L_i of a task on a server: seconds that it would run with one unit; infinite where it cannot run. */
    public double equivalentLoad(int task, int server) {
        return load[task] / efficiency[task * servers + server];
    }

    /** Energy of a task on a server, joules (or the product of the units of power and load). */
    public double energy(int task, int server) {
        return power[task] * equivalentLoad(task, server);
    }
}

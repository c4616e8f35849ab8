package dev.stowage.policies.parallel;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import java.util.Arrays;

/**
 * Random problems of the paper's offline evaluation, section 6.1.1: loads uniform in (0, 3600] s, capacities uniform in
 * (0, 10) vCPUs, efficiencies uniform in [0.1, 1], power 1, fractions 0.2, 0.2 and 0.3 for center, pods and racks, and
 * an energy budget uniform between the total load and 1.1 times it.
 *
 * <p>Each quantity has a stream of its own, keyed by task, server, or task and server; so the first tasks and the first
 * servers of a larger problem with the same seed are those of a smaller one. Task and server are 21 bits each of one
 * index.
 *
 * @param tasks number of tasks
 * @param tree the servers
 * @param fractions what the job may hold
 * @param serverRows whether server capacities are limits too
 */
public record PaperProblems(int tasks, FatTree tree, FatTree.Fractions fractions, boolean serverRows) {
    private static final long LOADS = Streams.of("parallel-loads");
    private static final long CAPACITIES = Streams.of("parallel-capacities");
    private static final long EFFICIENCIES = Streams.of("parallel-efficiencies");
    private static final long BUDGETS = Streams.of("parallel-budgets");
    private static final double LOAD = 3600;
    private static final double CAPACITY = 10;
    private static final int TASK_SHIFT = 21;

    /** Checks that there is a task. */
    public PaperProblems {
        if (tasks < 1 || tasks > 1 << TASK_SHIFT) {
            throw new IllegalArgumentException("tasks " + tasks + ", must be from 1 to " + (1 << TASK_SHIFT));
        }
    }

    /** The paper's, with server capacities as limits. */
    public static PaperProblems of(int tasks, int arity) {
        return new PaperProblems(tasks, new FatTree(arity), FatTree.Fractions.PAPER, true);
    }

    /** The problem of a seed. */
    public PlanningProblem problem(long seed) {
        ParallelJob job = job(seed, tasks, tree.servers(), LOAD);
        double[] capacity = new double[tree.servers()];
        KeyedRandom random = new KeyedRandom();
        for (int j = 0; j < capacity.length; j++) {
            capacity[j] = CAPACITY * random.key(seed, CAPACITIES, j).nextDouble();
        }
        return new PlanningProblem(job, tree.limits(capacity, fractions, serverRows), budget(seed, 0, job));
    }

    /** A job with loads uniform in (0, most] and efficiencies uniform in [0.1, 1]. */
    public static ParallelJob job(long seed, int tasks, int servers, double most) {
        KeyedRandom random = new KeyedRandom();
        double[] load = new double[tasks];
        double[] power = new double[tasks];
        double[] efficiency = new double[tasks * servers];
        Arrays.fill(power, 1);
        for (int i = 0; i < tasks; i++) {
            load[i] = most * random.key(seed, LOADS, i).nextDouble();
            for (int j = 0; j < servers; j++) {
                long index = ((long) i << TASK_SHIFT) + j;
                efficiency[i * servers + j] =
                        0.1 + 0.9 * random.key(seed, EFFICIENCIES, index).nextDouble();
            }
        }
        return new ParallelJob(load, power, efficiency);
    }

    /** An energy budget uniform between the total load and 1.1 times it, anew for each attempt. */
    public static double budget(long seed, long attempt, ParallelJob job) {
        return job.totalLoad()
                * (1 + 0.1 * new KeyedRandom().key(seed, BUDGETS, attempt).nextDouble());
    }
}

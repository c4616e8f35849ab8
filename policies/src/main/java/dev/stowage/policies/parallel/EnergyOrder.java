package dev.stowage.policies.parallel;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The servers on which a task can run, by the energy that it takes there, then by number. Sorted on demand. */
final class EnergyOrder {
    private final PlanningProblem problem;
    private final int[] @Nullable [] byTask;

    EnergyOrder(PlanningProblem problem) {
        this.problem = problem;
        byTask = new int[problem.job.tasks()][];
    }

    /** The servers of a task, an array that callers must not change; O(servers log servers) the first time. */
    int[] of(int task) {
        int[] known = byTask[task];
        if (known == null) {
            known = sorted(task);
            byTask[task] = known;
        }
        return known;
    }

    private int[] sorted(int task) {
        int[] servers = IntStream.range(0, problem.limits.servers())
                .filter(j -> problem.canRun(task, j))
                .toArray();
        // Sorts plain numbers made of the energy without its last bits and the server: nearly the right order.
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(servers.length);
        long[] keys = new long[servers.length];
        for (int k = 0; k < keys.length; k++) {
            keys[k] = Double.doubleToLongBits(problem.job.energy(task, servers[k])) >>> bits << bits | k;
        }
        Arrays.sort(keys);
        int[] order = new int[keys.length];
        for (int k = 0; k < keys.length; k++) {
            int server = servers[(int) (keys[k] & ((1L << bits) - 1))];
            double energy = problem.job.energy(task, server);
            int at = k;
            while (at > 0 && problem.job.energy(task, order[at - 1]) > energy) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = server;
        }
        return order;
    }
}

package dev.stowage.sim.measure;

import dev.stowage.core.policy.Declared;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * When jobs of many tasks are complete: requests that declare the same job are one, and so are those of no job that
 * arrive at one instant. A job arrives with its first task. Kept where a resource is divisible; three numbers per job.
 */
final class JobCompletions {
    private static final long OPEN = -1;
    private static final long TURNED_AWAY = -2;

    private final Declared declared;
    /** By number of a job, or -1 - the arrival of those that have none. */
    private final Map<Long, Integer> byKey = new HashMap<>();

    private long[] arrivedAt = new long[64];
    private long[] completedAt = new long[64];
    private int[] tasks = new int[64];
    private int jobs;

    JobCompletions(View view) {
        this.declared = new Declared(view);
    }

    private long key(View view, int task) {
        long number = declared.job(view, task);
        return number > 0 ? number : -1 - view.arrivedAt(task);
    }

    private int job(View view, int task) {
        return Objects.requireNonNull(byKey.get(key(view, task)));
    }

    void arrived(View view, int task) {
        int job = byKey.computeIfAbsent(key(view, task), unused -> added(view.arrivedAt(task)));
        tasks[job]++;
        completedAt[job] = completedAt[job] == TURNED_AWAY ? TURNED_AWAY : OPEN;
    }

    private int added(long now) {
        if (jobs == tasks.length) {
            arrivedAt = Arrays.copyOf(arrivedAt, 2 * jobs);
            completedAt = Arrays.copyOf(completedAt, 2 * jobs);
            tasks = Arrays.copyOf(tasks, 2 * jobs);
        }
        arrivedAt[jobs] = now;
        completedAt[jobs] = OPEN;
        return jobs++;
    }

    void left(View view, int task, long now, int server) {
        int job = job(view, task);
        if (server == View.NONE) {
            completedAt[job] = TURNED_AWAY;
        } else if (--tasks[job] == 0 && completedAt[job] == OPEN) {
            completedAt[job] = now;
        }
    }

    void rejected(View view, int task) {
        completedAt[job(view, task)] = TURNED_AWAY;
    }

    /** Of jobs that arrived from a time on: how many are complete, turned away, neither. */
    long[] counts(long from) {
        long[] counts = new long[3];
        for (int job = 0; job < jobs; job++) {
            if (arrivedAt[job] >= from) {
                counts[completedAt[job] >= 0 ? 0 : completedAt[job] == TURNED_AWAY ? 1 : 2]++;
            }
        }
        return counts;
    }

    /** Times from arrival to completion, seconds, in rising order, of jobs that arrived from a time on. */
    double[] seconds(long from) {
        double[] seconds = new double[jobs];
        int count = 0;
        for (int job = 0; job < jobs; job++) {
            if (arrivedAt[job] >= from && completedAt[job] >= 0) {
                seconds[count++] = (completedAt[job] - arrivedAt[job]) / 1e9;
            }
        }
        double[] result = Arrays.copyOf(seconds, count);
        Arrays.sort(result);
        return result;
    }
}

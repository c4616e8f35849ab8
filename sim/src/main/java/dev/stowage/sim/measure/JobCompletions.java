package dev.stowage.sim.measure;

import dev.stowage.core.policy.Declared;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * When jobs of many tasks are complete: requests that declare the same job form one, and so do requests without a job
 * that arrive at one instant. A job arrives with its first task. Used if a resource is divisible; three numbers per
 * job.
 */
final class JobCompletions {
    private final Declared declared;
    /** By job number, or by (-1 - arrival) for requests without one. */
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
        completedAt[job] = completedAt[job] == JobTimes.TURNED_AWAY ? JobTimes.TURNED_AWAY : JobTimes.OPEN;
    }

    private int added(long now) {
        if (jobs == tasks.length) {
            arrivedAt = Arrays.copyOf(arrivedAt, 2 * jobs);
            completedAt = Arrays.copyOf(completedAt, 2 * jobs);
            tasks = Arrays.copyOf(tasks, 2 * jobs);
        }
        arrivedAt[jobs] = now;
        completedAt[jobs] = JobTimes.OPEN;
        return jobs++;
    }

    void left(View view, int task, long now, int server) {
        int job = job(view, task);
        if (server == View.NONE) {
            completedAt[job] = JobTimes.TURNED_AWAY;
        } else if (--tasks[job] == 0 && completedAt[job] == JobTimes.OPEN) {
            completedAt[job] = now;
        }
    }

    void rejected(View view, int task) {
        completedAt[job(view, task)] = JobTimes.TURNED_AWAY;
    }

    /** The result. */
    JobTimes times() {
        return new JobTimes(Arrays.copyOf(arrivedAt, jobs), Arrays.copyOf(completedAt, jobs));
    }
}

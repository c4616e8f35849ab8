package dev.stowage.sim.measure;

import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * When jobs of many tasks are complete: requests that arrive at one instant are a job. Kept where a resource is
 * divisible; three numbers per job.
 */
final class JobCompletions {
    private static final long OPEN = -1;
    private static final long TURNED_AWAY = -2;

    private long[] arrivedAt = new long[64];
    private long[] completedAt = new long[64];
    private int[] tasks = new int[64];
    private int jobs;

    void arrived(long now) {
        if (jobs == 0 || arrivedAt[jobs - 1] != now) {
            if (jobs == tasks.length) {
                arrivedAt = Arrays.copyOf(arrivedAt, 2 * jobs);
                completedAt = Arrays.copyOf(completedAt, 2 * jobs);
                tasks = Arrays.copyOf(tasks, 2 * jobs);
            }
            arrivedAt[jobs] = now;
            completedAt[jobs] = OPEN;
            tasks[jobs++] = 0;
        }
        tasks[jobs - 1]++;
    }

    void left(long now, long arrival, int server) {
        int job = Arrays.binarySearch(arrivedAt, 0, jobs, arrival);
        if (server == View.NONE) {
            completedAt[job] = TURNED_AWAY;
        } else if (--tasks[job] == 0 && completedAt[job] == OPEN) {
            completedAt[job] = now;
        }
    }

    void rejected(long arrival) {
        completedAt[Arrays.binarySearch(arrivedAt, 0, jobs, arrival)] = TURNED_AWAY;
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

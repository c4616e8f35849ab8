package dev.stowage.policies.parallel.online;

import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tasks of one job that wait. */
final class WaitingJob {
    private final int[] tasks;
    private final double load;

    private WaitingJob(int[] tasks, double load) {
        this.tasks = tasks;
        this.load = load;
    }

    /** The jobs of queue 0 in its order: neighbours that arrived at one instant are one. */
    static List<WaitingJob> of(View view, Center center) {
        List<WaitingJob> jobs = new ArrayList<>();
        int[] tasks = new int[view.queueLength(0)];
        int count = 0;
        double load = 0;
        for (int task = view.queueHead(0); task != View.NONE; task = view.next(task)) {
            if (count > 0 && view.arrivedAt(task) != view.arrivedAt(tasks[count - 1])) {
                jobs.add(new WaitingJob(Arrays.copyOf(tasks, count), load));
                count = 0;
                load = 0;
            }
            tasks[count++] = task;
            load += center.load(view, task);
        }
        if (count > 0) {
            jobs.add(new WaitingJob(Arrays.copyOf(tasks, count), load));
        }
        return jobs;
    }

    int tasks() {
        return tasks.length;
    }

    int task(int i) {
        return tasks[i];
    }

    double load() {
        return load;
    }
}

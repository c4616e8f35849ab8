package dev.stowage.policies.parallel.online;

import dev.stowage.core.policy.Declared;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The waiting tasks of one job. */
final class WaitingJob {
    private int[] tasks = new int[8];
    private int count;
    private double load;
    private double energy;
    private double budget;

    /**
     * The jobs of queue 0 in its order: tasks that declare the same job, and neighbouring tasks without a job that
     * arrived at one instant.
     */
    static List<WaitingJob> of(View view, Center center) {
        Declared declared = center.declared();
        List<WaitingJob> jobs = new ArrayList<>();
        Map<Long, WaitingJob> named = new LinkedHashMap<>();
        WaitingJob unnamed = new WaitingJob();
        for (int task = view.queueHead(0); task != View.NONE; task = view.next(task)) {
            long number = declared.job(view, task);
            WaitingJob job = number > 0 ? named.get(number) : unnamed.has(view.arrivedAt(task), view) ? unnamed : null;
            if (job == null) {
                job = new WaitingJob();
                jobs.add(job);
                if (number > 0) {
                    named.put(number, job);
                } else {
                    unnamed = job;
                }
            }
            job.add(task, view, declared);
        }
        return jobs;
    }

    private boolean has(long arrivedAt, View view) {
        return count > 0 && view.arrivedAt(tasks[count - 1]) == arrivedAt;
    }

    private void add(int task, View view, Declared declared) {
        if (count == tasks.length) {
            tasks = Arrays.copyOf(tasks, 2 * count);
        }
        tasks[count++] = task;
        load += declared.load(view, task);
        energy += declared.power(view, task) * declared.load(view, task);
        budget += declared.budget(view, task);
    }

    int tasks() {
        return count;
    }

    int task(int i) {
        return tasks[i];
    }

    /** Sum of the declared loads. */
    double load() {
        return load;
    }

    /** Its energy if each task runs where it is most efficient. */
    double energy() {
        return energy;
    }

    /** Its own energy budget: the sum of its tasks' declared budgets; 0 if it has none. */
    double budget() {
        return budget;
    }
}

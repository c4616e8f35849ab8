package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import java.util.Arrays;

/** The pending requests of a step in order of arrival (a displaced one counts from its first arrival), as a copy. */
public final class Undecided {
    private int[] jobs = new int[16];
    private int size;

    /** Takes the pending requests of the view. */
    public void collect(View view) {
        size = 0;
        if (view.pending() > jobs.length) {
            jobs = Arrays.copyOf(jobs, Math.max(view.pending(), 2 * jobs.length));
        }
        for (int job = view.pendingHead(); job != View.NONE; job = view.next(job)) {
            insert(view, job);
        }
    }

    /** Insertion sort: only displaced requests are out of order. */
    private void insert(View view, int job) {
        int at = size++;
        for (; at > 0 && view.order(jobs[at - 1]) > view.order(job); at--) {
            jobs[at] = jobs[at - 1];
        }
        jobs[at] = job;
    }

    /** Number of requests taken. */
    public int size() {
        return size;
    }

    /** The k-th request. */
    public int get(int k) {
        return jobs[k];
    }
}

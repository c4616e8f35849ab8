package dev.stowage.policies.fit;

import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * A copy of the pending requests of a step, highest priority first and then in order of arrival (a displaced one keeps
 * its first arrival), and separately the gangs, in the same order by their first members.
 */
public final class Undecided {
    private int[] jobs = new int[16];
    private int size;
    private int[] gangs = new int[4];
    private int gangCount;

    /** Takes the pending requests of the view. */
    public void collect(View view) {
        size = 0;
        gangCount = 0;
        if (view.pending() > jobs.length) {
            jobs = Arrays.copyOf(jobs, Math.max(view.pending(), 2 * jobs.length));
        }
        for (int job = view.pendingHead(); job != View.NONE; job = view.next(job)) {
            int gang = view.gang(job);
            if (gang == View.NONE) {
                insert(view, job);
            } else if (view.gangMember(gang, 0) == job) {
                insertGang(view, gang);
            }
        }
    }

    /** Insertion sort: only displaced requests and those with a priority are out of order. */
    private void insert(View view, int job) {
        int at = size++;
        for (; at > 0 && goesFirst(view, job, jobs[at - 1]); at--) {
            jobs[at] = jobs[at - 1];
        }
        jobs[at] = job;
    }

    private void insertGang(View view, int gang) {
        if (gangCount == gangs.length) {
            gangs = Arrays.copyOf(gangs, 2 * gangCount);
        }
        int at = gangCount++;
        int first = view.gangMember(gang, 0);
        for (; at > 0 && goesFirst(view, first, view.gangMember(gangs[at - 1], 0)); at--) {
            gangs[at] = gangs[at - 1];
        }
        gangs[at] = gang;
    }

    /** Whether a request goes before another one: it has a higher priority, or the same and arrived earlier. */
    public static boolean goesFirst(View view, int job, int other) {
        int difference = Integer.compare(view.priority(job), view.priority(other));
        return difference > 0 || (difference == 0 && view.order(job) < view.order(other));
    }

    /** Number of requests taken. */
    public int size() {
        return size;
    }

    /** The k-th request. */
    public int get(int k) {
        return jobs[k];
    }

    /** Number of gangs taken. */
    public int gangs() {
        return gangCount;
    }

    /** The k-th gang. */
    public int gang(int k) {
        return gangs[k];
    }
}

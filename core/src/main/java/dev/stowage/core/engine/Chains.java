package dev.stowage.core.engine;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/**
 * Many doubly linked lists of jobs over the links that {@link Jobs} holds: queues, what is on a server, the pending. A job is
 * in at most one. Adding at the end and removing anywhere cost O(1).
 */
final class Chains {
    private static final int NONE = -1;

    private final Jobs jobs;
    private int[] heads = new int[0];
    private int[] tails = new int[0];
    private int[] lengths = new int[0];
    private int count;

    Chains(Jobs jobs) {
        this.jobs = jobs;
    }

    int count() {
        return count;
    }

    /** Makes room for lists 0..newCount-1; never takes one away. */
    void growTo(int newCount) {
        if (newCount > heads.length) {
            int capacity = Math.max(newCount, heads.length + (heads.length >> 1));
            heads = Arrays.copyOf(heads, capacity);
            tails = Arrays.copyOf(tails, capacity);
            lengths = Arrays.copyOf(lengths, capacity);
        }
        for (int list = count; list < newCount; list++) {
            heads[list] = NONE;
            tails[list] = NONE;
        }
        count = Math.max(count, newCount);
    }

    /** Takes the lists away; all must be empty. */
    void clear() {
        count = 0;
    }

    int head(int list) {
        return heads[list];
    }

    int length(int list) {
        return lengths[list];
    }

    void append(int list, int job) {
        int tail = tails[list];
        jobs.link(tail, job);
        jobs.link(job, NONE);
        if (tail == NONE) {
            heads[list] = job;
        }
        tails[list] = job;
        lengths[list]++;
    }

    void remove(int list, int job) {
        int before = jobs.previous(job);
        int after = jobs.next(job);
        if (before == NONE) {
            heads[list] = after;
        }
        if (after == NONE) {
            tails[list] = before;
        }
        jobs.link(before, after);
        jobs.unlink(job);
        lengths[list]--;
    }

    void save(StateWriter out) {
        out.putInts(heads, count);
        out.putInts(tails, count);
        out.putInts(lengths, count);
    }

    void restore(StateReader in) {
        heads = in.getInts();
        tails = in.getInts();
        lengths = in.getInts();
        count = heads.length;
    }
}

package dev.stowage.core.engine;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/**
 * Many doubly linked lists of jobs over the links that {@link Jobs} holds: queues, the jobs on a server, the pending
 * jobs. A job is in at most one. Adding at the end and removing anywhere cost O(1).
 */
final class Chains {
    private static final int NONE = -1;
    private static final int STRIDE = 4;
    private static final int HEAD = 0;
    private static final int TAIL = 1;
    private static final int LENGTH = 2;

    private final Jobs jobs;
    /** Head, tail, length and one unused place per list, so that a list is one cache line. */
    private int[] cells = new int[0];

    private int count;

    Chains(Jobs jobs) {
        this.jobs = jobs;
    }

    int count() {
        return count;
    }

    /** Makes room for lists 0..newCount-1; never removes one. */
    void growTo(int newCount) {
        if (Math.multiplyExact(newCount, STRIDE) > cells.length) {
            int capacity = Math.max(newCount, count + (count >> 1));
            cells = Arrays.copyOf(cells, Math.multiplyExact(capacity, STRIDE));
        }
        for (int list = count; list < newCount; list++) {
            cells[list * STRIDE + HEAD] = NONE;
            cells[list * STRIDE + TAIL] = NONE;
            cells[list * STRIDE + LENGTH] = 0;
        }
        count = Math.max(count, newCount);
    }

    /** Removes the lists; all must be empty. */
    void clear() {
        count = 0;
    }

    int head(int list) {
        return cells[list * STRIDE + HEAD];
    }

    int length(int list) {
        return cells[list * STRIDE + LENGTH];
    }

    void append(int list, int job) {
        int cell = list * STRIDE;
        int tail = cells[cell + TAIL];
        jobs.link(tail, job);
        jobs.link(job, NONE);
        if (tail == NONE) {
            cells[cell + HEAD] = job;
        }
        cells[cell + TAIL] = job;
        cells[cell + LENGTH]++;
    }

    void remove(int list, int job) {
        int cell = list * STRIDE;
        int before = jobs.previous(job);
        int after = jobs.next(job);
        if (before == NONE) {
            cells[cell + HEAD] = after;
        }
        if (after == NONE) {
            cells[cell + TAIL] = before;
        }
        jobs.link(before, after);
        jobs.unlink(job);
        cells[cell + LENGTH]--;
    }

    void save(StateWriter out) {
        out.putInts(cells, count * STRIDE);
    }

    void restore(StateReader in) {
        cells = in.getInts();
        count = cells.length / STRIDE;
    }
}

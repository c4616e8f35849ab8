package dev.stowage.core.engine;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;

/**
 * Request id (at least 0) to job handle. Open addressing with linear probing; a block of 8 consecutive ids is hashed
 * together, so ids given in sequence share cache lines. O(1) expected, at most two thirds full.
 */
final class IdMap {
    private static final long EMPTY = -1;
    private static final int BLOCK_BITS = 3;

    private long[] ids = new long[64];
    private int[] jobs = new int[64];
    private int size;

    IdMap() {
        Arrays.fill(ids, EMPTY);
    }

    /** The job of this id, or -1. */
    int get(long id) {
        int mask = ids.length - 1;
        for (int at = home(id, mask); ; at = (at + 1) & mask) {
            if (ids[at] == id) {
                return jobs[at];
            }
            if (ids[at] == EMPTY) {
                return -1;
            }
        }
    }

    /** Adds an id that is not there. */
    void put(long id, int job) {
        if (3L * (size + 1) > 2L * ids.length) {
            rehash(2 * ids.length);
        }
        insert(id, job);
        size++;
    }

    /** Removes an id that is there: closes the gap by moving back what would no longer be found. */
    void remove(long id) {
        int mask = ids.length - 1;
        int gap = home(id, mask);
        while (ids[gap] != id) {
            gap = (gap + 1) & mask;
        }
        size--;
        for (int at = (gap + 1) & mask; ids[at] != EMPTY; at = (at + 1) & mask) {
            int distanceFromHome = (at - home(ids[at], mask)) & mask;
            int distanceFromGap = (at - gap) & mask;
            if (distanceFromHome >= distanceFromGap) {
                ids[gap] = ids[at];
                jobs[gap] = jobs[at];
                gap = at;
            }
        }
        ids[gap] = EMPTY;
    }

    private void insert(long id, int job) {
        int mask = ids.length - 1;
        int at = home(id, mask);
        while (ids[at] != EMPTY) {
            at = (at + 1) & mask;
        }
        ids[at] = id;
        jobs[at] = job;
    }

    private void rehash(int capacity) {
        long[] oldIds = ids;
        int[] oldJobs = jobs;
        ids = new long[capacity];
        jobs = new int[capacity];
        Arrays.fill(ids, EMPTY);
        for (int at = 0; at < oldIds.length; at++) {
            if (oldIds[at] != EMPTY) {
                insert(oldIds[at], oldJobs[at]);
            }
        }
    }

    private static int home(long id, int mask) {
        long block = KeyedRandom.mix(id >>> BLOCK_BITS) << BLOCK_BITS;
        return (int) (block | (id & ((1 << BLOCK_BITS) - 1))) & mask;
    }
}

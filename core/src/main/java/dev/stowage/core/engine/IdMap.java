package dev.stowage.core.engine;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;

/**
 * Request id (at least 0) to job handle. Open addressing with linear probing, id and handle side by side; a block of 4
 * consecutive ids is hashed together, so ids given in sequence share cache lines. O(1) expected, at most two thirds full.
 */
final class IdMap {
    private static final long EMPTY = -1;
    private static final int BLOCK_BITS = 2;

    /** Id at even places, its job behind it. */
    private long[] cells = empty(64);

    private int size;

    /** The job of this id, or -1. */
    int get(long id) {
        int mask = cells.length - 1;
        for (int at = home(id, mask); ; at = (at + 2) & mask) {
            if (cells[at] == id) {
                return (int) cells[at + 1];
            }
            if (cells[at] == EMPTY) {
                return -1;
            }
        }
    }

    /** Adds an id that is not there. */
    void put(long id, int job) {
        if (3L * (size + 1) > cells.length) {
            rehash();
        }
        insert(id, job);
        size++;
    }

    /** Removes an id that is there: closes the gap by moving back what would no longer be found. */
    void remove(long id) {
        int mask = cells.length - 1;
        int gap = home(id, mask);
        while (cells[gap] != id) {
            gap = (gap + 2) & mask;
        }
        size--;
        for (int at = (gap + 2) & mask; cells[at] != EMPTY; at = (at + 2) & mask) {
            int distanceFromHome = (at - home(cells[at], mask)) & mask;
            int distanceFromGap = (at - gap) & mask;
            if (distanceFromHome >= distanceFromGap) {
                cells[gap] = cells[at];
                cells[gap + 1] = cells[at + 1];
                gap = at;
            }
        }
        cells[gap] = EMPTY;
    }

    private void insert(long id, long job) {
        int mask = cells.length - 1;
        int at = home(id, mask);
        while (cells[at] != EMPTY) {
            at = (at + 2) & mask;
        }
        cells[at] = id;
        cells[at + 1] = job;
    }

    private void rehash() {
        long[] old = cells;
        cells = empty(2 * old.length);
        for (int at = 0; at < old.length; at += 2) {
            if (old[at] != EMPTY) {
                insert(old[at], old[at + 1]);
            }
        }
    }

    private static long[] empty(int length) {
        long[] cells = new long[length];
        Arrays.fill(cells, EMPTY);
        return cells;
    }

    private static int home(long id, int mask) {
        long block = KeyedRandom.mix(id >>> BLOCK_BITS) << BLOCK_BITS;
        return (int) ((block | (id & ((1 << BLOCK_BITS) - 1))) << 1) & mask;
    }
}

package dev.stowage.core.engine;

import dev.stowage.core.random.KeyedRandom;
import java.util.function.IntToLongFunction;

/**
 * Request id (at least 0) to job handle, in 8 bytes per place: the hash of the id and the job; the id itself is read
 * from the job's row. Open addressing with linear probing; a block of 8 consecutive ids is hashed together, so ids
 * given in sequence share cache lines. O(1) expected, at most half full.
 */
final class IdMap {
    private static final long EMPTY = 0;
    private static final int BLOCK_BITS = 3;

    private final IntToLongFunction idOfJob;
    /** Hash in the high half, job + 1 in the low half. */
    private long[] cells = new long[64];

    private int size;

    IdMap(IntToLongFunction idOfJob) {
        this.idOfJob = idOfJob;
    }

    /** The job of this id, or -1. */
    int get(long id) {
        int mask = cells.length - 1;
        int hash = hash(id);
        for (int at = hash & mask; ; at = (at + 1) & mask) {
            long cell = cells[at];
            if (cell == EMPTY) {
                return -1;
            }
            if (hashOf(cell) == hash && idOfJob.applyAsLong((int) cell - 1) == id) {
                return (int) cell - 1;
            }
        }
    }

    /** Adds an id that is not there. */
    void put(long id, int job) {
        if (2 * (size + 1) > cells.length) {
            rehash();
        }
        insert(cell(id, job));
        size++;
    }

    /** Removes an id that is there: closes the gap by moving back entries that would no longer be found. */
    void remove(long id, int job) {
        int mask = cells.length - 1;
        long cell = cell(id, job);
        int gap = hashOf(cell) & mask;
        while (cells[gap] != cell) {
            gap = (gap + 1) & mask;
        }
        size--;
        for (int at = (gap + 1) & mask; cells[at] != EMPTY; at = (at + 1) & mask) {
            int distanceFromHome = (at - hashOf(cells[at])) & mask;
            int distanceFromGap = (at - gap) & mask;
            if (distanceFromHome >= distanceFromGap) {
                cells[gap] = cells[at];
                gap = at;
            }
        }
        cells[gap] = EMPTY;
    }

    /** Number of places, of which at most half are taken. */
    int places() {
        return cells.length;
    }

    private void insert(long cell) {
        int mask = cells.length - 1;
        int at = hashOf(cell) & mask;
        while (cells[at] != EMPTY) {
            at = (at + 1) & mask;
        }
        cells[at] = cell;
    }

    private void rehash() {
        long[] old = cells;
        cells = new long[2 * old.length];
        for (long cell : old) {
            if (cell != EMPTY) {
                insert(cell);
            }
        }
    }

    private static long cell(long id, int job) {
        return ((long) hash(id) << Integer.SIZE) | (job + 1);
    }

    private static int hashOf(long cell) {
        return (int) (cell >>> Integer.SIZE);
    }

    static int hash(long id) {
        long block = KeyedRandom.mix(id >>> BLOCK_BITS) << BLOCK_BITS;
        return (int) (block | (id & ((1 << BLOCK_BITS) - 1)));
    }
}

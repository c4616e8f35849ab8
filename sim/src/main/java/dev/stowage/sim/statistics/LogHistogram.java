package dev.stowage.sim.statistics;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/**
 * Counts of non-negative longs in cells of relative width 2^-7: a value below 256 has a cell of its own, each further
 * power of two is cut into 128 cells (the layout of HdrHistogram). Only cells in use take memory: an open-addressing
 * table, 24 to 48 bytes a cell. Adding is O(1); finding a rank sorts the cells in use. Answers depend on the order of
 * cells, not on the order in the table.
 */
final class LogHistogram {
    private static final int MANTISSA_BITS = 7;
    private static final int SMALLEST_TABLE = 16;
    private static final int HASH_MULTIPLIER = 0x9E3779B9;

    /** Cell number plus one; 0 where free. The length is a power of two. */
    private int[] keys = new int[SMALLEST_TABLE];

    private long[] counts = new long[SMALLEST_TABLE];
    private int used;

    void add(long value) {
        add(cell(value) + 1, 1);
    }

    void add(LogHistogram other) {
        for (int i = 0; i < other.keys.length; i++) {
            if (other.keys[i] != 0) {
                add(other.keys[i], other.counts[i]);
            }
        }
    }

    /** Cells in use and their counts, in order of value. */
    void write(StateWriter out) {
        out.putNumber(used);
        int last = 0;
        for (long each : inOrder()) {
            int cell = (int) (each >>> 32);
            out.putNumber(cell - last);
            out.putNumber(counts[(int) each]);
            last = cell;
        }
    }

    static LogHistogram read(StateReader in) {
        LogHistogram histogram = new LogHistogram();
        int cell = 0;
        for (long left = in.getNumber(); left > 0; left--) {
            cell += (int) in.getNumber();
            histogram.add(cell + 1, in.getNumber());
        }
        return histogram;
    }

    /** Middle of the cell that holds the value of rank {@code rank}, from 1 to the number of values. */
    double valueAtRank(long rank) {
        long below = 0;
        for (long each : inOrder()) {
            below += counts[(int) each];
            if (below >= rank) {
                return middle((int) (each >>> 32));
            }
        }
        throw new IllegalArgumentException("rank " + rank + ", must be 1 to " + below);
    }

    /** Cell and slot of each cell in use, by cell. */
    private long[] inOrder() {
        long[] cellAndSlot = new long[used];
        int n = 0;
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != 0) {
                cellAndSlot[n++] = ((long) (keys[i] - 1) << 32) | i;
            }
        }
        Arrays.sort(cellAndSlot);
        return cellAndSlot;
    }

    private void add(int key, long count) {
        int slot = slot(key);
        if (keys[slot] == 0) {
            keys[slot] = key;
            used++;
        }
        counts[slot] += count;
        if (2 * used > keys.length) {
            grow();
        }
    }

    private int slot(int key) {
        int mask = keys.length - 1;
        int slot = ((key * HASH_MULTIPLIER) >>> 8) & mask;
        while (keys[slot] != 0 && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int[] oldKeys = keys;
        long[] oldCounts = counts;
        keys = new int[2 * oldKeys.length];
        counts = new long[2 * oldKeys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                counts[slot] = oldCounts[i];
            }
        }
    }

    /** Cells in order of value: values below 2^8 are their own, above it 2^7 cells per power of two. */
    static int cell(long value) {
        int shift = Math.max(0, 63 - MANTISSA_BITS - Long.numberOfLeadingZeros(value));
        return (shift << MANTISSA_BITS) + (int) (value >>> shift);
    }

    static double middle(int cell) {
        int shift = Math.max(0, (cell >>> MANTISSA_BITS) - 1);
        long lowest = (long) (cell - (shift << MANTISSA_BITS)) << shift;
        return lowest + ((1L << shift) - 1) / 2.0;
    }
}

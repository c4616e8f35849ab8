package dev.stowage.policies.index;

import java.util.Arrays;

/**
 * Distinct points with numbers: a hash table from vector to point number. Numbers of released points are reused.
 * Expected O(D) per operation. Open addressing, linear probing, at most half full.
 */
public final class PointTable {
    /** No point. */
    public static final int NONE = -1;

    private final int dimensions;
    private int[] slots = filled(32);
    private double[] coordinates = new double[0];
    private int[] free = new int[0];
    private int freeCount;
    private int used;
    /** Where the last search for a point without a number ended. */
    private int vacant;

    /** An empty table of points of so many coordinates. */
    public PointTable(int dimensions) {
        this.dimensions = dimensions;
    }

    /** Coordinates of all points, those of point p from D p on. Valid until the next {@link #add}. */
    double[] coordinates() {
        return coordinates;
    }

    /** One more than the largest number given so far. */
    public int bound() {
        return used;
    }

    /** Number of the point x, whose coordinates are whole numbers up to 2^53, or {@link #NONE}. */
    public int find(double[] x) {
        for (int slot = home(x, 0); ; slot = next(slot)) {
            int point = slots[slot];
            if (point == NONE) {
                vacant = slot;
                return NONE;
            }
            if (isAt(point, x)) {
                return point;
            }
        }
    }

    /** Gives a number to the point x, for which {@link #find} has just found none. */
    public int add(double[] x) {
        int point = freeCount > 0 ? free[--freeCount] : used++;
        if (used * dimensions > coordinates.length) {
            coordinates = Arrays.copyOf(coordinates, ArrayGrowth.atLeast(used * dimensions, coordinates.length));
        }
        System.arraycopy(x, 0, coordinates, point * dimensions, dimensions);
        if (2 * (used - freeCount) > slots.length) {
            rehash();
            occupy(point);
        } else {
            slots[vacant] = point;
        }
        return point;
    }

    /** Takes the number from a point. */
    void release(int point) {
        int hole = home(coordinates, point * dimensions);
        while (slots[hole] != point) {
            hole = next(hole);
        }
        // Close the gap: entries that were pushed beyond the hole move back into it.
        for (int slot = next(hole); slots[slot] != NONE; slot = next(slot)) {
            int home = home(coordinates, slots[slot] * dimensions);
            if (((slot - home) & mask()) >= ((slot - hole) & mask())) {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = NONE;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, ArrayGrowth.atLeast(freeCount + 1, freeCount));
        }
        free[freeCount++] = point;
    }

    private void rehash() {
        int[] old = slots;
        slots = filled(2 * old.length);
        for (int point : old) {
            if (point != NONE) {
                occupy(point);
            }
        }
    }

    private void occupy(int point) {
        int slot = home(coordinates, point * dimensions);
        while (slots[slot] != NONE) {
            slot = next(slot);
        }
        slots[slot] = point;
    }

    private boolean isAt(int point, double[] x) {
        int at = point * dimensions;
        for (int d = 0; d < dimensions; d++) {
            if (coordinates[at + d] != x[d]) {
                return false;
            }
        }
        return true;
    }

    private int home(double[] from, int offset) {
        long hash = 0;
        for (int d = 0; d < dimensions; d++) {
            hash = (hash ^ (long) from[offset + d]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return (int) hash & mask();
    }

    private int next(int slot) {
        return (slot + 1) & mask();
    }

    private int mask() {
        return slots.length - 1;
    }

    private static int[] filled(int length) {
        int[] slots = new int[length];
        Arrays.fill(slots, NONE);
        return slots;
    }
}

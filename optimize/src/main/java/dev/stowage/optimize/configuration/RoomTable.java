package dev.stowage.optimize.configuration;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The weight of the heaviest configuration for each room that a server may still have, in units that the demands share:
 * dynamic programming over the rooms. A type that became heavier costs one pass over them. One that became lighter
 * leaves the table as it is: then it is an upper bound.
 *
 * <p>H. Kellerer, U. Pferschy, D. Pisinger: Knapsack Problems, Springer 2004, chapters 8.3 and 9.3.2.
 */
final class RoomTable {
    private static final int MOST_ROOMS = 1 << 16;

    /** Number of amounts of each resource that is demanded; the last has the most. */
    private final int[] size;
    /** Distance between the rows of neighbouring amounts, for all resources but the last. */
    private final int[] stride;
    /** Demand per type and resource in units, at most {@link #size}. */
    private final int[][] step;
    /** By how many rows a type goes back. */
    private final int[] offset;

    private final boolean[] fits;
    /** Per type, what the table was made for. */
    private final long[] weights;

    private final int rows;
    /** Row of all amounts but the last, amount of the last: the greatest weight. No row before it is made. */
    private long[][] best = {};

    private final long[] moved;
    /** The present room: its row, and its amounts. */
    private int row;

    private final int[] at;

    /** The table, or null where it would be too large. */
    static @Nullable RoomTable of(long[] capacity, long[][] demand) {
        int[] which = new int[capacity.length];
        long[] unit = new long[capacity.length];
        int resources = 0;
        long rooms = 1;
        for (int r = 0; r < capacity.length; r++) {
            for (long[] each : demand) {
                unit[r] = gcd(unit[r], each[r]);
            }
            if (unit[r] > 0) {
                which[resources++] = r;
                rooms *= Math.min(capacity[r] / unit[r], MOST_ROOMS) + 1;
                if (rooms > MOST_ROOMS) {
                    return null;
                }
            }
        }
        return resources == 0 ? null : new RoomTable(capacity, demand, Arrays.copyOf(which, resources), unit);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    private RoomTable(long[] capacity, long[][] demand, int[] which, long[] unit) {
        int resources = which.length;
        int last = resources - 1;
        for (int i = 0; i < last; i++) {
            if (capacity[which[i]] / unit[which[i]] > capacity[which[last]] / unit[which[last]]) {
                int longer = which[i];
                which[i] = which[last];
                which[last] = longer;
            }
        }
        size = new int[resources];
        stride = new int[resources];
        int rows = 1;
        for (int i = last; i >= 0; i--) {
            size[i] = (int) (capacity[which[i]] / unit[which[i]]) + 1;
            if (i < last) {
                stride[i] = rows;
                rows *= size[i];
            }
        }
        step = new int[demand.length][resources];
        offset = new int[demand.length];
        fits = new boolean[demand.length];
        for (int j = 0; j < demand.length; j++) {
            fits[j] = true;
            for (int i = 0; i < resources; i++) {
                step[j][i] = (int) Math.min(size[i], demand[j][which[i]] / unit[which[i]]);
                fits[j] &= step[j][i] < size[i];
                offset[j] += step[j][i] * stride[i];
            }
        }
        weights = new long[demand.length];
        this.rows = rows;
        moved = new long[size[last]];
        at = new int[resources];
    }

    /** How many rooms times types there are: what it takes to make the table. */
    long work() {
        return (long) rows * moved.length * weights.length;
    }

    /** Whether it was made, so that {@link #raise} is quick. */
    boolean isMade() {
        return best.length > 0;
    }

    /** Makes it the table of weights of 0. */
    void clear() {
        best = best.length > 0 ? best : new long[rows][moved.length];
        for (long[] each : best) {
            Arrays.fill(each, 0);
        }
        Arrays.fill(weights, 0);
    }

    /** Makes it a bound for these weights, which is exact if none is below that of the table. */
    void raise(long[] others) {
        for (int j = 0; j < weights.length; j++) {
            if (others[j] > weights[j]) {
                weights[j] = others[j];
                if (fits[j]) {
                    raise(j);
                }
            }
        }
    }

    /** Begins with the room of an empty server. */
    void empty() {
        row = rows - 1;
        for (int r = 0; r < at.length; r++) {
            at[r] = size[r] - 1;
        }
    }

    /** No configuration of the present room weighs more. */
    long bound() {
        return best[row][at[at.length - 1]];
    }

    /** Whether there is room for some requests of a type, and for so much weight beside them. */
    boolean allows(int type, int count, long beside) {
        for (int r = 0; r < at.length; r++) {
            if (at[r] < (long) step[type][r] * count) {
                return false;
            }
        }
        int last = at.length - 1;
        return best[row - offset[type] * count][at[last] - step[type][last] * count] >= beside;
    }

    /** Takes requests of a type from the present room, or returns them if the count is negative. */
    void take(int type, int count) {
        row -= offset[type] * count;
        for (int r = 0; r < at.length; r++) {
            at[r] -= step[type][r] * count;
        }
    }

    /** One more of a type, and one more again, in each room that has it: the rooms with less come first. */
    private void raise(int type) {
        int[] needed = step[type];
        int last = at.length - 1;
        System.arraycopy(needed, 0, at, 0, last);
        while (true) {
            int to = 0;
            for (int r = 0; r < last; r++) {
                to += at[r] * stride[r];
            }
            if (offset[type] == 0) {
                raiseByItself(best[to], needed[last], weights[type]);
            } else {
                raise(best[to], best[to - offset[type]], needed[last], weights[type]);
            }
            int r = last - 1;
            while (r >= 0 && ++at[r] == size[r]) {
                at[r] = needed[r];
                r--;
            }
            if (r < 0) {
                return;
            }
        }
    }

    private static void raiseByItself(long[] row, int needed, long weight) {
        for (int k = needed; k < row.length; k++) {
            row[k] = Math.max(row[k], row[k - needed] + weight);
        }
    }

    /** A row from another one, by way of a copy with equal places: of such a loop compilers make vectors. */
    private void raise(long[] row, long[] from, int needed, long weight) {
        System.arraycopy(from, 0, moved, needed, row.length - needed);
        for (int k = needed; k < row.length; k++) {
            row[k] = Math.max(row[k], moved[k] + weight);
        }
    }
}

package dev.stowage.optimize.configuration;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The search for the heaviest configuration of a server that is asked again and again, with the bounds of a table that
 * it keeps. When searches since the table was made have taken as long as to make it, it is made anew, and then a search
 * ends at once.
 */
final class RoomSearch {
    /** A branch of a search takes about the time of as many steps of making a table. */
    private static final int BRANCH = 512;

    private final RoomTable table;
    /** Per depth, the types that may still reach the goal. */
    private final int[] @Nullable [] open;

    private final int[] current;
    /** Number of branches until the table is made anew. */
    long branches;

    private long[] weight = {};
    private int[] found = {};
    private long goal;

    /** The search, or null where a table would be too large. */
    static @Nullable RoomSearch of(long[] capacity, long[][] demand) {
        RoomTable table = RoomTable.of(capacity, demand);
        return table == null ? null : new RoomSearch(table, demand.length);
    }

    private RoomSearch(RoomTable table, int types) {
        this.table = table;
        open = new int[types + 2][];
        current = new int[types];
        branches = table.work() / BRANCH;
    }

    /** Whether there is a table yet. */
    boolean isMade() {
        return table.isMade();
    }

    /**
     * Of the heaviest configurations the one with the most requests of the first type in an order, then of the second,
     * and so on.
     *
     * @param weights per type
     * @param order the types to use, of weights above 0, each of which fits
     * @param least weight that some configuration has, at least 1 unless there are no types
     * @param counts receives the configuration, by type
     * @return its weight
     */
    long heaviest(long[] weights, int[] order, int used, long least, int[] counts) {
        weight = weights;
        found = counts;
        if (branches > 0) {
            search(order, used, least);
        }
        if (branches <= 0) {
            branches = Long.MAX_VALUE;
            table.clear();
            search(order, used, least);
            branches = table.work() / BRANCH;
        }
        return goal - 1;
    }

    /** Looks first for what weighs as much as the bound: after a rise that is nearly always there. */
    private void search(int[] order, int used, long least) {
        table.raise(weight);
        table.empty();
        System.arraycopy(order, 0, open(0), 0, used);
        Arrays.fill(found, 0);
        goal = table.bound();
        search(0, 0, used, 0);
        if (goal == table.bound() && goal > 0) {
            goal = least;
            search(0, 0, used, 0);
        }
    }

    private int[] open(int depth) {
        int[] there = open[depth];
        if (there == null) {
            there = new int[current.length];
            open[depth] = there;
        }
        return there;
    }

    /** Searches over the types from {@code from} to {@code until} of {@code open[depth]}. */
    private void search(int depth, int from, int until, long value) {
        if (value >= goal) {
            System.arraycopy(current, 0, found, 0, current.length);
            goal = value + 1;
        }
        int[] among = open(depth);
        int[] still = open(depth + 1);
        int size = 0;
        for (int i = from; i < until; i++) {
            int type = among[i];
            // What does not reach the goal here reaches it nowhere below.
            if (table.allows(type, 1, goal - value - weight[type])) {
                still[size++] = type;
            }
        }
        for (int i = 0; i < size; i++) {
            int type = still[i];
            int count = 1;
            while (table.allows(type, count + 1, goal - value - weight[type] * (count + 1))) {
                count++;
            }
            for (; count > 0 && branches > 0; count--) {
                long with = value + weight[type] * count;
                if (table.allows(type, count, goal - with)) {
                    branches--;
                    table.take(type, count);
                    current[type] = count;
                    search(depth + 1, i + 1, size, with);
                    current[type] = 0;
                    table.take(type, -count);
                }
            }
        }
    }
}

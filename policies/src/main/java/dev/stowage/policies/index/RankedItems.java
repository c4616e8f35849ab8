package dev.stowage.policies.index;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;

/**
 * Many sets over one range of items, each giving its lowest-numbered item of at least some rank: a forest of treaps
 * sorted by rank, then number, in which each item knows the lowest number at or below it. An item is in at most one
 * set. A set is identified by its top item; the owner of the set keeps this number, {@link #NONE} for the empty set.
 *
 * <p>All operations are O(log n) expected in the size of the set; priorities are as in {@link Treaps}.
 */
public final class RankedItems {
    static final int NONE = -1;

    /** What each item has: links, the lowest number from it down, its rank and its mark. */
    private static final int LEFT = 0;

    private static final int RIGHT = 1;
    private static final int LOWEST = 2;
    private static final int RANK = 3;
    private static final int MARK = 4;
    private static final int FIELDS = 5;

    /** The rank of an item in no set. */
    private static final int ABSENT = -1;

    private int[] fields = new int[0];
    /** From the top of a set to an item. */
    private int[] path = new int[64];

    /** Whether the item is in a set. */
    public boolean contains(int item) {
        return item * FIELDS < fields.length && of(item, RANK) != ABSENT;
    }

    /** A number that the owner of the sets has given to an item that is in one. */
    int mark(int item) {
        return of(item, MARK);
    }

    /** Gives a number to an item that is in a set. */
    void mark(int item, int number) {
        set(item, MARK, number);
    }

    private int of(int item, int field) {
        return fields[item * FIELDS + field];
    }

    private void set(int item, int field, int value) {
        fields[item * FIELDS + field] = value;
    }

    /** Adds an item that is in no set to the set {@code top}, with a rank of at least 0; returns the new top. */
    int insert(int top, int item, int rank) {
        if (item * FIELDS >= fields.length) {
            int old = fields.length;
            fields = Arrays.copyOf(fields, FIELDS * ArrayGrowth.atLeast(item + 1, old / FIELDS));
            Arrays.fill(fields, old, fields.length, ABSENT);
        }
        set(item, RANK, rank);
        long priority = KeyedRandom.mix(item);
        int parent = NONE;
        int side = LEFT;
        int at = top;
        while (at != NONE && KeyedRandom.mix(at) > priority) {
            set(at, LOWEST, Math.min(of(at, LOWEST), item));
            parent = at;
            side = isBefore(at, item) ? RIGHT : LEFT;
            at = of(at, side);
        }
        split(at, item);
        renew(item);
        return hang(top, parent, side, item);
    }

    /** A tree in place of what was on a side of its new parent, or of the whole set; returns the top of the set. */
    private int hang(int top, int parent, int side, int tree) {
        if (parent == NONE) {
            return tree;
        }
        set(parent, side, tree);
        return top;
    }

    /** Hangs what comes before an item in the tree {@code top} to its left, the rest to its right. */
    private void split(int top, int item) {
        if (top == NONE) {
            set(item, LEFT, NONE);
            set(item, RIGHT, NONE);
            return;
        }
        int inner = isBefore(top, item) ? RIGHT : LEFT;
        int outer = RIGHT - inner;
        split(of(top, inner), item);
        set(top, inner, of(item, outer));
        renew(top);
        set(item, outer, top);
    }

    /** Removes an item from its set {@code top}; returns the new top. */
    int remove(int top, int item) {
        int depth = 0;
        int side = LEFT;
        for (int at = top; at != item; at = of(at, side)) {
            if (depth == path.length) {
                path = Arrays.copyOf(path, 2 * depth);
            }
            path[depth++] = at;
            side = isBefore(at, item) ? RIGHT : LEFT;
        }
        int newTop = hang(top, depth == 0 ? NONE : path[depth - 1], side, join(of(item, LEFT), of(item, RIGHT)));
        set(item, RANK, ABSENT);
        while (depth > 0 && of(path[depth - 1], LOWEST) == item) {
            renew(path[--depth]);
        }
        return newTop;
    }

    /** The top of both trees, all of the first before all of the second. */
    private int join(int low, int high) {
        if (low == NONE || high == NONE) {
            return low == NONE ? high : low;
        }
        if (KeyedRandom.mix(low) > KeyedRandom.mix(high)) {
            set(low, RIGHT, join(of(low, RIGHT), high));
            renew(low);
            return low;
        }
        set(high, LEFT, join(low, of(high, LEFT)));
        renew(high);
        return high;
    }

    /** After what is below an item has changed. */
    private void renew(int item) {
        set(item, LOWEST, Math.min(item, Math.min(lowest(of(item, LEFT)), lowest(of(item, RIGHT)))));
    }

    /** The lowest number in a set, of none the largest number that there is. */
    int lowest(int top) {
        return top == NONE ? Integer.MAX_VALUE : of(top, LOWEST);
    }

    /** The lowest-numbered item of a set that is not empty whose rank is at least this, or {@link #NONE}. */
    int lowest(int top, int rank) {
        if (rank == 0) {
            return of(top, LOWEST);
        }
        int lowest = Integer.MAX_VALUE;
        int at = top;
        while (at != NONE) {
            if (of(at, RANK) >= rank) {
                lowest = Math.min(lowest, Math.min(at, lowest(of(at, RIGHT))));
                at = of(at, LEFT);
            } else {
                at = of(at, RIGHT);
            }
        }
        return lowest == Integer.MAX_VALUE ? NONE : lowest;
    }

    /** The highest rank in a set that is not empty. */
    int highestRank(int top) {
        int at = top;
        while (of(at, RIGHT) != NONE) {
            at = of(at, RIGHT);
        }
        return of(at, RANK);
    }

    private boolean isBefore(int one, int other) {
        int rank = of(one, RANK);
        int its = of(other, RANK);
        return rank < its || (rank == its && one < other);
    }
}

package dev.stowage.policies.index;

import java.util.Arrays;

/**
 * Many sets over one range of items, each giving its item with the lowest order key: a forest of pairing heaps, an item
 * in at most one. A set is identified by its top, which is that item; the owner of the set keeps this number,
 * {@link #NONE} for the empty set.
 *
 * <p>Insert is O(1), remove of any item O(log n) amortized. (Fredman, Sedgewick, Sleator, Tarjan: The pairing heap,
 * Algorithmica 1986.)
 */
public final class ItemHeaps {
    /** The top of an empty set. */
    public static final int NONE = -1;

    private static final int ABSENT = -2;

    private static final int STRIDE = 4;
    private static final int CHILD = 0;
    private static final int NEXT = 1;
    /** The sibling before, or the parent of a first child; {@link #ABSENT} for an item in no set. */
    private static final int PREVIOUS = 2;

    private static final int MARK = 3;

    /** First child, next and previous of each item, and its mark, side by side to save cache misses. */
    private int[] cells = new int[0];

    private long[] orders = new long[0];

    /** Whether the item is in a set. */
    public boolean contains(int item) {
        return item < orders.length && cells[item * STRIDE + PREVIOUS] != ABSENT;
    }

    /** Order key of an item that is in a set. */
    public long order(int item) {
        return orders[item];
    }

    /** A number that the owner of the sets has given to an item that is in one. */
    public int mark(int item) {
        return cells[item * STRIDE + MARK];
    }

    /** Gives a number to an item that is in a set. */
    public void mark(int item, int number) {
        cells[item * STRIDE + MARK] = number;
    }

    /** Gives a number to all items of the set {@code top}. */
    void markAll(int top, int number) {
        int rest = top;
        cells[top * STRIDE + MARK] = NONE;
        while (rest != NONE) {
            int item = rest;
            rest = cells[item * STRIDE + MARK];
            cells[item * STRIDE + MARK] = number;
            for (int child = cells[item * STRIDE + CHILD]; child != NONE; child = cells[child * STRIDE + NEXT]) {
                cells[child * STRIDE + MARK] = rest;
                rest = child;
            }
        }
    }

    /** Adds an item that is in no set to the set {@code top}; returns the new top. */
    public int insert(int top, int item, long order) {
        if (item >= orders.length) {
            grow(item);
        }
        orders[item] = order;
        cells[item * STRIDE + CHILD] = NONE;
        cells[item * STRIDE + NEXT] = NONE;
        cells[item * STRIDE + PREVIOUS] = NONE;
        return top == NONE ? item : meld(top, item);
    }

    /** Removes an item from its set {@code top}; returns the new top. */
    public int remove(int top, int item) {
        int below = meldAll(cells[item * STRIDE + CHILD]);
        int left = cells[item * STRIDE + PREVIOUS];
        cells[item * STRIDE + PREVIOUS] = ABSENT;
        if (item == top) {
            return below;
        }
        int right = cells[item * STRIDE + NEXT];
        if (cells[left * STRIDE + CHILD] == item) {
            cells[left * STRIDE + CHILD] = right;
        } else {
            cells[left * STRIDE + NEXT] = right;
        }
        if (right != NONE) {
            cells[right * STRIDE + PREVIOUS] = left;
        }
        return below == NONE ? top : meld(top, below);
    }

    /** Makes one heap of two, neither of which has siblings; returns its top. */
    private int meld(int one, int other) {
        boolean oneIsTop = orders[one] < orders[other];
        int top = oneIsTop ? one : other;
        int child = oneIsTop ? other : one;
        int sibling = cells[top * STRIDE + CHILD];
        cells[child * STRIDE + NEXT] = sibling;
        if (sibling != NONE) {
            cells[sibling * STRIDE + PREVIOUS] = child;
        }
        cells[child * STRIDE + PREVIOUS] = top;
        cells[top * STRIDE + CHILD] = child;
        return top;
    }

    /** Makes one heap of siblings: in pairs from the first to the last, then all pairs from the last to the first. */
    private int meldAll(int first) {
        int pairs = NONE;
        int rest = first;
        while (rest != NONE) {
            int one = rest;
            int other = cells[one * STRIDE + NEXT];
            rest = other == NONE ? NONE : cells[other * STRIDE + NEXT];
            int pair = other == NONE ? one : meld(one, other);
            cells[pair * STRIDE + NEXT] = pairs;
            pairs = pair;
        }
        int top = NONE;
        while (pairs != NONE) {
            int pair = pairs;
            pairs = cells[pair * STRIDE + NEXT];
            top = top == NONE ? pair : meld(top, pair);
        }
        if (top != NONE) {
            cells[top * STRIDE + NEXT] = NONE;
            cells[top * STRIDE + PREVIOUS] = NONE;
        }
        return top;
    }

    private void grow(int item) {
        int old = orders.length;
        int length = ArrayGrowth.atLeast(item + 1, old);
        cells = Arrays.copyOf(cells, Math.multiplyExact(length, STRIDE));
        orders = Arrays.copyOf(orders, length);
        Arrays.fill(cells, old * STRIDE, cells.length, ABSENT);
    }
}

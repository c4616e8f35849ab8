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

    private int[] firstChild = new int[0];
    private int[] next = new int[0];
    /** The sibling before, or the parent of a first child; {@link #ABSENT} for an item in no set. */
    private int[] previous = new int[0];

    private long[] orders = new long[0];

    /** Whether the item is in a set. */
    public boolean contains(int item) {
        return item < previous.length && previous[item] != ABSENT;
    }

    /** Order key of an item that is in a set. */
    public long order(int item) {
        return orders[item];
    }

    /** Adds an item that is in no set to the set {@code top}; returns the new top. */
    public int insert(int top, int item, long order) {
        if (item >= previous.length) {
            grow(item);
        }
        orders[item] = order;
        firstChild[item] = NONE;
        next[item] = NONE;
        previous[item] = NONE;
        return top == NONE ? item : meld(top, item);
    }

    /** Removes an item from its set {@code top}; returns the new top. */
    public int remove(int top, int item) {
        int below = meldAll(firstChild[item]);
        int left = previous[item];
        previous[item] = ABSENT;
        if (item == top) {
            return below;
        }
        int right = next[item];
        if (firstChild[left] == item) {
            firstChild[left] = right;
        } else {
            next[left] = right;
        }
        if (right != NONE) {
            previous[right] = left;
        }
        return below == NONE ? top : meld(top, below);
    }

    /** Makes one heap of two, neither of which has siblings; returns its top. */
    private int meld(int one, int other) {
        boolean oneIsTop = orders[one] < orders[other];
        int top = oneIsTop ? one : other;
        int child = oneIsTop ? other : one;
        int sibling = firstChild[top];
        next[child] = sibling;
        if (sibling != NONE) {
            previous[sibling] = child;
        }
        previous[child] = top;
        firstChild[top] = child;
        return top;
    }

    /** Makes one heap of siblings: in pairs from the first to the last, then all pairs from the last to the first. */
    private int meldAll(int first) {
        int pairs = NONE;
        int rest = first;
        while (rest != NONE) {
            int one = rest;
            int other = next[one];
            rest = other == NONE ? NONE : next[other];
            int pair = other == NONE ? one : meld(one, other);
            next[pair] = pairs;
            pairs = pair;
        }
        int top = NONE;
        while (pairs != NONE) {
            int pair = pairs;
            pairs = next[pair];
            top = top == NONE ? pair : meld(top, pair);
        }
        if (top != NONE) {
            next[top] = NONE;
            previous[top] = NONE;
        }
        return top;
    }

    private void grow(int item) {
        int old = previous.length;
        int length = ArrayGrowth.atLeast(item + 1, old);
        firstChild = Arrays.copyOf(firstChild, length);
        next = Arrays.copyOf(next, length);
        previous = Arrays.copyOf(previous, length);
        orders = Arrays.copyOf(orders, length);
        Arrays.fill(previous, old, length, ABSENT);
    }
}

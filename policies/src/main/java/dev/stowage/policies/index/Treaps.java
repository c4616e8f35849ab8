package dev.stowage.policies.index;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;

/**
 * Many ordered sets over one range of items: a forest of treaps, each sorted by (value, order), an item in at most one.
 * A set is named by its top item; whoever owns the set keeps that number, {@link #NONE} for the empty set.
 *
 * <p>The priority of an item is a hash of its number, so the shape of a treap follows from its content alone. Insert,
 * remove and searches are O(log n) expected in the size of the set. (Seidel, Aragon: Randomized search trees,
 * Algorithmica 1996.)
 */
final class Treaps {
    static final int NONE = -1;
    private static final int ABSENT = -2;

    /** The place from which the treap at work hangs. */
    private static final int TOP = 0;

    /** {@link #TOP}, then left and right link of each item: every place that can point to an item has a number. */
    private int[] links = new int[1];

    private long[] values = new long[0];
    private long[] orders = new long[0];

    boolean contains(int item) {
        return item < values.length && links[left(item)] != ABSENT;
    }

    long value(int item) {
        return values[item];
    }

    long order(int item) {
        return orders[item];
    }

    /** Adds an item that is in no set to the set {@code top}; returns the new top. */
    int insert(int top, int item, long value, long order) {
        if (item >= values.length) {
            grow(item);
        }
        values[item] = value;
        orders[item] = order;
        long priority = KeyedRandom.mix(item);
        links[TOP] = top;
        int place = TOP;
        int at = top;
        while (at != NONE && KeyedRandom.mix(at) >= priority) {
            place = isBefore(at, value, order) ? right(at) : left(at);
            at = links[place];
        }
        links[place] = item;
        split(at, item);
        return links[TOP];
    }

    /** Hangs what comes before {@code item} in the tree {@code top} to its left, the rest to its right. */
    private void split(int top, int item) {
        int before = left(item);
        int after = right(item);
        int rest = top;
        while (rest != NONE) {
            if (isBefore(rest, values[item], orders[item])) {
                links[before] = rest;
                before = right(rest);
                rest = links[before];
            } else {
                links[after] = rest;
                after = left(rest);
                rest = links[after];
            }
        }
        links[before] = NONE;
        links[after] = NONE;
    }

    /** Removes an item from its set {@code top}; returns the new top. */
    int remove(int top, int item) {
        long value = values[item];
        long order = orders[item];
        links[TOP] = top;
        int place = TOP;
        int at = top;
        while (at != item) {
            place = isBefore(at, value, order) ? right(at) : left(at);
            at = links[place];
        }
        join(place, links[left(item)], links[right(item)]);
        links[left(item)] = ABSENT;
        return links[TOP];
    }

    /** Hangs the union of {@code low} and {@code high}, all of the first before all of the second, from a place. */
    private void join(int from, int low, int high) {
        int place = from;
        int a = low;
        int b = high;
        while (a != NONE && b != NONE) {
            if (KeyedRandom.mix(a) >= KeyedRandom.mix(b)) {
                links[place] = a;
                place = right(a);
                a = links[place];
            } else {
                links[place] = b;
                place = left(b);
                b = links[place];
            }
        }
        links[place] = a != NONE ? a : b;
    }

    /** The first item of the set by (value, order), {@link #NONE} when it is empty. */
    int first(int top) {
        int found = NONE;
        for (int at = top; at != NONE; at = links[left(at)]) {
            found = at;
        }
        return found;
    }

    /** The first item with a value of at least {@code value}, {@link #NONE} when there is none. */
    int ceiling(int top, long value) {
        int found = NONE;
        int at = top;
        while (at != NONE) {
            if (values[at] >= value) {
                found = at;
                at = links[left(at)];
            } else {
                at = links[right(at)];
            }
        }
        return found;
    }

    /** The first item among those with the largest value of at most {@code value}, {@link #NONE} when there is none. */
    int floor(int top, long value) {
        int last = NONE;
        int at = top;
        while (at != NONE) {
            if (values[at] <= value) {
                last = at;
                at = links[right(at)];
            } else {
                at = links[left(at)];
            }
        }
        return last == NONE ? NONE : ceiling(top, values[last]);
    }

    private boolean isBefore(int item, long value, long order) {
        long v = values[item];
        return v < value || (v == value && orders[item] < order);
    }

    private int left(int item) {
        return 1 + 2 * item;
    }

    private int right(int item) {
        return 2 + 2 * item;
    }

    private void grow(int item) {
        int old = values.length;
        int size = Growth.atLeast(item + 1, old);
        values = Arrays.copyOf(values, size);
        orders = Arrays.copyOf(orders, size);
        links = Arrays.copyOf(links, 1 + 2 * size);
        Arrays.fill(links, 1 + 2 * old, links.length, ABSENT);
    }
}

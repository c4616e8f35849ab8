package dev.stowage.policies.index;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;

/**
 * Many sorted sets over one range of nodes: a forest of treaps, each sorted by the nodes' values, which differ within a
 * set; a node is in at most one set. A set is identified by its top node; the owner of the set keeps this number,
 * {@link #NONE} for the empty set.
 *
 * <p>The priority of a node is a hash of its number. Insert, remove and searches are O(log n) expected in the size of
 * the set. (Seidel, Aragon: Randomized search trees, Algorithmica 1996.)
 */
final class Treaps {
    static final int NONE = -1;

    /** The place that points to the treap being changed. */
    private static final int TOP = 0;

    /** {@link #TOP}, then left and right link of each node: every place that can point to a node has a number. */
    private int[] links = new int[1];

    private long[] values = new long[0];

    long value(int node) {
        return values[node];
    }

    /** Adds a node that is in no set to the set {@code top}, which does not have the value; returns the new top. */
    int insert(int top, int node, long value) {
        if (node >= values.length) {
            values = Arrays.copyOf(values, ArrayGrowth.atLeast(node + 1, values.length));
            links = Arrays.copyOf(links, 1 + 2 * values.length);
        }
        values[node] = value;
        long priority = KeyedRandom.mix(node);
        links[TOP] = top;
        int place = TOP;
        int at = top;
        while (at != NONE && KeyedRandom.mix(at) >= priority) {
            place = towards(at, value);
            at = links[place];
        }
        links[place] = node;
        split(at, node);
        return links[TOP];
    }

    /** Hangs what comes before {@code node} in the tree {@code top} to its left, the rest to its right. */
    private void split(int top, int node) {
        int before = left(node);
        int after = right(node);
        int rest = top;
        while (rest != NONE) {
            if (values[rest] < values[node]) {
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

    /** Removes a node from its set {@code top}; returns the new top. */
    int remove(int top, int node) {
        links[TOP] = top;
        int place = TOP;
        for (int at = top; at != node; at = links[place]) {
            place = towards(at, values[node]);
        }
        join(place, links[left(node)], links[right(node)]);
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

    /** The node with the least value of at least {@code value}, {@link #NONE} when there is none. */
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

    /** The node with the largest value of at most {@code value}, {@link #NONE} when there is none. */
    int floor(int top, long value) {
        int found = NONE;
        int at = top;
        while (at != NONE) {
            if (values[at] <= value) {
                found = at;
                at = links[right(at)];
            } else {
                at = links[left(at)];
            }
        }
        return found;
    }

    private int towards(int node, long value) {
        return values[node] < value ? right(node) : left(node);
    }

    private static int left(int node) {
        return 1 + 2 * node;
    }

    private static int right(int node) {
        return 2 + 2 * node;
    }
}

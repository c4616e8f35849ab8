package dev.stowage.policies.index;

import java.util.Arrays;

/**
 * The distinct points of a {@link DominanceIndex} as a binary trie over their bits: a node halves its box in the middle
 * of one dimension, dimensions taking turns, and small leaves hold the points. Each node knows bounds of its points,
 * their lowest order key and their highest rank, which is what {@link DominanceQuery} prunes by.
 *
 * <p>A point without items stays as vacant, because an item often comes back to it soon: that is a third of all
 * changes under best fit. The vacant points of a leaf go when it is full, or half of it is vacant, or all that it has.
 * Only then bounds become tight again.
 *
 * <p>Depth is at most the number of bits of the box, in practice near log2 of the number of points.
 */
final class PointTree {
    static final int ROOT = 0;
    static final int NONE = -1;
    /** Order key of a vacant point, and of a node without others. */
    static final long VACANT = Long.MAX_VALUE;

    private static final int LEAF_SIZE = 16;

    private final int dimensions;
    private final PointTable table;

    /** Dimension and bit that decide between left and right at each level. */
    private final int[] levelDimension;

    private final int[] levelBit;

    private int[] children = {NONE};
    private int[] parents = {NONE};
    private int[] counts = {0};
    /** Of the points of a leaf. */
    private int[] vacant = {0};

    private int[] members = new int[LEAF_SIZE];
    /** Their coordinates once more, so that a scan reads adjacent words. */
    private double[] memberCoordinates;

    /** Lower, then upper bound per dimension, of each node; crossed over where there is no point. */
    private double[] bounds;

    private long[] earliest = {Long.MAX_VALUE};
    private int[] highest = {0};
    private int nodes = 1;
    private int freePair = NONE;

    /** And their order keys. */
    private long[] memberOrders = new long[LEAF_SIZE];

    private int[] placeOfPoint = new int[0];
    private int[] rankOfPoint = new int[0];

    PointTree(PointTable table, long[] upper) {
        this.table = table;
        dimensions = upper.length;
        int depth = 0;
        int longest = 0;
        for (long u : upper) {
            depth += bits(u);
            longest = Math.max(longest, bits(u));
        }
        levelDimension = new int[depth];
        levelBit = new int[depth];
        int level = 0;
        for (int k = 1; k <= longest; k++) {
            for (int d = 0; d < dimensions; d++) {
                if (k <= bits(upper[d])) {
                    levelDimension[level] = d;
                    levelBit[level++] = bits(upper[d]) - k;
                }
            }
        }
        bounds = new double[2 * dimensions];
        memberCoordinates = new double[LEAF_SIZE * dimensions];
        empty(ROOT);
    }

    private static int bits(long upper) {
        return Long.SIZE - Long.numberOfLeadingZeros(upper);
    }

    /** Levels of the deepest possible tree. */
    int depth() {
        return levelBit.length + 1;
    }

    /** First of the two adjacent children, or {@link #NONE} for a leaf. */
    int child(int node) {
        return children[node];
    }

    int count(int leaf) {
        return counts[leaf];
    }

    /** Where the points of a leaf are: their numbers, and D coordinates for each. */
    int start(int leaf) {
        return leaf * LEAF_SIZE;
    }

    int member(int at) {
        return members[at];
    }

    double[] memberCoordinates() {
        return memberCoordinates;
    }

    double[] bounds() {
        return bounds;
    }

    long earliest(int node) {
        return earliest[node];
    }

    /** The highest rank in a node, 0 without ranks. */
    int highest(int node) {
        return highest[node];
    }

    /** The order key of a member. */
    long order(int at) {
        return memberOrders[at];
    }

    int rank(int point) {
        return rankOfPoint[point];
    }

    /** Adds a point of the table with the lowest order key and the highest rank of its items. */
    void add(int point, long order, int rank) {
        if (point >= placeOfPoint.length) {
            int length = ArrayGrowth.atLeast(point + 1, placeOfPoint.length);
            placeOfPoint = Arrays.copyOf(placeOfPoint, length);
            rankOfPoint = Arrays.copyOf(rankOfPoint, length);
        }
        rankOfPoint[point] = rank;
        int node = ROOT;
        int level = 0;
        while (true) {
            for (; children[node] != NONE; level++) {
                node = children[node] + side(point, level);
            }
            if (counts[node] == LEAF_SIZE && vacant[node] > 0) {
                purge(node);
            }
            if (counts[node] < LEAF_SIZE) {
                append(node, point, order);
                while (node != NONE && widen(node, point, order)) {
                    node = parents[node];
                }
                return;
            }
            split(node, level);
        }
    }

    private void append(int leaf, int point, long order) {
        int at = leaf * LEAF_SIZE + counts[leaf]++;
        members[at] = point;
        System.arraycopy(table.coordinates(), point * dimensions, memberCoordinates, at * dimensions, dimensions);
        memberOrders[at] = order;
        placeOfPoint[point] = at;
    }

    private int side(int point, int level) {
        double x = table.coordinates()[point * dimensions + levelDimension[level]];
        return (int) ((long) x >>> levelBit[level]) & 1;
    }

    private void split(int leaf, int level) {
        int pair = newPair(leaf);
        children[leaf] = pair;
        for (int k = 0; k < counts[leaf]; k++) {
            int point = members[leaf * LEAF_SIZE + k];
            long order = memberOrders[leaf * LEAF_SIZE + k];
            int half = pair + side(point, level);
            widen(half, point, order);
            append(half, point, order);
        }
    }

    /** Removes the vacant points of a leaf, and tightens the bounds above. */
    private void purge(int leaf) {
        int from = leaf * LEAF_SIZE;
        int end = from + counts[leaf];
        counts[leaf] = 0;
        vacant[leaf] = 0;
        for (int at = from; at < end; at++) {
            if (memberOrders[at] == VACANT) {
                table.release(members[at]);
            } else {
                append(leaf, members[at], memberOrders[at]);
            }
        }
        int node = leaf;
        while (node != NONE && refresh(node)) {
            node = parents[node];
        }
    }

    private void merge(int leaf) {
        int parent = parents[leaf];
        while (parent != NONE && mergeChildren(parent)) {
            parent = parents[parent];
        }
    }

    /** Makes two sparse leaves one again; half full at most, so that the next insertion does not split it. */
    private boolean mergeChildren(int node) {
        int pair = children[node];
        if (children[pair] != NONE || children[pair + 1] != NONE || counts[pair] + counts[pair + 1] > LEAF_SIZE / 2) {
            return false;
        }
        counts[node] = 0;
        vacant[node] = vacant[pair] + vacant[pair + 1];
        for (int half = pair; half <= pair + 1; half++) {
            for (int k = 0; k < counts[half]; k++) {
                append(node, members[half * LEAF_SIZE + k], memberOrders[half * LEAF_SIZE + k]);
            }
        }
        children[node] = NONE;
        parents[pair] = freePair;
        freePair = pair;
        return true;
    }

    /** Updates the lowest order key of a point; {@link #VACANT} if it has no item any more. */
    void reorder(int point, long order) {
        int at = placeOfPoint[point];
        int leaf = at / LEAF_SIZE;
        long old = memberOrders[at];
        if (order == old) {
            return;
        }
        memberOrders[at] = order;
        for (int node = leaf; node != NONE; node = parents[node]) {
            if (order < earliest[node]) {
                earliest[node] = order;
            } else if (old != earliest[node] || !renewEarliest(node)) {
                break;
            }
        }
        vacant[leaf] += (order == VACANT ? 1 : 0) - (old == VACANT ? 1 : 0);
        if (vacant[leaf] > LEAF_SIZE / 2 || vacant[leaf] == counts[leaf]) {
            purge(leaf);
            merge(leaf);
        }
    }

    private boolean renewEarliest(int node) {
        long before = earliest[node];
        int pair = children[node];
        if (pair == NONE) {
            long min = Long.MAX_VALUE;
            for (int k = 0; k < counts[node]; k++) {
                min = Math.min(min, memberOrders[node * LEAF_SIZE + k]);
            }
            earliest[node] = min;
        } else {
            earliest[node] = Math.min(earliest[pair], earliest[pair + 1]);
        }
        return earliest[node] != before;
    }

    /** Updates the highest rank of a point. */
    void rerank(int point, int rank) {
        int old = rankOfPoint[point];
        if (rank == old) {
            return;
        }
        rankOfPoint[point] = rank;
        for (int node = placeOfPoint[point] / LEAF_SIZE; node != NONE; node = parents[node]) {
            if (rank > highest[node]) {
                highest[node] = rank;
            } else if (old != highest[node] || !renewHighest(node)) {
                return;
            }
        }
    }

    private boolean renewHighest(int node) {
        int before = highest[node];
        if (before == 0) {
            return false;
        }
        int pair = children[node];
        if (pair == NONE) {
            int max = 0;
            for (int k = 0; k < counts[node]; k++) {
                max = Math.max(max, rankOfPoint[members[node * LEAF_SIZE + k]]);
            }
            highest[node] = max;
        } else {
            highest[node] = Math.max(highest[pair], highest[pair + 1]);
        }
        return highest[node] != before;
    }

    /** Recomputes the bounds of a node; true if anything changed. */
    private boolean refresh(int node) {
        boolean changed = renewEarliest(node);
        changed |= renewHighest(node);
        int pair = children[node];
        for (int d = 0; d < dimensions; d++) {
            changed |= pair == NONE ? tightenLeaf(node, d) : tightenInner(node, pair, d);
        }
        return changed;
    }

    // Comparisons, because Math.min of doubles also handles NaN and the sign of zero, which takes longer.

    private boolean tightenLeaf(int leaf, int d) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        int end = leaf * LEAF_SIZE + counts[leaf];
        for (int at = leaf * LEAF_SIZE; at < end; at++) {
            double x = memberCoordinates[at * dimensions + d];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        return bound(leaf, d, low, high);
    }

    private boolean tightenInner(int node, int pair, int d) {
        double[] all = bounds;
        int left = pair * 2 * dimensions + d;
        int right = left + 2 * dimensions;
        double low = all[left] < all[right] ? all[left] : all[right];
        double high =
                all[left + dimensions] > all[right + dimensions] ? all[left + dimensions] : all[right + dimensions];
        return bound(node, d, low, high);
    }

    private boolean bound(int node, int d, double low, double high) {
        int at = node * 2 * dimensions + d;
        boolean changed = bounds[at] != low || bounds[at + dimensions] != high;
        bounds[at] = low;
        bounds[at + dimensions] = high;
        return changed;
    }

    /** False if the bounds contain the point already. */
    private boolean widen(int node, int point, long order) {
        double[] coordinates = table.coordinates();
        int at = node * 2 * dimensions;
        boolean changed = false;
        for (int d = 0; d < dimensions; d++) {
            double x = coordinates[point * dimensions + d];
            if (x < bounds[at + d]) {
                bounds[at + d] = x;
                changed = true;
            }
            if (x > bounds[at + dimensions + d]) {
                bounds[at + dimensions + d] = x;
                changed = true;
            }
        }
        if (order < earliest[node]) {
            earliest[node] = order;
            changed = true;
        }
        if (rankOfPoint[point] > highest[node]) {
            highest[node] = rankOfPoint[point];
            changed = true;
        }
        return changed;
    }

    private void empty(int node) {
        int at = node * 2 * dimensions;
        Arrays.fill(bounds, at, at + dimensions, Double.POSITIVE_INFINITY);
        Arrays.fill(bounds, at + dimensions, at + 2 * dimensions, Double.NEGATIVE_INFINITY);
        earliest[node] = Long.MAX_VALUE;
        highest[node] = 0;
        children[node] = NONE;
        counts[node] = 0;
        vacant[node] = 0;
    }

    private int newPair(int parent) {
        int pair = freePair;
        if (pair != NONE) {
            freePair = parents[pair];
        } else {
            pair = nodes;
            nodes += 2;
            if (nodes > children.length) {
                grow(ArrayGrowth.atLeast(nodes, children.length));
            }
        }
        for (int node = pair; node <= pair + 1; node++) {
            empty(node);
            parents[node] = parent;
        }
        return pair;
    }

    private void grow(int length) {
        children = Arrays.copyOf(children, length);
        parents = Arrays.copyOf(parents, length);
        counts = Arrays.copyOf(counts, length);
        vacant = Arrays.copyOf(vacant, length);
        members = Arrays.copyOf(members, length * LEAF_SIZE);
        memberOrders = Arrays.copyOf(memberOrders, length * LEAF_SIZE);
        memberCoordinates = Arrays.copyOf(memberCoordinates, length * LEAF_SIZE * dimensions);
        bounds = Arrays.copyOf(bounds, length * 2 * dimensions);
        earliest = Arrays.copyOf(earliest, length);
        highest = Arrays.copyOf(highest, length);
    }
}

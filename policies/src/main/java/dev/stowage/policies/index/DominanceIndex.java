package dev.stowage.policies.index;

import java.util.Arrays;

/**
 * Items at points of N^D: finds the item with the largest linear score among those whose point exceeds a limit in no
 * dimension. For servers (point = occupied amounts, limit = capacity minus demand) this is best fit in several
 * resources, for waiting jobs (point = demand, limit = free amounts) it is the job that fits a server best; with all
 * weights 0 it is the first item, by order key, below the limit.
 *
 * <p>Items at the same point are kept together in a heap by order key, so thousands of equal servers cost as much as
 * one; over the distinct points lies a trie with tight bounds, searched by branch and bound. Insert and remove are
 * O(log n) amortized in the number of items of the point, plus O(D log p) in the number p of distinct points unless the
 * point stays. A search is exact, at worst O(D p); in two resources it looks at a few leaves. Memory: about 30 bytes
 * per item and 60 + 35 D per distinct point.
 */
public final class DominanceIndex {
    /** Coordinates are whole numbers that a double represents exactly. */
    public static final long MAX_COORDINATE = (1L << 53) - 1;

    private final int dimensions;
    private final long[] upper;
    private final PointTable table;
    private final PointTree tree;
    private final ItemHeaps sets = new ItemHeaps();
    private int[] pointOfItem = new int[0];
    private int[] topOfPoint = new int[0];
    private final double[] x;
    private int size;

    /**
     * An empty index.
     *
     * @param upper largest coordinate in each dimension, 0..{@link #MAX_COORDINATE}; its length is the number of
     *     dimensions
     */
    public DominanceIndex(long[] upper) {
        this(upper, upper.length);
    }

    /**
     * An empty index of points most of which differ in their first dimensions.
     *
     * @param first number of these; the others serve as limits rather than for the score
     */
    public DominanceIndex(long[] upper, int first) {
        for (int d = 0; d < upper.length; d++) {
            if (upper[d] < 0 || upper[d] > MAX_COORDINATE) {
                throw new IllegalArgumentException(
                        "upper[" + d + "] = " + upper[d] + " is not in 0.." + MAX_COORDINATE + "; use a larger unit");
            }
        }
        this.upper = upper.clone();
        dimensions = upper.length;
        table = new PointTable(dimensions);
        tree = new PointTree(table, upper, first);
        x = new double[dimensions];
    }

    /** Number of items. */
    public int size() {
        return size;
    }

    /** Whether the item is in the index. */
    public boolean contains(int item) {
        return sets.contains(item);
    }

    /**
     * Adds an item.
     *
     * @param item number, at least 0, not in the index
     * @param order key that breaks ties, lowest first; different for each item
     * @param point D coordinates from {@code point[offset]} on, each 0..upper
     */
    public void insert(int item, long order, long[] point, int offset) {
        if (contains(item)) {
            throw new IllegalStateException("item " + item + " is already in the index");
        }
        for (int d = 0; d < dimensions; d++) {
            long value = point[offset + d];
            if (value < 0 || value > upper[d]) {
                throw new IllegalArgumentException(
                        "coordinate " + d + " of item " + item + " is " + value + ", not in 0.." + upper[d]);
            }
            x[d] = value;
        }
        int p = table.find(x);
        if (p == PointTable.NONE) {
            found(item, order);
        } else {
            join(p, item, order);
        }
        size++;
    }

    /** Makes a point that has no item yet. */
    private void found(int item, long order) {
        int p = table.add(x);
        if (p >= topOfPoint.length) {
            topOfPoint = Arrays.copyOf(topOfPoint, ArrayGrowth.atLeast(p + 1, topOfPoint.length));
        }
        topOfPoint[p] = sets.insert(ItemHeaps.NONE, item, order);
        remember(item, p);
        tree.add(p, order);
    }

    private void join(int p, int item, long order) {
        int top = sets.insert(topOfPoint[p], item, order);
        topOfPoint[p] = top;
        remember(item, p);
        if (top == item) {
            tree.reorder(p, order);
        }
    }

    private void remember(int item, int p) {
        if (item >= pointOfItem.length) {
            pointOfItem = Arrays.copyOf(pointOfItem, ArrayGrowth.atLeast(item + 1, pointOfItem.length));
        }
        pointOfItem[item] = p;
    }

    /** Removes an item that is in the index. */
    public void remove(int item) {
        if (!contains(item)) {
            throw new IllegalStateException("item " + item + " is not in the index");
        }
        int p = pointOfItem[item];
        int top = topOfPoint[p];
        int newTop = sets.remove(top, item);
        topOfPoint[p] = newTop;
        if (newTop == ItemHeaps.NONE) {
            tree.remove(p);
            table.release(p);
        } else if (newTop != top) {
            tree.reorder(p, sets.order(newTop));
        }
        size--;
    }

    /** Improves the answer of the query by the items of this index. */
    public void search(DominanceQuery query) {
        if (size > 0) {
            query.search(tree, table, topOfPoint);
        }
    }
}

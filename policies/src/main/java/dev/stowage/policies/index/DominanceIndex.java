package dev.stowage.policies.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Items at points of N^D: finds the item with the largest linear score among those whose point exceeds a limit in no
 * dimension and, if items have ranks, whose rank is at least some. For servers (point = occupied amounts, limit =
 * capacity minus demand) this is best fit in several resources, for waiting jobs (point = demand, limit = free
 * amounts) it is the job that fits a server best; with all weights 0 it is the first item, by order key, below the
 * limit.
 *
 * <p>Items at the same point are kept together in a heap by order key, or in a treap by rank, so thousands of equal
 * servers cost as much as one; over the distinct points lies a trie with bounds, searched by branch and bound. Insert
 * and remove are O(log n) amortized in the number of items of the point, plus O(D log p) in the number p of distinct
 * points when the point is new. A search is exact, at worst O(D p); in two resources it looks at a few leaves. Memory:
 * about 30 bytes per item and 60 + 35 D per distinct point.
 */
public final class DominanceIndex {
    /** Coordinates are whole numbers that a double represents exactly. */
    public static final long MAX_COORDINATE = (1L << 53) - 1;

    /**
     * So many indexes of an owner may have a grid, whose memory is 20 MB at most then; small parts are searched fast
     * enough without.
     */
    public static final int MAX_GRIDS = 64;

    private final int dimensions;
    private final long[] upper;
    private final PointTable table;
    private final PointTree tree;
    private final ItemHeaps sets;
    /** Instead of them, if items have ranks. */
    private final @Nullable RankedItems ranked;

    /** Instead of the table and the tree, while it is possible. */
    private @Nullable PointGrid grid;

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
        this(upper, new ItemHeaps(), null);
    }

    /**
     * An empty index.
     *
     * @param items shared with other indexes: an item is in one of them at most
     * @param ranked where items have ranks ({@link #insertRanked}), shared with other indexes instead
     */
    public DominanceIndex(long[] upper, ItemHeaps items, @Nullable RankedItems ranked) {
        for (int d = 0; d < upper.length; d++) {
            if (upper[d] < 0 || upper[d] > MAX_COORDINATE) {
                throw new IllegalArgumentException(
                        "upper[" + d + "] = " + upper[d] + " is not in 0.." + MAX_COORDINATE + "; use a larger unit");
            }
        }
        sets = items;
        this.ranked = ranked;
        this.upper = upper.clone();
        dimensions = upper.length;
        table = new PointTable(dimensions);
        tree = new PointTree(table, upper);
        x = new double[dimensions];
    }

    /**
     * An empty index of items without ranks, whose queries have weights only: no secondary score, no least term, no
     * filter. In two dimensions its points are in a grid while that needs few cells, at most 300 KB, which makes a
     * change or a search several times as fast.
     *
     * @param items shared with other indexes: an item is in one of them at most
     * @param number of indexes that the owner has already; from {@link #MAX_GRIDS} on there is no grid
     */
    public static DominanceIndex ofPlainScores(long[] upper, ItemHeaps items, int number) {
        DominanceIndex index = new DominanceIndex(upper, items, null);
        if (upper.length == 2 && number < MAX_GRIDS) {
            index.grid = new PointGrid(index.upper);
        }
        return index;
    }

    /** Number of items. */
    public int size() {
        return size;
    }

    /** Whether the item is in the index, or in another with which it shares the items. */
    public boolean contains(int item) {
        return ranked == null ? sets.contains(item) : ranked.contains(item);
    }

    /**
     * Adds an item.
     *
     * @param item number, at least 0, not in the index
     * @param order key that breaks ties, lowest first; different for each item, below {@link Long#MAX_VALUE}
     * @param point D coordinates from {@code point[offset]} on, each 0..upper
     */
    public void insert(int item, long order, long[] point, int offset) {
        insert(item, order, 0, point, offset);
    }

    /**
     * Adds an item, whose number is its order key, to an index of items with ranks.
     *
     * @param rank at least 0
     * @param point D coordinates, each 0..upper
     */
    public void insertRanked(int item, int rank, long[] point) {
        insert(item, item, rank, point, 0);
    }

    private void insert(int item, long order, int rank, long[] point, int offset) {
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
        size++;
        if (grid != null && insertInto(grid, item, order)) {
            return;
        }
        int p = table.find(x);
        boolean isNew = p == PointTable.NONE;
        if (isNew) {
            p = addPoint();
        }
        if (ranked == null) {
            topOfPoint[p] = sets.insert(topOfPoint[p], item, order);
            sets.mark(item, p);
        } else {
            topOfPoint[p] = ranked.insert(topOfPoint[p], item, rank);
            ranked.mark(item, p);
        }
        if (isNew) {
            tree.add(p, order, rank);
        } else {
            renew(p);
        }
    }

    /** The number of the point x, which is new. */
    private int addPoint() {
        int p = table.add(x);
        if (p >= topOfPoint.length) {
            topOfPoint = Arrays.copyOf(topOfPoint, ArrayGrowth.atLeast(p + 1, topOfPoint.length));
        }
        topOfPoint[p] = ItemHeaps.NONE;
        return p;
    }

    /** False if the grid was given up for the tree, without the item. */
    private boolean insertInto(PointGrid old, int item, long order) {
        PointGrid its = old;
        int cell = its.cell(x);
        if (cell == PointGrid.NONE) {
            its = old.with(x, sets);
            if (!its.isPossible()) {
                grid = null;
                plant(old);
                return false;
            }
            grid = its;
            cell = its.cell(x);
        }
        its.put(cell, sets.insert(its.top(cell), item, order));
        sets.mark(item, cell);
        return true;
    }

    /** Puts the items of the grid into the tree. */
    private void plant(PointGrid from) {
        double[] next = x.clone();
        for (int cell = 0; cell < from.size(); cell++) {
            int top = from.top(cell);
            if (top != ItemHeaps.NONE) {
                from.coordinates(cell, x);
                table.find(x);
                int p = addPoint();
                topOfPoint[p] = top;
                sets.markAll(top, p);
                tree.add(p, sets.order(top), 0);
            }
        }
        System.arraycopy(next, 0, x, 0, dimensions);
    }

    /** After the items of a point have changed. */
    private void renew(int p) {
        int top = topOfPoint[p];
        long order = PointTree.VACANT;
        int rank = 0;
        if (top != ItemHeaps.NONE) {
            order = ranked == null ? sets.order(top) : ranked.lowest(top);
            rank = ranked == null ? 0 : ranked.highestRank(top);
        }
        tree.rerank(p, rank);
        tree.reorder(p, order);
    }

    /** Removes an item that is in the index. */
    public void remove(int item) {
        if (!contains(item)) {
            throw new IllegalStateException("item " + item + " is not in the index");
        }
        size--;
        int p = ranked == null ? sets.mark(item) : ranked.mark(item);
        if (grid != null) {
            grid.put(p, sets.remove(grid.top(p), item));
            return;
        }
        int top = topOfPoint[p];
        topOfPoint[p] = ranked == null ? sets.remove(top, item) : ranked.remove(top, item);
        renew(p);
    }

    /** Improves the answer of the query by the items of this index. */
    public void search(DominanceQuery query) {
        if (size > 0 && grid != null) {
            query.search(grid, sets);
        } else if (size > 0) {
            query.search(tree, topOfPoint, ranked);
        }
    }
}

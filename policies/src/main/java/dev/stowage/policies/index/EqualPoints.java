package dev.stowage.policies.index;

import java.util.Arrays;

/**
 * Items at points of N^D, those at equal points kept together: for searches that no index of linear scores supports,
 * and that visit every distinct point once. Insert and remove are O(D + log n) in the number of items of the point;
 * visiting all points is O(D) for each distinct one, however many items there are.
 */
public final class EqualPoints {
    /** No item. */
    public static final int NONE = -1;

    private final int dimensions;
    private final PointTable table;
    private final ItemHeaps sets = new ItemHeaps();
    private final double[] x;
    private int[] pointOfItem = new int[0];
    private int[] topOfPoint = new int[0];
    /** Points that have items, in no particular order, and where each stands. */
    private int[] points = new int[0];

    private int[] placeOfPoint = new int[0];
    private long[] births = new long[0];
    private long born;
    private int size;

    /** An empty set of points of so many coordinates. */
    public EqualPoints(int dimensions) {
        this.dimensions = dimensions;
        table = new PointTable(dimensions);
        x = new double[dimensions];
    }

    /** Number of distinct points. */
    public int size() {
        return size;
    }

    /** Whether the item has a point. */
    public boolean contains(int item) {
        return sets.contains(item);
    }

    /** A coordinate of the k-th point. */
    public long coordinate(int k, int d) {
        return (long) table.coordinates()[points[k] * dimensions + d];
    }

    /** A number of the k-th point, which others get after it has no item any more. */
    public int number(int k) {
        return points[k];
    }

    /** A number of the k-th point that no other ever has, at least 0; a point without items that has some again is another. */
    public long birth(int k) {
        return births[points[k]];
    }

    /** The item at the k-th point with the lowest order key. */
    public int lowest(int k) {
        return topOfPoint[points[k]];
    }

    /** Adds an item, which has no point, at coordinates 0 to 2^53 - 1. Its order key is its number. */
    public void insert(int item, long[] coordinates) {
        insert(item, item, coordinates);
    }

    /** The same with an order key, different for each item. */
    public void insert(int item, long order, long[] coordinates) {
        for (int d = 0; d < dimensions; d++) {
            x[d] = coordinates[d];
        }
        int point = table.find(x);
        if (point == PointTable.NONE) {
            point = table.add(x);
            grow(point + 1);
            topOfPoint[point] = ItemHeaps.NONE;
            placeOfPoint[point] = size;
            births[point] = born++;
            points[size++] = point;
        }
        topOfPoint[point] = sets.insert(topOfPoint[point], item, order);
        if (item >= pointOfItem.length) {
            pointOfItem = Arrays.copyOf(pointOfItem, ArrayGrowth.atLeast(item + 1, pointOfItem.length));
        }
        pointOfItem[item] = point;
    }

    private void grow(int length) {
        if (length > points.length) {
            int longer = ArrayGrowth.atLeast(length, points.length);
            points = Arrays.copyOf(points, longer);
            placeOfPoint = Arrays.copyOf(placeOfPoint, longer);
            topOfPoint = Arrays.copyOf(topOfPoint, longer);
            births = Arrays.copyOf(births, longer);
        }
    }

    /** Removes an item that has a point. */
    public void remove(int item) {
        int point = pointOfItem[item];
        topOfPoint[point] = sets.remove(topOfPoint[point], item);
        if (topOfPoint[point] == ItemHeaps.NONE) {
            int last = points[--size];
            points[placeOfPoint[point]] = last;
            placeOfPoint[last] = placeOfPoint[point];
            table.release(point);
        }
    }
}

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
    private int[] topOfPoint = new int[0];
    /** Points that have items, in no particular order, and where each stands. */
    private int[] points = new int[0];

    private int[] placeOfPoint = new int[0];
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

    /** One more than the largest number of a point. */
    public int bound() {
        return table.bound();
    }

    /** The number of the point of an item that has one; another point gets it after this one has no item any more. */
    public int point(int item) {
        return sets.mark(item);
    }

    /** A coordinate of the point with a number. */
    public long coordinateOf(int point, int d) {
        return (long) table.coordinates()[point * dimensions + d];
    }

    /** The item with the lowest order key at the point with a number. */
    public int lowestOf(int point) {
        return topOfPoint[point];
    }

    /** The item at the k-th point with the lowest order key. */
    public int lowest(int k) {
        return topOfPoint[points[k]];
    }

    /** Adds an item, which has no point, at coordinates 0 to 2^53 - 1. Its order key is its number. */
    public void insert(int item, long[] coordinates) {
        insert(item, item, coordinates);
    }

    /** The same with an order key, different for each item; true if no other item is at the point. */
    public boolean insert(int item, long order, long[] coordinates) {
        for (int d = 0; d < dimensions; d++) {
            x[d] = coordinates[d];
        }
        int point = table.find(x);
        boolean isNew = point == PointTable.NONE;
        if (isNew) {
            point = table.add(x);
            grow(point + 1);
            topOfPoint[point] = ItemHeaps.NONE;
            placeOfPoint[point] = size;
            points[size++] = point;
        }
        topOfPoint[point] = sets.insert(topOfPoint[point], item, order);
        sets.mark(item, point);
        return isNew;
    }

    private void grow(int length) {
        if (length > points.length) {
            int longer = ArrayGrowth.atLeast(length, points.length);
            points = Arrays.copyOf(points, longer);
            placeOfPoint = Arrays.copyOf(placeOfPoint, longer);
            topOfPoint = Arrays.copyOf(topOfPoint, longer);
        }
    }

    /** Removes an item that has a point; true if no other item is there. */
    public boolean remove(int item) {
        int point = sets.mark(item);
        topOfPoint[point] = sets.remove(topOfPoint[point], item);
        if (topOfPoint[point] == ItemHeaps.NONE) {
            int last = points[--size];
            points[placeOfPoint[point]] = last;
            placeOfPoint[last] = placeOfPoint[point];
            table.release(point);
            return true;
        }
        return false;
    }
}

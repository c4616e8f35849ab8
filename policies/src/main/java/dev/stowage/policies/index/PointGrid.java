package dev.stowage.policies.index;

import java.util.Arrays;

/**
 * The points of a {@link DominanceIndex} in two dimensions as cells of a grid, while few cells hold them: its steps are
 * the greatest common divisors of the coordinates so far, which sizes of virtual machines leave large. A change of a
 * point writes one bit; {@link DominanceQuery} looks at one cell of each row, best row first.
 *
 * <p>A row is a bit for each cell that has items, and a bit for each of its words that has one.
 */
final class PointGrid {
    static final int NONE = -1;

    private static final int MAX_CELLS = 1 << 16;
    private static final int MAX_COLUMNS = Long.SIZE * Long.SIZE;

    private final long[] upper;
    private final long[] steps;
    private final double[] inverses = new double[2];
    /** Coordinate of the rows: that with fewer levels. */
    private int across;

    private int rows;
    private int columns;
    private int words;
    private int[] tops = {};
    private long[] cells = {};
    private long[] filled = {};

    /** An empty grid of two coordinates up to {@code upper}. */
    PointGrid(long[] upper) {
        this(upper, new long[2]);
    }

    private PointGrid(long[] upper, long[] steps) {
        this.upper = upper;
        this.steps = steps;
        for (int d = 0; d < 2; d++) {
            inverses[d] = steps[d] == 0 ? 0 : 1.0 / steps[d];
        }
        across = levels(0) <= levels(1) ? 0 : 1;
        if (levels(1 - across) <= MAX_COLUMNS && levels(0) * levels(1) <= MAX_CELLS) {
            rows = (int) levels(across);
            columns = (int) levels(1 - across);
            words = (columns + Long.SIZE - 1) / Long.SIZE;
            tops = new int[rows * columns];
            Arrays.fill(tops, ItemHeaps.NONE);
            cells = new long[rows * words];
            filled = new long[rows];
        }
    }

    private long levels(int d) {
        return steps[d] == 0 ? 1 : Math.min(upper[d] / steps[d] + 1, 1L << 30);
    }

    /** False if the steps that points need would be too many. */
    boolean isPossible() {
        return rows > 0;
    }

    /** The cell of a point, or {@link #NONE} if it is between two. */
    int cell(double[] x) {
        int one = (int) (x[across] * inverses[across] + 0.5);
        int other = (int) (x[1 - across] * inverses[1 - across] + 0.5);
        boolean isOne = one * steps[across] == (long) x[across];
        return isOne && other * steps[1 - across] == (long) x[1 - across] ? one * columns + other : NONE;
    }

    /** A grid with the same items and a cell for the point, if it is possible. Items get the marks of their cells. */
    PointGrid with(double[] x, ItemHeaps items) {
        PointGrid finer = new PointGrid(upper, new long[] {
            commonDivisor(steps[0], (long) x[0]), commonDivisor(steps[1], (long) x[1]),
        });
        if (finer.isPossible()) {
            double[] point = new double[2];
            for (int cell = 0; cell < tops.length; cell++) {
                if (tops[cell] != ItemHeaps.NONE) {
                    coordinates(cell, point);
                    int its = finer.cell(point);
                    finer.put(its, tops[cell]);
                    items.markAll(tops[cell], its);
                }
            }
        }
        return finer;
    }

    private static long commonDivisor(long a, long b) {
        return b == 0 ? a : commonDivisor(b, a % b);
    }

    int size() {
        return tops.length;
    }

    /** The top of the items in a cell. */
    int top(int cell) {
        return tops[cell];
    }

    void coordinates(int cell, double[] into) {
        int row = cell / columns;
        int column = cell - row * columns;
        into[across] = coordinate(across, row);
        into[1 - across] = coordinate(1 - across, column);
    }

    /** Sets the top of the items in a cell. */
    void put(int cell, int top) {
        boolean changes = (tops[cell] == ItemHeaps.NONE) != (top == ItemHeaps.NONE);
        tops[cell] = top;
        if (changes) {
            int row = cell / columns;
            int column = cell - row * columns;
            int word = row * words + (column >> 6);
            cells[word] ^= 1L << column;
            if (cells[word] == 0) {
                filled[row] &= ~(1L << (column >> 6));
            } else {
                filled[row] |= 1L << (column >> 6);
            }
        }
    }

    /** Which coordinate the rows are. */
    int across() {
        return across;
    }

    /** The last row or column, in a dimension, whose coordinate is not above a limit; below 0 if none is. */
    int last(int d, double limit) {
        if (limit < 0) {
            return NONE;
        }
        int all = (d == across ? rows : columns) - 1;
        if (steps[d] == 0 || limit >= upper[d]) {
            return all;
        }
        int level = (int) (limit * inverses[d]);
        if ((level + 1) * steps[d] <= limit) {
            level++;
        } else if (level * steps[d] > limit) {
            level--;
        }
        return Math.min(level, all);
    }

    /** The coordinate of a row or column. */
    double coordinate(int d, int level) {
        return (double) level * steps[d];
    }

    int topAt(int row, int column) {
        return tops[row * columns + column];
    }

    /** The last column, up to one, in which a row has items, or {@link #NONE}. */
    int lastColumn(int row, int upTo) {
        if (upTo < 0) {
            return NONE;
        }
        int at = upTo >> 6;
        long word = cells[row * words + at] & (-1L >>> (63 - (upTo & 63)));
        if (word == 0) {
            long before = filled[row] & ((1L << at) - 1);
            if (before == 0) {
                return NONE;
            }
            at = 63 - Long.numberOfLeadingZeros(before);
            word = cells[row * words + at];
        }
        return (at << 6) + 63 - Long.numberOfLeadingZeros(word);
    }

    /** The first column, from one and up to one, in which a row has items, or {@link #NONE}. */
    int firstColumn(int row, int from, int upTo) {
        if (from > upTo) {
            return NONE;
        }
        int at = from >> 6;
        long word = cells[row * words + at] & (-1L << from);
        if (word == 0) {
            long after = at == Long.SIZE - 1 ? 0 : filled[row] & (-1L << (at + 1));
            if (after == 0) {
                return NONE;
            }
            at = Long.numberOfTrailingZeros(after);
            word = cells[row * words + at];
        }
        int column = (at << 6) + Long.numberOfTrailingZeros(word);
        return column <= upTo ? column : NONE;
    }
}

package dev.stowage.policies.parallel;

import java.util.Arrays;

/**
 * How long each row makes its tasks run, updated as tasks come and go. The job completion time is the largest of a
 * placement's row times, for each way to divide the resource.
 */
abstract class RowTimes {
    final double[] limit;
    /** The data of row k, from index k x {@link #width} on. */
    final double[] state;

    final int width;

    RowTimes(Limits limits, int width) {
        this.limit = limits.limit;
        this.width = width;
        this.state = new double[limits.rows() * width];
    }

    /** A task comes into a row. */
    abstract void add(int row, double coefficient, double equivalentLoad);

    /** A task leaves a row: for good where {@link #knowsWithout} says so, else to be put back by {@link #restore}. */
    abstract void remove(int row, double coefficient, double equivalentLoad);

    /**
     * Whether the data of a row are complete after a task of that load has left; if not, its tasks must be added anew.
     */
    abstract boolean knowsWithout(int row, double equivalentLoad);

    /** Time of a row; 0 if it is empty. */
    abstract double time(int row);

    /** Time of a row if a task came into it. */
    abstract double timeWith(int row, double coefficient, double equivalentLoad);

    final void clear(int row) {
        Arrays.fill(state, row * width, (row + 1) * width, 0);
    }

    final void save(int row, double[] to, int slot) {
        System.arraycopy(state, row * width, to, slot * width, width);
    }

    final void restore(int row, double[] from, int slot) {
        System.arraycopy(from, slot * width, state, row * width, width);
    }
}

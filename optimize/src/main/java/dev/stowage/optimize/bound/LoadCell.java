package dev.stowage.optimize.bound;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;

/**
 * A part of a load: requests whose demands lie between two vectors. A type of fixed demand is a cell of one point.
 *
 * @param least no request demands less of a resource
 * @param most no request demands more of a resource
 * @param load mean number in service; or a probability, if the total load is one request in service on average
 * @param kind requests of one kind may run on the same classes of servers ({@link ServerClass#admits})
 */
public record LoadCell(long[] least, long[] most, double load, int kind) {
    /** Checks order and load. */
    public LoadCell {
        least = least.clone();
        most = most.clone();
        if (!(load >= 0 && load < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("load " + load + ", must be 0 or more");
        }
        if (least.length != most.length) {
            throw new IllegalArgumentException(
                    least.length + " lower and " + most.length + " upper amounts, must be the same number");
        }
        for (int r = 0; r < least.length; r++) {
            if (least[r] < 0 || least[r] > most[r]) {
                throw new IllegalArgumentException("resource " + r + ": demands from " + least[r] + " to " + most[r]
                        + ", must be at least 0 and rising");
            }
        }
    }

    /** Requests of kind 0. */
    public LoadCell(long[] least, long[] most, double load) {
        this(least, most, load, 0);
    }

    /** The same of another kind. */
    public LoadCell ofKind(int newKind) {
        return new LoadCell(least, most, load, newKind);
    }

    /** Requests that all demand the same. */
    public static LoadCell of(long[] demand, double load) {
        return new LoadCell(demand, demand, load);
    }

    /**
     * The distribution of whole sizes of one resource, cut into cells at multiples of a grid, and at every size that
     * alone has the mass of a cell or more: such a size is a cell of one point.
     *
     * @param atMost probability that a size is at most so many units; does not fall
     * @param largest the size at which it reaches 1
     * @param grid number of cells, about
     */
    public static List<LoadCell> distribution(LongToDoubleFunction atMost, long largest, int grid) {
        if (largest < 1 || grid < 1) {
            throw new IllegalArgumentException(
                    "sizes up to " + largest + " in " + grid + " cells, must be at least 1 of each");
        }
        long step = (largest + grid - 1) / grid;
        List<LoadCell> cells = new ArrayList<>();
        for (long from = 0; from < largest; from += Math.min(step, largest - from)) {
            cut(atMost, from, from + Math.min(step, largest - from), 1.0 / grid, cells);
        }
        return cells;
    }

    /** Halves (from, to] until each part is light enough or a single point. */
    private static void cut(LongToDoubleFunction atMost, long from, long to, double heavy, List<LoadCell> cells) {
        double mass = atMost.applyAsDouble(to) - atMost.applyAsDouble(from);
        if (!(mass >= 0)) {
            throw new IllegalArgumentException(
                    "the probability falls by " + -mass + " between sizes " + from + " and " + to);
        }
        if (mass == 0) {
            return;
        }
        if (to - from == 1) {
            cells.add(of(new long[] {to}, mass));
        } else if (mass < 4 * heavy) {
            // From `from`, a multiple of the grid, rather than `from` + 1: few distinct amounts.
            cells.add(new LoadCell(new long[] {from}, new long[] {to}, mass));
        } else {
            long middle = from + (to - from) / 2;
            cut(atMost, from, middle, heavy, cells);
            cut(atMost, middle, to, heavy, cells);
        }
    }
}

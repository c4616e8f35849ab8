package dev.stowage.sim.statistics;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/**
 * A quantity that changes by steps, downsampled to the equal intervals of a {@link TimeGrid}: time average, minimum and
 * maximum in each. Merging intervals is exact: the result is the same as if the final width had been used from the
 * start.
 *
 * <p>Only values held for some time count: several changes at one instant count as the last of them. An integral is
 * an exact integer; {@link #meanFrom} rounds three times (integral, duration, quotient): relative error below 4e-16. A
 * change costs O(1) amortized and allocates nothing. Results cover the time up to the last {@link #advance}. The last
 * interval may be shorter than the others: it ends where the run ends. Not thread-safe.
 */
public final class Trajectory {
    private final long startNanos;
    private final Int128[] integral;
    private final long[] min;
    private final long[] max;
    private final long keptFromNanos;
    /** Before {@code keptFromNanos}. */
    private final Int128 cutIntegral = new Int128();
    /** Since {@code keptFromNanos}. */
    private long keptMax = Long.MIN_VALUE;

    private long widthNanos;
    /** The intervals include everything before this instant. */
    private long nowNanos;
    /** Value since {@code nowNanos}. */
    private long held;
    /**
     * The latest change: a value that comes and goes in one instant (placed on arrival) never reaches the intervals.
     */
    private long changeNanos;

    private long value;
    /** The interval that {@code nowNanos} lies in or ends, and its end. */
    private int open;

    private long openEndNanos;

    /** The quantity has {@code value} at the start of the grid. */
    public Trajectory(TimeGrid grid, long value) {
        this.startNanos = grid.startNanos();
        this.widthNanos = grid.widthNanos();
        this.keptFromNanos = grid.keptFromNanos();
        this.nowNanos = startNanos;
        this.held = value;
        this.changeNanos = startNanos;
        this.value = value;
        this.integral = new Int128[grid.maxIntervals()];
        Arrays.setAll(integral, i -> new Int128());
        this.min = new long[grid.maxIntervals()];
        this.max = new long[grid.maxIntervals()];
        clear(0);
    }

    /**
     * The quantity becomes {@code newValue} at {@code timeNanos}.
     *
     * @throws IllegalArgumentException if time runs backwards
     */
    public void set(long timeNanos, long newValue) {
        if (timeNanos != changeNanos) {
            settle(timeNanos);
        }
        value = newValue;
    }

    /** The quantity changes by {@code change} at {@code timeNanos}. */
    public void add(long timeNanos, long change) {
        set(timeNanos, value + change);
    }

    /** The quantity keeps its value until {@code timeNanos}; to be called at the end of the run. */
    public void advance(long timeNanos) {
        settle(timeNanos);
        fill(timeNanos);
    }

    /** Writes it as it is after {@link #advance}; {@link #read} makes an equal one. */
    public void write(StateWriter out) {
        out.putNumber(widthNanos);
        out.putNumber(nowNanos);
        out.putNumber(held);
        out.putNumber(changeNanos);
        out.putNumber(value);
        out.putNumber(keptMax);
        cutIntegral.write(out);
        out.putNumber(open);
        for (int i = 0; i <= open; i++) {
            integral[i].write(out);
            out.putNumber(min[i]);
            out.putNumber(max[i]);
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @param grid the grid it was made with
     */
    public static Trajectory read(StateReader in, TimeGrid grid) {
        Trajectory trajectory = new Trajectory(grid, 0);
        trajectory.widthNanos = in.getNumber();
        trajectory.nowNanos = in.getNumber();
        trajectory.held = in.getNumber();
        trajectory.changeNanos = in.getNumber();
        trajectory.value = in.getNumber();
        trajectory.keptMax = in.getNumber();
        trajectory.cutIntegral.read(in);
        trajectory.open = (int) in.getNumber();
        trajectory.openEndNanos = trajectory.startNanos(trajectory.open + 1);
        for (int i = 0; i <= trajectory.open; i++) {
            trajectory.integral[i].read(in);
            trajectory.min[i] = in.getNumber();
            trajectory.max[i] = in.getNumber();
        }
        return trajectory;
    }

    /** Intervals in use: all up to the current time. */
    public int size() {
        return nowNanos == startNanos ? 0 : open + 1;
    }

    /** Width of every interval but the last, which may be shorter. */
    public long widthNanos() {
        return widthNanos;
    }

    /** Start of interval {@code i}; {@code i = size()} is allowed and gives the start of the one that would follow. */
    public long startNanos(int i) {
        return startNanos + i * widthNanos;
    }

    /** Time of the last {@link #advance}: end of the last interval. */
    public long endNanos() {
        return nowNanos;
    }

    /** Intervals that are complete, i.e. of full width. */
    public int complete() {
        int size = size();
        return size > 0 && lengthNanos(size - 1) < widthNanos ? size - 1 : size;
    }

    /** Time average over interval {@code i}. */
    public double mean(int i) {
        return integral[inUse(i)].toDouble() / lengthNanos(i);
    }

    /** Smallest value held in interval {@code i}. */
    public long min(int i) {
        return min[inUse(i)];
    }

    /** Largest value held in interval {@code i}. */
    public long max(int i) {
        return max[inUse(i)];
    }

    /** First interval that starts at or after an instant; at most {@link #size}. */
    public int intervalFrom(long nanos) {
        return (int) Math.min(size(), TimeGrid.intervalFrom(startNanos, widthNanos, Math.max(startNanos, nanos)));
    }

    /**
     * Time average from an instant to the end; NaN if the instant is the end.
     *
     * @param nanos start of an interval, or the grid's {@link TimeGrid#keptFromNanos}
     */
    public double meanFrom(long nanos) {
        if (nanos >= nowNanos) {
            return Double.NaN;
        }
        Int128 sum = new Int128();
        for (int i = exactly(nanos) ? 0 : interval(nanos); i < size(); i++) {
            sum.add(integral[i]);
        }
        if (exactly(nanos)) {
            sum.subtract(cutIntegral);
        }
        return sum.toDouble() / (nowNanos - nanos);
    }

    /**
     * Largest value held from an instant on; the current value if the instant is the end.
     *
     * @param nanos start of an interval, or the grid's {@link TimeGrid#keptFromNanos}
     */
    public long maxFrom(long nanos) {
        if (nanos >= nowNanos) {
            return value;
        }
        long largest = exactly(nanos) ? keptMax : Long.MIN_VALUE;
        for (int i = exactly(nanos) ? size() : interval(nanos); i < size(); i++) {
            largest = Math.max(largest, max[i]);
        }
        return largest;
    }

    private boolean exactly(long nanos) {
        return nanos == keptFromNanos;
    }

    private int interval(long nanos) {
        if ((nanos - startNanos) % widthNanos != 0) {
            throw new IllegalArgumentException(nanos + " ns is not the start of an interval of " + widthNanos
                    + " ns, and not " + keptFromNanos + " ns, from which the run is kept");
        }
        return (int) ((nanos - startNanos) / widthNanos);
    }

    /** Current value; the final one once the run has ended. */
    public long value() {
        return value;
    }

    /**
     * Time averages of the complete intervals from {@code first} on: these are equally long, as statistical tests need
     * them.
     */
    public double[] completeMeansFrom(int first) {
        double[] means = new double[Math.max(0, complete() - first)];
        Arrays.setAll(means, i -> mean(first + i));
        return means;
    }

    private long lengthNanos(int i) {
        return i == open ? nowNanos - startNanos(i) : widthNanos;
    }

    private int inUse(int i) {
        if (i < 0 || i >= size()) {
            throw new IndexOutOfBoundsException("interval " + i + ", must be 0 to " + (size() - 1));
        }
        return i;
    }

    /** Makes the latest change final and turns to a later time. */
    private void settle(long timeNanos) {
        if (timeNanos < changeNanos) {
            throw new IllegalArgumentException("time " + timeNanos + " ns is before the last change at " + changeNanos
                    + " ns; changes must come in order of time");
        }
        if (value != held) {
            fill(changeNanos);
            held = value;
        }
        changeNanos = timeNanos;
    }

    /** Brings the intervals up to a time with the held value. */
    private void fill(long timeNanos) {
        if (nowNanos < keptFromNanos && timeNanos >= keptFromNanos) {
            fillIntervals(keptFromNanos);
            for (int i = 0; i <= open; i++) {
                cutIntegral.add(integral[i]);
            }
        }
        fillIntervals(timeNanos);
    }

    private void fillIntervals(long timeNanos) {
        while (timeNanos > openEndNanos) {
            hold(openEndNanos);
            next();
        }
        hold(timeNanos);
    }

    /** Holds the value until a time inside the open interval or at its end. */
    private void hold(long timeNanos) {
        if (timeNanos == nowNanos) {
            return;
        }
        integral[open].addProduct(held, timeNanos - nowNanos);
        min[open] = Math.min(min[open], held);
        max[open] = Math.max(max[open], held);
        if (nowNanos >= keptFromNanos) {
            keptMax = Math.max(keptMax, held);
        }
        nowNanos = timeNanos;
    }

    /** Opens the interval after the open one, which has just been filled to its end. */
    private void next() {
        if (open + 1 == integral.length) {
            mergePairs();
        }
        clear(open + 1);
    }

    private void mergePairs() {
        int half = integral.length / 2;
        for (int i = 0; i < half; i++) {
            Int128 spare = integral[i];
            integral[i] = integral[2 * i];
            integral[i].add(integral[2 * i + 1]);
            integral[2 * i] = spare;
            min[i] = Math.min(min[2 * i], min[2 * i + 1]);
            max[i] = Math.max(max[2 * i], max[2 * i + 1]);
        }
        widthNanos *= 2;
        open = half - 1;
    }

    private void clear(int i) {
        open = i;
        openEndNanos = startNanos + (i + 1) * widthNanos;
        integral[i].clear();
        min[i] = Long.MAX_VALUE;
        max[i] = Long.MIN_VALUE;
    }
}

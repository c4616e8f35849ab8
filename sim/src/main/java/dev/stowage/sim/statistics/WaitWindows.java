package dev.stowage.sim.statistics;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Waits by request type and by window of time, so that a warm-up chosen after the run can still be cut, and so that the
 * windows can serve as batches of a long run. Windows merge in pairs as a {@link TimeGrid} says; they start where the
 * run is kept from. Not thread-safe.
 */
public final class WaitWindows {
    private final long startNanos;
    private long widthNanos;
    private final @Nullable WaitStatistics[][] byWindowAndType;

    /**
     * @param grid the windows, {@code trajectoryGrid.coarser(TimeGrid.WINDOW)} to fit the trajectories of the run
     * @param types number of request types
     */
    public WaitWindows(TimeGrid grid, int types) {
        this.startNanos = grid.keptFromNanos();
        this.widthNanos = grid.widthNanos();
        this.byWindowAndType = new @Nullable WaitStatistics[grid.maxIntervals()][types];
    }

    /**
     * A request of type {@code type} waited {@code waitNanos}; left out if it arrived in the warm-up.
     *
     * @param timeNanos arrival of the request, which decides whether it is in the warm-up; need not be in order
     */
    public void add(long timeNanos, int type, long waitNanos) {
        if (timeNanos < startNanos) {
            return;
        }
        long window = (timeNanos - startNanos) / widthNanos;
        while (window >= byWindowAndType.length) {
            mergePairs();
            window /= 2;
        }
        at((int) window, type).add(waitNanos);
    }

    /** Writes all of it; {@link #read} makes an equal one. */
    public void write(StateWriter out) {
        out.putNumber(widthNanos);
        for (int window = 0; window < byWindowAndType.length; window++) {
            for (int type = 0; type < types(); type++) {
                WaitStatistics part = byWindowAndType[window][type];
                if (part != null) {
                    out.putNumber((long) window * types() + type + 1);
                    part.write(out);
                }
            }
        }
        out.putNumber(0);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @param grid the grid it was made with
     * @param types number of request types
     */
    public static WaitWindows read(StateReader in, TimeGrid grid, int types) {
        WaitWindows windows = new WaitWindows(grid, types);
        windows.widthNanos = in.getNumber();
        for (long place = in.getNumber(); place > 0; place = in.getNumber()) {
            windows.byWindowAndType[(int) ((place - 1) / types)][(int) ((place - 1) % types)] = WaitStatistics.read(in);
        }
        return windows;
    }

    /** Width of the windows now. */
    public long widthNanos() {
        return widthNanos;
    }

    /** Merges until windows are at least this wide, as those of a trajectory that went on after the last wait. */
    public void widenTo(long leastWidthNanos) {
        while (widthNanos < leastWidthNanos) {
            mergePairs();
        }
    }

    /** First window that starts at or after {@code timeNanos}: the first one that is kept if the warm-up ends then. */
    public int windowFrom(long timeNanos) {
        long sinceStart = Math.max(0, timeNanos - startNanos);
        return (int) Math.min(byWindowAndType.length, (sinceStart + widthNanos - 1) / widthNanos);
    }

    /** Waits of all types from window {@code first} on. */
    public WaitStatistics allFrom(int first) {
        return between(first, byWindowAndType.length, 0, types());
    }

    /** Waits of one type from window {@code first} on. */
    public WaitStatistics typeFrom(int type, int first) {
        return between(first, byWindowAndType.length, type, type + 1);
    }

    /** Waits of all types in one window. */
    public WaitStatistics window(int window) {
        return between(window, window + 1, 0, types());
    }

    /** Number of request types. */
    public int types() {
        return byWindowAndType[0].length;
    }

    private WaitStatistics between(int firstWindow, int endWindow, int firstType, int endType) {
        WaitStatistics sum = new WaitStatistics();
        for (int window = firstWindow; window < endWindow; window++) {
            for (int type = firstType; type < endType; type++) {
                WaitStatistics part = byWindowAndType[window][type];
                if (part != null) {
                    sum.add(part);
                }
            }
        }
        return sum;
    }

    private WaitStatistics at(int window, int type) {
        WaitStatistics found = byWindowAndType[window][type];
        if (found == null) {
            found = new WaitStatistics();
            byWindowAndType[window][type] = found;
        }
        return found;
    }

    private void mergePairs() {
        int half = byWindowAndType.length / 2;
        for (int i = 0; i < half; i++) {
            @Nullable WaitStatistics[] merged = byWindowAndType[2 * i];
            mergeInto(merged, byWindowAndType[2 * i + 1]);
            byWindowAndType[2 * i] = byWindowAndType[i];
            byWindowAndType[i] = merged;
        }
        for (int i = half; i < byWindowAndType.length; i++) {
            Arrays.fill(byWindowAndType[i], null);
        }
        widthNanos *= 2;
    }

    private static void mergeInto(@Nullable WaitStatistics[] target, @Nullable WaitStatistics[] source) {
        for (int type = 0; type < target.length; type++) {
            WaitStatistics from = source[type];
            WaitStatistics to = target[type];
            if (from != null && to != null) {
                to.add(from);
            } else if (from != null) {
                target[type] = from;
            }
        }
    }
}

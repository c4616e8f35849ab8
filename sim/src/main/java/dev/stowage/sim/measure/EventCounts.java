package dev.stowage.sim.measure;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.sim.statistics.TimeGrid;
import java.util.Arrays;

/**
 * Counts of events of several kinds in the intervals of a {@link TimeGrid}, so that a warm-up can be cut afterwards.
 */
final class EventCounts {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int[] NONE = {};

    private final long startNanos;
    private final int kinds;
    private final int maxIntervals;
    private final long keptFromNanos;
    private final long[] counts;
    /** By kind, since {@code keptFromNanos}. */
    private final long[] kept;

    private long widthNanos;
    /** How many more stretches of a kind cover each interval wholly than the one before; empty if there is none. */
    private int[] covered = NONE;

    private int coveredKind;

    EventCounts(TimeGrid grid, int kinds) {
        this.startNanos = grid.startNanos();
        this.widthNanos = grid.widthNanos();
        this.maxIntervals = grid.maxIntervals();
        this.kinds = kinds;
        this.keptFromNanos = grid.keptFromNanos();
        this.counts = new long[maxIntervals * kinds];
        this.kept = new long[kinds];
    }

    /** An event of a kind happened. O(1) amortized. */
    void add(long timeNanos, int kind) {
        add(timeNanos, kind, 1);
    }

    /** Adds {@code amount} events of a kind, or an amount of what is counted. */
    void add(long timeNanos, int kind, long amount) {
        long interval = (timeNanos - startNanos) / widthNanos;
        while (interval >= maxIntervals) {
            mergePairs();
            interval /= 2;
        }
        counts[(int) interval * kinds + kind] += amount;
        if (timeNanos >= keptFromNanos) {
            kept[kind] += amount;
        }
    }

    /**
     * Adds the milliseconds from one instant to a later one, which may have passed, each in its interval; always of the
     * same kind. O(1) amortized: intervals that it covers wholly are added up later.
     */
    void addMillis(long fromNanos, long toNanos, int kind) {
        kept[kind] += Math.max(0, millis(toNanos) - millis(Math.max(fromNanos, keptFromNanos)));
        while ((toNanos - 1 - startNanos) / widthNanos >= maxIntervals) {
            mergePairs();
        }
        int first = (int) ((fromNanos - startNanos) / widthNanos);
        int last = (int) ((toNanos - 1 - startNanos) / widthNanos);
        if (first == last) {
            counts[first * kinds + kind] += millis(toNanos) - millis(fromNanos);
            return;
        }
        counts[first * kinds + kind] += millis(begin(first + 1)) - millis(fromNanos);
        counts[last * kinds + kind] += millis(toNanos) - millis(begin(last));
        if (covered.length == 0) {
            covered = new int[maxIntervals];
        }
        coveredKind = kind;
        covered[first + 1]++;
        covered[last]--;
    }

    private static long millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }

    private long begin(int interval) {
        return startNanos + interval * widthNanos;
    }

    /** Adds what is covered wholly. */
    private void addCovered() {
        int times = 0;
        for (int interval = 0; interval < covered.length; interval++) {
            times += covered[interval];
            counts[interval * kinds + coveredKind] += times * (millis(begin(interval + 1)) - millis(begin(interval)));
        }
        covered = NONE;
    }

    /** Writes everything; {@link #read} makes an equal object. */
    void write(StateWriter out) {
        addCovered();
        out.putNumber(widthNanos);
        for (long count : kept) {
            out.putNumber(count);
        }
        int used = counts.length;
        while (used > 0 && counts[used - 1] == 0) {
            used--;
        }
        out.putNumber(used);
        for (int i = 0; i < used; i++) {
            out.putNumber(counts[i]);
        }
    }

    /** Reads what {@link #write} wrote, for this number of kinds and this grid. */
    static EventCounts read(StateReader in, TimeGrid grid, int kinds) {
        EventCounts events = new EventCounts(grid, kinds);
        events.widthNanos = in.getNumber();
        Arrays.setAll(events.kept, kind -> in.getNumber());
        int used = (int) in.getNumber();
        for (int i = 0; i < used; i++) {
            events.counts[i] = in.getNumber();
        }
        return events;
    }

    /** Events of a kind in each of the intervals first..first+length-1, as wide as {@code widthNanos}. */
    double[] pieces(int kind, int first, int length, long wantedWidthNanos) {
        while (widthNanos < wantedWidthNanos) {
            mergePairs();
        }
        addCovered();
        double[] pieces = new double[length];
        Arrays.setAll(pieces, i -> first + i < maxIntervals ? counts[(first + i) * kinds + kind] : 0);
        return pieces;
    }

    /** Events of a kind from an instant on: the start of an interval, or the grid's {@link TimeGrid#keptFromNanos}. */
    long from(long timeNanos, int kind) {
        if (timeNanos == keptFromNanos) {
            return kept[kind];
        }
        addCovered();
        long sum = 0;
        long first = (timeNanos - startNanos + widthNanos - 1) / widthNanos;
        for (int interval = (int) Math.min(maxIntervals, first); interval < maxIntervals; interval++) {
            sum += counts[interval * kinds + kind];
        }
        return sum;
    }

    private void mergePairs() {
        addCovered();
        for (int interval = 0; interval < maxIntervals; interval++) {
            for (int kind = 0; kind < kinds; kind++) {
                int left = 2 * interval * kinds + kind;
                boolean inside = 2 * interval + 1 < maxIntervals;
                counts[interval * kinds + kind] = inside ? counts[left] + counts[left + kinds] : 0;
            }
        }
        widthNanos *= 2;
    }
}

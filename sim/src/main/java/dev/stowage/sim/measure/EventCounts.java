package dev.stowage.sim.measure;

import dev.stowage.sim.statistics.TimeGrid;
import java.util.Arrays;

/** Counts of events of several kinds in the intervals of a {@link TimeGrid}, so that a warm-up can be cut afterwards. */
final class EventCounts {
    private final long startNanos;
    private final int kinds;
    private final int maxIntervals;
    private final long[] counts;
    private long widthNanos;

    EventCounts(TimeGrid grid, int kinds) {
        this.startNanos = grid.startNanos();
        this.widthNanos = grid.widthNanos();
        this.maxIntervals = grid.maxIntervals();
        this.kinds = kinds;
        this.counts = new long[maxIntervals * kinds];
    }

    /** An event of a kind happened. O(1) amortized. */
    void add(long timeNanos, int kind) {
        long interval = (timeNanos - startNanos) / widthNanos;
        while (interval >= maxIntervals) {
            mergePairs();
            interval /= 2;
        }
        counts[(int) interval * kinds + kind]++;
    }

    /** Events of a kind in each of the intervals first..first+length-1, as wide as {@code widthNanos}. */
    double[] pieces(int kind, int first, int length, long wantedWidthNanos) {
        while (widthNanos < wantedWidthNanos) {
            mergePairs();
        }
        double[] pieces = new double[length];
        Arrays.setAll(pieces, i -> first + i < maxIntervals ? counts[(first + i) * kinds + kind] : 0);
        return pieces;
    }

    /** Events of a kind from an instant on, which must be the start of an interval. */
    long from(long timeNanos, int kind) {
        long sum = 0;
        for (int interval = (int) ((timeNanos - startNanos) / widthNanos); interval < maxIntervals; interval++) {
            sum += counts[interval * kinds + kind];
        }
        return sum;
    }

    private void mergePairs() {
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

package dev.stowage.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.LongStream;

/** How long calls took, of one turn or several, nanoseconds. */
record Waits(long[] sorted) {
    static final String HEAD = "p50, p99, p99.9, longest, ms";

    static Waits of(LongStream nanos) {
        return new Waits(nanos.sorted().toArray());
    }

    /** This and other turns together. */
    Waits and(Waits other) {
        return of(LongStream.concat(Arrays.stream(sorted), Arrays.stream(other.sorted)));
    }

    /** Milliseconds within which a part of them ended. */
    double millis(double part) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, part * sorted.length)] / 1e6;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%.2f, %.2f, %.2f, %.2f", millis(0.5), millis(0.99), millis(0.999), millis(1));
    }
}

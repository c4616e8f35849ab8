package dev.stowage.kube.metrics;

import dev.stowage.core.metrics.PrometheusText;
import java.util.Arrays;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** How often values were at most each of some bounds, for metrics; used by any thread. */
public final class Histogram {
    private final double[] bounds;
    /** One more than bounds: those above all. */
    private final LongAdder[] counts;

    private final DoubleAdder sum = new DoubleAdder();

    private Histogram(double[] bounds) {
        this.bounds = bounds;
        counts = new LongAdder[bounds.length + 1];
        Arrays.setAll(counts, k -> new LongAdder());
    }

    /** With bounds of which each is twice the one before. */
    public static Histogram doubling(double first, int bounds) {
        double[] all = new double[bounds];
        Arrays.setAll(all, k -> first * (1L << k));
        return new Histogram(all);
    }

    /** Adds a value. */
    public void add(double value) {
        int k = Arrays.binarySearch(bounds, value);
        counts[k >= 0 ? k : -k - 1].increment();
        sum.add(value);
    }

    /** Adds the seconds since a moment of {@link System#nanoTime}. */
    public void addSince(long nanos) {
        add((System.nanoTime() - nanos) / 1e9);
    }

    /** The values so far. */
    public PrometheusText.Buckets values() {
        return new PrometheusText.Buckets(
                bounds, Arrays.stream(counts).mapToLong(LongAdder::sum).toArray(), sum.sum());
    }
}

package dev.stowage.core.random;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The distribution of lifetimes of which some are censored, known only to be longer than observed: the product-limit
 * estimator (E. L. Kaplan and P. Meier, Nonparametric Estimation from Incomplete Observations, 1958, section 2). The
 * longest time seen counts as an end, as nothing is known beyond it (B. Efron, The two sample problem with censored
 * data, 1967).
 */
public final class KaplanMeier {
    /** Times at which lifetimes end, increasing. */
    private final long[] times;
    /** Part of the lifetimes that is longer than each of these times. */
    private final double[] survival;

    private KaplanMeier(long[] times, double[] survival) {
        this.times = times;
        this.survival = survival;
    }

    /**
     * The estimate from observed lifetimes. O(n log n).
     *
     * @param nanos how long each was observed, at least one
     * @param ended whether it ended then; otherwise it is longer
     */
    public static KaplanMeier of(long[] nanos, boolean[] ended) {
        if (nanos.length == 0 || nanos.length != ended.length) {
            throw new IllegalArgumentException(
                    nanos.length + " lifetimes and " + ended.length + " ends, must be the same number, at least 1");
        }
        Integer[] order = new Integer[nanos.length];
        Arrays.setAll(order, i -> i);
        // At equal times ended lifetimes come before censored ones.
        Arrays.sort(order, Comparator.<Integer>comparingLong(i -> nanos[i]).thenComparing(i -> !ended[i]));
        long[] times = new long[nanos.length];
        double[] survival = new double[nanos.length];
        int size = 0;
        double alive = 1;
        for (int i = 0; i < order.length; i++) {
            boolean last = i == order.length - 1;
            if (ended[order[i]] || last) {
                int atRisk = order.length - i;
                alive = last ? 0 : alive * (atRisk - 1) / atRisk;
                if (size > 0 && times[size - 1] == nanos[order[i]]) {
                    size--;
                }
                times[size] = nanos[order[i]];
                survival[size++] = alive;
            }
        }
        return new KaplanMeier(Arrays.copyOf(times, size), Arrays.copyOf(survival, size));
    }

    /** Estimated part of the lifetimes that is longer. */
    public double longerThan(long nanos) {
        int at = Arrays.binarySearch(times, nanos);
        int index = at >= 0 ? at : -at - 2;
        return index < 0 ? 1 : survival[index];
    }

    /**
     * Quantile of the lifetimes that are longer than observed: a part of them is not longer than the result.
     *
     * @param seenNanos how long it was observed without an end; 0 for a new one
     * @param part from 0 to below 1
     * @return at least {@code seenNanos}
     */
    public long quantile(long seenNanos, double part) {
        double left = longerThan(seenNanos) * (1 - part);
        int low = 0;
        int high = times.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (survival[middle] < left || survival[middle] == 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return Math.max(seenNanos, times[low]);
    }
}

package dev.stowage.optimize.bound;

import java.util.Arrays;

/**
 * The heaviest configuration of a server of one resource, by dynamic programming over the amounts up to its capacity:
 * amounts x types steps, even if the types are nearly equal. Amounts are counted in their greatest common divisor.
 */
final class OneResource {
    /** Largest table: 2 MB. */
    static final int MOST_AMOUNTS = 1 << 18;

    private static final int NONE = -1;

    private final int[] size;
    private final long[] weightOf;
    private final int[] last;

    OneResource(long capacity, long[][] demand, long unit) {
        size = new int[demand.length];
        for (int j = 0; j < size.length; j++) {
            if (demand[j][0] <= 0) {
                throw new IllegalArgumentException("type " + j + " demands " + demand[j][0] + ", must be at least 1");
            }
            size[j] = demand[j][0] <= capacity ? (int) (demand[j][0] / unit) : MOST_AMOUNTS + 1;
        }
        weightOf = new long[(int) (capacity / unit) + 1];
        last = new int[weightOf.length];
    }

    /** The greatest common divisor of the demands that fit; capacity beyond a multiple of it holds nothing. */
    static long unit(long capacity, long[][] demand) {
        long unit = 0;
        for (long[] each : demand) {
            if (each[0] <= capacity) {
                unit = gcd(unit, each[0]);
            }
        }
        return unit == 0 ? Math.max(1, capacity) : unit;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** As {@link Pricer#best}, exact. */
    long best(long[] weight, int[] counts) {
        Arrays.fill(weightOf, 0);
        Arrays.fill(last, NONE);
        for (int j = 0; j < size.length; j++) {
            if (weight[j] > 0) {
                add(j, weight[j]);
            }
        }
        Arrays.fill(counts, 0);
        // A later type that improves the amount before a step improves the step's own amount as well, so the steps
        // agree.
        for (int amount = weightOf.length - 1; last[amount] != NONE; amount -= size[last[amount]]) {
            counts[last[amount]]++;
        }
        return weightOf[weightOf.length - 1];
    }

    private void add(int type, long weight) {
        for (int amount = size[type]; amount < weightOf.length; amount++) {
            long with = weightOf[amount - size[type]] + weight;
            if (with > weightOf[amount]) {
                weightOf[amount] = with;
                last[amount] = type;
            }
        }
    }
}

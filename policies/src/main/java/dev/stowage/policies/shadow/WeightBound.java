package dev.stowage.policies.shadow;

import java.util.Arrays;

/**
 * Two bounds of the weight of a block's heaviest configuration if they are not listed, updated in O(1) per arrival:
 *
 * <ul>
 * <li>above, the lesser of two values of a server that is filled by fractions, at prices of the resources: with the
 * type of the greatest weight per price; and the last exact weight plus the same for the growth of the queues since;
 * <li>below, the present weight of the configuration that was heaviest last time.
 * </ul>
 */
final class WeightBound {
    /** Relative margin above the rounding errors of a bound computed in doubles. */
    private static final double MARGIN = 1 + 1e-9;

    private final ConfigurationSet configurations;
    /** The cost of a request of each type as a part of a server's cost; any prices give valid bounds. */
    private final double[] part;
    /** By how much the queues grew since the weight was settled. */
    private final long[] grown;
    /** Counts of the configuration that was heaviest then. */
    private final int[] found;

    private long settled;
    private double largestGain;
    private double largest;
    private long lower;

    WeightBound(ConfigurationSet configurations, int types) {
        this.configurations = configurations;
        part = new double[types];
        grown = new long[types];
        found = new int[types];
        configurations.parts(part);
    }

    long lower() {
        return lower;
    }

    long upper() {
        long kept = settled + (long) StrictMath.ceil(largestGain * MARGIN);
        return Math.min(kept, (long) StrictMath.ceil(largest * MARGIN));
    }

    /** The queue of a type grew to this length. */
    void added(int type, long added, long length) {
        lower += found[type] * added;
        grown[type] += added;
        largestGain = Math.max(largestGain, grown[type] / part[type]);
        largest = Math.max(largest, length / part[type]);
    }

    /** The queues became shorter. */
    void shortened(long[] lengths) {
        lower = 0;
        largest = 0;
        for (int type = 0; type < lengths.length; type++) {
            if (lengths[type] > 0) {
                lower += found[type] * lengths[type];
                largest = Math.max(largest, lengths[type] / part[type]);
            }
        }
    }

    /** Makes the lower bound exact, and the upper one as well if it was the looser one. */
    void settle(long[] lengths) {
        settled = configurations.heaviestWeight(lengths);
        configurations.bestCounts(found);
        configurations.parts(part);
        Arrays.fill(grown, 0);
        largestGain = 0;
        shortened(lengths);
    }
}

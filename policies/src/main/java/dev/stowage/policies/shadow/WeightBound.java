package dev.stowage.policies.shadow;

import java.util.Arrays;

/**
 * Two bounds of the weight of a block's heaviest configuration if they are not listed, updated in O(1) per arrival:
 *
 * <ul>
 * <li>above, the lesser of two values of a server that is filled by fractions, at prices of the resources: with the
 * type of the greatest weight per price; and the last exact weight plus the same for the growth of the queues since;
 * <li>below, the last exact weight as long as the queues only grow, 0 once they became shorter.
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

    private long settled;
    private double largestGain;
    private double largest;
    private long lower;

    WeightBound(ConfigurationSet configurations, int types) {
        this.configurations = configurations;
        part = new double[types];
        grown = new long[types];
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
                largest = Math.max(largest, lengths[type] / part[type]);
            }
        }
    }

    /** Makes both bounds exact; some configuration is known to reach a weight. */
    void settle(long[] lengths, long reached) {
        settled = configurations.heaviestWeight(lengths, reached);
        configurations.parts(part);
        Arrays.fill(grown, 0);
        largestGain = 0;
        shortened(lengths);
        lower = settled;
    }
}

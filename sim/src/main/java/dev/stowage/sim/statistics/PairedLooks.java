package dev.stowage.sim.statistics;

import dev.stowage.sim.result.Estimate;

/**
 * Do two policies differ, or are they alike? Tested after the pilot, and whenever the number of replications has
 * doubled, until one is shown. Every look takes the interval of the paired differences at confidence 1 - (1 - c) /
 * looks (Bonferroni), so that with confidence c all of them cover the truth, whichever was the last.
 */
public final class PairedLooks {
    /** The result of a look. */
    public enum Finding {
        /** The interval of the difference does not contain 0. */
        APART,
        /** The interval of the difference lies within the precision. */
        ALIKE,
        /** Neither. */
        OPEN
    }

    private PairedLooks() {}

    /** Number of looks from the pilot to the greatest number of replications, at which there is always a look. */
    public static int looks(int pilot, int most) {
        int looks = 1;
        for (long n = pilot; n < most; n *= 2) {
            looks++;
        }
        return looks;
    }

    /** Mean of a - b over all replications so far, with the interval for one of that many looks. */
    public static Estimate difference(double[] a, double[] b, int looks, double confidence) {
        return Intervals.difference(a, b, 1 - (1 - confidence) / looks);
    }

    /**
     * What the replications so far show.
     *
     * @param difference of {@link #difference}
     * @param alike policies that differ by less than this are alike
     */
    public static Finding find(Estimate difference, double alike) {
        Double half = difference.halfWidth();
        double size = Math.abs(difference.mean());
        if (half == null) {
            return Finding.OPEN;
        }
        return size > half ? Finding.APART : size + half <= alike ? Finding.ALIKE : Finding.OPEN;
    }
}

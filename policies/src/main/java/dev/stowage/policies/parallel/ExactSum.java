package dev.stowage.policies.parallel;

/**
 * A sum held in two doubles, of which the second holds the rounding error of the first: some 106 bits, so that many
 * numbers can be added and subtracted again without a remainder. Kept in two neighbours of an array. Knuth's TwoSum
 * (The Art of Computer Programming, volume 2, section 4.2.2, theorem B).
 */
final class ExactSum {
    /** Number of array elements that a sum takes. */
    static final int WIDTH = 2;

    private ExactSum() {}

    /** Adds to the sum in {@code at} and {@code at + 1}. */
    static void add(double[] sums, int at, double value) {
        double high = sums[at];
        double sum = high + value;
        double part = sum - high;
        double low = sums[at + 1] + ((high - (sum - part)) + (value - part));
        sums[at] = sum + low;
        sums[at + 1] = low - (sums[at] - sum);
    }
}

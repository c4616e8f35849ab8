package dev.stowage.policies.bestfit;

/**
 * Partition I of section V-A, equation (6): sizes, as fractions of a capacity, in 2J classes (lo, hi] that do not
 * depend on what sizes occur. Class 2m is (2/3 2^-m, 2^-m], class 2m + 1 is (1/2 2^-m, 2/3 2^-m], m = 0..J-1; the last
 * one also takes the sizes in (0, 2^-J]. All comparisons are exact, in whole numbers.
 */
final class Partition {
    /** The class of sizes above one half and at most two thirds, which configurations combine with another class. */
    static final int BIG = 1;
    /** Least J. */
    static final int LEAST_LEVELS = 2;

    private Partition() {}

    /**
     * The class of a size, 0..2J-1.
     *
     * @param size at most the capacity; 0 belongs to the last class
     * @param capacity greater than 0
     * @param levels J
     */
    static int classOf(long size, long capacity, int levels) {
        int halvings = halvings(size, capacity);
        if (halvings >= levels) {
            return 2 * levels - 1;
        }
        // 3 size 2^m > 2 capacity, without overflow: both sides are below 2^56.
        return 3 * (size << halvings) > 2 * capacity ? 2 * halvings : 2 * halvings + 1;
    }

    /** The largest m for which the size is at most 2^-m of the capacity; 62 for size 0. */
    static int halvings(long size, long capacity) {
        return size == 0 ? 62 : 63 - Long.numberOfLeadingZeros(capacity / size);
    }

    /** The smallest m for which 2^-m of the capacity is at most the size, which is not 0. */
    static int levelsFor(long size, long capacity) {
        int halvings = halvings(size, capacity);
        return size << halvings == capacity ? halvings : halvings + 1;
    }

    /** The largest J for which the amounts of a capacity can be compared exactly. */
    static int mostLevels(long capacity) {
        return Math.max(LEAST_LEVELS, Long.numberOfLeadingZeros(3 * Math.max(1, capacity)) - 2);
    }
}

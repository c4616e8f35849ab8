package dev.stowage.policies.lifetime;

/** How finely times until servers are empty are told apart. Numbers are larger for longer times, and at least 1. */
enum TimeClasses {
    /** Less than a minute, less than 2, 4, 8, ... */
    DOUBLING(60_000_000_000L, 2),
    /** Less than an hour, less than 10, 100, ... (J. Ling et al., LAVA, MLSys 2025). */
    TENFOLD(3_600_000_000_000L, 10),
    /** As they are, to 2^34 ns = 17 s: least extension. A number is that of the end, and stays as time passes. */
    NONE(0, 0);

    /** Of an unknown time, longer than all others. */
    static final int UNKNOWN = 1 << 30;

    private static final int SHORTEST = 1;
    private static final int FINEST_BITS = 34;

    /** Where the shortest class ends, nanoseconds, and how many times as long each is as the one before. */
    private final long first;

    private final int factor;

    TimeClasses(long first, int factor) {
        this.first = first;
        this.factor = factor;
    }

    /** The class of an expected end. */
    int of(long end, long now) {
        if (factor == 0) {
            return SHORTEST + (int) (Math.max(0, end) >> FINEST_BITS);
        }
        int number = SHORTEST;
        for (long limit = first; limit > 0 && limit <= end - now; limit = next(limit)) {
            number++;
        }
        return number;
    }

    /** Where the next class ends; 0 for the longest. */
    private long next(long limit) {
        return limit > Long.MAX_VALUE / factor ? 0 : limit * factor;
    }

    /** From when on an end is of a shorter class than this one, of which it is now. */
    long until(long end, int number) {
        if (factor == 0) {
            return ExpectedEnds.NEVER;
        }
        long least = number == SHORTEST ? 0 : first;
        for (int k = SHORTEST + 1; k < number; k++) {
            least = next(least);
        }
        return end - least + 1;
    }
}

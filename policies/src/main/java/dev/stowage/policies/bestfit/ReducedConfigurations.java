package dev.stowage.policies.bestfit;

/**
 * The reduced feasible configurations of equation (7), 4J - 4 of them, each with one class of requests, or with one
 * request of class 1 and another class. A configuration is a number that does not depend on J: its row in (7) and its
 * m.
 */
final class ReducedConfigurations {
    /** No configuration. */
    static final int NONE = -1;

    /** 2^m of class 2m, m = 0..J-1. */
    static final int EVEN = 0;
    /** 3 2^(m-1) of class 2m + 1, m = 1..J-1. */
    static final int ODD = 1;
    /** One of class 1 and floor(2^m / 3) of class 2m, m = 2..J-1. */
    static final int BIG_AND_EVEN = 2;
    /** One of class 1 and 2^(m-1) of class 2m + 1, m = 1..J-1. */
    static final int BIG_AND_ODD = 3;

    private static final int ROWS = 4;
    private static final int LEVELS = 64;
    private static final int[] FIRST_LEVEL = {0, 1, 2, 1};

    /** Configuration numbers are below this. */
    static final int NUMBERS = ROWS * LEVELS;

    private ReducedConfigurations() {}

    /** The configuration in a row of (7). */
    static int of(int row, int m) {
        return row * LEVELS + m;
    }

    /** Whether it holds one request of class 1, k_1 = 1. */
    static boolean holdsBig(int configuration) {
        return configuration / LEVELS >= BIG_AND_EVEN;
    }

    /** Its other class j, the one beside class 1. */
    static int other(int configuration) {
        int row = configuration / LEVELS;
        int m = configuration % LEVELS;
        return row == EVEN || row == BIG_AND_EVEN ? 2 * m : 2 * m + 1;
    }

    /** Its number k_j of requests of the other class. */
    static long slots(int configuration) {
        int m = configuration % LEVELS;
        return switch (configuration / LEVELS) {
            case EVEN -> 1L << m;
            case ODD -> 3L << (m - 1);
            case BIG_AND_EVEN -> (1L << m) / 3;
            default -> 1L << (m - 1);
        };
    }

    /**
     * The sum of queue lengths times slots.
     *
     * @param lengths queue lengths; class j is at {@code offset + j}
     */
    static long weight(int configuration, int[] lengths, int offset) {
        long big = holdsBig(configuration) ? lengths[offset + Partition.BIG] : 0;
        return big + slots(configuration) * lengths[offset + other(configuration)];
    }

    /**
     * The configuration of the largest weight, ties to the first in the order of (7); O(J).
     *
     * @param levels J, at least {@link Partition#LEAST_LEVELS}
     */
    static int heaviest(int levels, int[] lengths, int offset) {
        int best = of(EVEN, 0);
        long most = weight(best, lengths, offset);
        for (int row = 0; row < ROWS; row++) {
            for (int m = FIRST_LEVEL[row]; m < levels; m++) {
                int configuration = of(row, m);
                long weight = weight(configuration, lengths, offset);
                if (weight > most) {
                    best = configuration;
                    most = weight;
                }
            }
        }
        return best;
    }
}

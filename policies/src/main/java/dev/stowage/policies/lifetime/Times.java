package dev.stowage.policies.lifetime;

/** Classes of times, 1 for the shortest: less than a first limit, less than that times a factor, and so on. */
record Times(long first, int factor, int classes) {
    /** Less than 1, 10 and 100 hours, and longer: J. Ling et al., LAVA, MLSys 2025. */
    static final Times TENFOLD = new Times(3_600_000_000_000L, 10, 4);
    /** Less than a minute, less than 2, 4, 8, ..., up to 127 years, and longer. */
    static final Times DOUBLING = new Times(60_000_000_000L, 2, 28);

    /** The class of a time, nanoseconds. */
    int of(long time) {
        int number = 1;
        for (long limit = first; number < classes && limit <= time; limit *= factor) {
            number++;
        }
        return number;
    }

    /** Where a class ends, nanoseconds; the last one never does. */
    long end(int number) {
        long end = first;
        for (int k = 1; k < number; k++) {
            end *= factor;
        }
        return number >= classes ? ExpectedEnds.NEVER : end;
    }
}

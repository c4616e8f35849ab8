package dev.stowage.study.fgd;

import java.util.Arrays;

/**
 * The random numbers of the language Go, package {@code math/rand} before version 2: an additive lagged Fibonacci
 * generator, {@code x[n] = x[n - 607] + x[n - 273]} modulo 2^64, whose first 607 words are made by Lehmer's generator
 * {@code 48271 x mod (2^31 - 1)} and mixed with 607 constants.
 *
 * <p>The constants are what the same generator holds after 7.8 x 10^12 steps from seed 1. They are worked out here
 * once, as x^7.8e12 modulo the generator's polynomial.
 */
final class GoRandom {
    private static final int LENGTH = 607;
    private static final int START = LENGTH - 273;
    private static final long MIXED_STEPS = 7_800_000_000_000L;
    private static final long LEHMER_MODULUS = Integer.MAX_VALUE;
    private static final int SKIPPED = 20;
    private static final int SEED_FOR_ZERO = 89_482_311;
    private static final long[] MIXED = mixed();

    private final long[] words;
    private int tap;
    private int feed = START;

    /** A generator with this seed, which may not be negative. */
    GoRandom(long seed) {
        int start = (int) (seed % LEHMER_MODULUS);
        words = seeded(start == 0 ? SEED_FOR_ZERO : start, 40, 20);
        for (int i = 0; i < LENGTH; i++) {
            words[i] ^= MIXED[i];
        }
    }

    private static long[] seeded(int seed, int highShift, int middleShift) {
        long[] made = new long[LENGTH];
        long x = seed;
        for (int i = 0; i < SKIPPED; i++) {
            x = lehmer(x);
        }
        for (int i = 0; i < LENGTH; i++) {
            long high = lehmer(x);
            long middle = lehmer(high);
            x = lehmer(middle);
            made[i] = high << highShift ^ middle << middleShift ^ x;
        }
        return made;
    }

    private static long lehmer(long x) {
        return x * 48_271 % LEHMER_MODULUS;
    }

    /** The constants. */
    private static long[] mixed() {
        long[] first = seeded(1, 20, 10);
        // As a sequence in time: step n writes where step n - 607 did, counting down from START.
        long[] inTime = new long[2 * LENGTH];
        for (int n = 0; n < LENGTH; n++) {
            inTime[n] = first[Math.floorMod(START - 1 - n, LENGTH)];
        }
        for (int n = LENGTH; n < inTime.length; n++) {
            inTime[n] = inTime[n - LENGTH] + inTime[n - LENGTH + START];
        }
        long[] power = power(MIXED_STEPS);
        long[] result = new long[LENGTH];
        int end = (int) Math.floorMod(START - MIXED_STEPS, (long) LENGTH);
        for (int n = 0; n < LENGTH; n++) {
            long sum = 0;
            for (int j = 0; j < LENGTH; j++) {
                sum += power[j] * inTime[n + j];
            }
            result[Math.floorMod(end - 1 - n, LENGTH)] = sum;
        }
        return result;
    }

    /** The coefficients of x^n modulo x^607 - x^334 - 1. */
    private static long[] power(long n) {
        long[] result = new long[LENGTH];
        result[0] = 1;
        long[] base = new long[LENGTH];
        base[1] = 1;
        for (long left = n; left > 0; left >>= 1) {
            if ((left & 1) == 1) {
                result = product(result, base);
            }
            base = product(base, base);
        }
        return result;
    }

    private static long[] product(long[] a, long[] b) {
        long[] c = new long[2 * LENGTH - 1];
        for (int i = 0; i < LENGTH; i++) {
            for (int j = 0; j < LENGTH; j++) {
                c[i + j] += a[i] * b[j];
            }
        }
        for (int i = c.length - 1; i >= LENGTH; i--) {
            c[i - LENGTH + START] += c[i];
            c[i - LENGTH] += c[i];
        }
        return Arrays.copyOf(c, LENGTH);
    }

    /** Sixty-four random bits: Go's {@code Uint64}. */
    long bits() {
        tap = tap == 0 ? LENGTH - 1 : tap - 1;
        feed = feed == 0 ? LENGTH - 1 : feed - 1;
        words[feed] += words[tap];
        return words[feed];
    }

    private int bits31() {
        return (int) (bits() >>> 32 & Integer.MAX_VALUE);
    }

    /** Uniform from 0 to below {@code n}: Go's {@code Intn}, by rejection. */
    int below(int n) {
        if ((n & n - 1) == 0) {
            return bits31() & n - 1;
        }
        int most = (int) ((1L << 31) - 1 - (1L << 31) % n);
        int drawn = bits31();
        while (drawn > most) {
            drawn = bits31();
        }
        return drawn % n;
    }

    /** Uniform from 0 to below {@code n}, as Go's {@code Shuffle} draws it: by a product instead of a remainder. */
    private int belowByProduct(int n) {
        long product = (bits() >>> 31 & 0xffff_ffffL) * n;
        int low = (int) product;
        if (Integer.compareUnsigned(low, n) < 0) {
            int least = Integer.remainderUnsigned(-n, n);
            while (Integer.compareUnsigned(low, least) < 0) {
                product = (bits() >>> 31 & 0xffff_ffffL) * n;
                low = (int) product;
            }
        }
        return (int) (product >>> 32);
    }

    /** Shuffles: Go's {@code Shuffle} with swaps. */
    <T> void shuffle(java.util.List<T> list) {
        for (int i = list.size() - 1; i > 0; i--) {
            java.util.Collections.swap(list, i, belowByProduct(i + 1));
        }
    }

    /** A random order of 0 to {@code n - 1}: Go's {@code Perm}. */
    int[] permutation(int n) {
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            int j = below(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}

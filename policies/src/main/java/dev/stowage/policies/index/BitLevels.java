package dev.stowage.policies.index;

/**
 * A set of numbers 0..size-1 as a tree of bitmaps, 64 children to a word: next and previous member in one step per
 * level, that is log64(size).
 */
public final class BitLevels {
    private final long[][] levels;

    /**
     * The empty set.
     *
     * @param size numbers are below this
     */
    public BitLevels(int size) {
        int depth = 1;
        for (long covered = 64; covered < size; covered *= 64) {
            depth++;
        }
        levels = new long[depth][];
        int words = size;
        for (int level = 0; level < depth; level++) {
            words = (words + 63) >>> 6;
            levels[level] = new long[words];
        }
    }

    /** Adds a number. */
    public void add(int number) {
        int i = number;
        for (long[] level : levels) {
            boolean wasEmpty = level[i >>> 6] == 0;
            level[i >>> 6] |= 1L << i;
            if (!wasEmpty) {
                return;
            }
            i >>>= 6;
        }
    }

    /** Removes a number, which may be absent. */
    public void remove(int number) {
        int i = number;
        for (long[] level : levels) {
            level[i >>> 6] &= ~(1L << i);
            if (level[i >>> 6] != 0) {
                return;
            }
            i >>>= 6;
        }
    }

    /** The smallest member greater than {@code number}, which is at least -1; or -1. */
    public int after(int number) {
        if (number < 0) {
            return (levels[0][0] & 1) != 0 ? 0 : after(0);
        }
        int i = number;
        for (int level = 0; level < levels.length; level++) {
            // Shifted in two steps, because a shift by 64 is a shift by 0.
            long later = levels[level][i >>> 6] & (-1L << i << 1);
            if (later != 0) {
                return lowestBelow(level, (i & ~63) + Long.numberOfTrailingZeros(later));
            }
            i >>>= 6;
        }
        return -1;
    }

    /** The largest member smaller than {@code number}, or -1. */
    public int before(int number) {
        int i = number;
        for (int level = 0; level < levels.length; level++) {
            long earlier = levels[level][i >>> 6] & ((1L << i) - 1);
            if (earlier != 0) {
                return highestBelow(level, (i & ~63) + 63 - Long.numberOfLeadingZeros(earlier));
            }
            i >>>= 6;
        }
        return -1;
    }

    private int lowestBelow(int level, int number) {
        int i = number;
        for (int below = level - 1; below >= 0; below--) {
            i = (i << 6) + Long.numberOfTrailingZeros(levels[below][i]);
        }
        return i;
    }

    private int highestBelow(int level, int number) {
        int i = number;
        for (int below = level - 1; below >= 0; below--) {
            i = (i << 6) + 63 - Long.numberOfLeadingZeros(levels[below][i]);
        }
        return i;
    }
}

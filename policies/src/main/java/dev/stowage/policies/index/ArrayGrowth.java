package dev.stowage.policies.index;

/** How arrays grow: by half, so that n insertions cost O(n). */
final class ArrayGrowth {
    private ArrayGrowth() {}

    /** A new length of at least {@code needed} for an array of length {@code old}. */
    static int atLeast(int needed, int old) {
        return (int) Math.max(Math.max(16L, needed), Math.min(Integer.MAX_VALUE - 8L, (long) old + (old >> 1)));
    }
}

package dev.stowage.policies.reservation;

import java.util.Arrays;

/** A key for each of a range of numbers, and the least of all keys: a tree of minima. Set is O(log n), least O(1). */
final class LeastKey {
    /** The key of a number that does not take part. */
    static final long NONE = Long.MAX_VALUE;

    private int leaves = 1;
    private long[] least = {NONE, NONE};

    long least() {
        return least[1];
    }

    void set(int number, long key) {
        if (number >= leaves) {
            growTo(number + 1);
        }
        int node = leaves + number;
        if (least[node] == key) {
            return;
        }
        least[node] = key;
        for (node >>= 1; node >= 1; node >>= 1) {
            long lower = Math.min(least[2 * node], least[2 * node + 1]);
            if (lower == least[node]) {
                return;
            }
            least[node] = lower;
        }
    }

    private void growTo(int numbers) {
        long[] old = Arrays.copyOfRange(least, leaves, 2 * leaves);
        leaves = Integer.highestOneBit(2 * numbers - 1);
        least = new long[2 * leaves];
        Arrays.fill(least, NONE);
        System.arraycopy(old, 0, least, leaves, old.length);
        for (int node = leaves - 1; node >= 1; node--) {
            least[node] = Math.min(least[2 * node], least[2 * node + 1]);
        }
    }
}

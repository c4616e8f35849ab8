package dev.stowage.policies.index;

import java.util.Arrays;

/**
 * Items with one value each: the least value that is large enough ("least residual capacity that fits"), and the largest
 * value that is small enough ("largest waiting job that fits"). Ties go to the lowest order key; order keys of items with
 * equal values must differ.
 *
 * <p>Values 0..maxValue are divided evenly into at most 65536 buckets, found through bitmaps; inside a bucket a treap is
 * sorted by (value, order). Insert, remove and both searches are O(log n) expected whatever the values are, and touch one
 * or two places when values are few or spread. Memory: 24 bytes per item number up to the largest one used, and up to
 * 260 KiB for the buckets.
 */
public final class OrderedIndex {
    /** The answer when no item qualifies. */
    public static final int NONE = -1;

    private static final int MAX_BUCKET_BITS = 16;

    private final long maxValue;
    private final int shift;
    private final BitLevels occupied;
    private final int[] tops;
    private final Treaps buckets = new Treaps();
    private int size;

    /**
     * An empty index.
     *
     * @param maxValue largest value an item may have, at least 0
     */
    public OrderedIndex(long maxValue) {
        if (maxValue < 0) {
            throw new IllegalArgumentException("maxValue " + maxValue + " is negative");
        }
        this.maxValue = maxValue;
        shift = Math.max(0, 64 - Long.numberOfLeadingZeros(maxValue) - MAX_BUCKET_BITS);
        int count = (int) (maxValue >>> shift) + 1;
        occupied = new BitLevels(count);
        tops = new int[count];
        Arrays.fill(tops, Treaps.NONE);
    }

    /** Number of items. */
    public int size() {
        return size;
    }

    /** Whether the item is in the index. */
    public boolean contains(int item) {
        return buckets.contains(item);
    }

    /** Value of an item that is in the index. */
    public long value(int item) {
        return buckets.value(item);
    }

    /**
     * Adds an item.
     *
     * @param item number, at least 0, not in the index
     * @param value 0..maxValue
     * @param order key that breaks ties, lowest first
     */
    public void insert(int item, long value, long order) {
        if (value < 0 || value > maxValue) {
            throw new IllegalArgumentException("value " + value + " of item " + item + " is not in 0.." + maxValue);
        }
        if (contains(item)) {
            throw new IllegalStateException("item " + item + " is already in the index");
        }
        int bucket = (int) (value >>> shift);
        if (tops[bucket] == Treaps.NONE) {
            occupied.add(bucket);
        }
        tops[bucket] = buckets.insert(tops[bucket], item, value, order);
        size++;
    }

    /** Removes an item that is in the index. */
    public void remove(int item) {
        if (!contains(item)) {
            throw new IllegalStateException("item " + item + " is not in the index");
        }
        int bucket = (int) (buckets.value(item) >>> shift);
        tops[bucket] = buckets.remove(tops[bucket], item);
        if (tops[bucket] == Treaps.NONE) {
            occupied.remove(bucket);
        }
        size--;
    }

    /** The item with the least value of at least {@code value}, ties to the lowest order; or {@link #NONE}. */
    public int leastAtLeast(long value) {
        if (value > maxValue) {
            return NONE;
        }
        int bucket = (int) (Math.max(0, value) >>> shift);
        int found = buckets.ceiling(tops[bucket], value);
        if (found != Treaps.NONE) {
            return found;
        }
        int next = occupied.after(bucket);
        return next < 0 ? NONE : buckets.first(tops[next]);
    }

    /** The item with the largest value of at most {@code value}, ties to the lowest order; or {@link #NONE}. */
    public int greatestAtMost(long value) {
        if (value < 0) {
            return NONE;
        }
        int bucket = (int) (Math.min(maxValue, value) >>> shift);
        int found = buckets.floor(tops[bucket], value);
        if (found != Treaps.NONE) {
            return found;
        }
        int previous = occupied.before(bucket);
        return previous < 0 ? NONE : buckets.floor(tops[previous], maxValue);
    }
}

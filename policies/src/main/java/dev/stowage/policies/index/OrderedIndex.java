package dev.stowage.policies.index;

import java.util.Arrays;

/**
 * Items with one value each: the least value that is large enough ("least residual capacity that fits"), and the
 * largest value that is small enough ("largest waiting job that fits"). Ties go to the lowest order key; order keys of
 * items with equal values must differ.
 *
 * <p>Items of equal value form a group, a heap by order key. Values 0..maxValue are divided evenly into at most 65536
 * buckets, found through bitmaps; the groups of a bucket form a treap. Insert, remove and both searches are O(log n) in
 * the number of items (remove amortized), whatever the values are, and access one or two places when values are few or
 * evenly spread. Memory: 24 bytes per item, 20 per distinct value, and up to 260 KiB for the buckets.
 */
public final class OrderedIndex {
    /** The answer when no item qualifies. */
    public static final int NONE = -1;

    private static final int MAX_BUCKET_BITS = 16;
    private static final int FEW_BUCKET_BITS = 6;

    private final long maxValue;
    private final int shift;
    private final BitLevels occupied;
    private final int[] treapOfBucket;
    private final Treaps groups = new Treaps();
    private final ItemHeaps items = new ItemHeaps();

    /** First item of each group; of a group not in use, the next such group. */
    private int[] firstOfGroup = new int[0];

    private int groupsUsed;
    private int freeGroup = NONE;
    private int[] groupOfItem = new int[0];
    private int size;

    /**
     * An empty index.
     *
     * @param maxValue largest value an item may have, at least 0
     */
    public OrderedIndex(long maxValue) {
        this(maxValue, MAX_BUCKET_BITS);
    }

    /** The same for few items: it needs less memory, and O(log n) whatever the values are. */
    public static OrderedIndex ofFew(long maxValue) {
        return new OrderedIndex(maxValue, FEW_BUCKET_BITS);
    }

    private OrderedIndex(long maxValue, int bucketBits) {
        if (maxValue < 0) {
            throw new IllegalArgumentException("maxValue " + maxValue + " is negative");
        }
        this.maxValue = maxValue;
        shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(maxValue) - bucketBits);
        int buckets = bucket(maxValue) + 1;
        occupied = new BitLevels(buckets);
        treapOfBucket = new int[buckets];
        Arrays.fill(treapOfBucket, Treaps.NONE);
    }

    /** Number of items. */
    public int size() {
        return size;
    }

    /** Whether the item is in the index. */
    public boolean contains(int item) {
        return items.contains(item);
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
        int group = groups.ceiling(treapOfBucket[bucket(value)], value);
        if (group == NONE || groups.value(group) != value) {
            group = newGroup(value);
        }
        firstOfGroup[group] = items.insert(firstOfGroup[group], item, order);
        if (item >= groupOfItem.length) {
            groupOfItem = Arrays.copyOf(groupOfItem, ArrayGrowth.atLeast(item + 1, groupOfItem.length));
        }
        groupOfItem[item] = group;
        size++;
    }

    private int newGroup(long value) {
        int group = freeGroup;
        if (group != NONE) {
            freeGroup = firstOfGroup[group];
        } else {
            group = groupsUsed++;
            if (group == firstOfGroup.length) {
                firstOfGroup = Arrays.copyOf(firstOfGroup, ArrayGrowth.atLeast(groupsUsed, group));
            }
        }
        firstOfGroup[group] = ItemHeaps.NONE;
        int bucket = bucket(value);
        if (treapOfBucket[bucket] == Treaps.NONE) {
            occupied.add(bucket);
        }
        treapOfBucket[bucket] = groups.insert(treapOfBucket[bucket], group, value);
        return group;
    }

    /** The value of an item that is in the index. */
    public long value(int item) {
        return groups.value(groupOfItem[item]);
    }

    /** Removes an item that is in the index. */
    public void remove(int item) {
        if (!contains(item)) {
            throw new IllegalStateException("item " + item + " is not in the index");
        }
        int group = groupOfItem[item];
        firstOfGroup[group] = items.remove(firstOfGroup[group], item);
        if (firstOfGroup[group] == ItemHeaps.NONE) {
            dissolve(group);
        }
        size--;
    }

    private void dissolve(int group) {
        int bucket = bucket(groups.value(group));
        treapOfBucket[bucket] = groups.remove(treapOfBucket[bucket], group);
        if (treapOfBucket[bucket] == Treaps.NONE) {
            occupied.remove(bucket);
        }
        firstOfGroup[group] = freeGroup;
        freeGroup = group;
    }

    /** The item with the least value of at least {@code value}, ties to the lowest order; or {@link #NONE}. */
    public int leastAtLeast(long value) {
        if (value > maxValue) {
            return NONE;
        }
        int bucket = bucket(Math.max(0, value));
        int group = groups.ceiling(treapOfBucket[bucket], value);
        if (group == Treaps.NONE) {
            int next = occupied.after(bucket);
            if (next < 0) {
                return NONE;
            }
            group = groups.ceiling(treapOfBucket[next], value);
        }
        return firstOfGroup[group];
    }

    /** The item with the largest value of at most {@code value}, ties to the lowest order; or {@link #NONE}. */
    public int greatestAtMost(long value) {
        if (value < 0) {
            return NONE;
        }
        int bucket = bucket(Math.min(maxValue, value));
        int group = groups.floor(treapOfBucket[bucket], value);
        if (group == Treaps.NONE) {
            int previous = occupied.before(bucket);
            if (previous < 0) {
                return NONE;
            }
            group = groups.floor(treapOfBucket[previous], value);
        }
        return firstOfGroup[group];
    }

    private int bucket(long value) {
        return (int) (value >>> shift);
    }
}

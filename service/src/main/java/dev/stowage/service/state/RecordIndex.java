package dev.stowage.service.state;

import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * A hash table of the locations of records, 48 bits each. Flat, with linear probing, in parts that grow one at a time,
 * so that growing millions of entries never takes long at once. O(1).
 */
final class RecordIndex {
    /** Bits of a location; those above are cut off. */
    static final int LOCATION_BITS = 48;

    static final long LOCATION = (1L << LOCATION_BITS) - 1;
    private static final int PARTS = 256;
    private static final int SMALLEST = 16;
    private static final long USED = Long.MIN_VALUE;
    private static final long TAG = ~LOCATION & ~USED;

    private final LongUnaryOperator hashes;
    /** An entry is USED, 15 bits of the hash, and the location; 0 is none. */
    private final long[][] parts = new long[PARTS][SMALLEST];

    private final int[] sizes = new int[PARTS];

    /**
     * An empty one.
     *
     * @param hashes the hash of the record at a location
     */
    RecordIndex(LongUnaryOperator hashes) {
        this.hashes = hashes;
    }

    void add(long hash, long location) {
        int part = part(hash);
        if (2 * ++sizes[part] > parts[part].length) {
            long[] before = parts[part];
            parts[part] = new long[2 * before.length];
            for (long entry : before) {
                if (entry != 0) {
                    put(parts[part], hashes.applyAsLong(entry & LOCATION), entry);
                }
            }
        }
        put(parts[part], hash, entry(hash, location));
    }

    /** The location of a record with this hash that is the one looked for, or -1. */
    long find(long hash, LongPredicate wanted) {
        long[] slots = parts[part(hash)];
        long tag = hash & TAG;
        for (int at = home(hash, slots); slots[at] != 0; at = (at + 1) & (slots.length - 1)) {
            if ((slots[at] & TAG) == tag && wanted.test(slots[at] & LOCATION)) {
                return slots[at] & LOCATION;
            }
        }
        return -1;
    }

    /** Removes an entry, and moves later ones that would no longer be found. */
    void remove(long hash, long location) {
        long[] slots = parts[part(hash)];
        int mask = slots.length - 1;
        long entry = entry(hash, location);
        int free = home(hash, slots);
        while (slots[free] != entry) {
            if (slots[free] == 0) {
                throw new IllegalStateException("no record at " + location);
            }
            free = (free + 1) & mask;
        }
        for (int at = (free + 1) & mask; slots[at] != 0; at = (at + 1) & mask) {
            int home = home(hashes.applyAsLong(slots[at] & LOCATION), slots);
            if (((at - home) & mask) >= ((at - free) & mask)) {
                slots[free] = slots[at];
                free = at;
            }
        }
        slots[free] = 0;
        sizes[part(hash)]--;
    }

    private static void put(long[] slots, long hash, long entry) {
        int at = home(hash, slots);
        while (slots[at] != 0) {
            at = (at + 1) & (slots.length - 1);
        }
        slots[at] = entry;
    }

    private static long entry(long hash, long location) {
        return USED | (hash & TAG) | (location & LOCATION);
    }

    private static int part(long hash) {
        return (int) (hash >>> 40) & (PARTS - 1);
    }

    private static int home(long hash, long[] slots) {
        return (int) hash & (slots.length - 1);
    }
}

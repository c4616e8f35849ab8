package dev.stowage.core.engine;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.BitSet;

/**
 * The different sets of sites that requests in the system are limited to, numbered from 1; 0 is every site. A number is
 * used again once no request has it, the lowest free one first, so there are as many as are in use at once, and no more
 * than {@link #MOST}. Finding the number of a set costs O(sets in use).
 */
final class SiteLimits {
    /** No limit: every site, also those that join later. */
    static final int EVERYWHERE = 0;
    /** Most sets in use at once: policies keep an index for each. */
    static final int MOST = 256;

    private final BitSet[] sets = new BitSet[MOST + 1];
    private final int[] holders = new int[MOST + 1];
    private int used = 1;
    private long limited;

    SiteLimits() {
        sets[EVERYWHERE] = new BitSet();
    }

    /** Numbers are below this. */
    int used() {
        return used;
    }

    /** Requests with a limit. */
    long limited() {
        return limited;
    }

    boolean allows(int number, int site) {
        return number == EVERYWHERE || sets[number].get(site);
    }

    /** Number of a set, which is copied, new if need be; {@code MOST + 1} where there is none left. */
    int find(BitSet sites) {
        int free = 0;
        for (int number = used - 1; number > 0; number--) {
            if (holders[number] == 0) {
                free = number;
            } else if (sets[number].equals(sites)) {
                return number;
            }
        }
        int number = free == 0 ? used : free;
        if (number <= MOST) {
            sets[number] = (BitSet) sites.clone();
        }
        return number;
    }

    /** One more request has the limit. */
    void hold(int number) {
        holders[number]++;
        limited++;
        used = Math.max(used, number + 1);
    }

    /** One request fewer has the limit. */
    void release(int number) {
        holders[number]--;
        limited--;
    }

    void save(StateWriter out) {
        out.putInt(used);
        for (int number = 1; number < used; number++) {
            long[] words = sets[number].toLongArray();
            out.putLongs(words, words.length);
            out.putInt(holders[number]);
        }
    }

    void restore(StateReader in) {
        used = in.getInt();
        for (int number = 1; number < used; number++) {
            sets[number] = BitSet.valueOf(in.getLongs());
            holders[number] = in.getInt();
            limited += holders[number];
        }
    }
}

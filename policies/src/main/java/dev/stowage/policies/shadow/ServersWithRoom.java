package dev.stowage.policies.shadow;

import dev.stowage.policies.index.BitLevels;
import dev.stowage.policies.index.ItemHeaps;
import java.util.Arrays;

/** Servers of one configuration with room for one more of one type, by the number of requests they hold. */
final class ServersWithRoom {
    private final ItemHeaps heaps;
    private final int[] tops;
    private final BitLevels occupied;

    /** For servers that hold at most {@code most} requests. */
    ServersWithRoom(ItemHeaps heaps, int most) {
        this.heaps = heaps;
        tops = new int[most + 1];
        Arrays.fill(tops, ItemHeaps.NONE);
        occupied = new BitLevels(most + 2);
    }

    void insert(int item, int held, int order) {
        if (tops[held] == ItemHeaps.NONE) {
            occupied.add(held);
        }
        tops[held] = heaps.insert(tops[held], item, order);
    }

    void remove(int item, int held) {
        tops[held] = heaps.remove(tops[held], item);
        if (tops[held] == ItemHeaps.NONE) {
            occupied.remove(held);
        }
    }

    /** The lowest of those that hold most, or {@link ItemHeaps#NONE}. */
    int fullest() {
        int held = occupied.before(tops.length);
        return held < 0 ? ItemHeaps.NONE : tops[held];
    }

    /** The lowest of those that hold least, or {@link ItemHeaps#NONE}. */
    int emptiest() {
        int held = occupied.after(-1);
        return held < 0 ? ItemHeaps.NONE : tops[held];
    }
}

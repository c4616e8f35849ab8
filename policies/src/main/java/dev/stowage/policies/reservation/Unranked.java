package dev.stowage.policies.reservation;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * The servers without rank, by type: which one accepts next, and which one gives a job away. There may be many
 * configurations that no iteration chose, so each type has a tree over them; a changed configuration is updated when
 * its type is needed next.
 */
final class Unranked {
    private final Slots slots;
    private final IntUnaryOperator matched;
    private final LeastKey[] accept;
    private final LeastKey[] reject;
    /** Per type: the configurations to be updated, as a list and as flags. */
    private final int[][] outdated;

    private final int[] outdatedCount;
    private final boolean[][] isOutdated;

    /**
     * The unranked servers of some slots; {@code matched} gives how many servers of a configuration, the oldest, have a
     * rank.
     */
    Unranked(Slots slots, IntUnaryOperator matched, int types) {
        this.slots = slots;
        this.matched = matched;
        accept = new LeastKey[types];
        reject = new LeastKey[types];
        outdated = new int[types][16];
        outdatedCount = new int[types];
        isOutdated = new boolean[types][16];
        for (int type = 0; type < types; type++) {
            accept[type] = new LeastKey();
            reject[type] = new LeastKey();
        }
    }

    void outdate(int number, int type) {
        if (number >= isOutdated[type].length) {
            isOutdated[type] = Arrays.copyOf(isOutdated[type], Math.max(number + 1, 2 * isOutdated[type].length));
        }
        if (!isOutdated[type][number]) {
            isOutdated[type][number] = true;
            int at = outdatedCount[type]++;
            if (at == outdated[type].length) {
                outdated[type] = Arrays.copyOf(outdated[type], 2 * at);
            }
            outdated[type][at] = number;
        }
    }

    /** Largest index first, then the lowest server. */
    int accept(int type) {
        lookAgain(type);
        long key = accept[type].least();
        return key == LeastKey.NONE ? Stacks.NONE : (int) key;
    }

    /** The lowest server among the newest of each stack. */
    int reject(int type) {
        lookAgain(type);
        long key = reject[type].least();
        return key == LeastKey.NONE ? Stacks.NONE : (int) key;
    }

    private void lookAgain(int type) {
        for (int k = 0; k < outdatedCount[type]; k++) {
            int number = outdated[type][k];
            isOutdated[type][number] = false;
            accept[type].set(number, acceptKey(number, type));
            reject[type].set(number, rejectKey(number, type));
        }
        outdatedCount[type] = 0;
    }

    private long acceptKey(int number, int type) {
        Stacks stacks = slots.stacks;
        int server = stacks.oldestOpen(number, type, matched.applyAsInt(number));
        if (server == Stacks.NONE) {
            return LeastKey.NONE;
        }
        int index = stacks.size(number) - stacks.position(number, server);
        return index == 1 ? LeastKey.NONE : ((long) (Integer.MAX_VALUE - index) << Integer.SIZE) | server;
    }

    private long rejectKey(int number, int type) {
        Stacks stacks = slots.stacks;
        boolean newestIsUnranked = stacks.size(number) > matched.applyAsInt(number);
        int newest = newestIsUnranked ? stacks.newest(number) : Stacks.NONE;
        return newest != Stacks.NONE && slots.filled(newest, type) > 0 ? newest : LeastKey.NONE;
    }
}

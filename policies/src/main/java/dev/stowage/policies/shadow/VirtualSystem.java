package dev.stowage.policies.shadow;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/**
 * A virtual queueing system: queues (j, k) of pools, queues (j, i) of blocks, and the superserver with its rule (8).
 * Lengths are whole numbers of which {@link #WORK} are c, so sums are exact. The work of an arrival is rounded to such
 * a number: where c is 1.01 times the largest, that one is 2^30 x 100/101, which is not whole. So queues that tie in
 * real numbers may differ by one, but in the same way in every run. eta is 1 / (gamma c x number of queues).
 *
 * <p>The rule costs O(1) per arrival, a service O(queues + configurations).
 */
final class VirtualSystem {
    /** c, in the unit of the queues. */
    static final long WORK = 1L << 30;
    /** Room for sums of everything, and for the knapsack's factors. */
    private static final long LARGEST_SUM = 1L << 57;

    private final double gamma;
    private final int types;
    private final UsageFractions fractions;
    private Block[] blocks = {};
    private BlockQueues[] queues = {};
    private long[] pooled = {};
    private long pooledSum;
    private long most = LARGEST_SUM;
    private long threshold;

    VirtualSystem(double gamma, int types, UsageFractions fractions) {
        this.gamma = gamma;
        this.types = types;
        this.fractions = fractions;
    }

    /** Adds blocks and pools; the existing ones keep their places and queues. */
    void grow(Block[] all, int pools) {
        most = Math.max(WORK, LARGEST_SUM / bound(all, pools));
        pooled = Arrays.copyOf(pooled, pools);
        pooledSum = 0;
        for (int pool = 0; pool < pools; pool++) {
            pooled[pool] = Math.min(pooled[pool], most);
            pooledSum += pooled[pool];
        }
        BlockQueues[] grown = Arrays.copyOf(queues, all.length);
        for (int b = 0; b < all.length; b++) {
            grown[b] =
                    b < queues.length ? queues[b].withMost(most) : new BlockQueues(all[b].configurations, types, most);
            fractions.grow(b, all[b].configurations.size());
        }
        blocks = all;
        queues = grown;
        threshold = (long) StrictMath.rint(gamma * (pools + (double) all.length * types) * WORK);
    }

    /**
     * The largest possible sum, in multiples of the longest queue; it does not depend on which configurations of
     * unlisted sets were found.
     */
    private static long bound(Block[] all, int pools) {
        long bound = Math.max(1, pools);
        for (Block block : all) {
            for (int type = 0; type < block.fits.length; type++) {
                int slots = 0;
                for (int k = 0; k < block.configurations.havingCount(type); k++) {
                    slots = Math.max(slots, block.configurations.slots(type, k));
                }
                bound += slots;
            }
        }
        return bound;
    }

    /** Number of blocks. */
    int blocks() {
        return blocks.length;
    }

    /** Number of pools' queues. */
    int pools() {
        return pooled.length;
    }

    long pooled(int pool) {
        return pooled[pool];
    }

    long length(int block, int type) {
        return queues[block].length(type);
    }

    void addToPool(int pool, long work) {
        long added = Math.min(work, most - pooled[pool]);
        pooled[pool] += added;
        pooledSum += added;
    }

    void addToBlock(int block, int type, long work) {
        queues[block].add(type, work);
    }

    /**
     * Steps 2 and 3 of an arrival, after its work was added: the superserver, if (8) holds, and the usage fractions.
     */
    void serve() {
        fractions.arrived();
        if (!isActive()) {
            return;
        }
        pooledSum = 0;
        for (int pool = 0; pool < pooled.length; pool++) {
            pooled[pool] = Math.max(0, pooled[pool] - WORK);
            pooledSum += pooled[pool];
        }
        for (int b = 0; b < queues.length; b++) {
            int configuration = queues[b].heaviest();
            queues[b].serve(configuration, WORK);
            fractions.grow(b, blocks[b].configurations.size());
            fractions.used(b, configuration);
        }
    }

    /** Condition (8), settling weights only as far as needed. */
    private boolean isActive() {
        while (true) {
            long lower = pooledSum;
            long upper = pooledSum;
            long widest = 0;
            int unsettled = -1;
            for (int b = 0; b < queues.length; b++) {
                long low = queues[b].lower();
                long high = queues[b].upper();
                lower += low;
                upper += high;
                if (high - low > widest) {
                    widest = high - low;
                    unsettled = b;
                }
            }
            if (lower >= threshold || upper < threshold) {
                return lower >= threshold;
            }
            queues[unsettled].settle();
        }
    }

    void save(StateWriter out) {
        out.putLongs(pooled, pooled.length);
        for (BlockQueues each : queues) {
            out.putLongs(each.lengths(), types);
        }
        fractions.save(out);
    }

    void restore(StateReader in) {
        long[] saved = in.getLongs();
        for (int pool = 0; pool < saved.length; pool++) {
            addToPool(pool, saved[pool]);
        }
        for (BlockQueues each : queues) {
            each.restore(in.getLongs());
        }
        fractions.restore(in);
    }
}

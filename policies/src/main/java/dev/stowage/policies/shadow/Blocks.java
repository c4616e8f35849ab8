package dev.stowage.policies.shadow;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The blocks of all sites, which types fit them, and how many of their servers are up. */
final class Blocks {
    /** Most requests of a type on one server: a type with a smaller demand has no meaningful configuration. */
    private static final int MOST = 1 << 20;

    private final int types;
    private final int limit;
    private final double within;
    private final boolean strict;
    private final List<Block> blocks = new ArrayList<>();
    /** Numbers of the blocks that a type fits, ascending, by type. */
    private final int[][] fitting;

    private int sites;
    private boolean[] isUp = {};

    /**
     * The blocks of a view.
     *
     * @param limit most maximal configurations of a server to list
     * @param within see {@link ShadowOptions#within}
     */
    Blocks(View view, int limit, double within) {
        this(view, limit, within, false);
    }

    /**
     * The blocks of a view, in which, with {@code strict}, requests fit only servers with more capacity than they
     * demand.
     *
     * @param limit most maximal configurations of a server to list
     * @param within see {@link ShadowOptions#within}
     */
    Blocks(View view, int limit, double within, boolean strict) {
        this.strict = strict;
        this.types = view.types();
        this.limit = limit;
        this.within = within;
        this.fitting = new int[types][0];
        grow(view);
        for (int server = 0; server < view.servers(); server++) {
            statusSeen(view, server);
        }
    }

    int types() {
        return types;
    }

    /** One more than the highest site that has servers; sites without servers have no gauge. */
    int sites() {
        return sites;
    }

    int size() {
        return blocks.size();
    }

    Block get(int number) {
        return blocks.get(number);
    }

    Block of(View view, int server) {
        return blocks.get(view.capacityClass(server));
    }

    /** Numbers of the blocks that a type fits, ascending; some may have no server that is up. */
    int[] fitting(int type) {
        return fitting[type];
    }

    /** Adds new blocks. */
    void grow(View view) {
        while (blocks.size() < view.capacityClasses()) {
            add(view, blocks.size());
        }
    }

    private void add(View view, int number) {
        long[] capacity = new long[view.resources()];
        Arrays.setAll(capacity, r -> view.classCapacity(number, r));
        boolean[] fits = new boolean[types];
        long[] @Nullable [] demand = new long[types][];
        for (int type = 0; type < types; type++) {
            demand[type] = demand(view, type, capacity);
            fits[type] = demand[type] != null && poolsFit(view, type, view.classSite(number));
            if (!fits[type]) {
                demand[type] = null;
            } else {
                fitting[type] = Arrays.copyOf(fitting[type], fitting[type].length + 1);
                fitting[type][fitting[type].length - 1] = number;
            }
        }
        sites = Math.max(sites, 1 + view.classSite(number));
        blocks.add(new Block(number, view.classSite(number), capacity, configurations(capacity, demand), fits));
    }

    /** Sites with equal servers share one list of configurations. */
    private ConfigurationSet configurations(long[] capacity, long[] @Nullable [] demand) {
        for (Block block : blocks) {
            if (block.configurations.isListed()
                    && Arrays.equals(block.capacity, capacity)
                    && sameTypes(block.fits, demand)) {
                return block.configurations;
            }
        }
        return new ConfigurationSet(capacity, demand, limit, within);
    }

    private static boolean sameTypes(boolean[] fits, long[] @Nullable [] demand) {
        for (int type = 0; type < fits.length; type++) {
            if (fits[type] != (demand[type] != null)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a type would fit but is excluded: it demands so little that no server bounds its number, or all of a
     * server.
     */
    boolean isTooSmall(View view, int type) {
        if (fitting[type].length > 0) {
            return false;
        }
        boolean fits = false;
        for (Block block : blocks) {
            boolean fitsHere = poolsFit(view, type, block.site);
            for (int r = 0; r < block.capacity.length; r++) {
                fitsHere &= view.typeDemand(type, r) <= block.capacity[r];
            }
            fits |= fitsHere;
        }
        return fits;
    }

    private long @Nullable [] demand(View view, int type, long[] capacity) {
        long[] demand = new long[capacity.length];
        for (int r = 0; r < demand.length; r++) {
            demand[r] = view.typeDemand(type, r);
            if (demand[r] > capacity[r] || (strict && demand[r] > 0 && demand[r] == capacity[r])) {
                return null;
            }
        }
        return isBounded(view, type, capacity) ? demand : null;
    }

    /** Whether some resource bounds the number of requests of a type on a server. */
    private static boolean isBounded(View view, int type, long[] capacity) {
        for (int r = 0; r < capacity.length; r++) {
            long demand = view.typeDemand(type, r);
            if (demand > 0 && capacity[r] / demand <= MOST) {
                return true;
            }
        }
        return false;
    }

    private static boolean poolsFit(View view, int type, int site) {
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.typePooledDemand(type, p) > view.pooledCapacity(site, p)) {
                return false;
            }
        }
        return true;
    }

    /** Updates the status of a server; true if it came up or went down. */
    boolean statusSeen(View view, int server) {
        if (server >= isUp.length) {
            isUp = Arrays.copyOf(isUp, Math.max(view.servers(), 2 * isUp.length));
        }
        boolean now = view.status(server) == ServerStatus.UP;
        if (now == isUp[server]) {
            return false;
        }
        isUp[server] = now;
        of(view, server).up += now ? 1 : -1;
        return true;
    }

    /** Writes the configurations that were found. */
    void save(StateWriter out) {
        for (Block block : blocks) {
            block.configurations.save(out);
        }
    }

    /** Reads the configurations that were found. */
    void restore(StateReader in) {
        for (Block block : blocks) {
            block.configurations.restore(in);
        }
    }
}

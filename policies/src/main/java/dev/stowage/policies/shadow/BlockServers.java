package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.NumberSet;
import dev.stowage.policies.fit.Typed;
import dev.stowage.policies.index.ItemHeaps;
import java.util.Arrays;

/**
 * Algorithm B on the servers of a block. A server that is not empty has a designation s and never holds more than s_i
 * requests of type i. Only servers that are up count in z and are considered.
 *
 * <p>Servers with a designation are kept, per configuration and type with room, by how full they are. Placing or
 * leaving costs O(types of a configuration x log servers), choosing a configuration O(configurations that have the
 * type).
 */
final class BlockServers {
    /** Designation of an empty server. */
    private static final int NO_CONFIGURATION = -1;
    /** The server holds requests that no configuration covers: it takes nothing until it is empty. */
    private static final int CLOSED = -2;

    private final Block block;
    private final ConfigurationSet configurations;
    private final boolean literal;
    /** Most types of a configuration: the counts of a server are that many numbers. */
    private final int width;

    private final ItemHeaps heaps = new ItemHeaps();
    private final ItemHeaps emptyHeap = new ItemHeaps();
    private int firstEmpty = ItemHeaps.NONE;

    /** Servers of the block, ascending; in the code below a server is identified by its place in this list. */
    private int[] servers = new int[8];

    private int size;
    private int[] designation = new int[8];
    private boolean[] counted = new boolean[8];
    private int[] held = new int[8];
    private int[] counts;

    /**
     * By configuration: requests in its servers by type (z), servers, the least that could hold them, and those with
     * room.
     */
    private int[][] inUse = {};

    private int[] occupied = {};
    private int[] ideal = {};
    private ServersWithRoom[][] open = {};
    private int occupiedSum;
    private int idealSum;
    private final NumberSet changed = new NumberSet();

    BlockServers(Block block, boolean literal) {
        this.block = block;
        this.configurations = block.configurations;
        this.literal = literal;
        this.width = configurations.mostTypes();
        this.counts = new int[8 * width];
    }

    /** The block of these servers. */
    Block block() {
        return block;
    }

    /** Servers that are up and hold something. */
    int occupied() {
        return occupiedSum;
    }

    /**
     * Sum over configurations of ceil(max z_i / s_i): the number of occupied servers if requests may move between
     * servers (remark 2).
     */
    int ideal() {
        return idealSum;
    }

    /** Configurations whose number of servers may have changed; the reader clears it. */
    NumberSet changed() {
        return changed;
    }

    /** Servers that are up and designated with a configuration. */
    int occupied(int configuration) {
        return occupied[configuration];
    }

    /** Adds a server with a number above all others; returns its place. */
    int add(int server) {
        if (size == servers.length) {
            servers = Arrays.copyOf(servers, 2 * size);
            designation = Arrays.copyOf(designation, 2 * size);
            counted = Arrays.copyOf(counted, 2 * size);
            held = Arrays.copyOf(held, 2 * size);
            counts = Arrays.copyOf(counts, 2 * size * width);
        }
        servers[size] = server;
        designation[size] = NO_CONFIGURATION;
        return size++;
    }

    int server(int place) {
        return servers[place];
    }

    /**
     * Designates a server that has no designation yet but holds requests: the lowest configuration that covers them.
     */
    void adopt(View view, int place) {
        int[] wanted = new int[block.fits.length];
        for (int job = view.firstOn(servers[place]); job != View.NONE; job = view.next(job)) {
            if (!holdsItsDemand(view, job) || !block.fits[view.type(job)]) {
                designation[place] = CLOSED;
                return;
            }
            wanted[view.type(job)]++;
        }
        designate(place, Arrays.stream(wanted).sum() == 0 ? NO_CONFIGURATION : covering(wanted), wanted);
    }

    private static boolean holdsItsDemand(View view, int job) {
        int divisible = view.divisibleResource();
        return Typed.isOfItsType(view, job)
                && (divisible == View.NONE || view.share(job) == view.demand(job, divisible));
    }

    private int covering(int[] wanted) {
        int configuration = configurations.covering(wanted);
        return configuration < 0 ? CLOSED : configuration;
    }

    /** A server that is not counted gets a designation and holds nothing. */
    private void empty(int place, int configuration) {
        designation[place] = configuration;
        held[place] = 0;
        Arrays.fill(counts, place * width, (place + 1) * width, 0);
    }

    /** A server that is not counted gets a designation and counts by type. */
    private void designate(int place, int configuration, int[] byType) {
        empty(place, configuration);
        if (configuration >= 0) {
            int[] types = configurations.typesOf(configuration);
            for (int p = 0; p < types.length; p++) {
                counts[place * width + p] = byType[types[p]];
                held[place] += byType[types[p]];
            }
        }
    }

    /** Updates the status of a server; a server that is gone is empty. */
    void statusChanged(View view, int place) {
        ServerStatus status = view.status(servers[place]);
        if (status != ServerStatus.UP) {
            count(place, false);
        }
        if (view.firstOn(servers[place]) == View.NONE) {
            count(place, false);
            empty(place, NO_CONFIGURATION);
        }
        count(place, status == ServerStatus.UP);
    }

    /** Counts a server in all sums and indexes, or takes it out. */
    private void count(int place, boolean in) {
        if (counted[place] == in) {
            return;
        }
        counted[place] = in;
        int configuration = designation[place];
        if (configuration >= 0) {
            grow();
            occupied[configuration] += in ? 1 : -1;
            changed.add(configuration);
            for (int p = 0; p < configurations.typesOf(configuration).length; p++) {
                inUse[configuration][p] += (in ? 1 : -1) * counts[place * width + p];
            }
            updateIdeal(configuration);
            index(place, in);
        } else if (configuration == NO_CONFIGURATION) {
            firstEmpty = in ? emptyHeap.insert(firstEmpty, place, place) : emptyHeap.remove(firstEmpty, place);
        }
        occupiedSum += configuration == NO_CONFIGURATION ? 0 : in ? 1 : -1;
    }

    /** Adds a server with a designation to the lists of the types it has room for, or removes it. */
    private void index(int place, boolean in) {
        int configuration = designation[place];
        int[] types = configurations.typesOf(configuration);
        for (int p = 0; p < types.length; p++) {
            if (counts[place * width + p] < configurations.count(configuration, types[p])) {
                if (in) {
                    open[configuration][p].insert(place * width + p, held[place], place);
                } else {
                    open[configuration][p].remove(place * width + p, held[place]);
                }
            }
        }
    }

    private void grow() {
        int known = occupied.length;
        if (known == configurations.size()) {
            return;
        }
        occupied = Arrays.copyOf(occupied, configurations.size());
        ideal = Arrays.copyOf(ideal, occupied.length);
        inUse = Arrays.copyOf(inUse, occupied.length);
        open = Arrays.copyOf(open, occupied.length);
        for (int configuration = known; configuration < occupied.length; configuration++) {
            int[] types = configurations.typesOf(configuration);
            int most = 0;
            for (int type : types) {
                most += configurations.count(configuration, type);
            }
            inUse[configuration] = new int[types.length];
            open[configuration] = new ServersWithRoom[types.length];
            for (int p = 0; p < types.length; p++) {
                open[configuration][p] = new ServersWithRoom(heaps, most);
            }
        }
    }

    private void updateIdeal(int configuration) {
        int[] types = configurations.typesOf(configuration);
        int needed = 0;
        for (int p = 0; p < types.length; p++) {
            int slots = configurations.count(configuration, types[p]);
            needed = Math.max(needed, (inUse[configuration][p] + slots - 1) / slots);
        }
        idealSum += needed - ideal[configuration];
        ideal[configuration] = needed;
    }

    /**
     * Steps 1 and 2: the place of the server for one more of a type, or {@link View#NONE}. If neither a server of the
     * chosen configuration nor an empty one has room, the next best configuration with room is taken; if there is none,
     * the block is full.
     */
    int choose(int type, ShadowRouter router) {
        grow();
        int configuration = best(type, router, false);
        if (configuration < 0) {
            return View.NONE;
        }
        int place = fullest(configuration, type);
        if (place == View.NONE && firstEmpty != ItemHeaps.NONE) {
            place = firstEmpty;
            count(place, false);
            empty(place, configuration);
            count(place, true);
        }
        if (place == View.NONE) {
            int other = best(type, router, true);
            place = other < 0 ? View.NONE : fullest(other, type);
        }
        return place;
    }

    /**
     * Step 1: the configuration with the least ratio of its use to its intended use; only those with room, if asked.
     */
    private int best(int type, ShadowRouter router, boolean withRoom) {
        int used = best(type, router, withRoom, false);
        return used >= 0 ? used : best(type, router, withRoom, true);
    }

    private int best(int type, ShadowRouter router, boolean withRoom, boolean uniform) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k < configurations.havingCount(type); k++) {
            int configuration = configurations.having(type, k);
            double share = uniform ? 1 : router.share(block.number, configuration);
            if (share > 0 && !(withRoom && fullest(configuration, type) == View.NONE)) {
                int z = inUse[configuration][configurations.position(configuration, type)];
                double ratio = (z + (literal ? 0.0 : 1.0)) / (configurations.slots(type, k) * share);
                if (ratio < least) {
                    least = ratio;
                    best = configuration;
                }
            }
        }
        return best;
    }

    /** Step 2: the fullest server of a configuration with room for a type, ties to the lowest; or NONE. */
    private int fullest(int configuration, int type) {
        int item = open[configuration][configurations.position(configuration, type)].fullest();
        return item == ItemHeaps.NONE ? View.NONE : item / width;
    }

    /** A request of a type was placed at a place that {@link #choose} gave. */
    void placed(int place, int type) {
        change(place, type, 1);
    }

    /** A request of a type has left; the view knows already. */
    void left(View view, int place, int type) {
        if (designation[place] >= 0) {
            change(place, type, -1);
        }
        if (view.firstOn(servers[place]) == View.NONE) {
            boolean was = counted[place];
            count(place, false);
            designation[place] = NO_CONFIGURATION;
            count(place, was);
        }
    }

    private void change(int place, int type, int change) {
        int configuration = designation[place];
        int p = configurations.position(configuration, type);
        if (counted[place]) {
            index(place, false);
            inUse[configuration][p] += change;
            updateIdeal(configuration);
        }
        counts[place * width + p] += change;
        held[place] += change;
        if (counted[place]) {
            index(place, true);
        }
    }

    /**
     * Remark 2: as long as a configuration has more servers than its requests need, the requests of its emptiest server
     * move to the others, fullest first. No other way to free one server moves fewer requests.
     */
    void consolidate(int configuration, View view, Actions actions, MoveBudget budget) {
        grow();
        while (configuration >= 0 && occupied[configuration] > ideal[configuration]) {
            int place = emptiest(configuration);
            if (!budget.take(held[place], view.now())) {
                return;
            }
            moveAll(place, view, actions);
        }
    }

    /** Designation of a place, negative if it has none. */
    int designation(int place) {
        return designation[place];
    }

    private int emptiest(int configuration) {
        int emptiest = View.NONE;
        for (ServersWithRoom each : open[configuration]) {
            int item = each.emptiest();
            int place = item == ItemHeaps.NONE ? View.NONE : item / width;
            if (emptiest == View.NONE || (place != View.NONE && isEmptier(place, emptiest))) {
                emptiest = place;
            }
        }
        return emptiest;
    }

    private boolean isEmptier(int one, int other) {
        return held[one] < held[other] || (held[one] == held[other] && one < other);
    }

    private void moveAll(int from, View view, Actions actions) {
        int configuration = designation[from];
        index(from, false);
        occupied[configuration]--;
        changed.add(configuration);
        counted[from] = false;
        while (view.firstOn(servers[from]) != View.NONE) {
            int job = view.firstOn(servers[from]);
            int type = view.type(job);
            int to = fullest(configuration, type);
            actions.migrate(job, servers[to], "its server is not needed");
            index(to, false);
            counts[to * width + configurations.position(configuration, type)]++;
            held[to]++;
            index(to, true);
        }
        occupiedSum--;
        empty(from, NO_CONFIGURATION);
        count(from, true);
    }

    void save(StateWriter out) {
        out.putInts(designation, size);
    }

    void restore(StateReader in, View view) {
        int[] saved = in.getInts();
        int[] byType = new int[block.fits.length];
        for (int place = 0; place < saved.length; place++) {
            Arrays.fill(byType, 0);
            if (saved[place] >= 0) {
                for (int job = view.firstOn(servers[place]); job != View.NONE; job = view.next(job)) {
                    byType[view.type(job)]++;
                }
            }
            designate(place, saved[place], byType);
            count(place, view.status(servers[place]) == ServerStatus.UP);
        }
    }
}

package dev.stowage.policies.randomized;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/** The open slots of the servers' configurations, by server and type, and per type the servers that have some. */
final class OpenSlots {
    private final int types;
    private int servers;
    private int[] open = {};
    private final FittingServers[] having;

    OpenSlots(int types, int servers) {
        this.types = types;
        having = new FittingServers[types];
        for (int type = 0; type < types; type++) {
            having[type] = new FittingServers();
        }
        growTo(servers);
    }

    void growTo(int known) {
        servers = known;
        if (known * types > open.length) {
            open = Arrays.copyOf(open, Math.max(known * types, 2 * open.length));
        }
        for (FittingServers each : having) {
            each.growTo(known);
        }
    }

    int open(int server, int type) {
        return open[server * types + type];
    }

    void add(int server, int type, int change) {
        int at = server * types + type;
        open[at] += change;
        having[type].set(server, open[at] > 0);
    }

    /** The server's slots become those of a configuration. */
    void assign(int server, int[] counts) {
        for (int type = 0; type < types; type++) {
            add(server, type, counts[type] - open(server, type));
        }
    }

    void clear(int server) {
        for (int type = 0; type < types; type++) {
            add(server, type, -open(server, type));
        }
    }

    /** Servers with an open slot of the type, in index order. */
    FittingServers having(int type) {
        return having[type];
    }

    void save(StateWriter out) {
        out.putInts(open, servers * types);
    }

    void restore(StateReader in) {
        int[] saved = in.getInts();
        for (int i = 0; i < saved.length; i++) {
            add(i / types, i % types, saved[i]);
        }
    }
}

package dev.stowage.policies.randomized;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/** The number of requests of each type on each server, dummies included, and whether it may take one more. */
final class Occupancy {
    private final Configuration configuration;
    private final int types;
    private int servers;
    private int[] counts = {};
    /** Most of the type since the server was last empty. */
    private int[] peaks = {};

    Occupancy(View view, Configuration configuration) {
        this.configuration = configuration;
        types = view.types();
        growTo(view.servers());
        for (int server = 0; server < view.servers(); server++) {
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                if (view.type(job) != View.NONE) {
                    added(server, view.type(job));
                }
            }
        }
    }

    void growTo(int known) {
        servers = known;
        if (servers * types > counts.length) {
            counts = Arrays.copyOf(counts, Math.max(servers * types, 2 * counts.length));
            peaks = Arrays.copyOf(peaks, counts.length);
        }
    }

    void added(int server, int type) {
        int at = server * types + type;
        counts[at]++;
        peaks[at] = Math.max(peaks[at], counts[at]);
    }

    void removed(View view, int server, int type) {
        counts[server * types + type]--;
        if (view.firstOn(server) == View.NONE) {
            Arrays.fill(peaks, server * types, (server + 1) * types, 0);
        }
    }

    /** Whether the server has held more of the type since it was last empty. */
    boolean belowPeak(int server, int type) {
        return counts[server * types + type] < peaks[server * types + type];
    }

    /** Whether the server is up and may take one more of the type; a site's pool is not checked. */
    boolean fits(View view, int server, int type) {
        if (view.status(server) != ServerStatus.UP) {
            return false;
        }
        for (int r = 0; r < view.resources(); r++) {
            if (view.typeDemand(type, r) > view.free(server, r)) {
                return false;
            }
        }
        return configuration.allows(counts, server * types, types, type);
    }

    /** Whether the server is up and could take the type if it and its site's pool were empty. */
    static boolean couldFit(View view, int server, int type) {
        if (view.status(server) != ServerStatus.UP) {
            return false;
        }
        for (int r = 0; r < view.resources(); r++) {
            if (view.typeDemand(type, r) > view.capacity(server, r)) {
                return false;
            }
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.typePooledDemand(type, p) > view.pooledCapacity(view.site(server), p)) {
                return false;
            }
        }
        return true;
    }

    void save(StateWriter out) {
        out.putInts(peaks, servers * types);
    }

    void restore(StateReader in) {
        int[] saved = in.getInts();
        System.arraycopy(saved, 0, peaks, 0, saved.length);
    }
}

package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/** The active configuration of each server, and the requests that the server holds of its classes. */
final class ServerContents {
    private int[] active = new int[0];
    /** Requests of class 1. */
    private int[] big = new int[0];
    /** Requests of the other class of the active configuration. */
    private int[] others = new int[0];

    private int servers;

    private void grow(View view) {
        servers = view.servers();
        if (servers > active.length) {
            int old = active.length;
            active = Arrays.copyOf(active, Math.max(servers, 2 * old));
            Arrays.fill(active, old, active.length, ReducedConfigurations.NONE);
            big = Arrays.copyOf(big, active.length);
            others = Arrays.copyOf(others, active.length);
        }
    }

    /** Counts anew what all servers hold: J, the servers or the policy have changed. */
    void recount(View view, VirtualQueues queues) {
        grow(view);
        for (int server = 0; server < servers; server++) {
            recount(view, queues, server);
        }
    }

    /** Counts anew what a server holds, which may be a new one. */
    void recount(View view, VirtualQueues queues, int server) {
        grow(view);
        big[server] = 0;
        others[server] = 0;
        for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
            count(view, queues, server, job, 1);
        }
    }

    /**
     * The active configuration, or {@link ReducedConfigurations#NONE}: if the server has not been empty since the
     * policy started.
     */
    int active(int server) {
        return active[server];
    }

    /** Renews the configuration of an empty server. */
    void renew(int server, int configuration) {
        active[server] = configuration;
        big[server] = 0;
        others[server] = 0;
    }

    /** Requests of class 1 on the server. */
    int big(int server) {
        return big[server];
    }

    /** Requests on the server of the other class of its configuration. */
    int others(int server) {
        return others[server];
    }

    /** A request has come to a server (+1) or left it (-1). */
    void count(View view, VirtualQueues queues, int server, int job, int change) {
        int j = queues.classFor(view, job, server);
        if (j == Partition.BIG) {
            big[server] += change;
        }
        int configuration = active[server];
        if (configuration != ReducedConfigurations.NONE && j == ReducedConfigurations.other(configuration)) {
            others[server] += change;
        }
    }

    void save(StateWriter out) {
        out.putInts(active, servers);
    }

    void restore(StateReader in, View view, VirtualQueues queues) {
        grow(view);
        int[] saved = in.getInts();
        System.arraycopy(saved, 0, active, 0, saved.length);
        recount(view, queues);
    }
}

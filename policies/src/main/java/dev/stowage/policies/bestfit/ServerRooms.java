package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * The room that each server has for the other class of its configuration: its capacity, or one third of it where two
 * thirds are reserved for class 1, less what the requests of other classes hold. Sizes up to 2^-J count as 2^-J. Exact:
 * amounts are counted in units of 2^-J.
 */
final class ServerRooms {
    private final VirtualQueues queues;
    private final int resources;
    private long[] used = new long[0];
    private final long[] room;

    ServerRooms(View view, VirtualQueues queues) {
        this.queues = queues;
        resources = view.resources();
        room = new long[resources];
    }

    /** Counts anew what all servers hold. */
    void recount(View view) {
        if (view.servers() * resources > used.length) {
            used = new long[2 * view.servers() * resources];
        }
        for (int server = 0; server < view.servers(); server++) {
            recount(view, server);
        }
    }

    /** Counts anew what a server holds. */
    void recount(View view, int server) {
        if ((server + 1) * resources > used.length) {
            used = Arrays.copyOf(used, 2 * (server + 1) * resources);
        }
        Arrays.fill(used, server * resources, (server + 1) * resources, 0);
        for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
            count(view, server, job, 1);
        }
    }

    /** A request has come to a server (+1) or left it (-1). */
    void count(View view, int server, int job, int change) {
        int j = queues.classFor(view, job, server);
        if (j != Partition.BIG) {
            boolean roundedUp = queues.isLast(view, server, j);
            for (int r = 0; r < resources; r++) {
                used[server * resources + r] += change * amount(view, server, job, r, roundedUp);
            }
        }
    }

    private long amount(View view, int server, int job, int r, boolean roundedUp) {
        long exact = view.demand(job, r) << queues.levels();
        return roundedUp ? Math.max(exact, queues.largest(view, server, r)) : exact;
    }

    /** Whether a request of the other class of the configuration has room on a server that is up. */
    boolean has(View view, int server, int configuration, int job) {
        long[] has = room(view, server, configuration);
        for (int r = 0; r < resources; r++) {
            if (view.demand(job, r) > has[r]) {
                return false;
            }
        }
        return view.fits(job, server);
    }

    /**
     * The largest demands that have room, in whole units, -1 if none has; the array is reused.
     *
     * @param configuration its active configuration
     */
    long[] room(View view, int server, int configuration) {
        boolean reserved = ReducedConfigurations.holdsBig(configuration);
        boolean last = queues.isLast(view, server, ReducedConfigurations.other(configuration));
        for (int r = 0; r < resources; r++) {
            long capacity = view.capacity(server, r) << queues.levels();
            long left = (reserved ? capacity : 3 * capacity) - 3 * used[server * resources + r];
            long tooSmall = last ? 3 * queues.largest(view, server, r) : 0;
            room[r] = left < tooSmall ? -1 : left / (3L << queues.levels());
        }
        return room;
    }
}

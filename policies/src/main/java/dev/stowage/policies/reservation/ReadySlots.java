package dev.stowage.policies.reservation;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * How many more requests of each type the servers that are up and open could take, each type by itself. A type that
 * demands nothing has no slots. O(types x resources) per server that changes.
 */
final class ReadySlots {
    private final int types;
    private int[] onServer = {};
    private final long[] total;

    ReadySlots(int types) {
        this.types = types;
        total = new long[types];
    }

    /** The free capacity or status of a server changed, or it opened or closed. */
    void update(View view, int server, boolean open) {
        int end = (server + 1) * types;
        if (end > onServer.length) {
            onServer = Arrays.copyOf(onServer, Math.max(end, 2 * onServer.length));
        }
        boolean counts = open && view.status(server) == ServerStatus.UP;
        for (int type = 0; type < types; type++) {
            int slots = counts ? slots(view, server, type) : 0;
            total[type] += slots - onServer[server * types + type];
            onServer[server * types + type] = slots;
        }
    }

    private static int slots(View view, int server, int type) {
        double slots = slots(view, server, type, View.NONE);
        return slots == Double.POSITIVE_INFINITY ? 0 : (int) Math.max(0, slots);
    }

    /**
     * The slots of a type that the free room of a server is worth, as a fraction; infinite if the type demands nothing.
     *
     * @param less a request whose demand is taken off the free room, or {@link View#NONE}
     */
    static double slots(View view, int server, int type, int less) {
        double least = Double.POSITIVE_INFINITY;
        for (int r = 0; r < view.resources(); r++) {
            long demand = view.typeDemand(type, r);
            if (demand > 0) {
                long free = view.free(server, r) - (less == View.NONE ? 0 : view.demand(less, r));
                least = Math.min(least, (double) free / demand);
            }
        }
        return least;
    }

    /** Of a type on a server. */
    int on(int server, int type) {
        return onServer[server * types + type];
    }

    /** Of a type on all servers. */
    long total(int type) {
        return total[type];
    }
}

package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * Servers by the room they have: the lowest-numbered one above a given one where a request has room. A tree of the most
 * room, over all servers; O(log n) in one resource. In several the maxima may belong to different servers, and a search
 * may go astray.
 */
final class RoomTree {
    private static final long ABSENT = -1;

    private final int resources;
    private final int leaves;
    private final long[] most;

    RoomTree(int servers, int resources) {
        this.resources = resources;
        leaves = Math.max(1, Integer.highestOneBit(Math.max(1, servers - 1)) * 2);
        most = new long[2 * leaves * resources];
        Arrays.fill(most, ABSENT);
    }

    /** Sets the room of a server. */
    void put(int server, long[] room) {
        System.arraycopy(room, 0, most, (leaves + server) * resources, resources);
        raise(server);
    }

    /** Takes a server out. */
    void remove(int server) {
        int at = (leaves + server) * resources;
        Arrays.fill(most, at, at + resources, ABSENT);
        raise(server);
    }

    private void raise(int server) {
        for (int node = (leaves + server) >> 1; node > 0; node >>= 1) {
            for (int r = 0; r < resources; r++) {
                most[node * resources + r] =
                        Math.max(most[2 * node * resources + r], most[(2 * node + 1) * resources + r]);
            }
        }
    }

    /**
     * The lowest server above the given one that has room for a request, in the site's pools too; or {@link View#NONE}.
     */
    int after(View view, int server, int job) {
        return search(view, 1, 0, leaves, server + 1, job);
    }

    private int search(View view, int node, int low, int width, int from, int job) {
        if (low + width <= from || !admits(view, node, job)) {
            return View.NONE;
        }
        if (width == 1) {
            return view.fits(job, low) ? low : View.NONE;
        }
        int found = search(view, 2 * node, low, width / 2, from, job);
        return found != View.NONE ? found : search(view, 2 * node + 1, low + width / 2, width / 2, from, job);
    }

    private boolean admits(View view, int node, int job) {
        for (int r = 0; r < resources; r++) {
            if (most[node * resources + r] < view.demand(job, r)) {
                return false;
            }
        }
        return true;
    }
}

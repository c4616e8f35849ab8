package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.fit.Undecided;
import java.util.Arrays;

/**
 * Trunk reservation (after P. J. Hunt, C. N. Laws 1997): a request is accepted only if enough of the whole cluster
 * stays free for requests that pay more. Of every resource that it demands, at least the part {@code threshold} of its
 * type of the total capacity of the servers that are up must be free after it is placed. One search and O(resources)
 * per request.
 */
final class TrunkReservation implements Policy {
    private final ServerChoice servers;
    private final Thresholds thresholds;
    private final Undecided undecided = new Undecided();
    /** Per resource: total and free capacity of the servers that are up. */
    private final long[] capacity;

    private final long[] free;
    /** Per server and resource the amount that is counted in {@link #free}. */
    private long[] counted = {};

    private boolean[] isCounted = {};

    TrunkReservation(View view, ServerChoice servers, Thresholds thresholds) {
        this.servers = servers;
        this.thresholds = thresholds;
        capacity = new long[view.resources()];
        free = new long[view.resources()];
        for (int server = 0; server < view.servers(); server++) {
            count(view, server);
        }
        thresholds.fit(view, capacity);
    }

    /** Updates the sums with the free capacity and status of a server. */
    private void count(View view, int server) {
        if (server >= isCounted.length) {
            isCounted = Arrays.copyOf(isCounted, Math.max(view.servers(), 2 * isCounted.length));
            counted = Arrays.copyOf(counted, isCounted.length * free.length);
        }
        boolean up = view.status(server) == ServerStatus.UP;
        for (int r = 0; r < free.length; r++) {
            long now = up ? view.free(server, r) : 0;
            free[r] += now - counted[server * free.length + r];
            counted[server * free.length + r] = now;
            capacity[r] += ((up ? 1 : 0) - (isCounted[server] ? 1 : 0)) * view.capacity(server, r);
        }
        isCounted[server] = up;
    }

    private void update(View view, int server) {
        servers.update(view, server);
        count(view, server);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        // Decided when the step ends.
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server != View.NONE) {
            update(view, server);
        }
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        update(view, server);
        thresholds.fit(view, capacity);
    }

    @Override
    public void round(View view, Actions actions) {
        undecided.collect(view);
        for (int k = 0; k < undecided.size(); k++) {
            decide(undecided.get(k), view, actions);
        }
    }

    private void decide(int job, View view, Actions actions) {
        if (!leavesEnough(job, view)) {
            actions.reject(job, "room is kept for types that pay more");
            return;
        }
        int server = servers.choose(view, job);
        if (server == View.NONE) {
            actions.reject(job, "fits no server now");
            return;
        }
        actions.place(job, server, servers.reason());
        update(view, server);
    }

    private boolean leavesEnough(int job, View view) {
        double part = thresholds.of(view.type(job));
        for (int r = 0; r < free.length; r++) {
            long demand = view.demand(job, r);
            if (demand > 0 && free[r] - demand < part * capacity[r]) {
                return false;
            }
        }
        return true;
    }
}

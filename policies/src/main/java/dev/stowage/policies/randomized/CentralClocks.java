package dev.stowage.policies.randomized;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * Algorithm 1: a queue per type; when its clock ticks, a server is chosen uniformly at random.
 *
 * <p>The choice among all servers that are up, of which only those with room matter, is drawn directly among the
 * latter, at the clock's rate times their share. An event costs O(types log servers).
 */
final class CentralClocks extends PoissonClocks {
    private static final String WAITS = "waits for the clock of its type";

    /** Per type, the servers that may take one more. */
    private final FittingServers[] fitting;

    private final SumTree clocks;
    private int up;
    private boolean[] isUp = {};

    CentralClocks(View view, ClockOptions options) {
        super(view, options);
        fitting = new FittingServers[types];
        for (int type = 0; type < types; type++) {
            fitting[type] = new FittingServers();
        }
        clocks = new SumTree(types);
        for (int server = 0; server < view.servers(); server++) {
            count(server, view);
        }
        for (int server = 0; server < view.servers(); server++) {
            occupancyChanged(server, view);
        }
    }

    private void count(int server, View view) {
        if (server >= isUp.length) {
            isUp = Arrays.copyOf(isUp, Math.max(view.servers(), 2 * isUp.length));
        }
        boolean now = view.status(server) == ServerStatus.UP;
        up += (now ? 1 : 0) - (isUp[server] ? 1 : 0);
        isUp[server] = now;
    }

    @Override
    void queue(int job, int type, View view, Actions actions) {
        actions.enqueue(job, type, WAITS);
        setClock(type, view);
    }

    @Override
    void gaveUp(int job, int type, View view) {
        setClock(type, view);
    }

    @Override
    void occupancyChanged(int server, View view) {
        for (int type = 0; type < types; type++) {
            fitting[type].growTo(view.servers());
            fitting[type].set(server, occupancy.fits(view, server, type));
            setClock(type, view);
        }
    }

    private void setClock(int type, View view) {
        int waiting = view.queueLength(type);
        boolean idle = waiting == 0 && dummies == Dummies.NEVER;
        double share = up == 0 || idle ? 0 : (double) fitting[type].size() / up;
        clocks.set(type, share == 0 ? 0 : rates.of(waiting) * share);
    }

    @Override
    void statusChanged(int server, View view, Actions actions) {
        count(server, view);
        for (int type = 0; type < types; type++) {
            setClock(type, view);
        }
    }

    @Override
    void tick(View view, Actions actions) {
        int type = clocks.at(view.random().nextDouble());
        int server = fitting[type].get(view.random().nextInt(fitting[type].size()));
        int head = view.queueHead(type);
        if (head != View.NONE || placesDummy(server, type)) {
            serve(head, type, server, view, actions);
        }
    }

    @Override
    double totalRate() {
        return clocks.total();
    }
}

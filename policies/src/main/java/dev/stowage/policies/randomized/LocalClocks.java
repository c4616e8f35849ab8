package dev.stowage.policies.randomized;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.View;

/**
 * Algorithm 2: a queue and a clock per type and server; requests join the shortest queue, or the shortest of some
 * chosen at random.
 *
 * <p>An arrival costs O(log servers), an event of a server O(types log(types x servers)); memory is O(types x servers).
 */
final class LocalClocks extends PoissonClocks {
    private final LocalQueues queues;
    /** Rates by server and type. */
    private final SumTree clocks;

    private final View view;

    LocalClocks(View view, ClockOptions options, int choices, boolean withReplacement) {
        super(view, options);
        this.view = view;
        clocks = new SumTree(view.servers() * types);
        queues = new LocalQueues(view, new Routing(view, choices, withReplacement), this::setClock);
        for (int server = 0; server < view.servers(); server++) {
            occupancyChanged(server, view);
        }
    }

    @Override
    void queue(int job, int type, View view, Actions actions) {
        queues.add(job, type, view, actions);
    }

    @Override
    void gaveUp(int job, int type, View view) {
        queues.gaveUp(job, type, view);
    }

    @Override
    void occupancyChanged(int server, View view) {
        for (int type = 0; type < types; type++) {
            setClock(server, type);
        }
    }

    private void setClock(int server, int type) {
        boolean fits = occupancy.fits(view, server, type);
        clocks.set(server * types + type, fits ? rate(server, type, queues.length(server, type, view)) : 0);
    }

    @Override
    void statusChanged(int server, View view, Actions actions) {
        clocks.growTo(view.servers() * types);
        queues.serverChanged(server, view, actions);
    }

    @Override
    void tick(View view, Actions actions) {
        int index = clocks.at(view.random().nextDouble());
        int server = index / types;
        int type = index % types;
        serve(queues.head(server, type, view), type, server, view, actions);
        queues.changed(server, type, view);
    }

    @Override
    double totalRate() {
        return clocks.total();
    }
}

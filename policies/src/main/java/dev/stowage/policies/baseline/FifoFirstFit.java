package dev.stowage.policies.baseline;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.FirstFit;
import dev.stowage.policies.fit.GangFit;
import dev.stowage.policies.fit.Moving;
import dev.stowage.policies.fit.Undecided;

/**
 * FIFO-FF: one queue, first in, first out. The head goes to the lowest-numbered server with room; while it fits none,
 * no request after it is considered; a gang at the head is placed as a whole. A displaced request goes to the end of
 * the queue. One search per placement and per blocked head.
 */
final class FifoFirstFit implements Policy {
    private static final String WAITS = "the head of the queue, or this request, fits no server now";

    private final FirstFit servers;
    private final Undecided undecided = new Undecided();
    private final GangFit gangs;
    /** Whether the head of the queue is known to fit nowhere. */
    private boolean stuck;

    FifoFirstFit(View view) {
        servers = new FirstFit(view);
        gangs = new GangFit(view, servers);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        // Decided when the step ends.
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server == View.NONE) {
            stuck = false;
        } else {
            roomAppeared(view, server);
        }
    }

    @Override
    public void adopted(int job, int server, View view, Actions actions) {
        servers.update(view, server);
    }

    @Override
    public void moveOff(int job, View view, Actions actions) {
        int from = view.server(job);
        int target = Moving.off(view, actions, job, servers);
        if (target != View.NONE) {
            servers.update(view, target);
            roomAppeared(view, from);
        }
    }

    private void roomAppeared(View view, int server) {
        servers.update(view, server);
        // With pools, or if the head is spread over the values of a label, it may now fit another server.
        stuck &= view.pooledResources() == 0
                && view.queueLength(0) > 0
                && view.gang(view.queueHead(0)) == View.NONE
                && !view.spreadsOverLabels(view.constraint(view.queueHead(0)))
                && !view.fits(view.queueHead(0), server);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        servers.update(view, server);
        stuck = false;
    }

    @Override
    public void round(View view, Actions actions) {
        undecided.collect(view);
        serveQueue(view, actions);
        int gang = 0;
        for (int k = 0; k < undecided.size(); k++) {
            int job = undecided.get(k);
            while (gang < undecided.gangs() && isBefore(view, undecided.gang(gang), job)) {
                decideGang(view, actions, undecided.gang(gang++));
            }
            if (view.queueLength(0) > 0 || !placed(view, actions, job)) {
                actions.enqueue(job, 0, WAITS);
                stuck = true;
            }
        }
        while (gang < undecided.gangs()) {
            decideGang(view, actions, undecided.gang(gang++));
        }
    }

    private static boolean isBefore(View view, int gang, int job) {
        return view.order(view.gangMember(gang, 0)) < view.order(job);
    }

    private void decideGang(View view, Actions actions, int gang) {
        if (view.queueLength(0) > 0 || !gangPlaced(view, actions, gang)) {
            actions.enqueueGang(gang, 0, WAITS);
            stuck = true;
        }
    }

    private boolean gangPlaced(View view, Actions actions, int gang) {
        return gangs.place(view, actions, gang, server -> servers.update(view, server));
    }

    private void serveQueue(View view, Actions actions) {
        while (!stuck && view.queueLength(0) > 0) {
            int head = view.queueHead(0);
            int gang = view.gang(head);
            stuck = gang == View.NONE ? !placed(view, actions, head) : !gangPlaced(view, actions, gang);
        }
    }

    private boolean placed(View view, Actions actions, int job) {
        int server = servers.choose(view, job);
        if (server == View.NONE) {
            return false;
        }
        actions.place(job, server, servers.reason());
        servers.update(view, server);
        return true;
    }

    @Override
    public void save(StateWriter out) {
        out.putBoolean(stuck);
    }

    @Override
    public void restore(StateReader in, View view) {
        stuck = in.getBoolean();
    }
}

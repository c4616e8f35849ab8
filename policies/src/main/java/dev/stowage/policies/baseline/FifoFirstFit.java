package dev.stowage.policies.baseline;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.FirstFit;
import dev.stowage.policies.fit.Undecided;

/**
 * FIFO-FF: one queue, first in, first out. The head goes to the lowest-numbered server with room; while it fits none,
 * nobody behind it is looked at. A displaced request goes to the end of the queue. One search per placement and per
 * blocked head.
 */
final class FifoFirstFit implements Policy {
    private final FirstFit servers;
    private final Undecided undecided = new Undecided();
    /** Whether the head of the queue is known to fit nowhere. */
    private boolean stuck;

    FifoFirstFit(View view) {
        servers = new FirstFit(view);
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
    public void dummyEnded(int dummy, int server, View view, Actions actions) {
        roomAppeared(view, server);
    }

    private void roomAppeared(View view, int server) {
        servers.update(view, server);
        // Where there are pools, or the head is spread over the values of a label, it may fit another server now.
        stuck &= view.pooledResources() == 0
                && view.queueLength(0) > 0
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
        for (int k = 0; k < undecided.size(); k++) {
            int job = undecided.get(k);
            if (view.queueLength(0) > 0 || !placed(view, actions, job)) {
                actions.enqueue(job, 0, "the head of the queue, or this request, fits no server now");
                stuck = true;
            }
        }
    }

    private void serveQueue(View view, Actions actions) {
        while (!stuck && view.queueLength(0) > 0) {
            stuck = !placed(view, actions, view.queueHead(0));
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

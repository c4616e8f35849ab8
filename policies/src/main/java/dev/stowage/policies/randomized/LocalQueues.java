package dev.stowage.policies.randomized;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * A queue per type and server. Requests are routed on arrival; when their server is no longer up, they are routed
 * again, and while no server could ever hold them they are parked.
 */
final class LocalQueues {
    private static final String ROUTED = "joins the shortest of the queues compared";
    private static final String PARKED = "no server that is up could hold it";

    /** Is told that the length of a queue changed. */
    @FunctionalInterface
    interface Listener {
        void changed(int server, int type);
    }

    private final int types;
    private final Routing routing;
    private final Listener listener;
    /** Server in whose queue a job waits, or NONE. */
    private int[] home = new int[64];

    LocalQueues(View view, Routing routing, Listener listener) {
        this.types = view.types();
        this.routing = routing;
        this.listener = listener;
        for (int server = 0; server < view.servers(); server++) {
            for (int type = 0; type < types && routing.queue(server, type) < view.queues(); type++) {
                remember(server, type, view);
            }
        }
        for (int job = queueHead(Routing.PARKED, view); job != View.NONE; job = view.next(job)) {
            setHome(job, View.NONE);
        }
    }

    /** Number of queues for the servers of a view. */
    static int number(View view) {
        return 1 + view.servers() * view.types();
    }

    private void remember(int server, int type, View view) {
        for (int job = view.queueHead(routing.queue(server, type)); job != View.NONE; job = view.next(job)) {
            setHome(job, server);
        }
    }

    private static int queueHead(int queue, View view) {
        return queue < view.queues() ? view.queueHead(queue) : View.NONE;
    }

    private void setHome(int job, int server) {
        if (job >= home.length) {
            home = Arrays.copyOf(home, Math.max(job + 1, 2 * home.length));
        }
        home[job] = server;
    }

    int length(int server, int type, View view) {
        return view.queueLength(routing.queue(server, type));
    }

    int head(int server, int type, View view) {
        return view.queueHead(routing.queue(server, type));
    }

    /** Server in whose queue a request waits, or {@link View#NONE} if it is parked. */
    int server(int job) {
        return home[job];
    }

    /** Routes a request and puts it into its queue. */
    void add(int job, int type, View view, Actions actions) {
        int server = routing.choose(type, view);
        setHome(job, server);
        if (server == View.NONE) {
            actions.enqueue(job, Routing.PARKED, PARKED);
        } else {
            actions.enqueue(job, routing.queue(server, type), ROUTED);
            changed(server, type, view);
        }
    }

    /** A waiting request left. */
    void gaveUp(int job, int type, View view) {
        if (home[job] != View.NONE) {
            changed(home[job], type, view);
        }
    }

    /** The head of a queue has been placed. */
    void changed(int server, int type, View view) {
        routing.lengthChanged(server, type, view);
        listener.changed(server, type);
    }

    /** A server was added or changed its status. */
    void serverChanged(int server, View view, Actions actions) {
        routing.serverChanged(server, view);
        if (view.status(server) == ServerStatus.UP) {
            routeParked(view, actions);
        } else {
            empty(server, view, actions);
        }
    }

    private void routeParked(View view, Actions actions) {
        for (int left = view.queueLength(Routing.PARKED); left > 0; left--) {
            int job = view.queueHead(Routing.PARKED);
            add(job, view.type(job), view, actions);
        }
    }

    private void empty(int server, View view, Actions actions) {
        for (int type = 0; type < types; type++) {
            int queue = routing.queue(server, type);
            while (view.queueLength(queue) > 0) {
                add(view.queueHead(queue), type, view, actions);
            }
            listener.changed(server, type);
        }
    }
}

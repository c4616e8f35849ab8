package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.fit.Typed;
import java.util.Arrays;

/**
 * Servers that take nothing new until a request of a large type fits, at most one in a hundred and ten in all. A
 * departure pulls one request off them, to the server where it fits best: of the server that is being cleared for the
 * longest time and has a request that fits elsewhere, the one that demands the largest part of a server, ties to the
 * one that was placed there first. Requests move within their site, and only those without an agent that hold what they
 * demand. (Into the room of the departure alone was tried: large requests then break up room for larger ones.)
 *
 * <p>Beginning to clear a server is O(servers x resources); a pull one search per type, and O(requests on ten servers).
 */
final class Clearing {
    private static final int SERVERS_FOR_ONE = 100;
    private static final int MOST = 10;
    private static final String PULLED = "clears its server for a larger one";

    /** In the order in which clearing began, and the type that is to fit. */
    private final int[] servers = new int[MOST];

    private final int[] types = new int[MOST];
    private int size;
    /** Of one pull, per type: whether a server was searched for, and which was found. */
    private final boolean[] searched;

    private final int[] targets;
    private int from;
    private int to;

    Clearing(int types) {
        searched = new boolean[types];
        targets = new int[types];
    }

    boolean contains(int server) {
        return indexOf(server) >= 0;
    }

    private int indexOf(int server) {
        for (int k = 0; k < size; k++) {
            if (servers[k] == server) {
                return k;
            }
        }
        return -1;
    }

    /** Servers that are being cleared for a type. */
    int count(int type) {
        int count = 0;
        for (int k = 0; k < size; k++) {
            count += types[k] == type ? 1 : 0;
        }
        return count;
    }

    /** Whether another server may be cleared. */
    boolean mayBegin(View view) {
        return size < Math.min(MOST, Math.max(1, view.servers() / SERVERS_FOR_ONE));
    }

    /**
     * Begins to clear the server on which the largest part of a request of the type fits already, ties to the lowest
     * number. Returns it, or {@link View#NONE} if no server is suitable.
     */
    int begin(View view, int type) {
        int best = View.NONE;
        double most = 0;
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) == ServerStatus.UP && !contains(server)) {
                double part = ReadySlots.slots(view, server, type, View.NONE);
                if (part > most && part < 1 && couldHold(view, server, type)) {
                    most = part;
                    best = server;
                }
            }
        }
        if (best != View.NONE) {
            servers[size] = best;
            types[size++] = type;
        }
        return best;
    }

    private static boolean couldHold(View view, int server, int type) {
        for (int r = 0; r < view.resources(); r++) {
            if (view.typeDemand(type, r) > view.capacity(server, r)) {
                return false;
            }
        }
        return true;
    }

    /** A server changed: it is not cleared any longer if the type fits or it is not up. Returns whether it ended. */
    boolean ends(View view, int server) {
        int k = indexOf(server);
        if (k < 0
                || (view.status(server) == ServerStatus.UP
                        && ReadySlots.slots(view, server, types[k], View.NONE) < 1)) {
            return false;
        }
        size--;
        System.arraycopy(servers, k + 1, servers, k, size - k);
        System.arraycopy(types, k + 1, types, k, size - k);
        return true;
    }

    /** Pulls a request off a server. Returns whether one moved: then {@link #from} and {@link #to} say where. */
    boolean pull(View view, ServerChoice open, Actions actions) {
        Arrays.fill(searched, false);
        for (int k = 0; k < size; k++) {
            from = servers[k];
            int largest = largest(view, open);
            if (largest != View.NONE) {
                actions.migrate(largest, to, PULLED);
                return true;
            }
        }
        return false;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    private int largest(View view, ServerChoice open) {
        int largest = View.NONE;
        double most = -1;
        for (int job = view.firstOn(from); job != View.NONE; job = view.next(job)) {
            double part = part(view, job, from);
            if (part > most && mayMove(view, job)) {
                int server = target(view, job, open);
                if (server != View.NONE && view.site(server) == view.site(from)) {
                    most = part;
                    largest = job;
                    to = server;
                }
            }
        }
        return largest;
    }

    /** Requests of a type all fit the same server best, so each type is searched for once. */
    private int target(View view, int job, ServerChoice open) {
        if (!Typed.isOfItsType(view, job)) {
            return open.choose(view, job);
        }
        int type = view.type(job);
        if (!searched[type]) {
            searched[type] = true;
            targets[type] = open.choose(view, job);
        }
        return targets[type];
    }

    private static double part(View view, int job, int server) {
        double most = 0;
        for (int r = 0; r < view.resources(); r++) {
            most = Math.max(most, (double) view.demand(job, r) / Math.max(1, view.capacity(server, r)));
        }
        return most;
    }

    private static boolean mayMove(View view, int job) {
        int divisible = view.divisibleResource();
        return view.state(job) == JobState.RUNNING
                && !view.hasAgent(job)
                && (divisible == View.NONE || view.share(job) == view.demand(job, divisible));
    }

    void save(StateWriter out) {
        out.putLong(size);
        for (int k = 0; k < size; k++) {
            out.putLong(servers[k]);
            out.putLong(types[k]);
        }
    }

    void restore(StateReader in) {
        size = (int) in.getLong();
        Arrays.fill(servers, 0);
        for (int k = 0; k < size; k++) {
            servers[k] = (int) in.getLong();
            types[k] = (int) in.getLong();
        }
    }
}

package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * At most one server is held: it takes nothing until it has room for a given request, or is empty. That is the first
 * request in the queue that is due: since its arrival ten times as many requests have arrived as run now, which by
 * Little's law takes about ten mean service times. Of the servers that could hold the request, the one is held that
 * lacks least for it, measured by the largest part of a capacity that the demand exceeds the free amount by; ties to
 * the lowest.
 *
 * <p>The k-th hold since a request became due is followed by a pause of k times its own length. So the part of the time
 * in which a server is held tends to 0 as long as requests are due.
 *
 * <p>A step costs O(1); one in which a hold begins O(servers), times the number of due requests that no server could
 * hold now, {@link #LOOKED_AT} at most.
 */
final class HeldForDue extends Stalling {
    /** Most due requests that are examined in a step. */
    private static final int LOOKED_AT = 64;

    /** A century: so that times do not overflow. */
    private static final double LONGEST_PAUSE_NANOS = 3.2e18;

    /** A request is due once this many times as many requests have arrived after it as are running. */
    static final int TURNOVERS = 10;

    private int server = View.NONE;
    private int job = View.NONE;
    private long since;
    private long pausedUntil = Long.MIN_VALUE;
    /** Holds since a request became due. */
    private long holds;
    /** Greatest order of a request that arrived. */
    private long newest = -1;

    /** Running requests: per server as of its last change, and in total. */
    private int[] runningOn = new int[16];

    private long running;

    /** The server that is held, or {@link View#NONE}. */
    int server() {
        return server;
    }

    /** The request that the server is held for; only meaningful while one is held. */
    int job() {
        return job;
    }

    /** A request arrived, perhaps not for the first time. */
    void arrived(View view, int newJob) {
        newest = Math.max(newest, view.order(newJob));
    }

    @Override
    void changed(View view, int changed) {
        if (changed >= runningOn.length) {
            runningOn = Arrays.copyOf(runningOn, Math.max(changed + 1, 2 * runningOn.length));
        }
        running += view.running(changed) - runningOn[changed];
        runningOn[changed] = view.running(changed);
    }

    /** Whether the request may still find room there, now or after departures. */
    boolean isOfUse(View view) {
        return view.firstOn(server) != View.NONE && couldHold(view, job, server);
    }

    /** No request waits, so none is due. */
    void nobodyIsDue() {
        holds = 0;
    }

    /** The hold ends. */
    void end(View view) {
        reopen(server);
        long pause = (long) Math.min((double) holds * (view.now() - since), LONGEST_PAUSE_NANOS);
        pausedUntil = view.now() + pause;
        server = View.NONE;
        job = View.NONE;
    }

    @Override
    int inefficient(View view) {
        int head = firstAlone(view, view.queueHead(0));
        if (head == View.NONE || !isDue(view, head)) {
            holds = server == View.NONE ? 0 : holds;
            return View.NONE;
        }
        if (server != View.NONE || view.now() < pausedUntil) {
            return View.NONE;
        }
        for (int k = 0; k < LOOKED_AT && head != View.NONE && isDue(view, head); k++) {
            int nearest = nearest(view, head);
            if (nearest != View.NONE) {
                server = nearest;
                job = head;
                since = view.now();
                holds++;
                return server;
            }
            head = firstAlone(view, view.next(head));
        }
        return View.NONE;
    }

    private boolean isDue(View view, int waiting) {
        return newest - view.order(waiting) >= TURNOVERS * running;
    }

    /** The first request from here on in the queue that is not in a gang. */
    private static int firstAlone(View view, int from) {
        int first = from;
        while (first != View.NONE && view.gang(first) != View.NONE) {
            first = view.next(first);
        }
        return first;
    }

    private static boolean couldHold(View view, int waiting, int server) {
        if (view.status(server) != ServerStatus.UP || !view.admits(view.constraint(waiting), server)) {
            return false;
        }
        for (int r = 0; r < view.resources(); r++) {
            if (view.demand(waiting, r) > view.capacity(server, r)) {
                return false;
            }
        }
        return true;
    }

    private static int nearest(View view, int waiting) {
        int nearest = View.NONE;
        double least = Double.POSITIVE_INFINITY;
        for (int at = 0; at < view.servers(); at++) {
            if (view.firstOn(at) != View.NONE && couldHold(view, waiting, at)) {
                double missing = 0;
                for (int r = 0; r < view.resources(); r++) {
                    double lacks = (double) view.demand(waiting, r) - view.free(at, r);
                    missing = Math.max(missing, view.capacity(at, r) == 0 ? 0 : lacks / view.capacity(at, r));
                }
                if (missing < least) {
                    least = missing;
                    nearest = at;
                }
            }
        }
        return nearest;
    }

    @Override
    void save(StateWriter out) {
        super.save(out);
        out.putInt(server);
        out.putInt(job);
        out.putLong(since);
        out.putLong(pausedUntil);
        out.putLong(holds);
        out.putLong(newest);
    }

    @Override
    void restore(StateReader in, View view) {
        super.restore(in, view);
        server = in.getInt();
        job = in.getInt();
        since = in.getLong();
        pausedUntil = in.getLong();
        holds = in.getLong();
        newest = in.getLong();
        runningOn = new int[Math.max(16, view.servers())];
        for (int at = 0; at < view.servers(); at++) {
            runningOn[at] = view.running(at);
            running += runningOn[at];
        }
    }
}

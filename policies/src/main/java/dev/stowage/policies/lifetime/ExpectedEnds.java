package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.View;
import dev.stowage.policies.index.ItemHeaps;
import java.util.Arrays;

/**
 * When each server is expected to be empty: the latest expected end of its requests. A request that outlives its
 * expectation is expected to run twice as long, and so on: of lifetimes with a heavy tail, what has run for a time has
 * about as long before it.
 *
 * <p>Follows from the view alone, so nothing of it is saved. An update is O(requests on the server + log servers).
 */
final class ExpectedEnds {
    /** The end of a request that does not say how long it expects to run: later than any other. */
    static final long NEVER = Long.MAX_VALUE;
    /** The end of a server without requests. */
    static final long EMPTY = Long.MIN_VALUE;

    private static final long[] NOTHING = {};

    /** Servers by a time until which their end stays as it is, if no request comes or goes. */
    private final ItemHeaps due = new ItemHeaps();

    private int firstDue = ItemHeaps.NONE;

    private long[] ends = new long[0];
    /** Of each server: how many requests it has, and which ends last. */
    private int[] counts = new int[0];

    private int[] last = new int[0];
    /**
     * Of each server that has an end, its requests, each followed by a time until which it does not outlive this end:
     * side by side, because looking them up in the view took most of the time.
     */
    private long[][] requests = new long[0][];

    /** When a request is expected to end, nanoseconds, later than now; one that does not run yet would begin now. */
    static long of(View view, int job) {
        return end(view, job, view.state(job) == JobState.RUNNING ? view.runsSince(job) : view.now());
    }

    private static long end(View view, int job, long since) {
        long expected = view.expectedNanos(job);
        if (expected == 0) {
            return NEVER;
        }
        long ran = view.now() - since;
        while (expected <= ran && expected < NEVER) {
            expected = expected > NEVER / 2 ? NEVER : 2 * expected;
        }
        return expected >= NEVER - Math.max(0, since) ? NEVER - 1 : since + expected;
    }

    /** Looks at the requests on a server anew. */
    void update(View view, int server) {
        if (server >= ends.length) {
            grow(server + (server >> 1) + 16);
        }
        long latest = EMPTY;
        last[server] = View.NONE;
        for (int job = view.firstOn(server); job != View.NONE && latest != NEVER; job = view.next(job)) {
            long its = end(view, job, view.runsSince(job));
            if (its > latest) {
                latest = its;
                last[server] = job;
            }
        }
        ends[server] = latest;
        counts[server] = view.running(server);
        long valid = NEVER;
        if (latest != NEVER) {
            int k = 0;
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                valid = Math.min(valid, add(view, server, k++, job));
            }
        }
        lookAgain(server, valid);
    }

    /** Adds a request to those of a server, as the k-th; returns until when it does not outlive the server's end. */
    private long add(View view, int server, int k, int job) {
        long[] its = requests[server];
        if (its.length < 2 * k + 2) {
            its = Arrays.copyOf(its, 4 * k + 4);
            requests[server] = its;
        }
        long since = view.runsSince(job);
        its[2 * k] = job;
        its[2 * k + 1] = lastBefore(ends[server], since, end(view, job, since));
        return its[2 * k + 1];
    }

    /** The same after a request has come, if nothing else has changed on the server since the last update. */
    void placed(View view, int server, int job) {
        if (server >= ends.length || ends[server] == EMPTY || view.running(server) != counts[server] + 1) {
            update(view, server);
            return;
        }
        long end = end(view, job, view.runsSince(job));
        if (end > ends[server]) {
            // Those that were there outlive the later end no sooner.
            ends[server] = end;
            last[server] = job;
        }
        if (ends[server] == NEVER) {
            lookAgain(server, NEVER);
        } else {
            lookAgain(server, Math.min(due.order(server), add(view, server, counts[server], job)));
        }
        counts[server]++;
    }

    /** The same after a request has gone. */
    void left(View view, int server, int job) {
        if (view.running(server) != counts[server] - 1 || job == last[server]) {
            update(view, server);
            return;
        }
        if (ends[server] == NEVER) {
            counts[server]--;
            return;
        }
        long[] its = requests[server];
        int end = 2 * counts[server] - 2;
        int at = 0;
        while (at < end && its[at] != job) {
            at += 2;
        }
        if (its[at] != job) {
            update(view, server);
            return;
        }
        counts[server]--;
        long until = its[at + 1];
        its[at] = its[end];
        its[at + 1] = its[end + 1];
        if (until == due.order(server)) {
            long valid = NEVER;
            for (int k = 1; k < end; k += 2) {
                valid = Math.min(valid, its[k]);
            }
            lookAgain(server, valid);
        }
    }

    private void grow(int length) {
        int old = ends.length;
        ends = Arrays.copyOf(ends, length);
        counts = Arrays.copyOf(counts, length);
        last = Arrays.copyOf(last, length);
        requests = Arrays.copyOf(requests, length);
        Arrays.fill(requests, old, length, NOTHING);
    }

    /** A request may outlive its end by doubling as long as that is no later than the latest: its last such end. */
    private static long lastBefore(long latest, long since, long end) {
        long last = end;
        while (last - since <= latest - last) {
            last += last - since;
        }
        return last;
    }

    /** The end of a server as of its last update. */
    long of(int server) {
        return ends[server];
    }

    /** {@link #changed} is to name a server at a time. */
    private void lookAgain(int server, long at) {
        if (due.contains(server)) {
            if (due.order(server) == at) {
                return;
            }
            firstDue = due.remove(firstDue, server);
        }
        if (at != NEVER) {
            firstDue = due.insert(firstDue, server, at);
        }
    }

    /** A server whose end has changed by itself by now, or {@link View#NONE}. */
    int changed(View view) {
        return firstDue != ItemHeaps.NONE && due.order(firstDue) <= view.now() ? firstDue : View.NONE;
    }
}

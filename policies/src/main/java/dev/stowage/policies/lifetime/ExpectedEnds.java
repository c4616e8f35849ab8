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
 * <p>Follows from the view alone, so nothing of it is saved. An update is O(requests on the server + log servers), of a
 * request that comes or goes mostly O(log servers).
 */
final class ExpectedEnds {
    /** The end of a request that does not say how long it expects to run: later than any other. */
    static final long NEVER = Long.MAX_VALUE;
    /** The end of a server without requests. */
    static final long EMPTY = Long.MIN_VALUE;

    /** Servers by a time until which their end stays as it is, if no request comes or goes. */
    private final ItemHeaps due = new ItemHeaps();

    private int firstDue = ItemHeaps.NONE;

    private long[] ends = new long[0];
    /** Of each server: how many requests it has, which ends last, and whose end says when to look again. */
    private int[] counts = new int[0];

    private int[] last = new int[0];
    private int[] next = new int[0];
    /** Each request of a server, since when it runs, and when it is expected to end. */
    private long[] requests = new long[96];

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
        int size = 0;
        long latest = EMPTY;
        last[server] = View.NONE;
        for (int job = view.firstOn(server); job != View.NONE && latest != NEVER; job = view.next(job)) {
            if (size == requests.length) {
                requests = Arrays.copyOf(requests, 2 * size);
            }
            requests[size] = job;
            requests[size + 1] = view.runsSince(job);
            requests[size + 2] = end(view, job, requests[size + 1]);
            if (requests[size + 2] > latest) {
                latest = requests[size + 2];
                last[server] = job;
            }
            size += 3;
        }
        ends[server] = latest;
        counts[server] = view.running(server);
        next[server] = View.NONE;
        long valid = NEVER;
        for (int k = 0; k < size && latest != NEVER; k += 3) {
            long its = lastBefore(latest, requests[k + 1], requests[k + 2]);
            if (its < valid) {
                valid = its;
                next[server] = (int) requests[k];
            }
        }
        lookAgain(server, valid);
    }

    /** The same after a request has come, if nothing else has changed on the server since the last update. */
    void placed(View view, int server, int job) {
        if (server >= ends.length || ends[server] == EMPTY || view.running(server) != counts[server] + 1) {
            update(view, server);
            return;
        }
        counts[server]++;
        long since = view.runsSince(job);
        long end = end(view, job, since);
        if (end > ends[server]) {
            // Those that were there outlive the later end no sooner.
            ends[server] = end;
            last[server] = job;
            if (end == NEVER) {
                lookAgain(server, NEVER);
            }
        } else if (ends[server] != NEVER) {
            long its = lastBefore(ends[server], since, end);
            if (its < due.order(server)) {
                next[server] = job;
                lookAgain(server, its);
            }
        }
    }

    /** The same after a request has gone. */
    void left(View view, int server, int job) {
        if (view.running(server) == counts[server] - 1 && job != last[server] && job != next[server]) {
            counts[server]--;
        } else {
            update(view, server);
        }
    }

    private void grow(int length) {
        ends = Arrays.copyOf(ends, length);
        counts = Arrays.copyOf(counts, length);
        last = Arrays.copyOf(last, length);
        next = Arrays.copyOf(next, length);
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

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

    /** Servers by the time until which their end stays as it is, if no request comes or goes. */
    private final ItemHeaps due = new ItemHeaps();

    private int firstDue = ItemHeaps.NONE;

    private long[] ends = new long[0];
    /** Since when each request of a server runs, and when it is expected to end. */
    private long[] requests = new long[64];

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
        int size = 0;
        long latest = EMPTY;
        for (int job = view.firstOn(server); job != View.NONE && latest != NEVER; job = view.next(job)) {
            if (size == requests.length) {
                requests = Arrays.copyOf(requests, 2 * size);
            }
            requests[size] = view.runsSince(job);
            requests[size + 1] = end(view, job, requests[size]);
            latest = Math.max(latest, requests[size + 1]);
            size += 2;
        }
        if (server >= ends.length) {
            ends = Arrays.copyOf(ends, server + (server >> 1) + 16);
        }
        ends[server] = latest;
        long valid = NEVER;
        for (int k = 0; k < size && latest != NEVER; k += 2) {
            valid = Math.min(valid, lastBefore(latest, requests[k], requests[k + 1]));
        }
        lookAgain(server, valid);
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

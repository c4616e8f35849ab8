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

    private final ItemHeaps due = new ItemHeaps();
    private int firstDue = ItemHeaps.NONE;
    private long[] ends = new long[0];

    /** When a request is expected to end, nanoseconds, later than now; one that does not run yet would begin now. */
    static long of(View view, int job) {
        long expected = view.expectedNanos(job);
        if (expected == 0) {
            return NEVER;
        }
        long since = view.state(job) == JobState.RUNNING ? view.runsSince(job) : view.now();
        long ran = view.now() - since;
        while (expected <= ran) {
            expected *= 2;
        }
        return expected >= NEVER - Math.max(0, since) ? NEVER - 1 : since + expected;
    }

    /** Looks at the requests on a server anew; {@link #changed} names it when the answer changes by itself. */
    void update(View view, int server) {
        long latest = EMPTY;
        long earliest = NEVER;
        for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
            long end = of(view, job);
            latest = Math.max(latest, end);
            earliest = Math.min(earliest, end);
        }
        if (server >= ends.length) {
            int old = ends.length;
            ends = Arrays.copyOf(ends, server + (server >> 1) + 16);
            Arrays.fill(ends, old, ends.length, EMPTY);
        }
        ends[server] = latest;
        lookAgain(server, latest == NEVER ? NEVER : earliest);
    }

    /** The end of a server as of its last update. */
    long of(int server) {
        return ends[server];
    }

    /** A server is to be looked at again at a time, if not before. */
    void lookAgainBy(int server, long at) {
        if (!due.contains(server) || at < due.order(server)) {
            lookAgain(server, at);
        }
    }

    private void lookAgain(int server, long at) {
        if (due.contains(server)) {
            firstDue = due.remove(firstDue, server);
        }
        if (at != NEVER) {
            firstDue = due.insert(firstDue, server, at);
        }
    }

    /** A server that is to be looked at again by now, or {@link View#NONE}. */
    int changed(View view) {
        return firstDue != ItemHeaps.NONE && due.order(firstDue) <= view.now() ? firstDue : View.NONE;
    }
}

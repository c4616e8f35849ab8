package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Remembering;
import java.util.Arrays;

/**
 * Servers by a class of lifetime of their own. An empty server that gets a request is open and of the request's class.
 * Once 90 % of any resource are occupied it is recycled: requests of shorter classes fill its gaps, and when those that
 * were there when it began to be recycled have all ended, it is of the next shorter class. If it is in use beyond the
 * time that its class allows, it is of the next longer one.
 *
 * <p>A request goes to a recycled server of the next longer class, or the next, ...; to an open one of its own class;
 * to any other in use: open ones of longer classes first, then recycled ones of its own, then shorter classes; last
 * to an empty one.
 */
final class Lava implements Grouping, Remembering.Memory {
    private static final Times TIMES = Times.TENFOLD;
    private static final int LONGEST = TIMES.classes();
    /** Since when a server is recycled that is open. */
    private static final long OPEN = Long.MIN_VALUE;

    private int[] classes = new int[0];
    /** Requests that began to run no later than this are those that a recycled server waits for. */
    private long[] recycled = new long[0];

    private long[] deadlines = new long[0];
    private long until;

    @Override
    public int count() {
        return 2 * LONGEST + 1;
    }

    private static int group(int number, boolean isRecycled) {
        return number + (isRecycled ? LONGEST : 0);
    }

    @Override
    public int of(View view, int server) {
        grow(server + 1);
        if (view.firstOn(server) == View.NONE) {
            classes[server] = EMPTY;
            until = ExpectedEnds.NEVER;
            return EMPTY;
        }
        if (classes[server] == EMPTY) {
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                classes[server] = Math.max(classes[server], group(view, job));
            }
            recycled[server] = OPEN;
            deadlines[server] = after(view.now(), classes[server]);
        }
        while (deadlines[server] <= view.now()) {
            classes[server]++;
            deadlines[server] = after(deadlines[server], classes[server]);
        }
        if (recycled[server] == OPEN) {
            recycled[server] = isFull(view, server) ? view.now() : OPEN;
        } else if (isOver(view, server, recycled[server])) {
            classes[server] = Math.max(1, classes[server] - 1);
            recycled[server] = view.now();
            deadlines[server] = after(view.now(), classes[server]);
        }
        until = deadlines[server];
        return group(classes[server], recycled[server] != OPEN);
    }

    private void grow(int length) {
        if (length > classes.length) {
            int longer = length + (length >> 1) + 16;
            classes = Arrays.copyOf(classes, longer);
            recycled = Arrays.copyOf(recycled, longer);
            deadlines = Arrays.copyOf(deadlines, longer);
        }
    }

    private static int group(View view, int job) {
        long end = ExpectedEnds.of(view, job);
        return TIMES.of(end == ExpectedEnds.NEVER ? end : end - view.now());
    }

    private static long after(long time, int number) {
        return number == LONGEST ? ExpectedEnds.NEVER : time + TIMES.end(number);
    }

    private static boolean isFull(View view, int server) {
        for (int r = 0; r < view.resources(); r++) {
            long capacity = view.capacity(server, r);
            if (capacity > 0 && view.free(server, r) <= capacity / 10) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOver(View view, int server, long since) {
        for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
            if (view.runsSince(job) <= since) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long until() {
        return until;
    }

    @Override
    public int preferred(View view, int job, int[] into) {
        int own = group(view, job);
        int count = 0;
        for (int number = own + 1; number <= LONGEST; number++) {
            into[count++] = group(number, true);
        }
        for (int number = own; number <= LONGEST; number++) {
            into[count++] = group(number, false);
        }
        into[count++] = group(own, true);
        for (int number = own - 1; number > EMPTY; number--) {
            into[count++] = group(number, true);
            into[count++] = group(number, false);
        }
        return count;
    }

    @Override
    public void left(View view, int job, int server) {
        // Servers are looked at as they change.
    }

    @Override
    public void save(StateWriter out) {
        out.putInts(classes, classes.length);
        out.putLongs(recycled, recycled.length);
        out.putLongs(deadlines, deadlines.length);
    }

    @Override
    public void restore(StateReader in, View view) {
        classes = in.getInts();
        recycled = in.getLongs();
        deadlines = in.getLongs();
    }
}

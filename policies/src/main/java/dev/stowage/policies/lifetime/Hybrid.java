package dev.stowage.policies.lifetime;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Remembering;
import java.util.Arrays;

/**
 * Servers for all and servers for one type. A type is a class of run time, i, up to 2^(i-1) minutes, and a stretch
 * of so many minutes in which requests start. Requests of a type share the servers for all until those that run there
 * hold more than 1 / (2 sqrt i) of a server; the next one opens a server for the type, and while there is one, all
 * others of the type go to such servers. An empty server becomes what its first request makes of it.
 *
 * <p>The theory has one resource: here a request holds as much of a server as the greatest of its shares of the first
 * server.
 */
final class Hybrid implements Grouping, Remembering.Memory {
    private static final Times TIMES = Times.DOUBLING;
    private static final int GENERAL = 1;
    private static final int CLOSED = TIMES.classes() + 2;
    /** Of a server. */
    private static final long WHOLE = 1_000_000_000L;
    /** The stretch of a server for all. */
    private static final long NONE = -1;

    private static final long[] NOTHING = {};

    /** Of each class, its present stretch, what runs of it on servers for all, and how many servers are its own. */
    private final long[] stretches = new long[TIMES.classes() + 1];

    private final long[] loads = new long[stretches.length];
    private final int[] own = new int[stretches.length];

    /** What each server is: empty, for all, or for a type of class {@code group - 1}; and the stretch of that type. */
    private int[] groups = new int[0];

    private long[] typed = new long[0];
    /** What is counted of each server for all: class, stretch and size of each request. */
    private long[][] counted = new long[0][];

    private long until;

    @Override
    public int count() {
        return CLOSED + 1;
    }

    @Override
    public int of(View view, int server) {
        away(server);
        int first = view.firstOn(server);
        until = ExpectedEnds.NEVER;
        if (first == View.NONE) {
            groups[server] = EMPTY;
            return EMPTY;
        }
        if (groups[server] == EMPTY) {
            groups[server] = wants(view, first);
            typed[server] = groups[server] == GENERAL ? NONE : stretch(number(view, first), since(view, first));
        }
        if (groups[server] == GENERAL) {
            add(view, server);
            return GENERAL;
        }
        int number = groups[server] - 1;
        if (typed[server] != present(view, number)) {
            return CLOSED;
        }
        own[number]++;
        counted[server] = new long[] {number, typed[server], 0};
        long end = TIMES.end(number);
        until = end == ExpectedEnds.NEVER ? end : (typed[server] + 1) * end;
        return groups[server];
    }

    /** The group of servers that a request goes to, or that an empty server becomes one of. */
    private int wants(View view, int job) {
        int number = number(view, job);
        long stretch = stretch(number, since(view, job));
        boolean isPresent = stretch == present(view, number);
        long load = (isPresent ? loads[number] : 0) + size(view, job);
        return (isPresent && own[number] > 0) || load > WHOLE / (2 * Math.sqrt(number)) ? 1 + number : GENERAL;
    }

    /** Counts what runs on a server for all. */
    private void add(View view, int server) {
        long[] entries = new long[3 * view.running(server)];
        int at = 0;
        for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
            int number = number(view, job);
            entries[at] = number;
            entries[at + 1] = stretch(number, since(view, job));
            entries[at + 2] = size(view, job);
            if (entries[at + 1] == present(view, number)) {
                loads[number] += entries[at + 2];
            }
            at += 3;
        }
        counted[server] = entries;
    }

    @Override
    public void away(int server) {
        grow(server + 1);
        long[] entries = counted[server];
        for (int at = 0; at < entries.length; at += 3) {
            int number = (int) entries[at];
            if (entries[at + 1] == stretches[number]) {
                loads[number] -= entries[at + 2];
                own[number] -= groups[server] == GENERAL ? 0 : 1;
            }
        }
        counted[server] = NOTHING;
    }

    /** The present stretch of a class; of the past ones nothing counts any more. */
    private long present(View view, int number) {
        long stretch = stretch(number, view.now());
        if (stretch != stretches[number]) {
            stretches[number] = stretch;
            loads[number] = 0;
            own[number] = 0;
        }
        return stretch;
    }

    private static long stretch(int number, long time) {
        return time / TIMES.end(number);
    }

    private static long since(View view, int job) {
        return view.state(job) == JobState.RUNNING ? view.runsSince(job) : view.now();
    }

    private static int number(View view, int job) {
        long expected = view.expectedNanos(job);
        return TIMES.of(expected == 0 ? ExpectedEnds.NEVER : expected);
    }

    private static long size(View view, int job) {
        long size = 0;
        for (int r = 0; r < view.resources(); r++) {
            double share = (double) view.demand(job, r) / Math.max(1, view.classCapacity(0, r));
            size = Math.max(size, Math.round(WHOLE * Math.min(1, share)));
        }
        return size;
    }

    private void grow(int length) {
        int old = groups.length;
        if (length > old) {
            int longer = length + (length >> 1) + 16;
            groups = Arrays.copyOf(groups, longer);
            typed = Arrays.copyOf(typed, longer);
            counted = Arrays.copyOf(counted, longer);
            Arrays.fill(counted, old, longer, NOTHING);
        }
    }

    @Override
    public long until() {
        return until;
    }

    @Override
    public int preferred(View view, int job, int[] into) {
        into[0] = wants(view, job);
        into[1] = EMPTY;
        return 2;
    }

    @Override
    public void save(StateWriter out) {
        out.putInts(groups, groups.length);
        out.putLongs(typed, typed.length);
    }

    @Override
    public void restore(StateReader in, View view) {
        groups = in.getInts();
        typed = in.getLongs();
        counted = new long[groups.length][];
        Arrays.fill(counted, NOTHING);
    }
}

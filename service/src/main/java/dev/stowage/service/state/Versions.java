package dev.stowage.service.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last changes of requests, each with the request as it was before: so that what is listed can be as of one
 * position while the state goes on. What is oldest is forgotten. O(1) for a change; O(changes of a request since) to
 * tell what it was. No part of the replicated state: two nodes may remember differently far back.
 */
final class Versions {
    /** No change. */
    static final long NONE = -1;

    private static final int LEAST = 1 << 10;
    private static final int MOST = 1 << 20;
    /** What a change keeps in memory: a request that may be no longer in the system. */
    private static final int BYTES = 256;

    /** Told of a change that is forgotten. */
    interface Forgotten {
        /**
         * A change of a request that was on a server, or has ended, is forgotten.
         *
         * @param tracked what changed
         * @param before how it was before
         * @param ended whether it ended with this change
         */
        void forgotten(Tracked tracked, Request before, boolean ended);
    }

    private final int most;
    private final Forgotten listener;
    /** Change number n is at n modulo the length; those from {@code head} to before {@code tail} are kept. */
    private @Nullable Tracked[] tracked = new Tracked[LEAST];

    private @Nullable Request[] before = new Request[LEAST];
    /** The change of the same request before. */
    private long[] earlier = new long[LEAST];

    private long[] positions = new long[LEAST];
    /** Where it was before, or -1, and whether it has ended: to forget most changes takes no look at the request. */
    private int[] servers = new int[LEAST];

    private boolean[] ended = new boolean[LEAST];

    private long head;
    private long tail;
    private long floor;

    /**
     * Without changes.
     *
     * @param most how many are kept, a power of two
     */
    Versions(int most, Forgotten listener) {
        this.most = most;
        this.listener = listener;
    }

    /** How many changes are kept in an eighth of the heap, at most a million. */
    static int mostInHeap() {
        long fit = Runtime.getRuntime().maxMemory() / 8 / BYTES;
        return (int) Math.max(LEAST, Math.min(MOST, Long.highestOneBit(fit)));
    }

    /** From here on: nothing is known of what was before a position. */
    void begin(long position) {
        floor = position;
    }

    /** What was at this position or a later one is known. */
    long floor() {
        return floor;
    }

    /**
     * Notes that a request is no longer as it was.
     *
     * @param ends whether it has ended, so that this is its last change
     */
    void note(Tracked changed, @Nullable Request was, long position, boolean ends) {
        if (tail - head == tracked.length) {
            if (tracked.length < most) {
                grow();
            } else {
                forgetOldest();
            }
        }
        int slot = slot(tail);
        tracked[slot] = changed;
        before[slot] = was;
        earlier[slot] = changed.lastChange;
        positions[slot] = position;
        servers[slot] = was == null ? -1 : was.server();
        ended[slot] = ends;
        changed.lastChange = tail++;
    }

    private void forgetOldest() {
        int slot = slot(head);
        Tracked oldest = Objects.requireNonNull(tracked[slot]);
        Request was = before[slot];
        floor = Math.max(floor, positions[slot]);
        tracked[slot] = null;
        before[slot] = null;
        head++;
        if (was != null && (servers[slot] >= 0 || ended[slot])) {
            listener.forgotten(oldest, was, ended[slot]);
        }
    }

    private void grow() {
        int room = 2 * tracked.length;
        @Nullable Tracked[] newTracked = new Tracked[room];
        @Nullable Request[] newBefore = new Request[room];
        long[] newEarlier = new long[room];
        long[] newPositions = new long[room];
        int[] newServers = new int[room];
        boolean[] newEnded = new boolean[room];
        for (long change = head; change < tail; change++) {
            int to = (int) (change & (room - 1));
            newTracked[to] = tracked[slot(change)];
            newBefore[to] = before[slot(change)];
            newEarlier[to] = earlier[slot(change)];
            newPositions[to] = positions[slot(change)];
            newServers[to] = servers[slot(change)];
            newEnded[to] = ended[slot(change)];
        }
        tracked = newTracked;
        before = newBefore;
        earlier = newEarlier;
        positions = newPositions;
        servers = newServers;
        ended = newEnded;
    }

    /**
     * A request as it was after the entry at a position, or null if it had not come. Only for positions from
     * {@link #floor} on.
     */
    @Nullable
    Request asOf(Tracked request, long position) {
        Request then = request.now;
        for (long change = request.lastChange; then != null && then.position() > position; ) {
            if (change < head) {
                throw new IllegalStateException("position " + position + " is before " + floor);
            }
            then = before[slot(change)];
            change = earlier[slot(change)];
        }
        return then;
    }

    /** A request after each of its changes that are known. */
    KnownHistory history(Tracked request) {
        Deque<Request> known = new ArrayDeque<>();
        Request then = request.now;
        long change = request.lastChange;
        while (then != null) {
            known.addFirst(then);
            if (change < head) {
                return new KnownHistory(List.copyOf(known), false);
            }
            then = before[slot(change)];
            change = earlier[slot(change)];
        }
        return new KnownHistory(List.copyOf(known), true);
    }

    /** Whether a request is or was on a server, as far as is known. */
    boolean wasOn(Tracked request, int server) {
        Request then = request.now;
        for (long change = request.lastChange; then != null; ) {
            if (then.server() == server && !then.state().finished()) {
                return true;
            }
            if (change < head) {
                return false;
            }
            then = before[slot(change)];
            change = earlier[slot(change)];
        }
        return false;
    }

    private int slot(long change) {
        return (int) (change & (tracked.length - 1));
    }
}

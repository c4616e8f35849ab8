package dev.stowage.service.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last changes of requests, each with the request before it, so that a list can show one position while the state
 * goes on. The oldest are forgotten. O(1) for a change; O(later changes of a request) to find an earlier version. Not
 * part of the replicated state: nodes may remember different numbers of changes.
 */
final class Versions {
    /** No change. */
    static final long NONE = -1;

    private static final int LEAST = 1 << 10;
    private static final int MOST = 1 << 20;
    /** Memory of a change, which keeps a request that may no longer be in the system. */
    private static final int BYTES = 256;

    /** Receives forgotten changes. */
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
    /** The previous change of the same request. */
    private long[] earlier = new long[LEAST];

    private long[] positions = new long[LEAST];
    /**
     * Its server before, or -1, and whether it has ended, so that most changes are forgotten without touching the
     * request.
     */
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

    /** Starts at a position: nothing is known about earlier ones. */
    void begin(long position) {
        floor = position;
    }

    /** The earliest position that is known. */
    long floor() {
        return floor;
    }

    /**
     * Records a change of a request.
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
     * A request as it was after the entry at a position, or null if it had not arrived. Only for positions from
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

    /** A request after each of its known changes. */
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

package dev.stowage.service.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
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
        /** The end of a request is forgotten, and with it all of it. */
        void forgotten(Tracked ended);
    }

    private final int most;
    private final Forgotten listener;
    /** Change number n is at n modulo the length; those from {@code head} to before {@code tail} are kept. */
    private @Nullable Tracked[] tracked = new Tracked[LEAST];

    private @Nullable Request[] before = new Request[LEAST];
    /** The previous change of the same request. */
    private long[] earlier = new long[LEAST];

    private long[] positions = new long[LEAST];
    /** Its server before, or -1, so that those that were on a server are found without touching the others. */
    private int[] servers = new int[LEAST];
    /** Whether it has ended, so that other changes are forgotten without touching the request. */
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
     * Records a change of a request. How it arrived is not kept where its first change is of the same entry, as it
     * mostly is: no list shows it, and {@link #history} knows it from what followed.
     *
     * @param ends whether it has ended, so that this is its last change
     */
    void note(Tracked changed, @Nullable Request was, long position, boolean ends) {
        if (was != null && isArrival(changed.lastChange) && was.position() == position && isAsItArrived(was)) {
            ended[slot(changed.lastChange)] = ends;
            return;
        }
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

    private boolean isArrival(long change) {
        return change >= head && before[slot(change)] == null;
    }

    /** Whether nothing became of it yet; to be asked of its first version. */
    private static boolean isAsItArrived(Request first) {
        return first.state() == Request.State.WAITING
                && first.queue() < 0
                && first.server() < 0
                && first.reason().isEmpty();
    }

    private void forgetOldest() {
        int slot = slot(head);
        Tracked oldest = Objects.requireNonNull(tracked[slot]);
        floor = Math.max(floor, positions[slot]);
        tracked[slot] = null;
        before[slot] = null;
        head++;
        if (ended[slot]) {
            listener.forgotten(oldest);
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
        Request first = known.getFirst();
        if (!isAsItArrived(first)) {
            known.addFirst(first.asItArrived());
        }
        return new KnownHistory(List.copyOf(known), true);
    }

    /** The first known change after a position. O(log n). */
    long changeAfter(long position) {
        long low = head;
        for (long high = tail; low < high; ) {
            long middle = (low + high) >>> 1;
            if (positions[slot(middle)] <= position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Tells which requests were on a server before their changes from one on.
     *
     * @param most how many changes are looked at
     * @param mostTold how many requests are told
     * @return the change to go on with; {@link #end} if there is none yet
     */
    long leftServer(int server, long from, int most, int mostTold, Consumer<Tracked> consumer) {
        long until = Math.min(tail, from + most);
        int told = 0;
        long change = from;
        for (; change < until && told < mostTold; change++) {
            if (servers[slot(change)] == server) {
                told++;
                consumer.accept(Objects.requireNonNull(tracked[slot(change)]));
            }
        }
        return change;
    }

    /** Number of the next change. */
    long end() {
        return tail;
    }

    private int slot(long change) {
        return (int) (change & (tracked.length - 1));
    }
}

package dev.stowage.service.raft;

import dev.stowage.service.state.ChangedRequests;
import dev.stowage.service.state.Listing;
import dev.stowage.service.state.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The newest changes of requests in the order of the log, for those who watch. Bounded: what is old is forgotten, and
 * {@link ChangeHistory} has it on the disk. Thread-safe. O(1) for a change, O(log n) to find a position.
 */
public final class Feed {
    /** As long as a list may take, for whoever goes on with a watch from its position. */
    private static final int MOST_CHANGES = Listing.changesKept();

    private static final long TELL_MILLIS = 1;
    private static final ScheduledExecutorService TELLER = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "stowage-feed");
        thread.setDaemon(true);
        return thread;
    });

    /** Entry number n is at n modulo the length; those from {@code head} to before {@code tail} are kept. */
    private final @Nullable ChangedRequests[] ring = new ChangedRequests[1 << 16];

    private final AtomicBoolean telling = new AtomicBoolean();
    private final CopyOnWriteArraySet<Runnable> listeners = new CopyOnWriteArraySet<>();
    private final int mostChanges;
    private long head;
    private long tail;
    private int changes;
    private long floor;
    private long last;

    Feed() {
        this(MOST_CHANGES);
    }

    Feed(int mostChanges) {
        this.mostChanges = mostChanges;
    }

    /** Forgets all: what comes next is after this position. */
    synchronized void restart(long position) {
        Arrays.fill(ring, null);
        head = tail;
        changes = 0;
        floor = position;
        last = position;
    }

    /** Keeps what an entry changed; {@link #tell} tells it to those who listen. */
    synchronized void add(long position, long at, List<Request> requests) {
        last = position;
        if (requests.isEmpty()) {
            return;
        }
        if (tail - head == ring.length) {
            forgetOldest();
        }
        ring[slot(tail++)] = new ChangedRequests(position, at, requests);
        changes += requests.size();
        while (changes > mostChanges && tail - head > 1) {
            forgetOldest();
        }
    }

    /**
     * Has those who listen called soon, by another thread than the one that applies the log. O(1), however many they
     * are.
     */
    void tell() {
        if (!listeners.isEmpty() && telling.compareAndSet(false, true)) {
            ScheduledFuture<?> unused = TELLER.schedule(this::tellAll, TELL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void tellAll() {
        telling.set(false);
        listeners.forEach(Runnable::run);
    }

    private void forgetOldest() {
        ChangedRequests oldest = at(head);
        ring[slot(head++)] = null;
        changes -= oldest.requests().size();
        floor = oldest.position();
    }

    private int slot(long number) {
        return (int) (number & (ring.length - 1));
    }

    private ChangedRequests at(long number) {
        return Objects.requireNonNull(ring[slot(number)]);
    }

    /** The position up to which everything was told to the feed. */
    public synchronized long last() {
        return last;
    }

    /** Changes at or before this position are forgotten here; {@link ChangeHistory} may have them. */
    public synchronized long floor() {
        return floor;
    }

    /**
     * Entries after a position, in order, at most so many.
     *
     * @return null if some of them are forgotten
     */
    public synchronized @Nullable List<ChangedRequests> after(long position, int most) {
        if (position < floor) {
            return null;
        }
        long low = head;
        for (long high = tail; low < high; ) {
            long middle = (low + high) >>> 1;
            if (at(middle).position() <= position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        List<ChangedRequests> found = new ArrayList<>();
        for (long number = low; number < tail && found.size() < most; number++) {
            found.add(at(number));
        }
        return found;
    }

    /** Called soon after entries that changed something, once for all of about a millisecond; to be short. */
    public void listen(Runnable listener) {
        listeners.add(listener);
    }

    /** No longer called. */
    public void forget(Runnable listener) {
        listeners.remove(listener);
    }
}

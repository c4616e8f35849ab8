package dev.stowage.service.raft;

import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.ServiceState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: a bounded queue of operations, and log entries of what has come together in it. Over the bound an
 * operation is turned away at once, so the heap does not grow with the load. It has no thread: {@link LogThread} or a
 * simulation calls {@link #send} for each turn it has got.
 */
final class LogWriter {
    private static final int MOST_OPERATIONS = 1024;
    /**
     * Few, so that entries grow with the load instead of becoming more: an entry costs far more than an operation in
     * it.
     */
    private static final int MOST_ENTRIES_UNDER_WAY = 2;

    /** Where entries go. */
    interface Log {
        /**
         * Appends an entry.
         *
         * @return complete when it is applied here; failed with a {@link NotServedException} if nobody knows what
         *     becomes of it
         */
        CompletableFuture<?> append(byte[] entry);

        /** The present term. */
        long term();
    }

    /** Between entries of one term, with a clock that was not set, time passes as it really does. */
    private record Era(long term, long settings) {}

    private record Waiting(Operation operation, CompletableFuture<Outcome> future) {}

    private final Log log;
    private final long origin;
    private final Answers answers;
    private final LeaderClock clock;
    private final ArrayBlockingQueue<Waiting> queue;
    private final Semaphore underWay = new Semaphore(MOST_ENTRIES_UNDER_WAY);
    /** Taken from the queue to wait for it. */
    private @Nullable Waiting first;

    /** The last that the log knows of. */
    private volatile @Nullable Era begun;

    private long sequence;
    private volatile boolean closed;

    /**
     * A writer with an empty queue.
     *
     * @param origin names this writer in the log, so that its entries are known as its own when they are applied
     */
    LogWriter(Log log, long origin, Answers answers, LeaderClock clock, int queueLimit) {
        this.log = log;
        this.origin = origin;
        this.answers = answers;
        this.clock = clock;
        queue = new ArrayBlockingQueue<>(queueLimit);
    }

    int queued() {
        return queue.size();
    }

    CompletableFuture<Outcome> write(Operation operation) {
        Waiting waiting = new Waiting(operation, new CompletableFuture<>());
        if (closed || !queue.offer(waiting)) {
            return CompletableFuture.failedFuture(new NotServedException(
                    NotServedException.Kind.OVERLOADED,
                    null,
                    queue.size() + " operations wait for the log already; ask again a little later"));
        }
        return waiting.future();
    }

    /** Whether a whole entry waits: nothing is gained then by waiting for more. */
    boolean full() {
        return queue.size() >= MOST_OPERATIONS - 1;
    }

    /** Waits for the first operation of the next entry. Returns whether there is one. */
    boolean awaitOperation(long nanos) throws InterruptedException {
        if (first == null) {
            first = queue.poll(nanos, TimeUnit.NANOSECONDS);
        }
        return first != null;
    }

    /** Waits for a turn: few entries are under way at once. */
    void awaitTurn() throws InterruptedException {
        underWay.acquire();
    }

    /** A turn, if there is one now. */
    boolean tryTurn() {
        return underWay.tryAcquire();
    }

    /** Makes an entry of what waits, and gives its turn back when that is done. */
    void send() {
        if (first == null && queue.isEmpty()) {
            underWay.release();
            return;
        }
        LeaderClock.ClockReading now = clock.read();
        Era era = new Era(log.term(), now.settings());
        List<Waiting> waiting = new ArrayList<>();
        if (!era.equals(begun)) {
            waiting.add(new Waiting(new Operation.ClockSet(), new CompletableFuture<>()));
        }
        if (first != null) {
            waiting.add(first);
            first = null;
        }
        queue.drainTo(waiting, MOST_OPERATIONS - waiting.size());
        long number = sequence++;
        Batch batch = new Batch(
                ServiceState.VERSION,
                origin,
                number,
                now.nanos(),
                waiting.stream().map(Waiting::operation).toList());
        answers.expect(number, waiting.stream().map(Waiting::future).toList());
        CompletableFuture<?> unused = log.append(batch.encode()).whenComplete((applied, failure) -> {
            if (failure == null) {
                begun = era;
            }
            underWay.release();
            // What was applied here has been answered; of the rest nobody knows what becomes.
            answers.failed(number, failure == null ? closing() : known(failure));
        });
    }

    private static NotServedException known(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof NotServedException known
                ? known
                : new NotServedException(NotServedException.Kind.UNAVAILABLE, null, String.valueOf(cause));
    }

    private static NotServedException closing() {
        return new NotServedException(NotServedException.Kind.UNAVAILABLE, null, "this node stopped serving");
    }

    /** Takes nothing more, and fails what waits in the queue. */
    void close() {
        closed = true;
        List<Waiting> left = new ArrayList<>();
        if (first != null) {
            left.add(first);
        }
        queue.drainTo(left);
        left.forEach(waiting -> waiting.future().completeExceptionally(closing()));
    }
}

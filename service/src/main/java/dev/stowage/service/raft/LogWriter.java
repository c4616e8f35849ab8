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
 * Group commit: a bounded queue of operations, and log entries made of the operations that have gathered in it. If the
 * queue is full an operation is turned away at once, so the heap does not grow with the load. It has no thread:
 * {@link LogThread} or a simulation calls {@link #send} for each turn.
 */
final class LogWriter {
    private static final int MOST_OPERATIONS = 1024;
    /**
     * Few, so that with more load entries become larger rather than more numerous: an entry costs far more than an
     * operation in it.
     */
    private static final int MOST_ENTRIES_UNDER_WAY = 2;

    /** The log that entries go to. */
    interface Log {
        /**
         * Appends an entry.
         *
         * @return complete when it is applied here; failed with a {@link NotServedException} if its outcome is unknown
         */
        CompletableFuture<?> append(byte[] entry);

        /** The present term. */
        long term();
    }

    /** Between entries of one term, while the clock is not set, log time equals real time. */
    private record Era(long term, long settings) {}

    private record Waiting(Operation operation, CompletableFuture<Outcome> future) {}

    private final Log log;
    private final long origin;
    private final Answers answers;
    private final LeaderClock clock;
    private final ArrayBlockingQueue<Waiting> queue;
    private final Semaphore underWay = new Semaphore(MOST_ENTRIES_UNDER_WAY);
    /** The first operation, which was taken from the queue while waiting for it. */
    private @Nullable Waiting first;

    /** The last era that the log knows of. */
    private volatile @Nullable Era begun;

    private long sequence;
    private volatile boolean closed;

    /**
     * A writer with an empty queue.
     *
     * @param origin names this writer in the log, so that it recognizes its own entries when they are applied
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
                    queue.size() + " operations are already waiting for the log; try again a little later"));
        }
        return waiting.future();
    }

    /** Whether a full entry is waiting, so that waiting for more gains nothing. */
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

    /** Waits for a turn, because only few entries may be under way at once. */
    void awaitTurn() throws InterruptedException {
        underWay.acquire();
    }

    /** A turn, if there is one now. */
    boolean tryTurn() {
        return underWay.tryAcquire();
    }

    /** Makes an entry of the waiting operations, and gives its turn back when that is done. */
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
            // Applied operations have been answered; the outcome of the rest is unknown.
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
        return new NotServedException(NotServedException.Kind.UNAVAILABLE, null, "this node has stopped serving");
    }

    /** Accepts nothing more, and fails the operations that wait in the queue. */
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

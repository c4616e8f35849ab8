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

/**
 * Group commit: a bounded queue of operations, and a thread that makes log entries of what arrives within a window. Over the
 * bound an operation is turned away at once, so the heap does not grow with the load.
 */
final class LogWriter implements AutoCloseable {
    private static final int MOST_OPERATIONS = 1024;
    /** Few, so that entries grow with the load instead of becoming more: an entry costs far more than an operation in it. */
    private static final int MOST_ENTRIES_UNDER_WAY = 2;

    private record Waiting(Operation operation, CompletableFuture<Outcome> future) {}

    private final RaftNode node;
    private final long origin;
    private final long windowNanos;
    private final Answers answers;
    private final ArrayBlockingQueue<Waiting> queue;
    private final Semaphore underWay = new Semaphore(MOST_ENTRIES_UNDER_WAY);
    private final LeaderClock clock = LeaderClock.system();
    private final Thread thread = new Thread(this::run, "stowage-log");
    private long sequence;
    private volatile boolean closed;

    LogWriter(RaftNode node, NodeSettings settings, long origin, Answers answers) {
        this.node = node;
        this.origin = origin;
        this.answers = answers;
        windowNanos = settings.window().toNanos();
        queue = new ArrayBlockingQueue<>(settings.queueLimit());
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((ended, e) -> node.fail("it can write no more to its log: " + e));
    }

    void start() {
        thread.start();
    }

    LeaderClock clock() {
        return clock;
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

    private void run() {
        try {
            while (!closed) {
                Waiting first = queue.poll(100, TimeUnit.MILLISECONDS);
                if (first != null) {
                    long until = System.nanoTime() + windowNanos;
                    underWay.acquire();
                    send(gather(first, until));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        queue.forEach(waiting -> waiting.future().completeExceptionally(closing()));
    }

    /** Sleeps through the window instead of waiting for operations, each of which would wake it. */
    private List<Waiting> gather(Waiting first, long until) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(until - System.nanoTime());
        List<Waiting> all = new ArrayList<>();
        all.add(first);
        queue.drainTo(all, MOST_OPERATIONS - 1);
        return all;
    }

    private void send(List<Waiting> waiting) {
        long number = sequence++;
        long at = clock.now();
        Batch batch = new Batch(
                ServiceState.VERSION,
                origin,
                number,
                at,
                waiting.stream().map(Waiting::operation).toList());
        answers.expect(number, waiting.stream().map(Waiting::future).toList());
        CompletableFuture<?> unused = node.append(batch.encode()).whenComplete((reply, failure) -> {
            underWay.release();
            if (failure != null) {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                answers.failed(
                        number,
                        cause instanceof NotServedException known
                                ? known
                                : new NotServedException(
                                        NotServedException.Kind.UNAVAILABLE, null, String.valueOf(cause)));
            } else if (!reply.isSuccess()) {
                answers.failed(number, node.failure(reply));
            } else {
                answers.failed(number, closing());
            }
        });
    }

    private static NotServedException closing() {
        return new NotServedException(NotServedException.Kind.UNAVAILABLE, null, "this node stopped serving");
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}

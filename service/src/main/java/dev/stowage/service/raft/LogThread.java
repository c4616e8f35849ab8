package dev.stowage.service.raft;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The thread that gives a {@link LogWriter} its turns: one for the operations of each window. */
final class LogThread implements AutoCloseable {
    private static final long POLL_NANOS = 100_000_000;

    private final LogWriter writer;
    private final long windowNanos;
    private final Thread thread = new Thread(this::run, "stowage-log");
    private volatile boolean closed;

    /**
     * A thread that is not started.
     *
     * @param failure called with the reason, if it ends
     */
    LogThread(LogWriter writer, long windowNanos, Consumer<String> failure) {
        this.writer = writer;
        this.windowNanos = windowNanos;
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((ended, e) -> failure.accept("it can no longer write to its log: " + e));
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                if (writer.awaitOperation(POLL_NANOS)) {
                    long until = System.nanoTime() + windowNanos;
                    writer.awaitTurn();
                    // Sleeps through the window instead of waiting for operations, each of which would wake it.
                    if (!writer.full()) {
                        TimeUnit.NANOSECONDS.sleep(until - System.nanoTime());
                    }
                    writer.send();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        writer.close();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}

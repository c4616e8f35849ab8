package dev.stowage.cli.log;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Hears Ctrl-C or SIGTERM until it is closed; the JVM then ends only when it is closed. */
public class StopSignal implements AutoCloseable {
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Runnable atStop;
    /** It waits for no thread: one may itself wait for the end of the process. */
    private final Thread hook = new Thread(this::heard, "stowage-stop");

    /** For a program that waits for it. */
    public StopSignal() {
        this(() -> {});
    }

    /** For a program that this ends. */
    public StopSignal(Runnable atStop) {
        this.atStop = atStop;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void heard() {
        stop();
        atStop.run();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As at a signal, but the JVM goes on. */
    public final void stop() {
        stop.countDown();
    }

    /** Whether it is to stop. */
    public final boolean stopped() {
        return stop.getCount() == 0;
    }

    /** Waits until it is to stop. */
    public final void await() throws InterruptedException {
        stop.await();
    }

    /** Waits until it is to stop, at most so long; whether it is. */
    protected final boolean await(long nanos) throws InterruptedException {
        return stop.await(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public final void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending: the hook runs.
        }
    }
}

package dev.stowage.cli.advise;

import dev.stowage.study.advise.Pace;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The time of this machine; Ctrl-C or SIGTERM stops, and the JVM ends when what was begun has ended. */
public final class WallPace implements Pace, AutoCloseable {
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupted, "stowage-stop");

    /** Hears signals from now on, until it is closed. */
    public WallPace() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupted() {
        stop();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** It is to stop. */
    public void stop() {
        stop.countDown();
    }

    @Override
    public boolean pause(long nanos) {
        try {
            return !stop.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
            return false;
        }
    }

    @Override
    public void rest(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean stopped() {
        return stop.getCount() == 0;
    }

    @Override
    public long now() {
        return System.nanoTime();
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending: the hook runs.
        }
    }
}

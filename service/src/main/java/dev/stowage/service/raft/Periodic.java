package dev.stowage.service.raft;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that repeats a step. */
final class Periodic implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Periodic.class);

    private final String name;
    private final long millis;
    private final Runnable step;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * A thread that is not started.
     *
     * @param millis rest between one time and the next
     */
    Periodic(String name, long millis, Runnable step) {
        this.name = name;
        this.millis = millis;
        this.step = step;
        thread = new Thread(this::run, "stowage-" + name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                Thread.sleep(millis);
                step.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                LOG.warn("{}: {}", name, e.toString());
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}

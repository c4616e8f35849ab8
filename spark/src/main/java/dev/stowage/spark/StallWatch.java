package dev.stowage.spark;

import dev.stowage.sim.remote.MachinesException;
import dev.stowage.sim.remote.MachinesRefusedException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.jspecify.annotations.Nullable;

/**
 * Ends a wait that Spark itself would go on with for ever, with the same warning again and again: tasks wait, and none
 * runs, because no executor is free, or because master and driver do not understand each other.
 */
final class StallWatch extends SparkListener implements AutoCloseable {
    private static final long POLL_NANOS = 50_000_000;

    private final SparkContext context;
    private final long patienceNanos;
    private final ScheduledExecutorService clock;
    private @Nullable Consumer<MachinesException> stalled;
    private int waiting;
    private int running;
    private boolean hadExecutors;
    private long since;

    StallWatch(SparkContext context, Duration patience) {
        this.context = context;
        patienceNanos = patience.toNanos();
        clock = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "stowage-spark-watch");
            thread.setDaemon(true);
            return thread;
        });
        context.addSparkListener(this);
        ScheduledFuture<?> unused = clock.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * Waits for the first executor, with which it is known that master and driver understand each other.
     *
     * @throws MachinesException if none comes
     */
    void awaitExecutor() {
        long until = System.nanoTime() + patienceNanos;
        // The driver is counted, too.
        int least = context.isLocal() ? 1 : 2;
        while (context.isStopped() || context.statusTracker().getExecutorInfos().length < least) {
            if (context.isStopped() || System.nanoTime() - until > 0) {
                throw why();
            }
            LockSupport.parkNanos(POLL_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new MachinesException("interrupted", null);
            }
        }
        synchronized (this) {
            hadExecutors = true;
        }
    }

    /** Tasks wait from now on. */
    synchronized void begin(int tasks, Consumer<MachinesException> listener) {
        waiting = tasks;
        running = 0;
        since = System.nanoTime();
        stalled = listener;
    }

    /** Nothing waits any longer. */
    synchronized void end() {
        stalled = null;
    }

    @Override
    public synchronized void onExecutorAdded(SparkListenerExecutorAdded added) {
        hadExecutors = true;
    }

    @Override
    public synchronized void onTaskStart(SparkListenerTaskStart start) {
        running++;
        since = System.nanoTime();
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        running--;
        waiting -= end.taskInfo().successful() ? 1 : 0;
        since = System.nanoTime();
    }

    private void look() {
        Consumer<MachinesException> told;
        MachinesException why;
        synchronized (this) {
            boolean late = waiting > 0 && running <= 0 && System.nanoTime() - since > patienceNanos;
            if (stalled == null || !(late || context.isStopped())) {
                return;
            }
            why = why();
            told = stalled;
            stalled = null;
        }
        told.accept(why);
    }

    private synchronized MachinesException why() {
        String known = "This is Spark " + context.version() + " (SPARK_HOME); the cluster must have the same";
        if (context.isStopped()) {
            return hadExecutors
                    ? new MachinesException("Spark stopped: the master went away, or ended the application", null)
                    : new MachinesRefusedException("Spark's master answers, but takes no application. " + known, null);
        }
        return hadExecutors
                ? new MachinesException(
                        "no task has run for " + seconds() + " s: all executors are gone, and no others came", null)
                : new MachinesRefusedException(
                        "no executor has come in " + seconds()
                                + " s: the cluster has no free cores, or no worker with as much memory as an executor asks for"
                                + " (--conf spark.executor.memory=1g, --conf spark.cores.max=N), or does not take the"
                                + " application. " + known + ". --patience waits longer",
                        null);
    }

    private long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(patienceNanos);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}

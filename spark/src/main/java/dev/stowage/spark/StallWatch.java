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
import org.jspecify.annotations.Nullable;

/**
 * Ends a wait that Spark itself would continue for ever, repeating one warning: tasks wait and none runs, because no
 * executor is free, or because master and driver are incompatible.
 */
final class StallWatch implements AutoCloseable {
    private static final long POLL_NANOS = 50_000_000;

    private final SparkContext context;
    private final Duration patience;
    private final OpenTasks tasks = new OpenTasks(System::nanoTime);
    private final ScheduledExecutorService clock;
    private @Nullable Consumer<MachinesException> stalled;

    StallWatch(SparkContext context, Duration patience) {
        this.context = context;
        this.patience = patience;
        clock = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "stowage-spark-watch");
            thread.setDaemon(true);
            return thread;
        });
        context.addSparkListener(tasks);
        ScheduledFuture<?> unused = clock.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * Waits for the first executor, which shows that master and driver are compatible.
     *
     * @throws MachinesException if none comes
     */
    void awaitExecutor() {
        long until = System.nanoTime() + patience.toNanos();
        // The count includes the driver.
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
        tasks.executorCame();
    }

    /** A job with this number of tasks waits from now on, perhaps beside others. */
    synchronized void begin(int size, Consumer<MachinesException> listener) {
        tasks.begin(size);
        stalled = listener;
    }

    /** A job is over. */
    void end() {
        tasks.end();
    }

    private void look() {
        Consumer<MachinesException> told;
        MachinesException why;
        synchronized (this) {
            boolean over = tasks.isStalled(patience) || (tasks.isAnyJobOpen() && context.isStopped());
            if (stalled == null || !over) {
                return;
            }
            why = why();
            told = stalled;
            stalled = null;
        }
        told.accept(why);
    }

    private MachinesException why() {
        String known = "This is Spark " + context.version() + " (SPARK_HOME); the cluster must have the same";
        if (context.isStopped()) {
            return tasks.hadExecutors()
                    ? new MachinesException("Spark stopped: the master went away, or ended the application", null)
                    : new MachinesRefusedException(
                            "Spark's master answers, but does not accept the application. " + known, null);
        }
        return tasks.hadExecutors()
                ? new MachinesException(
                        "no task has run for " + patience.toSeconds()
                                + " s: all executors are gone, and no new ones have started",
                        null)
                : new MachinesRefusedException(
                        "no executor has started within " + patience.toSeconds()
                                + " s: the cluster has no free cores, or no worker with as much memory as an executor asks for"
                                + " (--conf spark.executor.memory=1g, --conf spark.cores.max=N), or it does not accept"
                                + " the application. " + known + ". With --patience you can wait longer",
                        null);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}

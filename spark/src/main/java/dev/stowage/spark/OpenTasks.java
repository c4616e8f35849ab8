package dev.stowage.spark;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/**
 * Spark's events about the tasks of all unfinished jobs. A job may begin while tasks of another run, and events of a
 * job may come after its end; so counts are over all jobs together and are never reset.
 */
final class OpenTasks extends SparkListener {
    private final LongSupplier nanos;
    /** With speculation a partition may succeed twice. */
    private final Set<StagePart> answered = new HashSet<>();

    private int jobs;
    private int waiting;
    private int running;
    private boolean hadExecutors;
    private long since;

    /** With a clock in nanoseconds. */
    OpenTasks(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A partition of a stage, in any attempt. */
    private record StagePart(int stage, int number) {}

    /** A job with this number of tasks waits from now on. */
    synchronized void begin(int tasks) {
        jobs++;
        waiting += tasks;
        since = nanos.getAsLong();
    }

    /** A job is over. */
    synchronized void end() {
        jobs--;
    }

    /** Whether there is an unfinished job whose tasks wait, and no task has been running for longer than this. */
    synchronized boolean isStalled(Duration patience) {
        return jobs > 0 && waiting > 0 && running <= 0 && nanos.getAsLong() - since > patience.toNanos();
    }

    synchronized boolean isAnyJobOpen() {
        return jobs > 0;
    }

    synchronized boolean hadExecutors() {
        return hadExecutors;
    }

    synchronized void executorCame() {
        hadExecutors = true;
    }

    @Override
    public void onExecutorAdded(SparkListenerExecutorAdded added) {
        executorCame();
    }

    @Override
    public synchronized void onTaskStart(SparkListenerTaskStart start) {
        running++;
        since = nanos.getAsLong();
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        running--;
        boolean first = end.taskInfo().successful()
                && answered.add(new StagePart(end.stageId(), end.taskInfo().partitionId()));
        waiting -= first ? 1 : 0;
        since = nanos.getAsLong();
    }
}

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
 * What Spark tells of the tasks of all jobs that are begun and not over. A job may begin while tasks of another run,
 * and events of a job may come after its end: so counts are of all jobs together and never set anew.
 */
final class OpenTasks extends SparkListener {
    private final LongSupplier nanos;
    /** With speculation a partition may end well twice. */
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

    /** A part of a stage, whichever of its attempts. */
    private record StagePart(int stage, int number) {}

    /** A job of so many tasks waits from now on. */
    synchronized void begin(int tasks) {
        jobs++;
        waiting += tasks;
        since = nanos.getAsLong();
    }

    /** A job is over. */
    synchronized void end() {
        jobs--;
    }

    /** Whether a job is begun and not over, in which tasks wait, and none has run for longer than this. */
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

package dev.stowage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.spark.Success$;
import org.apache.spark.TaskState;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskLocality;
import org.junit.jupiter.api.Test;

/** When nothing runs, judged from Spark's events, with the test's own clock. */
final class OpenTasksTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private long now = 7;
    private final OpenTasks tasks = new OpenTasks(() -> now);

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private static TaskInfo info(int partition, boolean speculative) {
        return new TaskInfo(partition, partition, 0, partition, 0, "1", "host", TaskLocality.ANY(), speculative);
    }

    private void starts(int stage, int partition) {
        tasks.onTaskStart(new SparkListenerTaskStart(stage, 0, info(partition, false)));
    }

    private void ends(int stage, int partition, boolean speculative, boolean well) {
        TaskInfo info = info(partition, speculative);
        info.markFinished(well ? TaskState.FINISHED() : TaskState.FAILED(), 5);
        tasks.onTaskEnd(new SparkListenerTaskEnd(stage, 0, "ResultTask", Success$.MODULE$, info, null, null));
    }

    private boolean stalledAfter(Duration time) {
        pass(time);
        return tasks.isStalled(PATIENCE);
    }

    /** As with a precision: further replications are requested while runs of other points are running. */
    @Test
    void aJobThatBeginsWhileAnotherRunsDoesNotHideItsTasks() {
        tasks.begin(3);
        starts(0, 0);
        starts(0, 1);
        tasks.begin(2);
        // Two tasks run for long, one ends: the other one still runs.
        assertThat(stalledAfter(PATIENCE.multipliedBy(3))).isFalse();
        ends(0, 0, false, true);
        assertThat(stalledAfter(PATIENCE.multipliedBy(3))).isFalse();
        // Its executor dies, and no other comes.
        ends(0, 1, false, false);
        assertThat(stalledAfter(PATIENCE)).isFalse();
        assertThat(stalledAfter(Duration.ofNanos(1))).isTrue();
    }

    @Test
    void theEndOfAJobLeavesTheWatchOnForTheNext() {
        tasks.begin(1);
        starts(0, 0);
        tasks.begin(2);
        // The job is known to be over before its last event comes.
        tasks.end();
        ends(0, 0, false, true);
        assertThat(tasks.isAnyJobOpen()).isTrue();
        assertThat(stalledAfter(PATIENCE.plusNanos(1))).isTrue();
        starts(1, 0);
        ends(1, 0, false, true);
        starts(1, 1);
        ends(1, 1, false, true);
        assertThat(stalledAfter(PATIENCE.plusNanos(1))).isFalse();
        tasks.end();
        assertThat(tasks.isAnyJobOpen()).isFalse();
    }

    @Test
    void aTaskThatEndsTwiceCountsOnce() {
        tasks.begin(2);
        starts(0, 0);
        starts(0, 0);
        ends(0, 0, false, true);
        ends(0, 0, true, true);
        assertThat(stalledAfter(PATIENCE.plusNanos(1))).isTrue();
    }

    /** Without an open job nothing stalls, whatever a failed one left behind. */
    @Test
    void nothingStallsWhereNoJobIsOpen() {
        tasks.begin(2);
        tasks.end();
        assertThat(stalledAfter(PATIENCE.plusNanos(1))).isFalse();
    }
}

package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.watch.Daemons;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes events in the background: if too many are waiting or a write fails, the event is dropped and counted. */
final class EventWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    private static final int THREADS = 4;
    private static final int LONGEST_QUEUE = 20_000;

    private final ClusterApi api;
    private final SchedulerFigures figures;
    private final AtomicLong number = new AtomicLong(System.nanoTime());
    private final ThreadPoolExecutor threads;

    EventWriter(ClusterApi api, SchedulerFigures figures) {
        this.api = api;
        this.figures = figures;
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(LONGEST_QUEUE),
                Daemons.named("stowage-events"),
                (task, pool) -> figures.eventsDropped.increment());
    }

    void placed(PodFacts pod, String message) {
        write(pod, "Normal", "Scheduled", message);
    }

    void waits(PodFacts pod, String message) {
        write(pod, "Warning", "FailedScheduling", message);
        write(() -> api.unscheduled(pod, message));
    }

    void evicted(PodFacts pod, String message) {
        write(pod, "Normal", "Evicted", message);
    }

    void preempted(PodFacts pod, String message) {
        write(pod, "Normal", "Preempted", message);
    }

    void nominated(PodFacts pod, String message) {
        write(pod, "Normal", "Nominated", message);
    }

    void refused(PodFacts pod, String message) {
        write(pod, "Warning", "FailedBinding", message);
    }

    /** The log has it too, one line for each decision, whatever becomes of the event. */
    private void write(PodFacts pod, String type, String reason, String message) {
        LOG.debug("{} {}: {}", reason, pod.path(), message);
        write(() -> {
            api.event(pod, type, reason, message, number.incrementAndGet());
            figures.events.increment();
        });
    }

    private void write(Runnable writing) {
        threads.execute(() -> {
            try {
                writing.run();
            } catch (KubernetesClientException e) {
                figures.eventsDropped.increment();
            }
        });
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

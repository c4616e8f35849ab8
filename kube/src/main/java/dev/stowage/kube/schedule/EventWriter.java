package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.PodFacts;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Writes events in the background: if too many are waiting or a write fails, the event is dropped and counted. */
final class EventWriter implements AutoCloseable {
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
        write(() -> api.event(pod, "Normal", "Scheduled", message, number.incrementAndGet()));
    }

    void waits(PodFacts pod, String message) {
        write(() -> {
            api.event(pod, "Warning", "FailedScheduling", message, number.incrementAndGet());
            api.unscheduled(pod, message);
        });
    }

    void evicted(PodFacts pod, String message) {
        write(() -> api.event(pod, "Normal", "Evicted", message, number.incrementAndGet()));
    }

    void preempted(PodFacts pod, String message) {
        write(() -> api.event(pod, "Normal", "Preempted", message, number.incrementAndGet()));
    }

    void nominated(PodFacts pod, String message) {
        write(() -> api.event(pod, "Normal", "Nominated", message, number.incrementAndGet()));
    }

    void refused(PodFacts pod, String message) {
        write(() -> api.event(pod, "Warning", "FailedBinding", message, number.incrementAndGet()));
    }

    private void write(Runnable writing) {
        threads.execute(() -> {
            try {
                writing.run();
                figures.events.increment();
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

package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.PodFacts;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server to evict pods, one after the other. It does so only where their disruption budgets allow it; what
 * is refused is said in an event and left to whoever asked.
 */
final class Evictor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Evictor.class);

    private final ClusterApi api;
    private final Fence fence;
    private final SchedulerFigures figures;
    private final EventWriter events;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(Daemons.named("stowage-evict"));

    Evictor(ClusterApi api, Fence fence, SchedulerFigures figures, EventWriter events) {
        this.api = api;
        this.fence = fence;
        this.figures = figures;
        this.events = events;
    }

    /** Evicts a pod, should it still be the one that is known and its budget allow it. */
    void evict(PodFacts pod, String reason) {
        try {
            thread.execute(() -> attempt(pod, reason));
        } catch (RejectedExecutionException e) {
            LOG.debug("closed before {} was evicted", pod.path());
        }
    }

    private void attempt(PodFacts pod, String reason) {
        if (!fence.mayAct()) {
            figures.fenced.increment();
            return;
        }
        try {
            api.evict(pod);
            figures.evicted.increment();
            events.evicted(pod, "Evicted: " + reason);
        } catch (KubernetesClientException e) {
            LOG.info("{} is not evicted: {}", pod.path(), ClusterApi.message(e));
            events.refused(pod, "to be evicted (" + reason + "), which was refused: " + ClusterApi.message(e));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

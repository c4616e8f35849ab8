package dev.stowage.kube.schedule;

import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.watch.Daemons;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends bindings, tens at once. If a reply is lost, the pod is read from the API server; if it is not bound, the same
 * binding is sent again, to the same node, because the lost one may still take effect. So a pod is never sent to
 * another node before the API server has refused the first.
 */
final class Binder implements AutoCloseable {
    /** Receives the outcomes of bindings, from threads of the binder. */
    interface Listener {
        /** The pod is bound to the node. */
        void bound(PodFacts pod, String node, String reason);

        /** It will not be bound there. */
        void refused(PodFacts pod, String node, String message);

        /** It was bound elsewhere, by somebody else. */
        void elsewhere(PodFacts now);

        /** There is no such pod any more. */
        void gone(PodFacts pod);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Binder.class);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 2000;
    /** While volumes are made, or the lock of a node is held, what has come of it is looked at so often. */
    private static final long MORE_MILLIS = 100;

    private final ClusterApi api;
    private final ClaimBinder claims;
    private final GpuBinder gpus;
    private final Fence fence;
    private final SchedulerFigures figures;
    private final Listener listener;
    private final ScheduledThreadPoolExecutor threads;
    private final int atOnce;
    private final AtomicInteger underWay = new AtomicInteger();

    Binder(
            ClusterApi api,
            ClaimBinder claims,
            GpuBinder gpus,
            Fence fence,
            SchedulerFigures figures,
            int atOnce,
            Listener listener) {
        this.api = api;
        this.claims = claims;
        this.gpus = gpus;
        this.fence = fence;
        this.figures = figures;
        this.listener = listener;
        this.atOnce = atOnce;
        threads = new ScheduledThreadPoolExecutor(atOnce, Daemons.named("stowage-bind"));
    }

    void bind(PodFacts pod, String node, String reason) {
        underWay.incrementAndGet();
        threads.execute(() -> attempt(pod, node, reason, FIRST_PAUSE_MILLIS));
    }

    /** Number of bindings whose outcome is not known yet. */
    int underWay() {
        return underWay.get();
    }

    /**
     * Catches every exception: a task that throws is never run again, and the pod would be counted on its node for
     * ever.
     */
    private void attempt(PodFacts pod, String node, String reason, long pauseMillis) {
        try {
            attemptOnce(pod, node, reason, pauseMillis);
        } catch (RejectedExecutionException e) {
            LOG.debug("shut down before {} was bound", pod.path());
        } catch (RuntimeException e) {
            later(pod, node, reason, pauseMillis, ServerWords.message(e));
        }
    }

    private void attemptOnce(PodFacts pod, String node, String reason, long pauseMillis) {
        if (!fence.mayAct()) {
            // The present leader lists the cluster and decides anew; this replica discards its engine with the lease.
            figures.fenced.increment();
            var unused = threads.schedule(
                    () -> attempt(pod, node, reason, pauseMillis), LONGEST_PAUSE_MILLIS / 4, TimeUnit.MILLISECONDS);
            return;
        }
        ClaimBinder.Standing before = claims.look(pod);
        if (before.state() == ClaimBinder.State.READY) {
            before = gpus.look(pod, node);
        }
        if (before.state() != ClaimBinder.State.READY) {
            waitForMore(pod, node, reason, before);
            return;
        }
        long sent = System.nanoTime();
        ClusterApi.BindingResult outcome = api.bind(pod, node);
        switch (outcome.answer()) {
            case BOUND -> {
                figures.bound.increment();
                figures.binding.addSince(sent);
                finished();
                allow(threads.getCorePoolSize() + 1);
                gpus.bound(pod, node);
                listener.bound(pod, node, reason);
            }
            case REFUSED -> {
                figures.refused.increment();
                finished();
                gpus.notBound(pod, node);
                listener.refused(pod, node, outcome.message());
            }
            case NOT_KNOWN -> {
                allow(threads.getCorePoolSize() / 2);
                ask(pod, node, reason, outcome.message(), pauseMillis);
            }
        }
    }

    private void waitForMore(PodFacts pod, String node, String reason, ClaimBinder.Standing before) {
        if (before.state() == ClaimBinder.State.FAILED) {
            figures.refused.increment();
            finished();
            listener.refused(pod, node, before.why());
            return;
        }
        var unused = threads.schedule(
                () -> attempt(pod, node, reason, FIRST_PAUSE_MILLIS), MORE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * So many at once from now on: one more for each answer, half of them for a lost one. Where the API server or this
     * process is too slow for all, each would otherwise wait so long that all count as lost.
     */
    private synchronized void allow(int now) {
        threads.setCorePoolSize(Math.max(1, Math.min(now, atOnce)));
    }

    private void ask(PodFacts pod, String node, String reason, String message, long pauseMillis) {
        figures.asked.increment();
        try {
            Optional<PodFacts> now = api.ask(pod);
            if (now.isEmpty()) {
                finished();
                gpus.notBound(pod, node);
                listener.gone(pod);
                return;
            } else if (now.get().node().equals(node)) {
                figures.bound.increment();
                finished();
                gpus.bound(pod, node);
                listener.bound(pod, node, reason);
                return;
            } else if (now.get().isBound()) {
                finished();
                gpus.elsewhere(pod, node);
                listener.elsewhere(now.get());
                return;
            }
        } catch (KubernetesClientException e) {
            LOG.debug("the API server does not answer for {}: {}", pod.path(), ServerWords.message(e));
        }
        later(pod, node, reason, pauseMillis, message);
    }

    private void later(PodFacts pod, String node, String reason, long pauseMillis, String message) {
        LOG.info("trying again to bind {} to {}: {}", pod.path(), node, message);
        var unused = threads.schedule(
                () -> attempt(pod, node, reason, Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS)),
                pauseMillis,
                TimeUnit.MILLISECONDS);
    }

    private void finished() {
        underWay.decrementAndGet();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

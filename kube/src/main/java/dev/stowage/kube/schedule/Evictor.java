package dev.stowage.kube.schedule;

import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.watch.Daemons;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server to evict pods, one after the other. The API server evicts only if disruption budgets allow it; a
 * refusal is reported in an event, or to the listener.
 */
final class Evictor implements AutoCloseable {
    /** Receives refusals of actions for a waiting pod. */
    interface Listener {
        /**
         * One of the evictions for a pod was refused, or its reply was lost; later evictions were not requested.
         *
         * @param victim unique id; empty if the pod's status could not be written
         * @param staying unique ids of this victim and the later ones
         */
        void notEvicted(PodFacts pod, String victim, List<String> staying, String why);
    }

    private static final int GONE = 404;
    private static final int TIMEOUT = 408;
    private static final int CONFLICT = 409;
    private static final int SERVER_FAILED = 500;
    /** The API server retries an eviction for ten seconds. */
    private static final int LOST_TRIES = 12;

    private static final long LOST_PAUSE_MILLIS = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(Evictor.class);

    private final ClusterApi api;
    private final Fence fence;
    private final SchedulerFigures figures;
    private final EventWriter events;
    private final Listener listener;
    /** The latest nomination of each pod for which others are being evicted. */
    private final Map<String, Object> promises = new ConcurrentHashMap<>();

    private final ExecutorService thread = Executors.newSingleThreadExecutor(Daemons.named("stowage-evict"));

    Evictor(ClusterApi api, Fence fence, SchedulerFigures figures, EventWriter events, Listener listener) {
        this.listener = listener;
        this.api = api;
        this.fence = fence;
        this.figures = figures;
        this.events = events;
    }

    /** Evicts a pod, if it is still the known one and its budget allows it. */
    void evict(PodFacts pod, String reason) {
        enqueue(pod, () -> attempt(pod, reason));
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
        } catch (RuntimeException e) {
            LOG.info("{} is not evicted: {}", pod.path(), said(e));
            events.refused(pod, "to be evicted (" + reason + "), and the eviction was refused: " + said(e));
        }
    }

    /**
     * Writes the node into the status of a waiting pod, and then evicts the victims from it, until one is refused.
     */
    void makeRoom(PodFacts pod, String node, List<PodFacts> victims, String reason) {
        Object promise = new Object();
        promises.put(pod.uid(), promise);
        enqueue(pod, () -> {
            String asked = "";
            try {
                fenced();
                api.nominate(pod, node);
                for (PodFacts victim : victims) {
                    if (promises.get(pod.uid()) != promise) {
                        // The nomination has ended meanwhile: no further pod is evicted for it.
                        return;
                    }
                    asked = victim.uid();
                    fenced();
                    evictFor(pod, node, victim);
                }
                events.nominated(pod, nominated(node, victims, reason));
            } catch (RuntimeException e) {
                refused(pod, node, victims, asked, e);
            } finally {
                promises.remove(pod.uid(), promise);
            }
        });
    }

    private static String nominated(String node, List<PodFacts> victims, String reason) {
        return victims.isEmpty()
                ? "nominated to " + node + ", where enough pods are leaving"
                : "nominated to " + node + ", from which pods of lower priority were evicted: "
                        + String.join(", ", victims.stream().map(PodFacts::path).toList()) + "; " + reason;
    }

    private void evictFor(PodFacts pod, String node, PodFacts victim) {
        try {
            api.evict(victim);
            figures.preempted.increment();
            events.preempted(victim, "Preempted by " + pod.path() + " on node " + node);
        } catch (KubernetesClientException e) {
            boolean goes = e.getCode() == GONE || (e.getCode() == CONFLICT && leaves(victim));
            if (!goes && !(isLost(e) && leavesLater(victim))) {
                throw e;
            }
        }
    }

    /** Whether the reply leaves the outcome of the eviction unknown. */
    private static boolean isLost(KubernetesClientException e) {
        return e.getCode() <= 0 || e.getCode() == TIMEOUT || e.getCode() >= SERVER_FAILED;
    }

    /** Whether a pod is gone or terminating, or another one has its name. */
    private boolean leaves(PodFacts victim) {
        return api.ask(victim).map(PodFacts::terminating).orElse(true);
    }

    /** The same, for as long as the API server may still be at work on an eviction whose reply was lost. */
    private boolean leavesLater(PodFacts victim) {
        for (int tries = 0; tries < LOST_TRIES; tries++) {
            try {
                if (leaves(victim)) {
                    return true;
                }
            } catch (KubernetesClientException e) {
                LOG.info("whether {} leaves is not known: {}", victim.path(), said(e));
            }
            try {
                Thread.sleep(LOST_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    private static String said(RuntimeException e) {
        return e instanceof KubernetesClientException refused ? ServerWords.message(refused) : String.valueOf(e);
    }

    private void refused(PodFacts pod, String node, List<PodFacts> victims, String asked, RuntimeException e) {
        figures.evictionsRefused.increment();
        String path = victims.stream()
                .filter(victim -> victim.uid().equals(asked))
                .map(PodFacts::path)
                .findFirst()
                .orElse("");
        String why = path.isEmpty()
                ? "its status could not be written: " + said(e)
                : "evicting " + path + " from " + node + " was refused: "
                        + (e instanceof KubernetesClientException refused ? ServerWords.refusal(refused) : said(e));
        LOG.info("no room for {}: {}", pod.path(), why);
        List<String> staying = victims.stream()
                .map(PodFacts::uid)
                .dropWhile(uid -> !asked.isEmpty() && !uid.equals(asked))
                .toList();
        listener.notEvicted(pod, asked, staying, why);
    }

    /** No further pod is evicted for this one. */
    void promiseEnds(PodFacts pod) {
        promises.remove(pod.uid());
    }

    /** A waiting pod loses its nominated node. */
    void notNominated(PodFacts pod) {
        promiseEnds(pod);
        enqueue(pod, () -> {
            try {
                fenced();
                api.nominate(pod, null);
            } catch (RuntimeException e) {
                // The pod is gone, or its status stays outdated until it gets another node.
                LOG.info("{} keeps its nominated node: {}", pod.path(), said(e));
            }
        });
    }

    private void fenced() {
        if (!fence.mayAct()) {
            figures.fenced.increment();
            throw new KubernetesClientException("this replica does not hold the lease");
        }
    }

    private void enqueue(PodFacts pod, Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("shut down before anything was done for {}", pod.path());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

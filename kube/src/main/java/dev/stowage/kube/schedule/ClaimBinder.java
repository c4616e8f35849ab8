package dev.stowage.kube.schedule;

import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.translate.ClaimFacts;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.Volumes;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the claims of a pod bound to volumes of the node that was chosen for it, before the pod itself is bound: a volume
 * that is there is given to the claim, or the claim is annotated with the node, for which its provisioner makes one. If
 * that takes too long, or the provisioner gives up, the pod goes elsewhere.
 */
final class ClaimBinder {
    /** How it stands. */
    enum State {
        /** All claims are bound to volumes that the node can have. */
        READY,
        /** Not yet. */
        WAITING,
        /** The pod must go elsewhere. */
        FAILED
    }

    /** How it stands, and why if it failed. */
    record Standing(State state, String why) {}

    private static final Logger LOG = LoggerFactory.getLogger(ClaimBinder.class);
    private static final Standing READY = new Standing(State.READY, "");
    private static final Standing WAITING = new Standing(State.WAITING, "");
    private static final int CONFLICT = 409;
    private static final int FIRST_REFUSAL = 400;
    private static final int FIRST_FAILURE = 500;

    /** The node of a pod, and what was asked for it: the steps, none before they have been taken. */
    private record Chosen(NodeFacts node, long since, List<Volumes.Step> steps, Set<String> seen) {}

    private final ClusterApi api;
    private final Volumes volumes;
    private final Duration patience;
    private final Map<String, Chosen> chosen = new ConcurrentHashMap<>();

    /** @param patience how long a claim may take to be bound */
    ClaimBinder(ClusterApi api, Volumes volumes, Duration patience) {
        this.api = api;
        this.volumes = volumes;
        this.patience = patience;
    }

    /** A pod got a node. */
    void chosen(PodFacts pod, NodeFacts node) {
        if (!pod.volumes().claims().isEmpty()) {
            chosen.put(pod.uid(), new Chosen(node, System.nanoTime(), List.of(), ConcurrentHashMap.newKeySet()));
        }
    }

    /** How it stands with the claims of a pod; asks for them at the first time. Used by one thread for a pod. */
    Standing look(PodFacts pod) {
        Chosen now = chosen.get(pod.uid());
        if (now == null) {
            return READY;
        }
        List<ClaimFacts> open = volumes.open(pod);
        if (open.isEmpty()) {
            chosen.remove(pod.uid());
            return volumes.steps(pod, now.node()).isPresent()
                    ? READY
                    : elsewhere(pod, now, "its volumes are not available there");
        }
        if (now.steps().isEmpty()) {
            return begin(pod, now);
        }
        for (ClaimFacts claim : open) {
            if (claim.node().equals(now.node().name())) {
                now.seen().add(claim.path());
            } else if (now.seen().contains(claim.path())) {
                return elsewhere(pod, now, "the provisioner of its claim " + claim.name() + " gave up on the node");
            }
        }
        if (System.nanoTime() - now.since() < patience.toNanos()) {
            return WAITING;
        }
        return elsewhere(
                pod,
                now,
                "its claim " + open.get(0).name() + " was not bound to a volume within " + patience.toSeconds() + " s");
    }

    private Standing begin(PodFacts pod, Chosen now) {
        Optional<List<Volumes.Step>> steps = volumes.steps(pod, now.node());
        if (steps.isEmpty()) {
            return elsewhere(pod, now, "its volumes are not available there");
        }
        try {
            for (Volumes.Step step : steps.get()) {
                if (!step.volume().isEmpty()) {
                    api.giveVolume(step.volume(), step.version(), step.claim());
                } else if (step.claim().node().isEmpty()) {
                    api.selectNode(step.claim(), now.node().name());
                }
            }
        } catch (KubernetesClientException e) {
            boolean refused = e.getCode() >= FIRST_REFUSAL && e.getCode() < FIRST_FAILURE && e.getCode() != CONFLICT;
            LOG.info("the claims of {} or their volumes cannot be written: {}", pod.path(), ServerWords.message(e));
            // After a conflict, the watch will tell what has changed.
            return refused ? elsewhere(pod, now, ServerWords.message(e)) : WAITING;
        }
        chosen.put(pod.uid(), new Chosen(now.node(), now.since(), steps.get(), now.seen()));
        return WAITING;
    }

    private Standing elsewhere(PodFacts pod, Chosen now, String why) {
        chosen.remove(pod.uid());
        for (ClaimFacts claim : volumes.open(pod)) {
            // A volume that was given to a claim stays its own.
            if (claim.node().equals(now.node().name())) {
                try {
                    api.selectNode(claim, null);
                } catch (KubernetesClientException e) {
                    LOG.info("the claim {} is left as it is: {}", claim.path(), ServerWords.message(e));
                }
            }
        }
        volumes.avoid(pod, now.node().name(), System.nanoTime());
        return new Standing(State.FAILED, why);
    }
}

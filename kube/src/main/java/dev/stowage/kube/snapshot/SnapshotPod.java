package dev.stowage.kube.snapshot;

import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pod of a snapshot.
 *
 * @param facts the pod as far as scheduling is concerned
 * @param bond what keeps it on its node
 * @param reason why, in words that follow "the pod"; empty if it is free
 * @param evictionCost what its eviction costs, 1 for most pods, 0 to 10: more for a higher priority, and for a greater
 *     {@code controller.kubernetes.io/pod-deletion-cost}. Source: Karpenter, RFC "Balanced Consolidation: Scoring Moves
 *     by Savings and Disruption", Per-Pod Disruption Cost
 * @param controller creates it again; {@link Controller#NONE} if nothing does
 * @param runs whether its containers have started
 */
public record SnapshotPod(
        PodFacts facts, Bond bond, String reason, double evictionCost, Controller controller, boolean runs) {
    private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
    private static final double COSTS_ONE_MORE = 1 << 27;
    private static final double PRIORITY_COSTS_ONE_MORE = 1 << 25;
    private static final double HIGHEST_COST = 10;

    private static final String MIRROR = "kubernetes.io/config.mirror";
    private static final String SAFE = "cluster-autoscaler.kubernetes.io/safe-to-evict";
    private static final String KEEP = "karpenter.sh/do-not-disrupt";

    /** What keeps a pod on its node. */
    public enum Bond {
        /** Nothing: if it is evicted, it is created again elsewhere. */
        FREE,
        /** It must not be evicted; if its node is lost, it is created again elsewhere. */
        KEPT,
        /** It would not be created again, or is not known to be able to run elsewhere. */
        FIXED,
        /** It belongs to its node: a daemon set's, a static one, or one that is being deleted. */
        WITH_NODE
    }

    /** What keeps a number of pods, by its group and version, kind, name and UID. */
    public record Controller(String api, String kind, String name, String uid) {
        /** Of pods that nothing creates again. */
        public static final Controller NONE = new Controller("", "", "", "");
    }

    /**
     * A pod.
     *
     * @throws IllegalArgumentException if it asks for an invalid quantity
     */
    public static SnapshotPod of(Pod pod) {
        PodFacts facts = PodReader.read(pod);
        ObjectMeta meta = pod.getMetadata();
        List<OwnerReference> owners = Objects.requireNonNullElse(meta.getOwnerReferences(), List.of());
        Map<String, String> notes = Objects.requireNonNullElse(meta.getAnnotations(), Map.of());
        double cost = evictionCost(facts.priority(), notes.get(DELETION_COST));
        Controller controller = owners.stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .map(owner -> new Controller(owner.getApiVersion(), owner.getKind(), owner.getName(), owner.getUid()))
                .findFirst()
                .orElse(Controller.NONE);
        boolean runs =
                pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase());
        Bond bond = Bond.WITH_NODE;
        String reason;
        if (facts.terminating()) {
            reason = "is being deleted";
        } else if (notes.containsKey(MIRROR)
                || owners.stream().anyMatch(owner -> owner.getKind().equals("Node"))) {
            reason = "is a static pod of its node";
        } else if (owners.stream().anyMatch(owner -> owner.getKind().equals("DaemonSet"))) {
            reason = "belongs to a daemon set";
        } else {
            String fixed = fixed(pod, facts, controller);
            reason = fixed.isEmpty() ? kept(notes) : fixed;
            bond = !fixed.isEmpty() ? Bond.FIXED : reason.isEmpty() ? Bond.FREE : Bond.KEPT;
        }
        return new SnapshotPod(facts, bond, reason, cost, controller, runs);
    }

    private static double evictionCost(int priority, @Nullable String deletionCost) {
        double extra = 0;
        try {
            extra = deletionCost == null ? 0 : Integer.parseInt(deletionCost) / COSTS_ONE_MORE;
        } catch (NumberFormatException e) {
            // The API server takes no other; an older one may have.
        }
        return Math.max(0, Math.min(HIGHEST_COST, 1 + extra + priority / PRIORITY_COSTS_ONE_MORE));
    }

    private static String fixed(Pod pod, PodFacts facts, Controller controller) {
        if (!facts.notPlanned().isEmpty()) {
            return "asks for something that Stowage does not plan with: " + String.join("; ", facts.notPlanned());
        }
        if (pod.getSpec().getVolumes().stream().anyMatch(volume -> volume.getHostPath() != null)) {
            return "uses a path of its node";
        }
        return controller.equals(Controller.NONE) ? "has no controller that would recreate it" : "";
    }

    private static String kept(Map<String, String> annotations) {
        if ("false".equals(annotations.get(SAFE))) {
            return "is annotated " + SAFE + "=false";
        }
        return "true".equals(annotations.get(KEEP)) ? "is annotated " + KEEP + "=true" : "";
    }
}

package dev.stowage.kube.consolidate;

import dev.stowage.kube.evict.EvictionCall;
import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.schedule.KubeClients;
import dev.stowage.kube.snapshot.LiveReader;
import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.kube.snapshot.SnapshotPod;
import dev.stowage.kube.translate.PodFacts;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and pods of a cluster that runs, by calls to its API server that block. A node that is cordoned here has an
 * annotation, so that whoever comes later knows that it may be opened.
 */
public final class LiveNodes implements AutoCloseable {
    /** On a node that was cordoned here: how far it is. */
    public static final String MARK = "stowage.dev/consolidating";
    /** Value of the mark: cordoned, and not known to be empty. */
    public static final String CORDONED = "true";
    /** Value of the mark: was emptied. */
    public static final String EMPTIED = "emptied";
    /** Value of the mark: its removal was asked for. */
    public static final String REMOVAL = "removal-asked-for";

    private static final String STAYS = "cluster-autoscaler.kubernetes.io/scale-down-disabled";

    private static final int GONE = 404;
    private static final int TIMEOUT = 408;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;
    private static final int SERVER_FAILED = 500;
    private static final int TRIES = 5;

    /** What became of an eviction. */
    public enum Eviction {
        /** The pod leaves, or has left. */
        LEAVES,
        /** Its budget allows none now, or nobody knows whether the eviction will take effect. */
        NOT_NOW,
        /** It was refused for good. */
        REFUSED
    }

    /** What became of an eviction, and what the API server said; empty where the pod leaves. */
    public record EvictionReply(Eviction eviction, String why) {
        private static final EvictionReply LEAVES = new EvictionReply(Eviction.LEAVES, "");
    }

    private final KubernetesClient client;
    private final EvictionCall evictions;

    /**
     * Connects with the first call.
     *
     * @param kubeconfig address and credentials; null for those of the environment
     */
    public LiveNodes(@Nullable Path kubeconfig) {
        client = KubeClients.open(kubeconfig);
        evictions = new EvictionCall(client);
    }

    /**
     * The cluster as it is now.
     *
     * @throws SnapshotException if the API server does not answer, or refuses
     */
    public NodesAndPods look() {
        return LiveReader.read(client);
    }

    /** Nodes that have been cordoned here, or by a run that could not open them, with the mark's value. */
    public Map<String, String> marked() {
        return annotated(MARK);
    }

    /** Nodes that the cluster-autoscaler must not remove. */
    public Set<String> staying() {
        Map<String, String> said = annotated(STAYS);
        said.values().removeIf(value -> !value.equals("true"));
        return said.keySet();
    }

    private Map<String, String> annotated(String key) {
        Map<String, String> found = new TreeMap<>();
        for (Node node : client.nodes().list().getItems()) {
            Map<String, String> annotations = node.getMetadata().getAnnotations();
            String value = annotations == null ? null : annotations.get(key);
            if (value != null) {
                found.put(node.getMetadata().getName(), value);
            }
        }
        return found;
    }

    /**
     * Says on a node that was cordoned here how far it is; on any other nothing.
     *
     * @throws KubernetesClientException if it is refused, or the API server does not answer
     */
    public void mark(String name, String value) {
        change(name, value);
    }

    /**
     * A lease for one of several replicas, renewed from now on until it is closed.
     *
     * @param duration how long it holds without being renewed
     */
    public ControllerLease lease(String namespace, String name, Duration duration) {
        return new ControllerLease(client, namespace, name, duration);
    }

    private static boolean isMarked(Node node) {
        Map<String, String> annotations = node.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(MARK);
    }

    private static boolean isCordoned(Node node) {
        return node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
    }

    /**
     * Cordons a node.
     *
     * @return false if somebody else has, or it is gone
     * @throws KubernetesClientException if it is refused, or the API server does not answer
     */
    public boolean cordon(String name) {
        for (int tries = 0; ; tries++) {
            Node node = client.nodes().withName(name).get();
            if (node == null || (isCordoned(node) && !isMarked(node))) {
                return false;
            }
            if (isCordoned(node) || changed(node, CORDONED, tries)) {
                return true;
            }
        }
    }

    /**
     * Opens a node that was cordoned here; one that somebody else has opened or taken over is left as it is.
     *
     * @throws KubernetesClientException if it is refused, or the API server does not answer
     */
    public void uncordon(String name) {
        change(name, null);
    }

    private void change(String name, @Nullable String value) {
        for (int tries = 0; ; tries++) {
            Node node = client.nodes().withName(name).get();
            if (node == null || !isMarked(node) || changed(node, value, tries)) {
                return;
            }
        }
    }

    /** Whether it took effect; not where the node has changed since it was read. */
    private boolean changed(Node node, @Nullable String value, int tries) {
        Map<String, @Nullable String> mark = new LinkedHashMap<>();
        mark.put(MARK, value);
        Map<String, @Nullable Boolean> spec = new LinkedHashMap<>();
        spec.put("unschedulable", value == null ? null : true);
        Map<String, Object> patch = new LinkedHashMap<>();
        patch.put("metadata", Map.of("resourceVersion", node.getMetadata().getResourceVersion(), "annotations", mark));
        patch.put("spec", spec);
        try {
            client.nodes()
                    .withName(node.getMetadata().getName())
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            client.getKubernetesSerialization().asJson(patch));
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == CONFLICT && tries < TRIES) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Evicts a pod, if it is still the one that is known and its budget allows it; where the reply is lost the pod is
     * asked for.
     */
    public EvictionReply evict(PodFacts pod) {
        try {
            evictions.evict(pod);
            return EvictionReply.LEAVES;
        } catch (KubernetesClientException e) {
            boolean lost = e.getCode() <= 0 || e.getCode() == TIMEOUT || e.getCode() >= SERVER_FAILED;
            if (e.getCode() == GONE || ((lost || e.getCode() == CONFLICT) && leaves(pod))) {
                return EvictionReply.LEAVES;
            }
            boolean passes = lost || e.getCode() == CONFLICT || e.getCode() == TOO_MANY;
            return new EvictionReply(passes ? Eviction.NOT_NOW : Eviction.REFUSED, ServerWords.refusal(e));
        }
    }

    /**
     * How many pods a ReplicaSet or StatefulSet wants, 0 if it goes or has gone; empty where that is not known: of
     * another kind, or if the API server does not answer or refuses.
     */
    public OptionalInt wanted(String namespace, SnapshotPod.Controller controller) {
        if (!controller.api().equals("apps/v1")) {
            return OptionalInt.empty();
        }
        try {
            return switch (controller.kind()) {
                case "ReplicaSet" ->
                    wanted(
                            ReplicaSet.class,
                            namespace,
                            controller,
                            set -> set.getSpec().getReplicas());
                case "StatefulSet" ->
                    wanted(
                            StatefulSet.class,
                            namespace,
                            controller,
                            set -> set.getSpec().getReplicas());
                default -> OptionalInt.empty();
            };
        } catch (KubernetesClientException e) {
            return OptionalInt.empty();
        }
    }

    private <T extends HasMetadata> OptionalInt wanted(
            Class<T> kind,
            String namespace,
            SnapshotPod.Controller controller,
            Function<T, @Nullable Integer> replicas) {
        T now = client.resources(kind)
                .inNamespace(namespace)
                .withName(controller.name())
                .get();
        if (now == null
                || now.getMetadata().getDeletionTimestamp() != null
                || !controller.uid().equals(now.getMetadata().getUid())) {
            return OptionalInt.of(0);
        }
        Integer number = replicas.apply(now);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    private boolean leaves(PodFacts pod) {
        try {
            Optional<Pod> now = Optional.ofNullable(client.pods()
                            .inNamespace(pod.namespace())
                            .withName(pod.name())
                            .get())
                    .filter(one -> pod.uid().equals(one.getMetadata().getUid()));
            return now.map(one -> one.getMetadata().getDeletionTimestamp() != null)
                    .orElse(true);
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}

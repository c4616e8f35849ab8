package dev.stowage.kube.schedule;

import dev.stowage.kube.evict.EvictionCall;
import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.translate.ClaimFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGroup;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.EditReplacePatchable;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The scheduler's calls to the API server; each blocks, and may be made by any thread. */
final class ClusterApi {
    /** The outcome of a binding. */
    enum BindingAnswer {
        /** The pod is bound where it should be. */
        BOUND,
        /** It was refused, and will not take effect. */
        REFUSED,
        /** It is unknown whether it took or will take effect. */
        NOT_KNOWN
    }

    /** The outcome of a binding, and the API server's message. */
    record BindingResult(BindingAnswer answer, String message) {}

    private static final int CONFLICT = 409;
    private static final int FIRST_REFUSAL = 400;
    private static final int FIRST_FAILURE = 500;
    private static final List<Integer> PASSING = List.of(408, 429);
    private static final int LONGEST_MESSAGE = 1000;

    private final KubernetesClient client;
    private final String component;
    private final EvictionCall evictions;

    ClusterApi(KubernetesClient client, String component) {
        this.client = client;
        this.component = component;
        evictions = new EvictionCall(client);
    }

    /**
     * A client that does not retry by itself: the caller decides what a lost reply means.
     *
     * @param kubeconfig file with the address and credentials; null for those of the pod that this runs in, or of the
     *     environment
     * @throws IllegalArgumentException if the file, or that of the environment, cannot be used
     */
    static KubernetesClient client(@Nullable Path kubeconfig, int requestMillis, int concurrent) {
        Config settled = new ConfigBuilder(KubeconfigFile.read(kubeconfig))
                .withRequestTimeout(requestMillis)
                .withConnectionTimeout(requestMillis)
                .withRequestRetryBackoffLimit(0)
                .withMaxConcurrentRequests(concurrent)
                .withMaxConcurrentRequestsPerHost(concurrent)
                .withWatchReconnectLimit(-1)
                .build();
        return new KubernetesClientBuilder().withConfig(settled).build();
    }

    /** Binds a pod to a node. */
    BindingResult bind(PodFacts pod, String node) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("namespace", pod.namespace());
        metadata.put("name", pod.name());
        metadata.put("uid", pod.uid());
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("apiVersion", "v1");
        body.put("kind", "Binding");
        if (!pod.group().placedWith().isEmpty()) {
            // The API server copies the annotations of a binding to the pod.
            metadata.put(
                    "annotations",
                    Map.of(PodGroup.PLACED_WITH, String.join(",", pod.group().placedWith())));
        }
        body.put("metadata", metadata);
        body.put("target", Map.of("apiVersion", "v1", "kind", "Node", "name", node));
        try {
            client.raw("/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name() + "/binding", "POST", body);
            return new BindingResult(BindingAnswer.BOUND, "");
        } catch (KubernetesClientException e) {
            boolean definite = e.getCode() >= FIRST_REFUSAL
                    && e.getCode() < FIRST_FAILURE
                    && e.getCode() != CONFLICT
                    && !PASSING.contains(e.getCode());
            return new BindingResult(
                    definite ? BindingAnswer.REFUSED : BindingAnswer.NOT_KNOWN, ServerWords.message(e));
        }
    }

    /**
     * The present state of a pod; empty if there is none with its unique id.
     *
     * @throws KubernetesClientException if it does not answer
     */
    Optional<PodFacts> ask(PodFacts pod) {
        return Optional.ofNullable(pod(pod.namespace(), pod.name()))
                .map(PodReader::read)
                .filter(read -> read.uid().equals(pod.uid()));
    }

    /**
     * Evicts a pod, if it is still the one with this unique id on this node and its disruption budgets allow it.
     *
     * @throws KubernetesClientException if it is refused, or the API server does not answer
     */
    void evict(PodFacts pod) {
        evictions.evict(pod);
    }

    /** Writes an event about a pod. */
    void event(PodFacts pod, String type, String reason, String message, long number) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        Event event = new EventBuilder()
                .withNewMetadata()
                .withNamespace(pod.namespace())
                .withName(pod.name() + "." + Long.toHexString(number))
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion("v1")
                .withKind("Pod")
                .withNamespace(pod.namespace())
                .withName(pod.name())
                .withUid(pod.uid())
                .endInvolvedObject()
                .withType(type)
                .withReason(reason)
                .withMessage(cut(message))
                .withCount(1)
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withNewSource()
                .withComponent(component)
                .endSource()
                .withReportingComponent(component)
                .withReportingInstance(component)
                .build();
        client.v1().events().inNamespace(pod.namespace()).resource(event).create();
    }

    /** Writes into a pod's status that it is not scheduled, which autoscalers and kubectl read. */
    void unscheduled(PodFacts pod, String message) {
        String patch = client.getKubernetesSerialization()
                .asJson(Map.of(
                        "status",
                        Map.of(
                                "conditions",
                                List.of(Map.of(
                                        "type", "PodScheduled",
                                        "status", "False",
                                        "reason", "Unschedulable",
                                        "message", cut(message))))));
        client.pods()
                .inNamespace(pod.namespace())
                .withName(pod.name())
                .subresource("status")
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
    }

    /**
     * Writes into a pod's status the node that will have room for it, for people and other programs; null for none.
     *
     * @throws KubernetesClientException if it is refused, or the API server does not answer
     */
    void nominate(PodFacts pod, @Nullable String node) {
        Map<String, @Nullable String> status = new LinkedHashMap<>();
        status.put("nominatedNodeName", node);
        Map<String, Object> patch = new LinkedHashMap<>();
        // The unique id makes the API server refuse the patch for another pod of the same name.
        patch.put("metadata", Map.of("uid", pod.uid()));
        patch.put("status", status);
        merge(client.pods().inNamespace(pod.namespace()).withName(pod.name()).subresource("status"), patch);
    }

    /**
     * Writes annotations of a pod, and labels; null takes one away.
     *
     * @throws KubernetesClientException if it is another pod now (409), it is refused, or there is no answer
     */
    void annotate(PodFacts pod, Map<String, @Nullable String> annotations, Map<String, @Nullable String> labels) {
        Map<String, Object> metadata = Map.of("uid", pod.uid(), "annotations", annotations, "labels", labels);
        merge(client.pods().inNamespace(pod.namespace()).withName(pod.name()), Map.of("metadata", metadata));
    }

    /**
     * A node as it is now, or null.
     *
     * @throws KubernetesClientException if it is refused, or there is no answer
     */
    @Nullable
    Node node(String name) {
        return client.nodes().withName(name).get();
    }

    /**
     * Writes an annotation of a node; null takes it away.
     *
     * @throws KubernetesClientException if the node has changed since it was read (409), it is refused, or there is no
     *     answer
     */
    void annotate(Node node, String key, @Nullable String value) {
        Map<String, @Nullable String> annotations = new LinkedHashMap<>();
        annotations.put(key, value);
        Map<String, Object> metadata =
                Map.of("resourceVersion", node.getMetadata().getResourceVersion(), "annotations", annotations);
        merge(client.nodes().withName(node.getMetadata().getName()), Map.of("metadata", metadata));
    }

    /**
     * A pod by its name, or null.
     *
     * @throws KubernetesClientException if it does not answer
     */
    @Nullable
    Pod pod(String namespace, String name) {
        return client.pods().inNamespace(namespace).withName(name).get();
    }

    /**
     * Asks the provisioner of a claim for a volume that a node can have, or no longer does; null for no node.
     *
     * @throws KubernetesClientException if the claim has changed (409), it is refused, or there is no answer
     */
    void selectNode(ClaimFacts claim, @Nullable String node) {
        Map<String, @Nullable String> annotations = new LinkedHashMap<>();
        annotations.put(ClaimFacts.SELECTED_NODE, node);
        Map<String, Object> metadata =
                Map.of("uid", claim.uid(), "resourceVersion", claim.version(), "annotations", annotations);
        merge(
                client.persistentVolumeClaims().inNamespace(claim.namespace()).withName(claim.name()),
                Map.of("metadata", metadata));
    }

    /**
     * Reserves a volume for a claim; the controller of volumes then binds them.
     *
     * @param version of the volume
     * @throws KubernetesClientException if the volume has changed (409), it is refused, or there is no answer
     */
    void giveVolume(String volume, String version, ClaimFacts claim) {
        Map<String, Object> reference = Map.of(
                "apiVersion", "v1",
                "kind", "PersistentVolumeClaim",
                "namespace", claim.namespace(),
                "name", claim.name(),
                "uid", claim.uid());
        Map<String, Object> metadata = Map.of(
                "resourceVersion", version, "annotations", Map.of("pv.kubernetes.io/bound-by-controller", "yes"));
        merge(
                client.persistentVolumes().withName(volume),
                Map.of("metadata", metadata, "spec", Map.of("claimRef", reference)));
    }

    private void merge(EditReplacePatchable<?> what, Map<String, ?> change) {
        what.patch(
                PatchContext.of(PatchType.JSON_MERGE),
                client.getKubernetesSerialization().asJson(change));
    }

    private static String cut(String message) {
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE - 4) + " ...";
    }
}

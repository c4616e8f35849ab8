package dev.stowage.kube.guard;

import dev.stowage.kube.guard.BindingLedger.Promise;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What guards have promised, in the API server: a ConfigMap for each node. A write takes effect only if nobody has
 * written since the version that it is based on.
 */
final class SharedPromises {
    private static final int MISSING = 404;
    private static final int CONFLICT = 409;

    /**
     * The promises of a node at one moment.
     *
     * @param version of the object; empty if there is none
     * @param promises by the pod's unique id
     */
    record Written(String version, Map<String, Promise> promises) {}

    private final KubernetesClient client;
    private final KubernetesSerialization json;
    private final String namespace;
    private final String path;

    SharedPromises(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        json = client.getKubernetesSerialization();
        path = "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    /**
     * Those of a node, not older than the call.
     *
     * @throws KubernetesClientException if it is refused, or the API server does not answer
     */
    Written read(String node) {
        // The client answers null where there is none.
        @Nullable String object = client.raw(path + "/" + node);
        return object == null ? new Written("", Map.of()) : written(json.unmarshal(object, ConfigMap.class));
    }

    /** Those of all nodes. */
    Map<String, Written> list() {
        Map<String, Written> all = new LinkedHashMap<>();
        for (ConfigMap one : client.configMaps()
                .inNamespace(namespace)
                .withLabel("stowage.dev/guard", "promises")
                .list()
                .getItems()) {
            all.put(one.getMetadata().getName(), written(one));
        }
        return all;
    }

    private Written written(ConfigMap object) {
        Map<String, Promise> promises = new LinkedHashMap<>();
        Objects.requireNonNullElse(object.getData(), Map.<String, String>of())
                .forEach((uid, text) -> promises.put(uid, json.unmarshal(text, Promise.class)));
        return new Written(object.getMetadata().getResourceVersion(), promises);
    }

    /**
     * Writes those of a node.
     *
     * @return as they are now; null if somebody else has written since
     * @throws KubernetesClientException if it is refused, or nobody knows whether it took effect
     */
    @Nullable
    Written write(String node, Written before, Map<String, Promise> promises) {
        Map<String, String> data = new LinkedHashMap<>();
        promises.forEach((uid, promise) -> data.put(uid, json.asJson(promise)));
        boolean first = before.version().isEmpty();
        String body = json.asJson(new ConfigMapBuilder()
                .withNewMetadata()
                .withName(node)
                .withNamespace(namespace)
                .addToLabels("stowage.dev/guard", "promises")
                .withResourceVersion(first ? null : before.version())
                .endMetadata()
                .withData(data)
                .build());
        try {
            @Nullable String reply = client.raw(first ? path : path + "/" + node, first ? "POST" : "PUT", body);
            return reply == null
                    ? null
                    : new Written(
                            json.unmarshal(reply, ConfigMap.class).getMetadata().getResourceVersion(), promises);
        } catch (KubernetesClientException e) {
            if (e.getCode() == CONFLICT || e.getCode() == MISSING) {
                return null;
            }
            throw e;
        }
    }

    /** Deletes those of a node that has none, unless somebody has written since. */
    void delete(String node, Written empty) {
        try {
            client.raw(
                    path + "/" + node,
                    "DELETE",
                    json.asJson(Map.of("preconditions", Map.of("resourceVersion", empty.version()))));
        } catch (KubernetesClientException e) {
            if (e.getCode() != CONFLICT && e.getCode() != MISSING) {
                throw e;
            }
        }
    }
}

package dev.stowage.kube.evict;

import dev.stowage.kube.translate.PodFacts;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The eviction call of an API server, in the version that it has. Blocks; by any thread. */
public final class EvictionCall {
    private final KubernetesClient client;
    private volatile @Nullable String evictionVersion;

    /** By a client. */
    public EvictionCall(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Evicts a pod, if it is still the one with this unique id and its disruption budgets allow it.
     *
     * @throws KubernetesClientException if it is refused, or the API server does not answer
     */
    public void evict(PodFacts pod) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("apiVersion", evictionVersion());
        body.put("kind", "Eviction");
        body.put("metadata", Map.of("namespace", pod.namespace(), "name", pod.name()));
        body.put("deleteOptions", Map.of("preconditions", Map.of("uid", pod.uid())));
        client.raw("/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name() + "/eviction", "POST", body);
    }

    /** The API server says which version it takes: {@code policy/v1beta1} up to 1.21, {@code policy/v1} since 1.22. */
    private String evictionVersion() {
        String known = evictionVersion;
        if (known == null) {
            String resources = client.raw("/api/v1");
            known =
                    client
                            .getKubernetesSerialization()
                            .unmarshal(resources, APIResourceList.class)
                            .getResources()
                            .stream()
                            .filter(one -> one.getName().equals("pods/eviction"))
                            .map(one -> one.getGroup() + "/" + one.getVersion())
                            .findFirst()
                            .orElseThrow(() ->
                                    new KubernetesClientException("the API server does not offer evictions of pods"));
            evictionVersion = known;
        }
        return known;
    }
}

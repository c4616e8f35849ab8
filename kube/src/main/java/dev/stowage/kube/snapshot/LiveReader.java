package dev.stowage.kube.snapshot;

import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.translate.PodBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;

/** Reads nodes, pods and budgets once from a cluster's API server: three lists, nothing is written. */
public final class LiveReader {
    private static final int MISSING = 404;

    private LiveReader() {}

    /**
     * The cluster as it is now.
     *
     * @throws SnapshotException if the API server does not answer, or refuses the nodes or pods
     */
    public static NodesAndPods read(KubernetesClient client) {
        try {
            return NodesAndPods.of(
                    client.nodes().list().getItems(),
                    client.pods().inAnyNamespace().list().getItems(),
                    budgets(client),
                    List.of());
        } catch (KubernetesClientException e) {
            throw new SnapshotException(
                    "the cluster cannot be read: " + ServerWords.message(client.getMasterUrl(), e), e);
        }
    }

    private static List<PodBudget> budgets(KubernetesClient client) {
        try {
            return client.policy().v1().podDisruptionBudget().inAnyNamespace().list().getItems().stream()
                    .map(PodBudget::of)
                    .toList();
        } catch (KubernetesClientException e) {
            if (e.getCode() != MISSING) {
                throw e;
            }
            // An API server before 1.21 has only the older version.
            return client.policy().v1beta1().podDisruptionBudget().inAnyNamespace().list().getItems().stream()
                    .map(PodBudget::of)
                    .toList();
        }
    }
}

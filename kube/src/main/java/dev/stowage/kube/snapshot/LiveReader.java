package dev.stowage.kube.snapshot;

import dev.stowage.kube.evict.ServerWords;
import dev.stowage.kube.schedule.KubeClients;
import dev.stowage.kube.translate.PodBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads nodes, pods and budgets once from a cluster's API server: three lists, nothing is written. */
public final class LiveReader {
    private static final int MISSING = 404;

    private LiveReader() {}

    /**
     * The cluster as it is now.
     *
     * @param kubeconfig address and credentials; null for those of the environment
     * @throws SnapshotException if the API server does not answer, or refuses the nodes or pods
     */
    public static NodesAndPods read(@Nullable Path kubeconfig) {
        try (KubernetesClient client = KubeClients.open(kubeconfig)) {
            return read(client);
        }
    }

    /** The same by a client. */
    public static NodesAndPods read(KubernetesClient client) {
        try {
            return NodesAndPods.of(
                    client.nodes().list().getItems(),
                    client.pods().inAnyNamespace().list().getItems(),
                    budgets(client),
                    List.of());
        } catch (KubernetesClientException e) {
            throw new SnapshotException("the cluster cannot be read: " + why(client, e), e);
        }
    }

    private static String why(KubernetesClient client, KubernetesClientException e) {
        if (!(e.getCause() instanceof IOException)) {
            return ServerWords.message(e);
        }
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return "no API server answers at " + client.getMasterUrl() + " ("
                + cause.getClass().getSimpleName()
                + (cause.getMessage() == null ? "" : ": " + cause.getMessage())
                + "). Its address and credentials are those of --kubeconfig FILE, else of KUBECONFIG, ~/.kube/config or"
                + " the pod that this runs in";
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

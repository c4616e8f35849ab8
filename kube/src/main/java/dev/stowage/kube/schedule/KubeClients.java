package dev.stowage.kube.schedule;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Clients of the API server for all but the scheduler. */
public final class KubeClients {
    private static final int REQUEST_MILLIS = 60_000;
    private static final int CONCURRENT = 4;

    private KubeClients() {}

    /**
     * A client that does not retry by itself.
     *
     * @param kubeconfig file with the address and credentials; null for those of the pod that this runs in, or of the
     *     environment
     * @throws IllegalArgumentException if the file, or that of the environment, cannot be used
     */
    public static KubernetesClient open(@Nullable Path kubeconfig) {
        return ClusterApi.client(kubeconfig, REQUEST_MILLIS, CONCURRENT);
    }
}

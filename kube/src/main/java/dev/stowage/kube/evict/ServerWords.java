package dev.stowage.kube.evict;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;

/** The messages of an API server that refused something. */
public final class ServerWords {
    private ServerWords() {}

    /** The API server's message. */
    public static String message(KubernetesClientException e) {
        return e.getStatus() != null && e.getStatus().getMessage() != null
                ? e.getStatus().getMessage()
                : String.valueOf(e.getMessage());
    }

    /**
     * The API server's message about a refused eviction, with its details: the budget, and how many pods that requires.
     */
    public static String refusal(KubernetesClientException e) {
        boolean has = e.getStatus() != null && e.getStatus().getDetails() != null;
        List<String> causes = !has
                ? List.of()
                : e.getStatus().getDetails().getCauses().stream()
                        .map(cause -> String.valueOf(cause.getMessage()))
                        .toList();
        return message(e) + (causes.isEmpty() ? "" : " (" + String.join("; ", causes) + ")");
    }
}

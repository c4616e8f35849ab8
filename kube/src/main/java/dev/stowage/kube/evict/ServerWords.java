package dev.stowage.kube.evict;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URL;
import java.util.List;

/** The messages of an API server that refused something. */
public final class ServerWords {
    private ServerWords() {}

    /**
     * The API server's message; where it gave none, what was asked and what came in between, which the client keeps as
     * the cause.
     */
    public static String message(Throwable e) {
        if (e instanceof KubernetesClientException refused
                && refused.getStatus() != null
                && refused.getStatus().getMessage() != null) {
            return refused.getStatus().getMessage();
        }
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String first = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return cause == e
                ? first
                : first + " (" + cause.getClass().getSimpleName()
                        + (cause.getMessage() == null ? "" : ": " + cause.getMessage()) + ")";
    }

    /** The same of a cluster's API server, with its address if it does not answer. */
    public static String message(URL server, Throwable e) {
        if (!(e.getCause() instanceof IOException) && !(e instanceof IOException)) {
            return message(e);
        }
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return "no API server answers at " + server + " (" + cause.getClass().getSimpleName()
                + (cause.getMessage() == null ? "" : ": " + cause.getMessage())
                + "). Its address and credentials are those of --kubeconfig FILE, else of KUBECONFIG, ~/.kube/config or"
                + " the pod that this runs in";
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

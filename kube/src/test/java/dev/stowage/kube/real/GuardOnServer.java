package dev.stowage.kube.real;

import dev.stowage.kube.TestCertificate;
import dev.stowage.kube.guard.BindingGuard;
import dev.stowage.kube.guard.GuardSettings;
import dev.stowage.kube.schedule.KubeClients;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;

/** A guard that a real API server asks, set up by the manifests, except for its address. */
final class GuardOnServer implements AutoCloseable {
    private final KubernetesClient own;
    private final BindingGuard guard;

    /** Bindings are judged when this returns. */
    GuardOnServer(RealCluster cluster, Path directory) throws IOException {
        this(cluster, directory, GuardSettings.USUAL_REQUEST);
    }

    /** The same of an API server with another request timeout. */
    GuardOnServer(RealCluster cluster, Path directory, Duration longestRequest) throws IOException {
        ValidatingWebhookConfiguration webhook = install(cluster, directory);
        own = KubeClients.open(cluster.kubeconfigOfGuard());
        guard = new BindingGuard(own, settings(directory, longestRequest));
        TestObjects.until("the guard knows the cluster", guard::isReady);
        point(cluster, webhook, guard.port());
    }

    static GuardSettings settings(Path directory, Duration longestRequest) {
        return new GuardSettings(
                0,
                directory.resolve("guard.crt"),
                directory.resolve("guard.key"),
                false,
                "stowage-guard",
                longestRequest);
    }

    /** Everything of the manifests but the webhook, which is returned, and a certificate. */
    static ValidatingWebhookConfiguration install(RealCluster cluster, Path directory) throws IOException {
        Path certificate = directory.resolve("guard.crt");
        TestCertificate.make(directory, "EC", certificate, directory.resolve("guard.key"));
        KubernetesClient client = cluster.client();
        ValidatingWebhookConfiguration webhook = null;
        String bundle = Base64.getEncoder().encodeToString(Files.readAllBytes(certificate));
        for (HasMetadata one : TestObjects.manifest(client, "guard.yaml", "CA_BUNDLE", bundle)) {
            if (one instanceof ValidatingWebhookConfiguration found) {
                webhook = found;
            } else {
                client.resource(one).create();
            }
        }
        return java.util.Objects.requireNonNull(webhook);
    }

    /** From now on the API server asks who listens on a port. */
    static void point(RealCluster cluster, ValidatingWebhookConfiguration webhook, int port) {
        var where = webhook.getWebhooks().get(0).getClientConfig();
        where.setService(null);
        where.setUrl("https://127.0.0.1:" + port + "/binding");
        cluster.client().resource(webhook).create();
    }

    String metrics() {
        return guard.metrics();
    }

    @Override
    public void close() {
        guard.close();
        own.close();
    }
}

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
        Path certificate = directory.resolve("guard.crt");
        Path key = directory.resolve("guard.key");
        TestCertificate.make(directory, certificate, key);
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
        own = KubeClients.open(cluster.kubeconfigOfGuard());
        guard = new BindingGuard(own, new GuardSettings(0, certificate, key, false, Duration.ZERO, longestRequest));
        TestObjects.until("the guard knows the cluster", guard::isReady);
        var where =
                java.util.Objects.requireNonNull(webhook).getWebhooks().get(0).getClientConfig();
        where.setService(null);
        where.setUrl("https://127.0.0.1:" + guard.port() + "/binding");
        client.resource(webhook).create();
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

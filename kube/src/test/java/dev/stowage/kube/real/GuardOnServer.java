package dev.stowage.kube.real;

import dev.stowage.kube.guard.BindingGuard;
import dev.stowage.kube.guard.GuardSettings;
import dev.stowage.kube.schedule.KubeClients;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;

/** A guard that a real API server asks, by the manifests but for its address. */
final class GuardOnServer implements AutoCloseable {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final KubernetesClient own;
    private final BindingGuard guard;

    /** Bindings are judged when this returns. */
    GuardOnServer(RealCluster cluster, Path directory) throws IOException {
        Path certificate = directory.resolve("guard.crt");
        Path key = directory.resolve("guard.key");
        makeCertificate(directory.resolve("guard.p12"), certificate, key);
        String manifests = Files.readString(Path.of("..", "deploy", "kubernetes", "guard.yaml"))
                .replace("CA_BUNDLE", Base64.getEncoder().encodeToString(Files.readAllBytes(certificate)));
        KubernetesClient client = cluster.client();
        ValidatingWebhookConfiguration webhook = null;
        for (HasMetadata one : client.load(new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)))
                .items()) {
            if (one instanceof ValidatingWebhookConfiguration found) {
                webhook = found;
            } else {
                client.resource(one).create();
            }
        }
        own = KubeClients.open(cluster.kubeconfigOfGuard());
        guard = new BindingGuard(own, new GuardSettings(0, certificate, key, false, Duration.ZERO));
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

    private static void makeCertificate(Path store, Path certificate, Path key) throws IOException {
        try {
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-keyalg",
                            "RSA",
                            "-alias",
                            "guard",
                            "-dname",
                            "CN=guard",
                            "-ext",
                            "san=ip:127.0.0.1",
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            new String(PASSWORD))
                    .inheritIO()
                    .start();
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool failed");
            }
            KeyStore made = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                made.load(in, PASSWORD);
            }
            Files.writeString(
                    certificate, pem("CERTIFICATE", made.getCertificate("guard").getEncoded()));
            Files.writeString(
                    key, pem("PRIVATE KEY", made.getKey("guard", PASSWORD).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    @Override
    public void close() {
        guard.close();
        own.close();
    }
}

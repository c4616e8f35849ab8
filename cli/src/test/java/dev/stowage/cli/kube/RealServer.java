package dev.stowage.cli.kube;

import dev.stowage.testkit.FreePorts;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A real API server with etcd and a real kube-scheduler, of the directory that KUBEBUILDER_ASSETS names. It is not the
 * RealCluster of kube's tests, because they are out of reach: a jar of tests would be part of every release.
 */
final class RealServer implements AutoCloseable {
    private static final String ACCOUNT = "system:serviceaccount:kube-system:stowage-consolidate";

    private final Path directory;
    private final Deque<Process> processes = new ArrayDeque<>();
    private final KubernetesClient client;
    private final int port;

    RealServer(Path directory) throws IOException, NoSuchAlgorithmException {
        this.directory = directory;
        List<Integer> ports = FreePorts.some(4);
        port = ports.get(0);
        String etcd = "http://127.0.0.1:" + ports.get(1);
        String peer = "http://127.0.0.1:" + ports.get(2);
        String admin = UUID.randomUUID().toString();
        String limited = UUID.randomUUID().toString();
        Files.writeString(
                directory.resolve("tokens.csv"),
                admin + ",admin,admin,\"system:masters\"\n" + limited + "," + ACCOUNT + ",account\n");
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        Files.writeString(
                directory.resolve("sa.key"),
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(
                                        generator.generateKeyPair().getPrivate().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
        Files.writeString(kubeconfig(), kubeconfig(admin));
        Files.writeString(kubeconfigOfAccount(), kubeconfig(limited));
        start(
                "etcd",
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + etcd,
                "--advertise-client-urls=" + etcd,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer);
        start(
                "kube-apiserver",
                "--etcd-servers=" + etcd,
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--cert-dir=" + directory.resolve("certs"),
                "--token-auth-file=" + directory.resolve("tokens.csv"),
                "--authorization-mode=RBAC",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-signing-key-file=" + directory.resolve("sa.key"),
                "--service-account-key-file=" + directory.resolve("sa.key"),
                "--service-cluster-ip-range=10.0.0.0/24",
                "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition");
        client = new KubernetesClientBuilder()
                .withConfig(io.fabric8.kubernetes.client.Config.fromKubeconfig(
                        kubeconfig().toFile()))
                .build();
        awaitReady();
        Path configuration = directory.resolve("scheduler.yaml");
        String address = "127.0.0.1:" + ports.get(3);
        Files.writeString(
                configuration,
                "apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\n"
                        + "leaderElection: {leaderElect: false}\npodMaxBackoffSeconds: 1\n"
                        + "clientConnection: {kubeconfig: \"" + kubeconfig() + "\"}\nhealthzBindAddress: " + address
                        + "\nmetricsBindAddress: " + address + "\n");
        start(
                "kube-scheduler",
                "--config=" + configuration,
                "--authentication-kubeconfig=" + kubeconfig(),
                "--authorization-kubeconfig=" + kubeconfig(),
                "--secure-port=0",
                "--port=0");
    }

    private void start(String program, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(Path.of(Objects.requireNonNull(System.getenv("KUBEBUILDER_ASSETS")), program)
                        .toString()));
        command.addAll(List.of(arguments));
        processes.push(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(program + ".log").toFile())
                .start());
    }

    private void awaitReady() {
        while (true) {
            try {
                if ("ok".equals(client.raw("/readyz"))
                        && client.namespaces().withName("default").get() != null) {
                    return;
                }
            } catch (KubernetesClientException e) {
                // Not yet.
            }
            if (processes.stream().anyMatch(process -> !process.isAlive())) {
                throw new IllegalStateException("a program ended; see the logs in " + directory);
            }
            pause();
        }
    }

    static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    KubernetesClient client() {
        return client;
    }

    private Path kubeconfig() {
        return directory.resolve("kubeconfig");
    }

    /** That of the service account of deploy/kubernetes/consolidate.yaml. */
    Path kubeconfigOfAccount() {
        return directory.resolve("kubeconfig-account");
    }

    private String kubeconfig(String token) {
        return "apiVersion: v1\nkind: Config\nclusters: [{name: test, cluster: {server: \"https://127.0.0.1:" + port
                + "\", insecure-skip-tls-verify: true}}]\nusers: [{name: user, user: {token: \"" + token
                + "\"}}]\ncontexts: [{name: test, context: {cluster: test, user: user}}]\ncurrent-context: test\n";
    }

    @Override
    public void close() throws InterruptedException {
        client.close();
        for (Process process : processes) {
            process.destroyForcibly();
            process.waitFor();
        }
    }
}

package dev.stowage.kube.real;

import dev.stowage.testkit.FreePorts;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A real API server with etcd, on free ports of this machine, and a real kube-scheduler if asked for. The programs are
 * those in the directory that KUBEBUILDER_ASSETS names; without them tests are skipped.
 */
public final class RealCluster implements AutoCloseable {
    private static final long POLL_MILLIS = 100;
    private static final int MOST_STARTS = 10;
    private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]+)\"");

    private static @Nullable RealCluster shared;

    private final Path programs;
    private final Path directory;
    private final List<String> apiArguments;
    private final Deque<Process> processes = new ArrayDeque<>();
    private final KubernetesClient client;
    private final int port;
    private final int etcdPort;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Process etcd;
    private @Nullable Process apiServer;
    /** Of a shared one, keys in etcd and groups of the API when it was ready; none if it ends with its test. */
    private Set<String> firstKeys = Set.of();

    private int firstGroups;

    /**
     * The cluster that tests of one JVM share, one after the other, because a start costs six seconds of processor
     * time. It has no object of the test before, and its API server runs. Closing it ends what was started besides.
     */
    public static RealCluster shared() throws IOException {
        RealCluster cluster = shared;
        if (cluster == null) {
            programs();
            Path directory = Files.createTempDirectory("stowage-cluster");
            cluster = new RealCluster(directory);
            cluster.firstKeys = cluster.keys();
            cluster.firstGroups = cluster.groups();
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::remove));
            shared = cluster;
        } else {
            cluster.clear();
        }
        return cluster;
    }

    /** Starts etcd and the API server, and waits until it is ready, however long that takes. */
    public RealCluster(Path directory) throws IOException {
        this(directory, List.of());
    }

    /** The same with more arguments for the API server. */
    RealCluster(Path directory, List<String> apiArguments) throws IOException {
        programs = programs();
        this.directory = directory;
        this.apiArguments = List.copyOf(apiArguments);
        List<Integer> ports = FreePorts.some(3);
        port = ports.get(0);
        etcdPort = ports.get(1);
        String url = "http://127.0.0.1:" + etcdPort;
        String peer = "http://127.0.0.1:" + ports.get(2);
        String token = UUID.randomUUID().toString();
        String limited = UUID.randomUUID().toString();
        String guard = UUID.randomUUID().toString();
        String consolidate = UUID.randomUUID().toString();
        Files.writeString(
                directory.resolve("tokens.csv"),
                token + ",admin,admin,\"system:masters\"\n" + limited
                        + ",system:serviceaccount:kube-system:stowage,stowage\n" + guard
                        + ",system:serviceaccount:stowage-guard:stowage-guard,guard\n" + consolidate
                        + ",system:serviceaccount:kube-system:stowage-consolidate,consolidate\n");
        Files.writeString(directory.resolve("sa.key"), key());
        try {
            etcd = start(
                    "etcd",
                    "--data-dir=" + directory.resolve("etcd"),
                    "--listen-client-urls=" + url,
                    "--advertise-client-urls=" + url,
                    "--listen-peer-urls=" + peer,
                    "--initial-advertise-peer-urls=" + peer,
                    "--initial-cluster=default=" + peer);
            startApiServer();
            Files.writeString(kubeconfig(), kubeconfig(token));
            Files.writeString(kubeconfigOfStowage(), kubeconfig(limited));
            Files.writeString(kubeconfigOfGuard(), kubeconfig(guard));
            Files.writeString(kubeconfigOfConsolidate(), kubeconfig(consolidate));
            Config config = new ConfigBuilder(
                            Config.fromKubeconfig(new File(kubeconfig().toString())))
                    .withRequestTimeout(60_000)
                    .withRequestRetryBackoffLimit(20)
                    .build();
            client = new KubernetesClientBuilder().withConfig(config).build();
            awaitReady();
        } catch (IOException | RuntimeException e) {
            end(List.copyOf(processes));
            throw e;
        }
    }

    /** The directory of the programs; without it the test is skipped, with a message. */
    public static Path programs() {
        @Nullable String assets = System.getenv("KUBEBUILDER_ASSETS");
        if (assets == null || !Files.isExecutable(Path.of(assets, "kube-apiserver"))) {
            System.out.println("skipped: KUBEBUILDER_ASSETS names no directory with kube-apiserver and etcd");
            Assumptions.abort("KUBEBUILDER_ASSETS is not set");
        }
        return Path.of(String.valueOf(assets));
    }

    /** Ends the API server as kill -9 does. */
    public void endApiServer() {
        Process running = Objects.requireNonNull(apiServer);
        running.destroyForcibly().onExit().join();
        processes.remove(running);
    }

    /** Starts the API server on its port, after {@link #endApiServer} or for the first time. */
    public void startApiServer() throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--etcd-servers=http://127.0.0.1:" + etcdPort,
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--cert-dir=" + directory.resolve("certs"),
                "--token-auth-file=" + directory.resolve("tokens.csv"),
                "--authorization-mode=RBAC",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-signing-key-file=" + directory.resolve("sa.key"),
                "--service-account-key-file=" + directory.resolve("sa.key"),
                "--service-cluster-ip-range=10.0.0.0/24",
                "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition"));
        arguments.addAll(apiArguments);
        apiServer = start("kube-apiserver", arguments.toArray(String[]::new));
    }

    /** Starts a kube-scheduler with a configuration, to which a port of its own is added. */
    public Process startScheduler(String configuration, String... more) throws IOException {
        Path file = directory.resolve("scheduler.yaml");
        String address = "127.0.0.1:" + FreePorts.one();
        Files.writeString(
                file, configuration + "healthzBindAddress: " + address + "\nmetricsBindAddress: " + address + "\n");
        List<String> arguments = new ArrayList<>(List.of(
                "--config=" + file,
                "--authentication-kubeconfig=" + kubeconfig(),
                "--authorization-kubeconfig=" + kubeconfig(),
                "--secure-port=0",
                "--port=0"));
        arguments.addAll(List.of(more));
        return start("kube-scheduler", arguments.toArray(String[]::new));
    }

    /** What the last kube-scheduler wrote. */
    Path schedulerLog() {
        return directory.resolve("kube-scheduler.log");
    }

    /** Starts a Java program. */
    ProcessHandle startJava(String name, String... arguments) throws IOException {
        return start(Path.of(System.getProperty("java.home"), "bin", "java"), name, arguments)
                .toHandle();
    }

    private Process start(String program, String... arguments) throws IOException {
        return start(programs.resolve(program), program, arguments);
    }

    private Process start(Path program, String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        File log = directory.resolve(name + ".log").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        // Programs of some 100 MB that live for a minute: they need not collect garbage every second.
        builder.environment().put("GOGC", "400");
        Process process = builder.start();
        processes.push(process);
        return process;
    }

    /**
     * Waits until the API server answers. It ends by itself when etcd does not answer within its own limits, as on a
     * very busy machine; then it is started again, some times.
     */
    public void awaitReady() {
        int again = 0;
        while (true) {
            Process server = apiServer;
            if (server != null && !server.isAlive() && again++ < MOST_STARTS) {
                processes.remove(server);
                try {
                    startApiServer();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            for (Process process : processes) {
                if (!process.isAlive()) {
                    throw new IllegalStateException("a program of the cluster ended with " + process.exitValue()
                            + "; see the logs in " + directory);
                }
            }
            try {
                if ("ok".equals(client.raw("/readyz"))
                        && client.namespaces().withName("default").get() != null) {
                    return;
                }
            } catch (KubernetesClientException e) {
                // Not yet.
            }
            sleep();
        }
    }

    public static void sleep() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** An administrator's client. */
    public KubernetesClient client() {
        return client;
    }

    /** Port of the API server. */
    int port() {
        return port;
    }

    /** Port of etcd. */
    int etcdPort() {
        return etcdPort;
    }

    /** An administrator's kubeconfig. */
    public Path kubeconfig() {
        return directory.resolve("kubeconfig");
    }

    /** That of the service account of deploy/kubernetes/stowage.yaml, which may do nothing until that is applied. */
    public Path kubeconfigOfStowage() {
        return directory.resolve("kubeconfig-stowage");
    }

    /** That of the service account of deploy/kubernetes/guard.yaml. */
    Path kubeconfigOfGuard() {
        return directory.resolve("kubeconfig-guard");
    }

    /** That of the service account of deploy/kubernetes/consolidate.yaml. */
    public Path kubeconfigOfConsolidate() {
        return directory.resolve("kubeconfig-consolidate");
    }

    private String kubeconfig(String token) {
        return "apiVersion: v1\nkind: Config\nclusters: [{name: test, cluster: {server: \"https://127.0.0.1:" + port
                + "\", insecure-skip-tls-verify: true}}]\nusers: [{name: admin, user: {token: \"" + token
                + "\"}}]\ncontexts: [{name: test, context: {cluster: test, user: admin}}]\ncurrent-context: test\n";
    }

    private static String key() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
            return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                    + "\n-----END PRIVATE KEY-----\n";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Deletes what etcd did not have at first, and waits until the server no longer knows groups of the API of it. */
    private void clear() throws IOException {
        if (!Objects.requireNonNull(apiServer).isAlive()) {
            startApiServer();
        }
        awaitReady();
        Files.deleteIfExists(schedulerLog());
        Set<String> added = keys();
        added.removeAll(firstKeys);
        for (String key : added) {
            etcd("kv/deleterange", "{\"key\":\"" + key + "\"}");
        }
        while (groups() != firstGroups) {
            sleep();
        }
    }

    private int groups() {
        return client.getApiGroups().getGroups().size();
    }

    /** As etcd writes them: in base 64. */
    private Set<String> keys() throws IOException {
        String everything = Base64.getEncoder().encodeToString(new byte[1]);
        Matcher all = KEY.matcher(etcd(
                "kv/range",
                "{\"key\":\"" + everything + "\",\"range_end\":\"" + everything + "\",\"keys_only\":true}"));
        return all.results().map(one -> one.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** A call of etcd's JSON interface. */
    String etcd(String call, String body) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + etcdPort + "/v3/" + call))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private void end(List<Process> ending) {
        ending.forEach(Process::destroyForcibly);
        for (Process process : ending) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        processes.removeAll(ending);
    }

    /** Of a shared cluster, when its JVM ends. */
    private void remove() {
        end(List.copyOf(processes));
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            System.out.println(directory + " remains: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        if (firstKeys.isEmpty()) {
            client.close();
            end(List.copyOf(processes));
        } else {
            end(processes.stream()
                    .filter(one -> one != etcd && one != apiServer)
                    .toList());
        }
    }
}

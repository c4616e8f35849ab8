package dev.stowage.kube.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testkit.FreePorts;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * How fast waiting pods are bound, and how long a pod waits that arrives when the scheduler is not busy; with the
 * processor time of the scheduler's process. Ours, or kube-scheduler with its client limits lifted
 * ({@code -Dstowage.kube-speed=ours} or {@code theirs}), each on a server of its own. Not part of {@code mvn verify}.
 */
@EnabledIfSystemProperty(named = "stowage.kube-speed", matches = "ours|theirs")
final class KubeSpeedTest {
    private static final int PACED = 1000;
    private static final int PACE_MILLIS = 20;
    private static final int THREADS = 8;
    private static final Pattern SUM = Pattern.compile("(?m)^(\\S*duration_seconds_sum) (\\S+)$");
    private static final String[] SHAPES = {
        "{cpu: 250m, memory: 512Mi}", "{cpu: '1', memory: 1Gi}", "{cpu: 500m, memory: 4Gi}", "{cpu: '2', memory: 2Gi}"
    };

    @TempDir
    Path directory;

    private final int nodes = Integer.getInteger("stowage.kube-nodes", 1000);
    private final int pods = Integer.getInteger("stowage.kube-pods", 10_000);
    private final boolean ours = "ours".equals(System.getProperty("stowage.kube-speed"));
    private final Map<String, Long> created = new ConcurrentHashMap<>();
    private final Map<String, Long> boundAt = new ConcurrentHashMap<>();
    private final Map<String, String> nodeOf = new ConcurrentHashMap<>();
    private int metricsPort;

    @Test
    void measure() throws Exception {
        try (RealCluster cluster = new RealCluster(directory);
                KubernetesClient client = client(cluster)) {
            TestObjects.applyManifests(client);
            atOnce(nodes, number -> node(client, number));
            atOnce(pods, number -> pod(client, "w" + number));
            try (var watch = client.pods().inNamespace("default").watch(new Bound())) {
                long started = System.nanoTime();
                ProcessHandle process = start(cluster);
                while (boundAt.isEmpty()) {
                    RealCluster.sleep();
                }
                long before = processor(process);
                long bound = boundAt.size();
                long from = System.nanoTime();
                while (boundAt.size() < pods) {
                    RealCluster.sleep();
                }
                long to =
                        boundAt.values().stream().mapToLong(time -> time).max().orElseThrow();
                long spent = processor(process) - before;
                System.out.printf(
                        Locale.ROOT,
                        "speed %s: %d nodes, %d pods that waited: %.0f pods/s, %.2f ms of processor time a pod"
                                + " (%.1f s from the start to the first, %.1f s of processor time), %d nodes used%n",
                        ours ? "ours" : "theirs",
                        nodes,
                        pods,
                        (pods - bound) * 1e9 / (to - from),
                        spent / 1e6 / (pods - bound),
                        (from - started) / 1e9,
                        before / 1e9,
                        new TreeSet<>(nodeOf.values()).size());
                paced(client, process);
                memory(process);
            }
        }
    }

    private void paced(KubernetesClient client, ProcessHandle process) throws InterruptedException, IOException {
        long before = processor(process);
        Map<String, Double> sums = sums();
        for (int i = 0; i < PACED; i++) {
            pod(client, "p" + i);
            Thread.sleep(PACE_MILLIS);
        }
        while (boundAt.size() < pods + PACED) {
            RealCluster.sleep();
        }
        long[] waits = boundAt.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("p"))
                .mapToLong(entry -> entry.getValue() - created.get(entry.getKey()))
                .sorted()
                .toArray();
        assertThat(waits).hasSize(PACED);
        System.out.printf(
                Locale.ROOT,
                "speed %s: %d pods at a pace: from creation to binding %.0f ms (median), %.0f ms (99 %%),"
                        + " %.2f ms of processor time a pod%n",
                ours ? "ours" : "theirs",
                PACED,
                waits[PACED / 2] / 1e6,
                waits[PACED * 99 / 100] / 1e6,
                (processor(process) - before) / 1e6 / PACED);
        sums().forEach((name, sum) -> System.out.printf(
                Locale.ROOT,
                "speed ours: %s: %.1f ms a pod%n",
                name,
                1000 * (sum - sums.getOrDefault(name, 0.0)) / PACED));
    }

    /** The sums of our histograms, seconds. */
    private Map<String, Double> sums() throws IOException {
        Map<String, Double> sums = new TreeMap<>();
        if (ours) {
            try (var in = URI.create("http://127.0.0.1:" + metricsPort + "/metrics")
                    .toURL()
                    .openStream()) {
                SUM.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .results()
                        .forEach(sum -> sums.put(sum.group(1), Double.parseDouble(sum.group(2))));
            }
        }
        return sums;
    }

    /** Prints the resident memory, and of ours what the heap holds after a full collection. */
    private void memory(ProcessHandle process) throws IOException {
        String resident = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS") || line.startsWith("VmHWM"))
                .map(line -> line.replaceAll("\\s+", " "))
                .collect(Collectors.joining(", "));
        System.out.println("speed: " + nodes + " nodes, " + (pods + PACED) + " pods: " + resident);
        if (ours) {
            ask(process, "GC.run");
            System.out.println(ask(process, "GC.heap_info"));
        }
    }

    private static String ask(ProcessHandle process, String what) throws IOException {
        Process asked = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(process.pid()),
                        what)
                .redirectErrorStream(true)
                .start();
        return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private ProcessHandle start(RealCluster cluster) throws IOException {
        metricsPort = FreePorts.one();
        if (!ours) {
            return cluster.startScheduler("apiVersion: kubescheduler.config.k8s.io/v1beta1\n"
                            + "kind: KubeSchedulerConfiguration\nleaderElection: {leaderElect: false}\n"
                            + "clientConnection: {kubeconfig: \"" + cluster.kubeconfig()
                            + "\", qps: 10000, burst: 10000}\n")
                    .toHandle();
        }
        List<String> command = new ArrayList<>(List.of("-XX:+UseSerialGC"));
        command.addAll(List.of(System.getProperty("stowage.kube-jvm", "-XX:TieredStopAtLevel=1")
                .split("@")));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                ReplicaProcess.class.getName(),
                cluster.kubeconfigOfStowage().toString(),
                String.valueOf(metricsPort)));
        return cluster.startJava("replica", command.toArray(String[]::new));
    }

    /** Processor time of a process, nanoseconds. */
    private static long processor(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseThrow().toNanos();
    }

    private static KubernetesClient client(RealCluster cluster) {
        Config config = new ConfigBuilder(
                        Config.fromKubeconfig(cluster.kubeconfig().toFile()))
                .withRequestTimeout(60_000)
                .withRequestRetryBackoffLimit(20)
                .withMaxConcurrentRequests(64)
                .withMaxConcurrentRequestsPerHost(64)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static void atOnce(int count, IntConsumer task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        var tasks = new java.util.ArrayList<java.util.concurrent.Future<?>>();
        for (int i = 0; i < count; i++) {
            int number = i;
            tasks.add(threads.submit(() -> task.accept(number)));
        }
        for (var each : tasks) {
            each.get();
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    private static void node(KubernetesClient client, int number) {
        TestObjects.node(client, "n" + number, "32");
    }

    private void pod(KubernetesClient client, String name) {
        String shape = SHAPES[Integer.parseInt(name.substring(1)) % SHAPES.length];
        Pod pod = TestObjects.pod(name, ours ? "stowage" : "default-scheduler", "1", "app: a");
        pod.getSpec()
                .getContainers()
                .get(0)
                .getResources()
                .setRequests(io.fabric8.kubernetes.client.utils.Serialization.unmarshal(
                                "---\n{apiVersion: v1, kind: Pod, spec: {containers: [{name: c, resources: {requests: "
                                        + shape + "}}]}}",
                                Pod.class)
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getResources()
                        .getRequests());
        created.put(name, System.nanoTime());
        TestObjects.create(client, pod);
    }

    private final class Bound implements Watcher<Pod> {
        @Override
        public void eventReceived(Action action, Pod pod) {
            String node = pod.getSpec().getNodeName();
            String name = pod.getMetadata().getName();
            if (node != null && nodeOf.put(name, node) == null) {
                boundAt.put(name, System.nanoTime());
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            throw new AssertionError("the watch ended", cause);
        }
    }
}

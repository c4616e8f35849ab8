package dev.stowage.kube.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodPenalties;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * For random nodes and pods with preferences, the points that we give the nodes for each plugin are those that the real
 * kube-scheduler writes into its log. An extender refuses all bindings, so that nothing changes meanwhile. {@code
 * -Dstowage.seed} begins with another cluster, {@code -Dstowage.probes} says how many pods are compared.
 */
@Tag("once")
final class PreferencesTest {
    private static final int NODES = 8;
    private static final int PROBES = 10;
    private static final int TRIES = 4;
    private static final List<String> PLUGINS =
            List.of("NodeAffinity", "TaintToleration", "InterPodAffinity", "PodTopologySpread");
    private static final Pattern SCORE = Pattern.compile("\\{(\\S+) (\\d+)}");

    private int number;
    private KubernetesClient client;
    private Path log;
    /** How many points differed from those of most nodes, by plugin. */
    private final Map<String, Integer> told = new TreeMap<>();

    @Test
    void theSamePointsAsKubeScheduler() throws IOException {
        long seed = Long.getLong("stowage.seed", 1);
        int probes = Integer.getInteger("stowage.probes", 30);
        HttpServer refusing = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        refusing.createContext("/bind", PreferencesTest::refuse);
        refusing.start();
        try (RealCluster cluster = RealCluster.shared()) {
            client = cluster.client();
            log = cluster.schedulerLog();
            cluster.startScheduler(
                    "apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\n"
                            + "clientConnection: {kubeconfig: \"" + cluster.kubeconfig()
                            + "\", qps: 10000, burst: 10000}\nleaderElection: {leaderElect: false}\n"
                            + "percentageOfNodesToScore: 100\nextenders: [{urlPrefix: \"http://127.0.0.1:"
                            + refusing.getAddress().getPort()
                            + "\", bindVerb: bind, weight: 1, httpTimeout: 60s}]\n",
                    "--vmodule=generic_scheduler=10");
            client.namespaces()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("other")
                            .endMetadata()
                            .build())
                    .create();
            int compared = 0;
            for (long round = seed; compared < probes; round++) {
                compared += round(round);
            }
            System.out.printf(
                    "preferences: %d pods have the same points as in kube-scheduler (seed %d); of their nodes so many"
                            + " have other points than the best: %s%n",
                    compared, seed, told);
            assertThat(told.keySet()).containsAll(PLUGINS);
        } finally {
            refusing.stop(0);
        }
    }

    private static void refuse(HttpExchange call) throws IOException {
        try (call) {
            call.getRequestBody().readAllBytes();
            byte[] answer = "{\"Error\": \"only asked\"}".getBytes(StandardCharsets.UTF_8);
            call.getResponseHeaders().set("Content-Type", "application/json");
            call.sendResponseHeaders(200, answer.length);
            call.getResponseBody().write(answer);
        }
    }

    private int round(long seed) throws IOException {
        RandomCluster random = new RandomCluster(seed);
        List<Node> nodes = random.nodes(NODES);
        List<Pod> running = random.running(nodes, 3 * NODES);
        for (int k = 0; k < running.size(); k += 2) {
            // The others keep what they require: a required affinity counts as a preference for pods to come.
            random.prefer(running.get(k));
        }
        NodeOccupancy occupancy = new NodeOccupancy();
        try {
            for (Node node : nodes) {
                Node made = client.nodes().resource(node).create();
                made.setStatus(node.getStatus());
                made.getStatus().setCapacity(node.getStatus().getAllocatable());
                occupancy.put(NodeFacts.of(client.nodes().resource(made).updateStatus()));
            }
            for (Pod pod : running) {
                pod.getMetadata().setUid(null);
                occupancy.put(PodReader.read(client.pods()
                        .inNamespace(pod.getMetadata().getNamespace())
                        .resource(pod)
                        .create()));
            }
            int compared = 0;
            for (Pod probe : random.probes(PROBES)) {
                random.prefer(probe);
                compared += compare(probe, occupancy, seed) ? 1 : 0;
            }
            return compared;
        } finally {
            running.forEach(
                    pod -> client.pods().resource(pod).withGracePeriod(0).delete());
            nodes.forEach(node -> client.nodes().resource(node).delete());
        }
    }

    /** False if kube-scheduler had no choice, so that it gave no points. */
    private boolean compare(Pod probe, NodeOccupancy occupancy, long seed) throws IOException {
        Map<String, Map<String, Long>> theirs = Map.of();
        Map<String, Map<String, Long>> ours = Map.of();
        for (int again = 0; again < TRIES; again++) {
            Pod copy = Serialization.clone(probe);
            copy.getMetadata().setName(probe.getMetadata().getName() + "-" + number++);
            Pod made = client.pods()
                    .inNamespace(copy.getMetadata().getNamespace())
                    .resource(copy)
                    .create();
            try {
                theirs = points(made);
                if (theirs.isEmpty()) {
                    return false;
                }
                List<NodeFacts> compared = theirs.get("NodeAffinity").keySet().stream()
                        .map(occupancy::node)
                        .toList();
                if (!compared.contains(null)) {
                    PodFacts pod = PodReader.read(made);
                    assertThat(pod.unknown()).isEmpty();
                    Map<String, Map<String, Long>> points = new TreeMap<>();
                    PodPenalties.points(pod, occupancy, compared).forEach((plugin, its) -> {
                        Map<String, Long> byName = new TreeMap<>();
                        compared.forEach(node -> byName.put(node.name(), its[byName.size()]));
                        points.put(plugin, byName);
                    });
                    ours = points;
                    if (ours.equals(theirs)) {
                        ours.forEach((plugin, its) -> {
                            long best = its.values().stream()
                                    .mapToLong(one -> one)
                                    .max()
                                    .orElse(0);
                            its.values().stream()
                                    .filter(one -> one < best)
                                    .forEach(one -> told.merge(plugin, 1, Integer::sum));
                        });
                        return true;
                    }
                }
            } finally {
                client.pods().resource(made).withGracePeriod(0).delete();
            }
            // The scheduler may not have received all events yet; a real disagreement persists.
            RealCluster.sleep();
        }
        assertThat(ours).as("seed %d, %s", seed, Serialization.asYaml(probe)).isEqualTo(theirs);
        return true;
    }

    /** What the log says about a pod, once the scheduler has decided; by plugin and node. */
    private Map<String, Map<String, Long>> points(Pod pod) throws IOException {
        String path = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName() + " => ";
        while (true) {
            Pod now = client.pods().resource(pod).get();
            boolean decided = now.getStatus().getConditions().stream()
                    .anyMatch(condition -> "PodScheduled".equals(condition.getType()));
            Map<String, Map<String, Long>> points = new TreeMap<>();
            try (Stream<String> lines = Files.lines(log)) {
                List<String> about = new ArrayList<>(
                        lines.filter(line -> line.contains(path)).toList());
                for (String line : about) {
                    for (String plugin : PLUGINS) {
                        if (line.contains("Plugin " + plugin + " scores")) {
                            Matcher score = SCORE.matcher(line.substring(line.indexOf(path)));
                            Map<String, Long> its = points.computeIfAbsent(plugin, first -> new TreeMap<>());
                            while (score.find()) {
                                its.putIfAbsent(score.group(1), Long.valueOf(score.group(2)));
                            }
                        }
                    }
                }
            }
            if (points.size() == PLUGINS.size() || (decided && points.isEmpty())) {
                return points;
            }
            RealCluster.sleep();
        }
    }
}

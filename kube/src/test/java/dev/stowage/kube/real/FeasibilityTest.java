package dev.stowage.kube.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.schedule.Asked;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * For random nodes and pods with every rule that is supported, the nodes that our engine allows a pod are those that
 * the real kube-scheduler allows. A disagreement is shrunk and written as YAML to {@code target/feasibility}.
 * {@code -Dstowage.seed} begins with another cluster, {@code -Dstowage.pairs} says how many pairs of a node and a pod
 * are compared.
 */
@Tag("once")
final class FeasibilityTest {
    private static final int NODES = 10;
    private static final int PROBES = 25;
    private static final int TRIES = 4;

    private KubernetesClient client;
    private KubeSchedulerOracle oracle;
    private int allowedPairs;
    /** How often each reason was given, alike. */
    private final Map<String, Integer> reasons = new TreeMap<>();

    private int number;

    @Test
    void theSameNodesAreAllowedAsByKubeScheduler() throws IOException {
        compare(Integer.getInteger("stowage.pairs", 200));
    }

    @Test
    @Tag("nightly")
    void theSameNodesAreAllowedAHundredThousandTimes() throws IOException {
        compare(Integer.getInteger("stowage.pairs", 100_000));
    }

    private void compare(int pairs) throws IOException {
        long seed = Long.getLong("stowage.seed", 1);
        try (RealCluster cluster = RealCluster.shared();
                KubeSchedulerOracle asked = new KubeSchedulerOracle(cluster)) {
            client = cluster.client();
            oracle = asked;
            client.namespaces()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("other")
                            .endMetadata()
                            .build())
                    .create();
            int done = 0;
            int rounds = 0;
            while (done < pairs) {
                done += round(seed + rounds++);
            }
            System.out.printf(
                    "feasibility: %d pairs of %d clusters agree with kube-scheduler, %d of them allowed (seed %d);"
                            + " so do the reasons %s%n",
                    done, rounds, allowedPairs, seed, reasons);
            // A comparison in which everything is forbidden would prove nothing.
            assertThat(allowedPairs).isBetween(done / 50, done - done / 50);
        }
    }

    private int round(long seed) throws IOException {
        RandomCluster random = new RandomCluster(seed);
        List<Node> nodes = random.nodes(NODES);
        List<Pod> running = random.running(nodes, 3 * NODES);
        List<Pod> probes = random.probes(PROBES);
        try {
            List<NodeFacts> nodeFacts = create(nodes);
            List<PodFacts> runningFacts = createPods(running);
            Asked ours = new Asked(nodeFacts, runningFacts, "default-scheduler");
            SchedulerReasons why = new SchedulerReasons(nodeFacts, runningFacts);
            List<Pod> differing = differing(probes, nodeFacts, ours, why);
            for (int again = 1; again < TRIES && !differing.isEmpty(); again++) {
                // The scheduler may not have received all events yet; a real disagreement persists.
                RealCluster.sleep();
                differing = differing(differing, nodeFacts, ours, why);
            }
            if (!differing.isEmpty()) {
                Pod probe = differing.get(0);
                clear(nodes, running);
                Path file = shrink(nodes, running, probe, seed);
                throw new AssertionError("seed " + seed + ": kube-scheduler disagrees on "
                        + probe.getMetadata().getName() + "; the smallest case is in " + file + ":\n"
                        + Files.readString(file) + "\nrepeat with -Dstowage.seed=" + seed + " -Dstowage.pairs=1");
            }
            return NODES * PROBES;
        } finally {
            clear(nodes, running);
        }
    }

    private List<NodeFacts> create(List<Node> nodes) {
        List<NodeFacts> facts = new ArrayList<>();
        for (Node node : nodes) {
            Node made = client.nodes().resource(node).create();
            made.setStatus(node.getStatus());
            made.getStatus().setCapacity(node.getStatus().getAllocatable());
            facts.add(NodeFacts.of(client.nodes().resource(made).updateStatus()));
        }
        return facts;
    }

    private List<PodFacts> createPods(List<Pod> pods) {
        List<PodFacts> facts = new ArrayList<>();
        for (Pod pod : pods) {
            pod.getMetadata().setUid(null);
            facts.add(PodReader.read(client.pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .resource(pod)
                    .create()));
        }
        return facts;
    }

    /** The probes on which kube-scheduler and our scheduler disagree. */
    private List<Pod> differing(List<Pod> probes, List<NodeFacts> nodes, Asked ours, SchedulerReasons why) {
        Set<String> names = nodes.stream().map(NodeFacts::name).collect(Collectors.toCollection(TreeSet::new));
        Map<String, Pod> byUid = new LinkedHashMap<>();
        Map<String, PodFacts> facts = new LinkedHashMap<>();
        for (Pod probe : probes) {
            // A new name each time, because the scheduler remembers its decisions about a pod.
            Pod copy = Serialization.clone(probe);
            copy.getMetadata().setName(probe.getMetadata().getName() + "-" + number++);
            Pod made = client.pods()
                    .inNamespace(probe.getMetadata().getNamespace())
                    .resource(copy)
                    .create();
            byUid.put(made.getMetadata().getUid(), probe);
            facts.put(made.getMetadata().getUid(), PodReader.read(made));
        }
        Set<String> open = new TreeSet<>(byUid.keySet());
        Map<String, String> said = new LinkedHashMap<>();
        while (!open.isEmpty()) {
            for (Pod pod : client.pods().inAnyNamespace().list().getItems()) {
                assertThat(
                                open.contains(pod.getMetadata().getUid())
                                        ? pod.getSpec().getNodeName()
                                        : null)
                        .as("an extender that allows nothing")
                        .isNull();
                pod.getStatus().getConditions().stream()
                        .filter(condition -> "Unschedulable".equals(condition.getReason()))
                        .forEach(condition -> {
                            open.remove(pod.getMetadata().getUid());
                            said.put(pod.getMetadata().getUid(), condition.getMessage());
                        });
            }
            if (!open.isEmpty()) {
                RealCluster.sleep();
            }
        }
        List<Pod> differing = new ArrayList<>();
        int allowed = 0;
        for (Map.Entry<String, Pod> entry : byUid.entrySet()) {
            PodFacts pod = facts.get(entry.getKey());
            assertThat(pod.unknown()).isEmpty();
            Set<String> theirs = new TreeSet<>(oracle.allowed(entry.getKey()));
            theirs.retainAll(names);
            Set<String> mine = ours.allowed(pod);
            allowed += mine.size();
            Map<String, Integer> counts = why.ours(pod);
            String message = said.getOrDefault(entry.getKey(), "");
            if (!mine.equals(theirs) || !counts.equals(SchedulerReasons.theirs(message))) {
                System.out.println(
                        pod.path() + ": ours " + mine + " " + counts + ", kube-scheduler's " + theirs + " " + message);
                differing.add(entry.getValue());
            } else {
                counts.forEach((reason, number) -> reasons.merge(reason, number, Integer::sum));
            }
            delete(pod);
        }
        allowedPairs += differing.isEmpty() ? allowed : 0;
        return differing;
    }

    private void delete(PodFacts pod) {
        client.pods()
                .inNamespace(pod.namespace())
                .withName(pod.name())
                .withGracePeriod(0)
                .delete();
    }

    private void clear(List<Node> nodes, List<Pod> running) {
        for (Pod pod : running) {
            client.pods().resource(pod).withGracePeriod(0).delete();
        }
        nodes.forEach(node -> client.nodes().resource(node).delete());
    }

    // ---- making a disagreement small
    // ---------------------------------------------------------------------------------

    private boolean disagrees(List<Node> nodes, List<Pod> running, Pod probe) {
        try {
            List<NodeFacts> facts = create(nodes);
            List<PodFacts> runningFacts = createPods(running);
            Asked ours = new Asked(facts, runningFacts, "default-scheduler");
            SchedulerReasons why = new SchedulerReasons(facts, runningFacts);
            List<Pod> differing = List.of(probe);
            for (int n = 0; n < TRIES && !differing.isEmpty(); n++) {
                RealCluster.sleep();
                differing = differing(differing, facts, ours, why);
            }
            return !differing.isEmpty();
        } finally {
            clear(nodes, running);
        }
    }

    private Path shrink(List<Node> nodes, List<Pod> running, Pod probe, long seed) throws IOException {
        List<Pod> pods = new ArrayList<>(running);
        List<Node> left = new ArrayList<>(nodes);
        for (Pod pod : running) {
            List<Pod> fewer = new ArrayList<>(pods);
            fewer.remove(pod);
            if (disagrees(left, fewer, probe)) {
                pods = fewer;
            }
        }
        for (Node node : nodes) {
            List<Node> fewer = new ArrayList<>(left);
            fewer.remove(node);
            boolean isUsed = pods.stream()
                    .anyMatch(pod -> pod.getSpec()
                            .getNodeName()
                            .equals(node.getMetadata().getName()));
            if (!isUsed && !fewer.isEmpty() && disagrees(fewer, pods, probe)) {
                left = fewer;
            }
        }
        Pod small = probe;
        for (String field :
                List.of("tolerations", "affinity", "nodeSelector", "topologySpreadConstraints", "initContainers")) {
            Map<String, Object> tree = Serialization.unmarshal(Serialization.asJson(small), Map.class);
            ((Map<?, ?>) tree.get("spec")).remove(field);
            Pod simpler = Serialization.unmarshal(Serialization.asJson(tree), Pod.class);
            if (disagrees(left, pods, simpler)) {
                small = simpler;
            }
        }
        StringBuilder text = new StringBuilder();
        left.forEach(node -> text.append(Serialization.asYaml(node)));
        pods.forEach(pod -> text.append(Serialization.asYaml(pod)));
        text.append(Serialization.asYaml(small));
        Path file = Path.of("target", "feasibility", "seed-" + seed + ".yaml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return file.toAbsolutePath();
    }
}

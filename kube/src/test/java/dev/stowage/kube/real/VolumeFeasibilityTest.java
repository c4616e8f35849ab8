package dev.stowage.kube.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.schedule.Asked;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import dev.stowage.kube.translate.Volumes;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * For random volumes, claims and limits of drivers, the nodes that our engine allows a pod are those that the real
 * kube-scheduler allows. {@code -Dstowage.seed} begins with another cluster, {@code -Dstowage.pairs} says how many
 * pairs of a node and a pod are compared.
 */
@Tag("once")
final class VolumeFeasibilityTest {
    private static final int NODES = 8;
    private static final int CLAIMS = 30;
    private static final int PROBES = 25;
    private static final int TRIES = 4;
    private static final String DRIVER = "csi.example";

    private KubernetesClient client;
    private Random random = new Random();
    private Volumes volumes = new Volumes();
    private final Map<String, Integer> kinds = new TreeMap<>();
    private int allowedPairs;
    private int number;

    @Test
    void theSameNodesAreAllowedAsByKubeScheduler() throws IOException {
        int pairs = Integer.getInteger("stowage.pairs", 150);
        long seed = Long.getLong("stowage.seed", 1);
        try (RealCluster cluster = RealCluster.shared();
                KubeSchedulerOracle oracle = new KubeSchedulerOracle(cluster)) {
            client = cluster.client();
            int done = 0;
            for (long round = seed; done < pairs; round++) {
                random = new Random(round);
                round(oracle, "r" + round);
                done += NODES * PROBES;
            }
            System.out.printf(
                    "volumes: %d pairs agree with kube-scheduler, %d of them allowed (seed %d); claims %s%n",
                    done, allowedPairs, seed, kinds);
            assertThat(allowedPairs).isBetween(done / 50, done - done / 50);
        }
    }

    private void round(KubeSchedulerOracle oracle, String round) {
        volumes = new Volumes();
        List.of("claims", "volumes", "classes", "limits").forEach(volumes::listed);
        List<NodeFacts> nodes = nodes(round);
        classes(round);
        for (int i = 0; i < CLAIMS; i++) {
            claim(round, i);
        }
        List<PodFacts> running = new ArrayList<>();
        Set<Integer> used = new TreeSet<>();
        for (int i = 0; i < NODES; i++) {
            // A claim that two pods of a node use counts once in kube-scheduler, and twice here.
            int claim = random.nextInt(CLAIMS);
            if (used.add(claim)) {
                running.add(
                        volumes.of(PodReader.read(create(round + "-run" + i, node(round, i), List.of(claim), round))));
            }
        }
        Asked ours = new Asked(nodes.stream().map(volumes::of).toList(), running, "default-scheduler");
        Map<List<Integer>, Set<String>> open = new LinkedHashMap<>();
        for (int i = 0; i < PROBES; i++) {
            Set<Integer> claims = new TreeSet<>(List.of(random.nextInt(CLAIMS + 1)));
            if (random.nextInt(3) == 0) {
                claims.add(random.nextInt(CLAIMS));
            }
            claims.removeAll(used);
            open.put(List.copyOf(claims), Set.of());
        }
        for (int again = 0; again < TRIES && !open.isEmpty(); again++) {
            open = differing(oracle, ours, nodes, open.keySet(), round);
        }
        assertThat(open)
                .as("%s: claims of probes on which kube-scheduler allows these nodes", round)
                .isEmpty();
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        client.nodes().delete();
    }

    /** The claims of probes on which we differ, with what kube-scheduler allows. */
    private Map<List<Integer>, Set<String>> differing(
            KubeSchedulerOracle oracle, Asked ours, List<NodeFacts> nodes, Set<List<Integer>> probes, String round) {
        Map<Pod, List<Integer>> made = new LinkedHashMap<>();
        probes.forEach(claims -> made.put(create("probe" + number++, "", claims, round), claims));
        Map<List<Integer>, Set<String>> differing = new LinkedHashMap<>();
        made.forEach((pod, claims) -> {
            String name = pod.getMetadata().getName();
            while (client.pods().inNamespace("default").withName(name).get().getStatus().getConditions().stream()
                    .noneMatch(condition -> "Unschedulable".equals(condition.getReason()))) {
                RealCluster.sleep();
            }
            Set<String> theirs = new TreeSet<>(oracle.allowed(pod.getMetadata().getUid()));
            theirs.retainAll(nodes.stream().map(NodeFacts::name).toList());
            PodFacts facts = volumes.of(PodReader.read(pod));
            Set<String> mine = facts.unknown().isEmpty() ? ours.allowed(facts) : Set.of();
            if (mine.equals(theirs)) {
                allowedPairs += mine.size();
            } else {
                System.out.println(round + " claims " + claims + ": ours " + mine + " " + facts.unknown()
                        + facts.volumes() + ", kube-scheduler's " + theirs + " "
                        + client.pods()
                                .inNamespace("default")
                                .withName(name)
                                .get()
                                .getStatus()
                                .getConditions());
                differing.put(claims, theirs);
            }
            client.pods()
                    .inNamespace("default")
                    .withName(name)
                    .withGracePeriod(0)
                    .delete();
        });
        return differing;
    }

    private static String node(String round, int number) {
        return "n" + round + "-" + number;
    }

    private List<NodeFacts> nodes(String round) {
        List<NodeFacts> facts = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            String name = node(round, i);
            String zone = random.nextInt(4) == 0 ? "" : ", topology.kubernetes.io/zone: z" + random.nextInt(3);
            Node node = Serialization.unmarshal(
                    "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {kubernetes.io/hostname: "
                            + name + zone + "}}, status: {allocatable: {cpu: '8', memory: 8Gi, pods: '110'}}}",
                    Node.class);
            Node made = client.nodes().resource(node).create();
            made.setStatus(node.getStatus());
            facts.add(NodeFacts.of(client.nodes().resource(made).updateStatus()));
            if (random.nextInt(4) > 0) {
                CSINode drivers = Serialization.unmarshal(
                        "---\n{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: " + name
                                + "}, spec: {drivers: [{name: " + DRIVER + ", nodeID: " + name + ", topologyKeys: []"
                                + (random.nextInt(4) == 0
                                        ? ""
                                        : ", allocatable: {count: " + (1 + random.nextInt(2)) + "}")
                                + "}]}}",
                        CSINode.class);
                volumes.drivers(client.resource(drivers).create());
            }
        }
        return facts;
    }

    private void classes(String round) {
        for (String text : List.of(
                "once, provisioner: " + DRIVER + ", binding: Immediate",
                "wait, provisioner: " + DRIVER + ", binding: WaitForFirstConsumer",
                "zoned, provisioner: " + DRIVER + ", binding: WaitForFirstConsumer, allowedTopologies: [{"
                        + "matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [z0, z1]}]}]",
                "other, provisioner: other.example, binding: WaitForFirstConsumer",
                "local, provisioner: kubernetes.io/no-provisioner, binding: WaitForFirstConsumer")) {
            StorageClass made = Serialization.unmarshal(
                    "---\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: "
                            + text.replaceFirst(",", "-" + round + "},").replace("binding", "volumeBindingMode") + "}",
                    StorageClass.class);
            volumes.storageClass(client.resource(made).create());
        }
        for (int i = 0; i < 6; i++) {
            volume(
                    round,
                    "local" + i,
                    "local-" + round,
                    "local: {path: /d}",
                    affinity(round, 1),
                    "",
                    1 + random.nextInt(3));
        }
    }

    private String affinity(String round, int kind) {
        return switch (kind) {
            case 0 -> "";
            case 1 ->
                ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname,"
                        + " operator: In, values: [" + node(round, random.nextInt(NODES)) + "]}]}]}}";
            default ->
                ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key:"
                        + " topology.kubernetes.io/zone, operator: In, values: [z" + random.nextInt(3) + ", z"
                        + random.nextInt(3) + "]}]}]}}";
        };
    }

    private String volume(
            String round, String suffix, String storageClass, String source, String affinity, String labels, int size) {
        String name = "v-" + round + "-" + suffix;
        PersistentVolume volume = Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: " + name + ", labels: {" + labels
                        + "}}, spec: {capacity: {storage: " + size + "Gi}, accessModes: [ReadWriteOnce],"
                        + " storageClassName: " + storageClass + ", " + source + affinity + "}}",
                PersistentVolume.class);
        PersistentVolume made = client.resource(volume).create();
        made.getStatus().setPhase("Available");
        volumes.volume(client.persistentVolumes().resource(made).updateStatus());
        return name;
    }

    private void claim(String round, int number) {
        int kind = random.nextInt(9);
        String name = "c-" + round + "-" + number;
        String source = random.nextInt(4) == 0
                ? "nfs: {server: s, path: /p}"
                : "csi: {driver: " + DRIVER + ", volumeHandle: h-" + name + "}";
        String storageClass =
                List.of("once", "once", "once", "once", "once", "wait", "zoned", "local", "other")
                                .get(kind) + "-" + round;
        String bound = "";
        if (kind <= 3) {
            String zones = kind == 3
                    ? "topology.kubernetes.io/zone: z" + random.nextInt(3)
                            + (random.nextBoolean() ? "__z" + random.nextInt(3) : "")
                    : "";
            bound = volume(round, "b" + number, storageClass, source, affinity(round, kind % 3), zones, 1);
        }
        String selected = kind >= 5 && kind != 7 && random.nextInt(4) == 0
                ? "volume.kubernetes.io/selected-node: " + node(round, random.nextInt(NODES))
                : "";
        kinds.merge(storageClass.replaceFirst("-.*", "") + (bound.isEmpty() ? "" : ", bound"), 1, Integer::sum);
        PersistentVolumeClaim claim = Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name
                        + ", namespace: default, annotations: {"
                        + (bound.isEmpty() ? selected : "pv.kubernetes.io/bind-completed: 'yes'")
                        + "}}, spec: {accessModes: [ReadWriteOnce], storageClassName: " + storageClass
                        + (bound.isEmpty() ? "" : ", volumeName: " + bound) + ", resources: {requests: {storage: "
                        + (1 + random.nextInt(2)) + "Gi}}}}",
                PersistentVolumeClaim.class);
        volumes.claim(client.resource(claim).create());
    }

    private Pod create(String name, String node, List<Integer> claims, String round) {
        List<String> mounted = new ArrayList<>();
        claims.forEach(claim -> mounted.add(
                "{name: v" + claim + ", persistentVolumeClaim: {claimName: c-" + round + "-" + claim + "}}"));
        Pod pod = TestObjects.pod(name, "default-scheduler", "100m", "app: a");
        pod.getSpec()
                .setVolumes(Serialization.unmarshal(
                                "---\n{apiVersion: v1, kind: Pod, spec: {volumes: [" + String.join(", ", mounted)
                                        + "], containers: []}}",
                                Pod.class)
                        .getSpec()
                        .getVolumes());
        if (!node.isEmpty()) {
            pod.getSpec().setNodeName(node);
        }
        return client.pods().inNamespace("default").resource(pod).create();
    }
}

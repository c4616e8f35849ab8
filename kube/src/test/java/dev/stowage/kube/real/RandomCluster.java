package dev.stowage.kube.real;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinity;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random nodes and pods with every rule that is supported, similar enough that the rules interact. */
final class RandomCluster {
    private static final String[] APPS = {"a", "b", "c"};
    private static final String[] NAMESPACES = {"default", "other"};
    private static final String[] TOPOLOGY = {"zone", "kubernetes.io/hostname", "rack"};
    private static final String[] EFFECTS = {"NoSchedule", "NoExecute", "PreferNoSchedule"};

    private final Random random;
    private final String round;

    RandomCluster(long seed) {
        random = new Random(seed);
        round = Long.toHexString(seed);
    }

    private <T> T any(T[] of) {
        return of[random.nextInt(of.length)];
    }

    private boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    List<Node> nodes(int count) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(node("n" + round + "-" + i));
        }
        return nodes;
    }

    private Node node(String name) {
        List<String> labels = new ArrayList<>();
        if (chance(0.9)) {
            labels.add("kubernetes.io/hostname: " + name);
        }
        if (chance(0.85)) {
            labels.add("zone: z" + random.nextInt(3));
        }
        if (chance(0.5)) {
            labels.add("rack: r" + random.nextInt(4));
        }
        if (chance(0.6)) {
            labels.add("disk: " + (chance(0.5) ? "ssd" : "hdd"));
        }
        if (chance(0.6)) {
            labels.add("num: '" + (chance(0.1) ? "many" : String.valueOf(random.nextInt(8))) + "'");
        }
        List<String> taints = new ArrayList<>();
        for (String key : new String[] {"k1", "k2"}) {
            if (chance(0.25)) {
                taints.add("{key: " + key + (chance(0.6) ? ", value: v" + random.nextInt(2) : "") + ", effect: "
                        + any(EFFECTS) + "}");
            }
        }
        String cpu = any(new String[] {"2", "1500m", "4", "0.75", "3", "2.0001"});
        String memory = any(new String[] {"4Gi", "3900Mi", "2e9", "8G", "4194304Ki", "2147483648", "1500000000500m"});
        String gpu = chance(0.3) ? ", example.com/gpu: '" + random.nextInt(4) + "'" : "";
        String disk = chance(0.8) ? ", ephemeral-storage: " + any(new String[] {"10Gi", "20G", "1500M"}) : "";
        return Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {"
                        + String.join(", ", labels) + "}}, spec: {unschedulable: " + chance(0.1) + ", taints: ["
                        + String.join(", ", taints) + "]}, status: {allocatable: {cpu: '" + cpu + "', memory: '"
                        + memory + "', pods: '" + (2 + random.nextInt(8)) + "'" + gpu + disk + "}}}",
                Node.class);
    }

    /** Pods that run, as far as they have room: on a node above its allocatable the rules of versions differ. */
    List<Pod> running(List<Node> nodes, int count) {
        NodeOccupancy occupancy = new NodeOccupancy();
        nodes.forEach(node -> occupancy.put(NodeFacts.of(node)));
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Pod pod = pod("r" + round + "-" + i, 0.2);
            Node node = nodes.get(random.nextInt(nodes.size()));
            pod.getSpec().setNodeName(node.getMetadata().getName());
            pod.getMetadata().setUid("r" + i);
            PodFacts facts = PodReader.read(pod);
            boolean fits = facts.requests().entrySet().stream()
                    .allMatch(request -> occupancy.used(facts.node(), request.getKey()) + request.getValue()
                            <= NodeFacts.of(node).amount(request.getKey()));
            if (fits) {
                occupancy.put(facts);
                pods.add(pod);
            }
        }
        return pods;
    }

    List<Pod> probes(int count) {
        List<Pod> probes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            probes.add(pod("p" + round + "-" + i, 0.4));
        }
        return probes;
    }

    /** Makes what a pod requires what it would rather have. */
    void prefer(Pod pod) {
        pod.getSpec().setNodeSelector(null);
        pod.getSpec().getTopologySpreadConstraints().forEach(one -> one.setWhenUnsatisfiable("ScheduleAnyway"));
        Affinity all = pod.getSpec().getAffinity();
        if (all != null && all.getNodeAffinity() != null) {
            NodeAffinity nodes = all.getNodeAffinity();
            nodes.getRequiredDuringSchedulingIgnoredDuringExecution()
                    .getNodeSelectorTerms()
                    .forEach(term -> nodes.getPreferredDuringSchedulingIgnoredDuringExecution()
                            .add(new PreferredSchedulingTerm(term, 1 + random.nextInt(100))));
            nodes.setRequiredDuringSchedulingIgnoredDuringExecution(null);
        }
        if (all != null && all.getPodAffinity() != null) {
            PodAffinity near = all.getPodAffinity();
            move(
                    near.getRequiredDuringSchedulingIgnoredDuringExecution(),
                    near.getPreferredDuringSchedulingIgnoredDuringExecution());
        }
        if (all != null && all.getPodAntiAffinity() != null) {
            PodAntiAffinity apart = all.getPodAntiAffinity();
            move(
                    apart.getRequiredDuringSchedulingIgnoredDuringExecution(),
                    apart.getPreferredDuringSchedulingIgnoredDuringExecution());
        }
    }

    private void move(List<PodAffinityTerm> required, List<WeightedPodAffinityTerm> preferred) {
        required.forEach(term -> preferred.add(new WeightedPodAffinityTerm(term, 1 + random.nextInt(100))));
        required.clear();
    }

    private Pod pod(String name, double rules) {
        List<String> spec = new ArrayList<>();
        List<String> affinity = new ArrayList<>();
        if (chance(rules * 0.6)) {
            spec.add("nodeSelector: {" + any(new String[] {"disk: ssd", "zone: z1", "disk: hdd"}) + "}");
        }
        if (chance(rules)) {
            affinity.add("nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                    + String.join(", ", chance(0.4) ? List.of(term(), term()) : List.of(term())) + "]}}");
        }
        if (chance(rules)) {
            affinity.add("podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
                    + String.join(", ", chance(0.3) ? List.of(apart(), apart()) : List.of(apart())) + "]}");
        }
        if (chance(rules * 0.5)) {
            affinity.add("podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
                    + String.join(", ", chance(0.3) ? List.of(apart(), apart()) : List.of(apart())) + "]}");
        }
        if (!affinity.isEmpty()) {
            spec.add("affinity: {" + String.join(", ", affinity) + "}");
        }
        if (chance(rules)) {
            List<String> spreads = new ArrayList<>(List.of(spread("zone")));
            if (chance(0.4)) {
                spreads.add(spread("kubernetes.io/hostname"));
            }
            spec.add("topologySpreadConstraints: [" + String.join(", ", spreads) + "]");
        }
        List<String> tolerations = new ArrayList<>();
        for (String key : new String[] {"k1", "k2", "node.kubernetes.io/unschedulable"}) {
            if (chance(0.45)) {
                boolean exists = chance(0.5);
                tolerations.add("{key: " + key + ", operator: " + (exists ? "Exists" : "Equal")
                        + (exists ? "" : ", value: v" + random.nextInt(2))
                        + (chance(0.5) ? ", effect: " + any(EFFECTS) : "") + "}");
            }
        }
        if (chance(0.05)) {
            tolerations.add("{operator: Exists}");
        }
        spec.add("tolerations: [" + String.join(", ", tolerations) + "]");
        String ports = chance(0.25)
                ? ", ports: [{containerPort: 80, hostPort: " + (8000 + random.nextInt(3)) + ", protocol: "
                        + any(new String[] {"TCP", "UDP"})
                        + (chance(0.4) ? ", hostIP: 10.0.0." + (1 + random.nextInt(2)) : "")
                        + "}]"
                : "";
        String init = chance(0.3)
                ? ", initContainers: [{name: i, image: x, resources: {requests: {" + requests() + "}}}]"
                : "";
        return Serialization.unmarshal(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: " + any(NAMESPACES)
                        + ", labels: {app: " + any(APPS) + (chance(0.5) ? ", tier: t" + random.nextInt(2) : "")
                        + "}}, spec: {" + String.join(", ", spec)
                        + ", containers: [{name: c, image: x, resources: {requests: {" + requests() + "}}" + ports
                        + "}"
                        + (chance(0.3) ? ", {name: d, image: x, resources: {requests: {" + requests() + "}}}" : "")
                        + "]" + init + "}}",
                Pod.class);
    }

    private String requests() {
        List<String> requests = new ArrayList<>();
        if (chance(0.7)) {
            requests.add("cpu: '" + any(new String[] {"100m", "0.25", "500m", "1", "0.0001", "1.5"}) + "'");
        }
        if (chance(0.7)) {
            requests.add("memory: '" + any(new String[] {"128Mi", "1Gi", "1e9", "700M", "1", "1500m"}) + "'");
        }
        if (chance(0.2)) {
            requests.add("ephemeral-storage: '" + any(new String[] {"1Gi", "1500M", "9G"}) + "'");
        }
        // Extended resources ask for as much as they are limited to.
        String limits = chance(0.15) ? "}, limits: {example.com/gpu: '1'" : "";
        return String.join(", ", requests)
                + (limits.isEmpty() ? "" : (requests.isEmpty() ? "" : ", ") + "example.com/gpu: '1'" + limits);
    }

    private String term() {
        List<String> all = new ArrayList<>();
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            all.add(
                    switch (random.nextInt(7)) {
                        case 0 -> "{key: zone, operator: In, values: [z0, z" + random.nextInt(3) + "]}";
                        case 1 -> "{key: zone, operator: NotIn, values: [z" + random.nextInt(3) + "]}";
                        case 2 -> "{key: disk, operator: Exists}";
                        case 3 -> "{key: rack, operator: DoesNotExist}";
                        case 4 -> "{key: num, operator: Gt, values: ['" + (random.nextInt(6) - 2) + "']}";
                        case 5 -> "{key: num, operator: Lt, values: ['" + (random.nextInt(6) - 1) + "']}";
                        default -> "{key: disk, operator: NotIn, values: [ssd, none]}";
                    });
        }
        String fields = chance(0.2)
                ? ", matchFields: [{key: metadata.name, operator: " + any(new String[] {"In", "NotIn"}) + ", values: [n"
                        + round + "-" + random.nextInt(10) + "]}]"
                : "";
        return "{matchExpressions: [" + String.join(", ", all) + "]" + fields + "}";
    }

    private String selector() {
        return switch (random.nextInt(6)) {
            case 0 -> "labelSelector: {matchExpressions: [{key: tier, operator: Exists}]}";
            case 1 -> "labelSelector: {matchExpressions: [{key: app, operator: NotIn, values: [" + any(APPS) + "]}]}";
            case 2 -> "labelSelector: {matchExpressions: [{key: app, operator: In, values: [a, b]}]}";
            default -> "labelSelector: {matchLabels: {app: " + any(APPS) + "}}";
        };
    }

    private String apart() {
        return "{topologyKey: " + any(TOPOLOGY) + ", " + selector()
                + (chance(0.3) ? ", namespaces: [default, other]" : "") + "}";
    }

    private String spread(String key) {
        return "{maxSkew: " + (1 + random.nextInt(2)) + ", topologyKey: " + key + ", whenUnsatisfiable: DoNotSchedule, "
                + selector() + "}";
    }

    /** Names of all namespaces used. */
    static List<String> namespaces() {
        return List.of(NAMESPACES);
    }
}

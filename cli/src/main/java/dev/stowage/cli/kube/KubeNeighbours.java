package dev.stowage.cli.kube;

import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.snapshot.SnapshotPod;
import dev.stowage.kube.translate.EvenSpread;
import dev.stowage.kube.translate.HostPort;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeRule;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodTerm;
import dev.stowage.study.advise.NeighbourRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The rules of pods on their neighbours: anti-affinity (of the pod and of running ones), hard topology spread, ports of
 * the node. They agree with {@link dev.stowage.kube.translate.PodNeighbours}, which judges one pod.
 */
final class KubeNeighbours {
    private record SpreadKind(String namespace, EvenSpread rule, List<String> keys, NodeRule nodes) {}

    private final List<NodeFacts> nodes;
    private final List<PodFacts> pods;
    /** Those that wait and must be near others. */
    private final List<PodFacts> asking;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final KubeNames names;
    private final List<NeighbourRule> rules = new ArrayList<>();
    private final Map<String, List<Integer>> bound = new LinkedHashMap<>();
    private final Map<String, List<Integer>> counted = new LinkedHashMap<>();
    private final Map<String, int[]> domains = new LinkedHashMap<>();

    KubeNeighbours(NodesAndPods source, KubeNames names) {
        this.names = names;
        nodes = source.nodes();
        pods = source.pods().stream().map(SnapshotPod::facts).toList();
        Map<PodTerm, List<PodFacts>> apart = new LinkedHashMap<>();
        Map<SpreadKind, List<PodFacts>> spread = new LinkedHashMap<>();
        Map<HostPort, List<PodFacts>> ports = new LinkedHashMap<>();
        for (PodFacts pod : pods) {
            pod.apart().stream().distinct().forEach(one -> put(apart, one, pod));
            List<String> keys = pod.spread().stream().map(EvenSpread::key).toList();
            pod.spread().stream()
                    .distinct()
                    .forEach(one -> put(spread, new SpreadKind(pod.namespace(), one, keys, pod.nodes()), pod));
            pod.hostPorts().stream().distinct().forEach(one -> put(ports, one, pod));
        }
        asking = pods(pod -> !pod.isBound() && !pod.near().isEmpty());
        nodes.forEach(node -> numbers.put(node.name(), numbers.size()));
        apart.forEach(this::addApart);
        spread.forEach(this::addSpread);
        ports.forEach(this::addPort);
    }

    private static <K> void put(Map<K, List<PodFacts>> map, K key, PodFacts pod) {
        map.computeIfAbsent(key, first -> new ArrayList<>()).add(pod);
    }

    List<NeighbourRule> rules() {
        return rules;
    }

    List<Integer> boundBy(PodFacts pod) {
        return bound.getOrDefault(pod.path(), List.of());
    }

    List<Integer> countedBy(PodFacts pod) {
        return counted.getOrDefault(pod.path(), List.of());
    }

    /** Whether a pod that waits must be near it. */
    boolean isAskedFor(PodFacts pod) {
        return asking.stream().anyMatch(one -> one.isNear(pod));
    }

    /** The nodes that the affinity of a pod that waits allows, as all run now. */
    Set<String> near(PodFacts pod) {
        List<PodFacts> there = pods(other -> numbers.containsKey(other.node()) && pod.isNear(other));
        boolean first = there.isEmpty() && pod.isNear(pod);
        Set<String> near = new TreeSet<>();
        for (int n = 0; n < nodes.size(); n++) {
            int node = n;
            if (pod.near().stream()
                    .map(term -> domain(term.key()))
                    .allMatch(domain -> domain[node] >= 0
                            && (first
                                    || there.stream()
                                            .anyMatch(other -> domain[Objects.requireNonNull(numbers.get(other.node()))]
                                                    == domain[node])))) {
                near.add(nodes.get(n).name());
            }
        }
        return near;
    }

    private void add(NeighbourRule rule, List<PodFacts> binds, List<PodFacts> counts) {
        int number = rules.size();
        rules.add(rule);
        binds.forEach(pod ->
                bound.computeIfAbsent(pod.path(), first -> new ArrayList<>()).add(number));
        counts.forEach(pod ->
                counted.computeIfAbsent(pod.path(), first -> new ArrayList<>()).add(number));
    }

    private List<PodFacts> pods(Predicate<PodFacts> which) {
        return pods.stream().filter(which).toList();
    }

    private void addApart(PodTerm apart, List<PodFacts> holders) {
        List<PodFacts> selected = pods(pod -> apart.selects(pod.namespace(), pod.labels()));
        int[] domain = domain(apart.key());
        add(
                NeighbourRule.limit("holds, or is near, a pod that its anti-affinity avoids", domain, 1),
                holders,
                selected);
        if (!selected.equals(holders)) {
            add(
                    NeighbourRule.limit("holds, or is near, a pod whose anti-affinity avoids it", domain, 1),
                    selected,
                    holders);
        }
    }

    private void addSpread(SpreadKind kind, List<PodFacts> holders) {
        String key = kind.rule().key();
        int[] domain = domain(key);
        TreeSet<Integer> eligible = new TreeSet<>();
        for (int n = 0; n < domain.length; n++) {
            NodeFacts node = nodes.get(n);
            if (kind.nodes().admits(node)
                    && kind.keys().stream().allMatch(one -> node.labels().containsKey(one))) {
                eligible.add(domain[n]);
            }
        }
        List<PodFacts> selected = pods(pod -> !pod.terminating()
                && pod.namespace().equals(kind.namespace())
                && kind.rule().selector().selects(pod.labels()));
        String text = "would break its topology spread over " + names.label(key);
        String missing = "has no label " + names.label(key) + ", over which it is spread";
        add(NeighbourRule.skew(text, domain, kind.rule().maxSkew(), List.copyOf(eligible), missing), holders, selected);
    }

    private void addPort(HostPort port, List<PodFacts> holders) {
        int[] own = new int[nodes.size()];
        Arrays.setAll(own, n -> n);
        List<PodFacts> conflicting = pods(pod -> pod.hostPorts().stream().anyMatch(port::conflictsWith));
        add(NeighbourRule.limit("has a host port in use that it needs", own, 1), holders, conflicting);
    }

    private int[] domain(String key) {
        return domains.computeIfAbsent(key, label -> {
            Map<String, Integer> values = new LinkedHashMap<>();
            int[] domain = new int[nodes.size()];
            for (int n = 0; n < domain.length; n++) {
                String value = nodes.get(n).labels().get(label);
                domain[n] = value == null ? -1 : values.computeIfAbsent(value, first -> values.size());
            }
            return domain;
        });
    }
}

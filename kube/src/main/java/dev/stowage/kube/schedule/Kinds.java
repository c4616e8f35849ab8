package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.EvenSpread;
import dev.stowage.kube.translate.HostPort;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeRule;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodNeighbours;
import dev.stowage.kube.translate.PodTerm;
import dev.stowage.kube.translate.TolerationRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of waiting pods that neighbours may keep off nodes: pods of one kind are kept off the same nodes. For each kind
 * the nodes that deny it are stored, and computed again only after a pod that concerns it came or went.
 */
final class Kinds {
    private record Key(
            String namespace,
            Map<String, String> labels,
            List<PodTerm> apart,
            List<PodTerm> near,
            List<EvenSpread> spread,
            List<HostPort> hostPorts,
            List<String> exclusive,
            NodeRule nodes,
            List<TolerationRule> tolerations) {
        static Key of(PodFacts pod) {
            return new Key(
                    pod.namespace(),
                    pod.labels(),
                    pod.apart(),
                    pod.near(),
                    pod.spread(),
                    pod.hostPorts(),
                    pod.volumes().exclusive(),
                    pod.spread().isEmpty() ? NodeRule.NONE : pod.nodes(),
                    pod.spread().stream().anyMatch(EvenSpread::tolerated) ? pod.tolerations() : List.of());
        }
    }

    private static final class Kind {
        private final int number;
        private final Key key;
        private final PodFacts example;
        private Set<String> denying = new TreeSet<>();
        private int pods;
        private boolean stale = true;

        Kind(int number, Key key, PodFacts example) {
            this.number = number;
            this.key = key;
            this.example = example;
        }

        boolean concerns(PodFacts other) {
            return !other.closesItsNode().isEmpty()
                    || other.apart().stream().anyMatch(apart -> apart.selects(example.namespace(), example.labels()))
                    || example.apart().stream().anyMatch(apart -> apart.selects(other.namespace(), other.labels()))
                    || (!example.near().isEmpty() && example.isNear(other))
                    || (!example.hostPorts().isEmpty() && !other.hostPorts().isEmpty())
                    || PodNeighbours.usesItsClaim(example, other)
                    || (other.namespace().equals(example.namespace())
                            && example.spread().stream()
                                    .anyMatch(spread -> spread.selector().selects(other.labels())));
        }
    }

    private final Map<Key, Kind> byKey = new LinkedHashMap<>();
    private final TreeMap<Integer, Kind> byNumber = new TreeMap<>();
    private final Map<String, TreeSet<Integer>> byNode = new LinkedHashMap<>();

    /** A waiting pod joins its kind. Returns the number of the kind. */
    int join(PodFacts pod) {
        Kind kind = byKey.computeIfAbsent(Key.of(pod), key -> new Kind(firstFree(), key, pod.anonymous()));
        byNumber.put(kind.number, kind);
        kind.pods++;
        return kind.number;
    }

    private int firstFree() {
        int number = 0;
        while (byNumber.containsKey(number)) {
            number++;
        }
        return number;
    }

    /** A pod of the kind no longer waits. Returns the nodes that now deny one kind fewer. */
    Set<String> part(int number) {
        Kind kind = byNumber.get(number);
        if (kind == null || --kind.pods > 0) {
            return Set.of();
        }
        byKey.remove(kind.key);
        byNumber.remove(number);
        kind.denying.forEach(node -> set(node, number, false));
        return kind.denying;
    }

    /** A pod came to a node, left one, or changed. */
    void touched(PodFacts pod) {
        for (Kind kind : byNumber.values()) {
            kind.stale = kind.stale || kind.concerns(pod);
        }
    }

    /** A node came, went, or changed. */
    void nodesChanged() {
        byNumber.values().forEach(kind -> kind.stale = true);
    }

    /** Computes the denials again. Returns the nodes whose denials changed. */
    Set<String> update(NodeOccupancy occupancy) {
        Set<String> changed = new LinkedHashSet<>();
        for (Kind kind : byNumber.values()) {
            if (kind.stale) {
                update(kind, occupancy, changed);
            }
        }
        return changed;
    }

    private void update(Kind kind, NodeOccupancy occupancy, Set<String> changed) {
        PodNeighbours neighbours = PodNeighbours.of(kind.example, occupancy);
        Set<String> now = new TreeSet<>();
        for (NodeFacts node : occupancy.nodes()) {
            if (neighbours.obstacle(node).isPresent()) {
                now.add(node.name());
            }
        }
        for (String node : kind.denying) {
            if (!now.contains(node)) {
                set(node, kind.number, false);
                changed.add(node);
            }
        }
        for (String node : now) {
            if (!kind.denying.contains(node)) {
                set(node, kind.number, true);
                changed.add(node);
            }
        }
        kind.denying = now;
        kind.stale = false;
    }

    private void set(String node, int number, boolean denies) {
        TreeSet<Integer> kinds = byNode.computeIfAbsent(node, first -> new TreeSet<>());
        if (denies) {
            kinds.add(number);
        } else if (kinds.remove(number) && kinds.isEmpty()) {
            byNode.remove(node);
        }
    }

    /** Numbers of the kinds that a node denies. */
    List<Integer> deniedBy(String node) {
        @Nullable TreeSet<Integer> kinds = byNode.get(node);
        return kinds == null ? List.of() : new ArrayList<>(kinds);
    }
}

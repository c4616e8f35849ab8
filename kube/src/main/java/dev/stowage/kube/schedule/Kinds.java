package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.EvenSpread;
import dev.stowage.kube.translate.HostPort;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeRule;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.PodNeighbours;
import dev.stowage.kube.translate.PodPenalties;
import dev.stowage.kube.translate.PodTerm;
import dev.stowage.kube.translate.Preferences;
import dev.stowage.kube.translate.TolerationRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of waiting pods that neighbours may keep off nodes, or that do not like all nodes alike: pods of one kind are
 * kept off the same nodes, and like each as little. For each kind the nodes with such a mark are stored, and computed
 * again only after a pod that concerns it came or went.
 */
final class Kinds {
    /** Mark of a node that denies a kind. Any other mark is how little the kind likes the node, above 0. */
    static final int DENIED = -1;

    private static final int POINTS = 100;
    private static final int MOST_IDLE = 16;

    private record Key(
            String namespace,
            Map<String, String> labels,
            List<PodTerm> apart,
            List<PodTerm> near,
            List<EvenSpread> spread,
            List<HostPort> hostPorts,
            List<String> exclusive,
            PodGpus gpus,
            NodeRule nodes,
            List<TolerationRule> tolerations,
            boolean prefers,
            Preferences preferences) {
        static Key of(PodFacts pod, boolean prefers) {
            return new Key(
                    pod.namespace(),
                    pod.labels(),
                    pod.apart(),
                    pod.near(),
                    pod.spread(),
                    pod.hostPorts(),
                    pod.volumes().exclusive(),
                    pod.gpus().asked(),
                    pod.spread().isEmpty() && !prefers ? NodeRule.NONE : pod.nodes(),
                    prefers || pod.spread().stream().anyMatch(EvenSpread::tolerated) ? pod.tolerations() : List.of(),
                    prefers,
                    prefers ? pod.preferences() : Preferences.NONE);
        }
    }

    private static final class Kind {
        private final int number;
        private final Key key;
        private final PodFacts example;
        private Map<String, Integer> marks = new TreeMap<>();
        /** How many nodes its rules admit. */
        private int admitting;

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
                    || (key.prefers && (PodPenalties.likes(other, example) || PodPenalties.likes(example, other)))
                    || (other.namespace().equals(example.namespace())
                            && Stream.concat(example.spread().stream(), example.preferences().spread().stream())
                                    .anyMatch(spread -> spread.selector().selects(other.labels())));
        }
    }

    private final Map<Key, Kind> byKey = new LinkedHashMap<>();
    private final TreeMap<Integer, Kind> byNumber = new TreeMap<>();
    private final Map<String, TreeMap<Integer, Integer>> byNode = new LinkedHashMap<>();
    /** Kinds without pods, the longest without first. */
    private final Set<Kind> idle = new LinkedHashSet<>();

    private final int weight;

    /** @param weight of preferences ({@link KubeSettings#preferences}) */
    Kinds(int weight) {
        this.weight = weight;
    }

    /** Whether a pod may not like all nodes alike, and that counts. */
    boolean prefers(PodFacts pod, NodeOccupancy occupancy) {
        return weight > 0 && PodPenalties.concern(pod, occupancy);
    }

    /**
     * A waiting pod joins its kind. Returns the number of the kind.
     *
     * @param prefers whether it may not like all nodes alike
     */
    int join(PodFacts pod, boolean prefers) {
        Kind kind = byKey.computeIfAbsent(Key.of(pod, prefers), key -> new Kind(firstFree(), key, pod.anonymous()));
        byNumber.put(kind.number, kind);
        kind.pods++;
        idle.remove(kind);
        return kind.number;
    }

    private int firstFree() {
        int number = 0;
        while (byNumber.containsKey(number)) {
            number++;
        }
        return number;
    }

    /**
     * A pod of the kind no longer waits. A kind without pods keeps its marks, which are not kept up to date, for the
     * next that comes, unless many other kinds did so since. Returns the nodes that now have one mark fewer.
     */
    Set<String> part(int number) {
        Kind last = byNumber.get(number);
        if (last == null || --last.pods > 0) {
            return Set.of();
        }
        idle.add(last);
        return idle.size() <= MOST_IDLE ? Set.of() : forget(idle.iterator().next());
    }

    private Set<String> forget(Kind kind) {
        idle.remove(kind);
        byKey.remove(kind.key);
        byNumber.remove(kind.number);
        kind.marks.keySet().forEach(node -> set(node, kind.number, null));
        return kind.marks.keySet();
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

    /** Computes the marks again. Returns the nodes whose marks changed. */
    Set<String> update(NodeOccupancy occupancy) {
        Set<String> changed = new LinkedHashSet<>();
        for (Kind kind : byNumber.values()) {
            if (kind.stale && kind.pods > 0) {
                update(kind, occupancy, changed);
            }
        }
        return changed;
    }

    private void update(Kind kind, NodeOccupancy occupancy, Set<String> changed) {
        PodNeighbours neighbours = PodNeighbours.of(kind.example, occupancy);
        Map<String, Integer> now = new TreeMap<>();
        List<NodeFacts> admitting = new ArrayList<>();
        for (NodeFacts node : occupancy.nodes()) {
            if (neighbours.obstacle(node).isPresent()) {
                now.put(node.name(), DENIED);
            } else if (kind.key.prefers
                    && kind.example.nodes().admits(node)
                    && node.untolerated(kind.example.tolerations()).isEmpty()) {
                admitting.add(node);
            }
        }
        kind.admitting = admitting.size();
        if (kind.key.prefers) {
            long[] penalties = PodPenalties.of(kind.example, occupancy, admitting);
            for (int n = 0; n < penalties.length; n++) {
                int mark = (int) (penalties[n] * weight / POINTS);
                if (mark > 0) {
                    now.put(admitting.get(n).name(), mark);
                }
            }
        }
        Set<String> marked = new TreeSet<>(kind.marks.keySet());
        marked.addAll(now.keySet());
        for (String node : marked) {
            if (!Objects.equals(kind.marks.get(node), now.get(node))) {
                set(node, kind.number, now.get(node));
                changed.add(node);
            }
        }
        kind.marks = now;
        kind.stale = false;
    }

    private void set(String node, int number, @Nullable Integer mark) {
        TreeMap<Integer, Integer> marks = byNode.computeIfAbsent(node, first -> new TreeMap<>());
        if (mark != null) {
            marks.put(number, mark);
        } else if (marks.remove(number) != null && marks.isEmpty()) {
            byNode.remove(node);
        }
    }

    /** How many nodes that the rules of a kind admit it likes better than a node. */
    int better(int number, String node) {
        Kind kind = byNumber.get(number);
        Integer its = kind == null ? null : kind.marks.get(node);
        return kind == null || its == null
                ? 0
                : kind.admitting
                        - (int) kind.marks.values().stream()
                                .filter(mark -> mark >= its)
                                .count();
    }

    /** The marks of a node by number of the kind. */
    Map<Integer, Integer> marks(String node) {
        TreeMap<Integer, Integer> marks = byNode.get(node);
        return marks == null ? Map.of() : marks;
    }
}

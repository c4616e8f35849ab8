package dev.stowage.kube.translate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the other pods let one run, as of now: anti-affinity, its own and that of those that run, hard topology spread
 * and ports of the node. Made in time that is linear in the pods concerned; each node is then asked in constant time.
 *
 * <p>Source: Kubernetes 1.20.2, {@code pkg/scheduler/framework/plugins}: {@code interpodaffinity/filtering.go}, {@code
 * podtopologyspread/filtering.go} (which also counts, in a domain that some node which the pod asks for is in, pods of
 * other nodes), {@code nodeports/node_ports.go}.
 */
public final class PodNeighbours {
    private record Domain(String key, String value) {}

    /** Pods per domain of one spread, and the least of them. */
    private record SpreadCounts(EvenSpread rule, Map<String, Integer> counts, int least, boolean countsItself) {}

    private final PodFacts pod;
    private final NodeOccupancy occupancy;
    /** Domains in which a pod runs that one of its terms selects. */
    private final Set<Domain> avoided = new HashSet<>();
    /** Domains in which a pod runs that keeps it away. */
    private final Set<Domain> refusing = new HashSet<>();

    private final List<SpreadCounts> spreads = new ArrayList<>();

    private PodNeighbours(PodFacts pod, NodeOccupancy occupancy) {
        this.pod = pod;
        this.occupancy = occupancy;
    }

    /** As seen by a pod now; itself is left out of account should it be on a node. */
    public static PodNeighbours of(PodFacts pod, NodeOccupancy occupancy) {
        PodNeighbours neighbours = new PodNeighbours(pod, occupancy);
        neighbours.lookForRefusing();
        pod.apart().forEach(neighbours::lookForAvoided);
        if (!pod.spread().isEmpty()) {
            neighbours.count();
        }
        return neighbours;
    }

    private void lookForRefusing() {
        for (PodFacts other : occupancy.withApart()) {
            NodeFacts there = occupancy.node(other.node());
            if (there == null || other.uid().equals(pod.uid())) {
                continue;
            }
            for (Apart apart : other.apart()) {
                String value = there.labels().get(apart.key());
                if (value != null && apart.selects(pod.namespace(), pod.labels())) {
                    refusing.add(new Domain(apart.key(), value));
                }
            }
        }
    }

    private void lookForAvoided(Apart apart) {
        for (String namespace : apart.namespaces()) {
            for (PodFacts other : occupancy.ofNamespace(namespace)) {
                NodeFacts there = occupancy.node(other.node());
                String value = there == null ? null : there.labels().get(apart.key());
                if (value != null
                        && !other.uid().equals(pod.uid())
                        && apart.selector().selects(other.labels())) {
                    avoided.add(new Domain(apart.key(), value));
                }
            }
        }
    }

    private void count() {
        List<Map<String, Integer>> counts = new ArrayList<>();
        pod.spread().forEach(rule -> counts.add(new HashMap<>()));
        for (NodeFacts node : occupancy.nodes()) {
            if (pod.nodes().admits(node) && hasAllKeys(node)) {
                for (int k = 0; k < counts.size(); k++) {
                    counts.get(k).put(node.labels().get(pod.spread().get(k).key()), 0);
                }
            }
        }
        for (PodFacts other : occupancy.ofNamespace(pod.namespace())) {
            NodeFacts there = occupancy.node(other.node());
            if (there == null || other.terminating() || other.uid().equals(pod.uid())) {
                continue;
            }
            for (int k = 0; k < counts.size(); k++) {
                EvenSpread rule = pod.spread().get(k);
                String value = there.labels().get(rule.key());
                if (value != null && rule.selector().selects(other.labels())) {
                    counts.get(k).computeIfPresent(value, (same, count) -> count + 1);
                }
            }
        }
        for (int k = 0; k < counts.size(); k++) {
            EvenSpread rule = pod.spread().get(k);
            int least = counts.get(k).values().stream().min(Integer::compare).orElse(Integer.MAX_VALUE);
            spreads.add(
                    new SpreadCounts(rule, counts.get(k), least, rule.selector().selects(pod.labels())));
        }
    }

    private boolean hasAllKeys(NodeFacts node) {
        return pod.spread().stream().allMatch(rule -> node.labels().containsKey(rule.key()));
    }

    /** Why the others keep it from a node, if they do. */
    public Optional<Obstacle> obstacle(NodeFacts node) {
        if (!pod.hostPorts().isEmpty() && takesPort(node)) {
            return Optional.of(Obstacle.of("have a host port in use that it needs"));
        }
        for (SpreadCounts spread : spreads) {
            Obstacle obstacle =
                    spreadObstacle(spread, node.labels().get(spread.rule().key()));
            if (obstacle != null) {
                return Optional.of(obstacle);
            }
        }
        if (isIn(avoided, node)) {
            return Optional.of(Obstacle.of("hold, or are near, a pod that its anti-affinity avoids"));
        }
        if (isIn(refusing, node)) {
            return Optional.of(Obstacle.of("hold, or are near, a pod whose anti-affinity avoids it"));
        }
        return Optional.empty();
    }

    private static @Nullable Obstacle spreadObstacle(SpreadCounts spread, @Nullable String value) {
        String key = spread.rule().key();
        if (value == null) {
            return Obstacle.of("do not have the label " + key + " of its topology spread");
        }
        long there = spread.counts().getOrDefault(value, 0);
        return there + (spread.countsItself() ? 1 : 0) - spread.least()
                        > spread.rule().maxSkew()
                ? Obstacle.of("would break its topology spread over " + key)
                : null;
    }

    private static boolean isIn(Set<Domain> domains, NodeFacts node) {
        if (domains.isEmpty()) {
            return false;
        }
        for (Map.Entry<String, String> label : node.labels().entrySet()) {
            if (domains.contains(new Domain(label.getKey(), label.getValue()))) {
                return true;
            }
        }
        return false;
    }

    private boolean takesPort(NodeFacts node) {
        for (PodFacts other : occupancy.on(node.name())) {
            if (!other.uid().equals(pod.uid())
                    && other.hostPorts().stream()
                            .anyMatch(theirs -> pod.hostPorts().stream().anyMatch(theirs::conflictsWith))) {
                return true;
            }
        }
        return false;
    }
}

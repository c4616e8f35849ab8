package dev.stowage.kube.translate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the other pods allow a pod to run at present: affinity, anti-affinity (its own and that of running pods), hard
 * topology spread, and ports of the node. It is built in time linear in the pods concerned; afterwards a node is
 * checked in constant time, and pods are removed and added again in constant time.
 *
 * <p>Source: Kubernetes 1.20.2, {@code pkg/scheduler/framework/plugins}: {@code interpodaffinity/filtering.go}, {@code
 * podtopologyspread/filtering.go} (which, in a domain with some node that the pod asks for, also counts pods of other
 * nodes), {@code nodeports/node_ports.go}.
 */
public final class PodNeighbours {
    private record Domain(String key, String value) {}

    /** Pods per domain of one spread, and how many domains have how many. */
    private static final class SpreadCounts {
        private final EvenSpread rule;
        private final boolean countsItself;
        private final Map<String, Integer> counts = new HashMap<>();
        private final TreeMap<Integer, Integer> domains = new TreeMap<>();

        SpreadCounts(EvenSpread rule, boolean countsItself) {
            this.rule = rule;
            this.countsItself = countsItself;
        }

        void domain(String value) {
            if (counts.putIfAbsent(value, 0) == null) {
                domains.merge(0, 1, Integer::sum);
            }
        }

        /** Adds {@code more} pods in a domain, if the domain counts. */
        void add(String value, int more) {
            Integer before = counts.get(value);
            if (before != null) {
                counts.put(value, before + more);
                domains.merge(before, -1, PodNeighbours::sumOrNone);
                domains.merge(before + more, 1, Integer::sum);
            }
        }

        int least() {
            if (rule.minDomains() > 1 && counts.size() < rule.minDomains()) {
                return 0;
            }
            return domains.isEmpty() ? Integer.MAX_VALUE : domains.firstKey();
        }
    }

    private final PodFacts pod;
    private final NodeOccupancy occupancy;
    /** Domains in which pods run that one of its terms selects, and how many. */
    private final Map<Domain, Integer> avoided = new HashMap<>();
    /** Domains of the terms of its affinity in which pods run that all terms select, and how many. */
    private final Map<Domain, Integer> near = new HashMap<>();
    /** How many more will, in some domain, once they are bound. */
    private int nearSoon;

    /** Domains in which pods run that keep it away, and how many. */
    private final Map<Domain, Integer> refusing = new HashMap<>();

    private final List<SpreadCounts> spreads = new ArrayList<>();
    /** How many pods use a claim of it that is for one pod only. */
    private int using;

    private PodNeighbours(PodFacts pod, NodeOccupancy occupancy) {
        this.pod = pod;
        this.occupancy = occupancy;
    }

    /** The neighbours of a pod at present; the pod itself is ignored if it is on a node. */
    public static PodNeighbours of(PodFacts pod, NodeOccupancy occupancy) {
        PodNeighbours neighbours = new PodNeighbours(pod, occupancy);
        occupancy.withApart().forEach(other -> neighbours.countRefusing(other, 1));
        for (PodTerm apart : pod.apart()) {
            for (String namespace : apart.namespaces()) {
                occupancy.ofNamespace(namespace).forEach(other -> neighbours.countAvoided(apart, other, 1));
            }
        }
        if (!pod.near().isEmpty()) {
            for (String namespace : pod.near().get(0).namespaces()) {
                occupancy.ofNamespace(namespace).forEach(other -> neighbours.countNear(other, 1));
            }
        }
        if (!pod.spread().isEmpty()) {
            neighbours.domains();
            occupancy.ofNamespace(pod.namespace()).forEach(other -> neighbours.countSpread(other, 1));
        }
        if (!pod.volumes().exclusive().isEmpty()) {
            occupancy.ofNamespace(pod.namespace()).forEach(other -> neighbours.countUsing(other, 1));
        }
        return neighbours;
    }

    /** Updates the counts for a pod that has come to a node (1) or left it (-1) since. */
    void count(PodFacts other, int more) {
        countRefusing(other, more);
        for (PodTerm apart : pod.apart()) {
            if (apart.namespaces().contains(other.namespace())) {
                countAvoided(apart, other, more);
            }
        }
        if (other.namespace().equals(pod.namespace())) {
            countSpread(other, more);
        }
        countNear(other, more);
        countUsing(other, more);
    }

    /** Whether another pod uses a claim of a pod that is for one pod only. */
    public static boolean usesItsClaim(PodFacts pod, PodFacts other) {
        return !pod.volumes().exclusive().isEmpty()
                && other.namespace().equals(pod.namespace())
                && !other.uid().equals(pod.uid())
                && other.volumes().claims().stream().anyMatch(pod.volumes().exclusive()::contains);
    }

    private void countUsing(PodFacts other, int more) {
        if (usesItsClaim(pod, other) && occupancy.node(other.node()) != null) {
            using += more;
        }
    }

    private static @Nullable Integer sumOrNone(int one, int other) {
        return one + other == 0 ? null : one + other;
    }

    private void countRefusing(PodFacts other, int more) {
        NodeFacts there = occupancy.node(other.node());
        if (there == null || other.uid().equals(pod.uid())) {
            return;
        }
        for (PodTerm apart : other.apart()) {
            String value = there.labels().get(apart.key());
            if (value != null && apart.selects(pod.namespace(), pod.labels())) {
                refusing.merge(new Domain(apart.key(), value), more, PodNeighbours::sumOrNone);
            }
        }
    }

    private void countAvoided(PodTerm apart, PodFacts other, int more) {
        NodeFacts there = occupancy.node(other.node());
        String value = there == null ? null : there.labels().get(apart.key());
        if (value != null && !other.uid().equals(pod.uid()) && apart.selector().selects(other.labels())) {
            avoided.merge(new Domain(apart.key(), value), more, PodNeighbours::sumOrNone);
        }
    }

    private void countNear(PodFacts other, int more) {
        NodeFacts there = occupancy.node(other.node());
        if (pod.near().isEmpty() || there == null || other.uid().equals(pod.uid()) || !pod.isNear(other)) {
            return;
        }
        for (PodTerm term : pod.near()) {
            String value = there.labels().get(term.key());
            if (value != null && occupancy.isPromised(other)) {
                nearSoon += more;
            } else if (value != null) {
                near.merge(new Domain(term.key(), value), more, PodNeighbours::sumOrNone);
            }
        }
    }

    /** Whether its affinity allows a node; a pod that its own affinity selects may be the first of its kind. */
    private boolean isNear(NodeFacts node) {
        boolean all = true;
        for (PodTerm term : pod.near()) {
            String value = node.labels().get(term.key());
            if (value == null) {
                return false;
            }
            all &= near.containsKey(new Domain(term.key(), value));
        }
        return all || (near.isEmpty() && nearSoon == 0 && pod.isNear(pod));
    }

    private void countSpread(PodFacts other, int more) {
        NodeFacts there = occupancy.node(other.node());
        if (there == null || other.terminating() || other.uid().equals(pod.uid())) {
            return;
        }
        for (SpreadCounts spread : spreads) {
            String value = there.labels().get(spread.rule.key());
            if (value != null
                    && spread.rule.selector().selects(other.labels())
                    && (!spread.rule.choosesNodes() || spread.rule.counts(pod, there))) {
                spread.add(value, more);
            }
        }
    }

    private void domains() {
        for (EvenSpread rule : pod.spread()) {
            spreads.add(new SpreadCounts(rule, rule.selector().selects(pod.labels())));
        }
        for (NodeFacts node : occupancy.nodes()) {
            if (hasAllKeys(node)) {
                spreads.stream()
                        .filter(spread -> spread.rule.counts(pod, node))
                        .forEach(spread -> spread.domain(
                                Objects.requireNonNull(node.labels().get(spread.rule.key()))));
            }
        }
    }

    private boolean hasAllKeys(NodeFacts node) {
        return pod.spread().stream().allMatch(rule -> node.labels().containsKey(rule.key()));
    }

    /** Why other pods, or the GPUs that a node shares, keep it off the node, if they do. */
    public Optional<Obstacle> obstacle(NodeFacts node) {
        Optional<Obstacle> gpus = pod.gpus().obstacle(node.gpus());
        if (gpus.isPresent()) {
            return gpus;
        }
        if (!occupancy.closed(node.name()).isEmpty()) {
            return Optional.of(Obstacle.of("hold a pod whose use of the node is not known"));
        }
        if (using > 0) {
            return Optional.of(Obstacle.of("cannot use its claim, which is for one pod only and in use"));
        }
        if (!pod.hostPorts().isEmpty() && takesPort(node)) {
            return Optional.of(Obstacle.of("have a host port in use that it needs"));
        }
        for (SpreadCounts spread : spreads) {
            Obstacle obstacle = spreadObstacle(spread, node.labels().get(spread.rule.key()));
            if (obstacle != null) {
                return Optional.of(obstacle);
            }
        }
        if (!isNear(node)) {
            return Optional.of(Obstacle.of("are not near a pod that its affinity asks for"));
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
        String key = spread.rule.key();
        if (value == null) {
            return Obstacle.of("do not have the label " + key + " of its topology spread");
        }
        long there = spread.counts.getOrDefault(value, 0);
        return there + (spread.countsItself ? 1 : 0) - spread.least() > spread.rule.maxSkew()
                ? Obstacle.of("would break its topology spread over " + key)
                : null;
    }

    private static boolean isIn(Map<Domain, Integer> domains, NodeFacts node) {
        if (domains.isEmpty()) {
            return false;
        }
        for (Map.Entry<String, String> label : node.labels().entrySet()) {
            if (domains.containsKey(new Domain(label.getKey(), label.getValue()))) {
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

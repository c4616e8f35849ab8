package dev.stowage.kube.translate;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes, and the pods on them: bound, or going to be, which their room is kept for. Pods on unknown nodes are kept
 * until their node is known.
 */
public final class NodeOccupancy {
    private final Map<String, NodeFacts> nodes = new TreeMap<>();
    private final Map<String, Map<String, PodFacts>> byNode = new LinkedHashMap<>();
    private final Map<String, Map<String, PodFacts>> byNamespace = new LinkedHashMap<>();
    private final Map<String, PodFacts> byUid = new LinkedHashMap<>();
    private final Map<String, PodFacts> withApart = new LinkedHashMap<>();
    /** Pods with preferences for other pods, or a required affinity. */
    private final Map<String, PodFacts> withLiking = new LinkedHashMap<>();

    /** Unique ids of pods that are not bound yet. */
    private final Set<String> promised = new HashSet<>();

    /** Names of nodes whose pods share GPUs. */
    private final Set<String> sharing = new HashSet<>();

    /** Nodes with discouraging taints. */
    private final Map<String, NodeFacts> discouraging = new LinkedHashMap<>();

    /** Pods of which it is not known what they take. */
    private final Map<String, PodFacts> closing = new LinkedHashMap<>();

    private final Map<String, Map<String, Long>> used = new LinkedHashMap<>();
    /** How many pods have each priority. */
    private final TreeMap<Integer, Integer> priorities = new TreeMap<>();

    /** A copy of the present state that can be changed independently. */
    public NodeOccupancy copy() {
        NodeOccupancy copy = new NodeOccupancy();
        nodes.values().forEach(copy::put);
        byUid.values().forEach(copy::put);
        copy.promised.addAll(promised);
        return copy;
    }

    /** A node is new or has changed. */
    public void put(NodeFacts node) {
        nodes.put(node.name(), node);
        if (node.gpus().areShared()) {
            sharing.add(node.name());
        } else {
            sharing.remove(node.name());
        }
        if (node.discouraging().isEmpty()) {
            discouraging.remove(node.name());
        } else {
            discouraging.put(node.name(), node);
        }
    }

    /** A node is gone; its pods stay on record. */
    public void removeNode(String name) {
        nodes.remove(name);
        sharing.remove(name);
        discouraging.remove(name);
    }

    /** A node, or null. */
    public @Nullable NodeFacts node(String name) {
        return nodes.get(name);
    }

    /** All nodes by name. */
    public Collection<NodeFacts> nodes() {
        return nodes.values();
    }

    /** A pod is on the node that it names; replaces earlier facts about it. */
    public void put(PodFacts pod) {
        removePod(pod.uid());
        byUid.put(pod.uid(), pod);
        byNode.computeIfAbsent(pod.node(), first -> new LinkedHashMap<>()).put(pod.uid(), pod);
        byNamespace
                .computeIfAbsent(pod.namespace(), first -> new LinkedHashMap<>())
                .put(pod.uid(), pod);
        priorities.merge(pod.priority(), 1, Integer::sum);
        if (!pod.apart().isEmpty()) {
            withApart.put(pod.uid(), pod);
        }
        if (!pod.near().isEmpty() || !pod.preferences().pods().isEmpty()) {
            withLiking.put(pod.uid(), pod);
        }
        if (!pod.closesItsNode().isEmpty()) {
            closing.put(pod.uid(), pod);
        }
        Map<String, Long> sums = used.computeIfAbsent(pod.node(), first -> new TreeMap<>());
        pod.requests().forEach((resource, amount) -> sums.merge(resource, amount, Long::sum));
    }

    /**
     * A pod is going to be on the node that it names. It counts there as one that is, but nobody is near it before it
     * is bound: its binding may be refused, or the room not become free.
     */
    public void promise(PodFacts pod) {
        put(pod);
        promised.add(pod.uid());
    }

    /** Whether a pod is on its node by a promise only. */
    boolean isPromised(PodFacts pod) {
        return promised.contains(pod.uid());
    }

    /** A pod is gone. Returns the last facts about it, or null. */
    public @Nullable PodFacts removePod(String uid) {
        PodFacts pod = byUid.remove(uid);
        if (pod == null) {
            return null;
        }
        Map<String, PodFacts> there = Objects.requireNonNull(byNode.get(pod.node()));
        there.remove(uid);
        Map<String, PodFacts> same = Objects.requireNonNull(byNamespace.get(pod.namespace()));
        same.remove(uid);
        if (same.isEmpty()) {
            byNamespace.remove(pod.namespace());
        }
        promised.remove(uid);
        withApart.remove(uid);
        withLiking.remove(uid);
        closing.remove(uid);
        priorities.computeIfPresent(pod.priority(), (priority, count) -> count == 1 ? null : count - 1);
        if (there.isEmpty()) {
            byNode.remove(pod.node());
            used.remove(pod.node());
        } else {
            Map<String, Long> sums = Objects.requireNonNull(used.get(pod.node()));
            pod.requests().forEach((resource, amount) -> sums.merge(resource, -amount, Long::sum));
        }
        return pod;
    }

    /** A pod that is on a node, or null. */
    public @Nullable PodFacts pod(String uid) {
        return byUid.get(uid);
    }

    /** Pods on a node. */
    public Collection<PodFacts> on(String node) {
        Map<String, PodFacts> there = byNode.get(node);
        return there == null ? List.of() : there.values();
    }

    /** The amount of a resource that the pods on a node take. */
    public long used(String node, String resource) {
        Map<String, Long> sums = used.get(node);
        return sums == null ? 0 : sums.getOrDefault(resource, 0L);
    }

    /**
     * Why nothing more may come to a node ({@link PodFacts#closesItsNode}), for the first such pod; empty if it
     * may.
     */
    public String closed(String node) {
        for (PodFacts pod : closing.values()) {
            if (pod.node().equals(node)) {
                return pod.closesItsNode();
            }
        }
        return "";
    }

    /** Whether the pods on a node take more of some resource than it has. */
    public boolean isOverfull(NodeFacts node) {
        Map<String, Long> sums = used.get(node.name());
        return sums != null
                && (sums.entrySet().stream().anyMatch(sum -> sum.getValue() > node.amount(sum.getKey()))
                        || (node.gpus().areShared()
                                && GpuRoom.of(node, on(node.name()), "").isOverfull()));
    }

    /** Whether a pod with a lower priority is on a node. */
    public boolean hasBelow(int priority) {
        return !priorities.isEmpty() && priorities.firstKey() < priority;
    }

    /** The amounts that the pods on a node take, in a new map. */
    public Map<String, Long> used(String node) {
        return new TreeMap<>(used.getOrDefault(node, Map.of()));
    }

    /** Pods of a namespace that are on nodes. */
    Collection<PodFacts> ofNamespace(String namespace) {
        Map<String, PodFacts> same = byNamespace.get(namespace);
        return same == null ? List.of() : same.values();
    }

    /** Pods on nodes that keep others away from them. */
    Collection<PodFacts> withApart() {
        return withApart.values();
    }

    /** Pods on nodes with preferences for other pods, or a required affinity. */
    Collection<PodFacts> withLiking() {
        return withLiking.values();
    }

    /** Nodes with discouraging taints. */
    Collection<NodeFacts> discouraging() {
        return discouraging.values();
    }

    /** Whether some node shares GPUs. */
    public boolean hasSharedGpus() {
        return !sharing.isEmpty();
    }

    /** Whether it matters for a pod which nodes share GPUs, and how. */
    public boolean sharesGpus(PodFacts pod) {
        return switch (pod.gpus().asks()) {
            case NONE -> false;
            case WHOLE -> !sharing.isEmpty();
            case HAMI, GPUSHARE -> true;
        };
    }

    /** Whether a pod on a node, or the GPUs that some node shares, keep this one away from somewhere. */
    public boolean isKeptAway(PodFacts pod) {
        if (!closing.isEmpty() || sharesGpus(pod)) {
            return true;
        }
        for (PodFacts other : withApart.values()) {
            for (PodTerm apart : other.apart()) {
                if (apart.selects(pod.namespace(), pod.labels()) && !other.uid().equals(pod.uid())) {
                    return true;
                }
            }
        }
        return false;
    }
}

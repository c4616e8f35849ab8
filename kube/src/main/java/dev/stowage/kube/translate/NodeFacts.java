package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeStatus;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A node as far as scheduling is concerned. A node that is cordoned, not ready or unreachable has the taint that
 * Kubernetes gives it, even before a controller has added it: so a pod that tolerates the taint may run there.
 *
 * @param name name
 * @param allocatable whole amounts by resource ({@link Quantities})
 * @param labels labels
 * @param taints those that keep pods away
 */
public record NodeFacts(
        String name, SortedMap<String, Long> allocatable, SortedMap<String, String> labels, List<Taint> taints) {
    /** Takes copies. */
    public NodeFacts {
        allocatable = new TreeMap<>(allocatable);
        labels = new TreeMap<>(labels);
        taints = List.copyOf(taints);
    }

    /**
     * The facts of a node.
     *
     * @throws IllegalArgumentException if it offers an invalid quantity
     */
    public static NodeFacts of(Node node) {
        Optional<NodeStatus> status = Optional.ofNullable(node.getStatus());
        Map<String, Long> allocatable =
                status.map(NodeStatus::getAllocatable).map(Quantities::amounts).orElse(Map.of());
        boolean cordoned =
                node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        String ready = status.map(NodeStatus::getConditions).orElse(List.of()).stream()
                .filter(condition -> "Ready".equals(condition.getType()))
                .map(NodeCondition::getStatus)
                .findFirst()
                .orElse("True");
        Stream<Taint> written = node.getSpec() == null
                ? Stream.of()
                : node.getSpec().getTaints().stream()
                        .map(taint -> new Taint(
                                taint.getKey(), Objects.requireNonNullElse(taint.getValue(), ""), taint.getEffect()))
                        .filter(taint -> !taint.effect().equals("PreferNoSchedule"));
        Stream<Taint> implied = Stream.of(
                        cordoned ? Taint.CORDONED : null,
                        ready.equals("False") ? Taint.NOT_READY : null,
                        ready.equals("Unknown") ? Taint.UNREACHABLE : null)
                .filter(Objects::nonNull);
        Map<String, String> labels = node.getMetadata().getLabels();
        return new NodeFacts(
                node.getMetadata().getName(),
                new TreeMap<>(allocatable),
                new TreeMap<>(labels == null ? Map.of() : labels),
                Stream.concat(written, implied).distinct().toList());
    }

    /** The same node, with more resources. */
    NodeFacts with(SortedMap<String, Long> more) {
        SortedMap<String, Long> all = new TreeMap<>(allocatable);
        all.putAll(more);
        return new NodeFacts(name, all, labels, taints);
    }

    /** Amount of a resource, 0 if it has none. */
    public long amount(String resource) {
        return allocatable.getOrDefault(resource, 0L);
    }

    /** The first taint that is not tolerated. */
    public Optional<Taint> untolerated(List<TolerationRule> tolerations) {
        return taints.stream()
                .filter(taint -> tolerations.stream().noneMatch(one -> one.tolerates(taint)))
                .findFirst();
    }
}

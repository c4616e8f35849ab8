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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node as far as scheduling is concerned. A node that is cordoned, not ready or unreachable has the taint that
 * Kubernetes gives it, even before a controller has added it: so a pod that tolerates the taint may run there.
 *
 * @param name name
 * @param allocatable whole amounts by resource ({@link Quantities})
 * @param labels labels
 * @param taints those that keep pods away: of effect {@code NoSchedule} or {@code NoExecute}
 * @param discouraging those of effect {@code PreferNoSchedule}
 * @param gpus GPUs that its pods share
 */
public record NodeFacts(
        String name,
        SortedMap<String, Long> allocatable,
        SortedMap<String, String> labels,
        List<Taint> taints,
        List<Taint> discouraging,
        NodeGpus gpus) {
    /** Takes copies. */
    public NodeFacts {
        allocatable = new TreeMap<>(allocatable);
        labels = new TreeMap<>(labels);
        taints = List.copyOf(taints);
        discouraging = List.copyOf(discouraging);
    }

    /**
     * The facts of a node.
     *
     * @throws IllegalArgumentException if it offers an invalid quantity, or its GPUs cannot be understood
     */
    public static NodeFacts of(Node node) {
        Optional<NodeStatus> status = Optional.ofNullable(node.getStatus());
        Map<String, Long> allocatable = status.map(
                        saysAllocatable(node) ? NodeStatus::getAllocatable : NodeStatus::getCapacity)
                .map(Quantities::amounts)
                .orElse(Map.of());
        boolean cordoned =
                node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        String ready = status.map(NodeStatus::getConditions).orElse(List.of()).stream()
                .filter(condition -> "Ready".equals(condition.getType()))
                .map(NodeCondition::getStatus)
                .findFirst()
                .orElse("True");
        Map<Boolean, List<Taint>> written = Stream.ofNullable(node.getSpec())
                .flatMap(spec -> spec.getTaints().stream())
                .map(taint ->
                        new Taint(taint.getKey(), Objects.requireNonNullElse(taint.getValue(), ""), taint.getEffect()))
                .collect(Collectors.partitioningBy(taint -> taint.effect().equals("PreferNoSchedule")));
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
                Stream.concat(listed(written, false), implied).distinct().toList(),
                listed(written, true).toList(),
                NodeGpus.of(node));
    }

    /** Whether it says what is allocatable; if not, all its capacity is, as the API server has it. */
    public static boolean saysAllocatable(Node node) {
        return node.getStatus() != null
                && node.getStatus().getAllocatable() != null
                && !node.getStatus().getAllocatable().isEmpty();
    }

    private static Stream<Taint> listed(Map<Boolean, List<Taint>> written, boolean discouraging) {
        return written.getOrDefault(discouraging, List.of()).stream();
    }

    /** The same node, with more resources. */
    NodeFacts with(SortedMap<String, Long> more) {
        SortedMap<String, Long> all = new TreeMap<>(allocatable);
        all.putAll(more);
        return new NodeFacts(name, all, labels, taints, discouraging, gpus);
    }

    /** Amount of a resource, 0 if it has none. */
    public long amount(String resource) {
        return allocatable.getOrDefault(resource, 0L);
    }

    /** The first taint that keeps pods away and is not tolerated. */
    public Optional<Taint> untolerated(List<TolerationRule> tolerations) {
        return untolerated(taints, tolerations).findFirst();
    }

    /** How many of its discouraging taints are not tolerated. */
    public long discouragedBy(List<TolerationRule> tolerations) {
        return untolerated(discouraging, tolerations).count();
    }

    private static Stream<Taint> untolerated(List<Taint> taints, List<TolerationRule> tolerations) {
        return taints.stream().filter(taint -> tolerations.stream().noneMatch(one -> one.tolerates(taint)));
    }
}

package dev.stowage.kube.translate;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a pod would rather have; none of it forbids a node.
 *
 * @param nodes its preferred node affinity; a term without rules matches no node and is left out
 * @param pods its preferred affinity to other pods, and anti-affinity with a weight below 0
 * @param spread how it would rather be spread ({@code ScheduleAnyway})
 */
public record Preferences(List<Weighted<NodeRule.Term>> nodes, List<Weighted<PodTerm>> pods, List<EvenSpread> spread) {
    /** None. */
    public static final Preferences NONE = new Preferences(List.of(), List.of(), List.of());

    /**
     * A preference.
     *
     * @param weight how much it counts, -100 to 100
     */
    public record Weighted<T>(int weight, T what) {}

    /** Takes copies. */
    public Preferences {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
        spread = List.copyOf(spread);
    }

    /** What there is, for people. */
    List<String> names() {
        return Stream.of(
                        Stream.of(nodes.isEmpty() ? null : "preferred node affinity"),
                        pods.stream()
                                .map(one -> one.weight > 0 ? "preferred pod affinity" : "preferred pod anti-affinity"),
                        spread.stream().map(one -> "preferred topology spread over " + one.key()))
                .flatMap(names -> names)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** Whether a term of its preferred affinity or anti-affinity selects a pod. */
    boolean selects(String namespace, Map<String, String> labels) {
        return pods.stream().anyMatch(one -> one.what.selects(namespace, labels));
    }
}

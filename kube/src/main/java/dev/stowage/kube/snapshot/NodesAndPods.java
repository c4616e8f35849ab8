package dev.stowage.kube.snapshot;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodBudget;
import dev.stowage.kube.translate.PodReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A cluster at one moment.
 *
 * @param nodes nodes, in the order given
 * @param pods pods that have not finished, in the order given; a pod's node is one of the nodes, or it has none
 * @param budgets budgets
 * @param notes what was left out and other remarks, one sentence each
 * @param latest the latest time of any object, as the API writes times: it was taken then or a little later; empty if
 *     no object has one
 */
public record NodesAndPods(
        List<NodeFacts> nodes, List<SnapshotPod> pods, List<PodBudget> budgets, List<String> notes, String latest) {
    private static final int NAMED = 3;

    /** Takes copies. */
    public NodesAndPods {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
        budgets = List.copyOf(budgets);
        notes = List.copyOf(notes);
    }

    /**
     * The cluster of objects of the API.
     *
     * @throws SnapshotException if a node or pod occurs twice, or has an invalid quantity
     */
    public static NodesAndPods of(
            List<Node> nodes, List<Pod> pods, List<PodBudget> budgets, List<String> readingNotes) {
        List<String> notes = new ArrayList<>(readingNotes);
        Map<String, NodeFacts> known = new LinkedHashMap<>();
        for (Node node : nodes) {
            NodeFacts facts = facts("node " + node.getMetadata().getName(), () -> NodeFacts.of(node));
            if (known.put(facts.name(), facts) != null) {
                throw new SnapshotException("node " + facts.name() + " stands there twice");
            }
        }
        Map<String, SnapshotPod> living = new LinkedHashMap<>();
        List<String> elsewhere = new ArrayList<>();
        int finished = 0;
        for (Pod pod : pods) {
            String path =
                    pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
            if (pod.getSpec() == null) {
                throw new SnapshotException("pod " + path + " has no spec");
            }
            if (PodReader.hasFinished(pod)) {
                finished++;
                continue;
            }
            SnapshotPod read = facts("pod " + path, () -> SnapshotPod.of(pod));
            if (read.facts().isBound() && !known.containsKey(read.facts().node())) {
                elsewhere.add(path + " on " + read.facts().node());
                continue;
            }
            if (living.put(read.facts().path(), read) != null) {
                throw new SnapshotException("pod " + read.facts().path() + " stands there twice");
            }
        }
        if (finished > 0) {
            notes.add(finished + " pods have finished, and take nothing");
        }
        if (!elsewhere.isEmpty()) {
            notes.add(elsewhere.size() + " pods are on nodes that are not there, and are left out: "
                    + String.join(", ", elsewhere.subList(0, Math.min(NAMED, elsewhere.size())))
                    + (elsewhere.size() > NAMED ? ", ..." : ""));
        }
        return new NodesAndPods(
                List.copyOf(known.values()), List.copyOf(living.values()), budgets, notes, latest(nodes, pods));
    }

    /** Times in UTC are ordered as their texts are. */
    private static String latest(List<Node> nodes, List<Pod> pods) {
        Stream<String> beats = nodes.stream()
                .filter(node -> node.getStatus() != null)
                .flatMap(node -> node.getStatus().getConditions().stream())
                .map(condition -> condition.getLastHeartbeatTime());
        Stream<String> made = pods.stream().map(pod -> pod.getMetadata().getCreationTimestamp());
        Stream<String> changes = pods.stream()
                .filter(pod -> pod.getStatus() != null)
                .flatMap(pod -> pod.getStatus().getConditions().stream())
                .map(condition -> condition.getLastTransitionTime());
        return Stream.of(beats, made, changes)
                .flatMap(times -> times)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse("");
    }

    private static <T> T facts(String what, java.util.function.Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new SnapshotException(what + ": " + e.getMessage(), e);
        }
    }
}

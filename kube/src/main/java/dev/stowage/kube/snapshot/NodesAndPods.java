package dev.stowage.kube.snapshot;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodBudget;
import dev.stowage.kube.translate.PodReader;
import dev.stowage.kube.translate.Quantities;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A cluster at one moment.
 *
 * @param nodes nodes, in the order given
 * @param pods pods that have not finished, in the order given; a pod's node is one of the nodes, or it has none
 * @param budgets budgets
 * @param notes what was left out and other remarks, one sentence each
 */
public record NodesAndPods(List<NodeFacts> nodes, List<SnapshotPod> pods, List<PodBudget> budgets, List<String> notes) {
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
                throw new SnapshotException("node " + facts.name() + " is listed twice");
            }
        }
        List<String> unsaid = nodes.stream()
                .filter(node -> !NodeFacts.saysAllocatable(node))
                .map(node -> node.getMetadata().getName())
                .toList();
        List<String> unknown = unsaid.stream()
                .filter(name ->
                        Objects.requireNonNull(known.get(name)).allocatable().isEmpty())
                .toList();
        List<String> whole =
                unsaid.stream().filter(name -> !unknown.contains(name)).toList();
        if (!whole.isEmpty()) {
            notes.add(nodes(whole, " does not say", " do not say")
                    + " what is allocatable (status.allocatable); all of the"
                    + " capacity is counted, also what the system needs there: " + first(whole));
        }
        if (!unknown.isEmpty()) {
            notes.add(nodes(unknown, " has", " have")
                    + " neither status.allocatable nor status.capacity, so no pod has room" + " there: "
                    + first(unknown));
        }
        for (String resource : List.of(Quantities.CPU, "memory")) {
            List<String> without = known.values().stream()
                    .filter(node ->
                            !node.allocatable().isEmpty() && !node.allocatable().containsKey(resource))
                    .map(NodeFacts::name)
                    .toList();
            if (!without.isEmpty()) {
                notes.add(nodes(without, " does not say", " do not say") + " how much "
                        + (resource.equals(Quantities.CPU) ? "CPU" : resource)
                        + " is allocatable, so no pod that asks for it has room there: " + first(without));
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
                throw new SnapshotException("pod " + read.facts().path() + " is listed twice");
            }
        }
        if (finished > 0) {
            notes.add(finished + (finished == 1 ? " pod has finished and holds" : " pods have finished and hold")
                    + " no resources");
        }
        if (!elsewhere.isEmpty()) {
            notes.add(elsewhere.size()
                    + (elsewhere.size() == 1
                            ? " pod is on a node that is not there, and is left out: "
                            : " pods are on nodes that are not there, and are left out: ")
                    + first(elsewhere));
        }
        return new NodesAndPods(List.copyOf(known.values()), List.copyOf(living.values()), budgets, notes);
    }

    private static String nodes(List<String> names, String one, String several) {
        return names.size() + (names.size() == 1 ? " node" + one : " nodes" + several);
    }

    private static String first(List<String> names) {
        return String.join(", ", names.subList(0, Math.min(NAMED, names.size())))
                + (names.size() > NAMED ? ", ..." : "");
    }

    private static <T> T facts(String what, java.util.function.Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new SnapshotException(what + ": " + e.getMessage(), e);
        }
    }
}

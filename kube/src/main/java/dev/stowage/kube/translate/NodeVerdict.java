package dev.stowage.kube.translate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a node takes a pod, by all supported rules, and the answer for the whole cluster in one sentence. */
public final class NodeVerdict {
    /** Nodes with the same obstacle, and the one among them that is nearest to having room. */
    private static final class Group {
        private int nodes;
        private @Nullable Obstacle nearest;
        private String nearestNode = "";
    }

    private final PodFacts pod;
    private final NodeOccupancy occupancy;
    private final PodNeighbours neighbours;

    /** A verdict on a pod for the present state. */
    public NodeVerdict(PodFacts pod, NodeOccupancy occupancy) {
        this.pod = pod;
        this.occupancy = occupancy;
        neighbours = PodNeighbours.of(pod, occupancy);
    }

    /** Why a node does not take the pod, if it does not; the first reason only. */
    public Optional<Obstacle> obstacle(NodeFacts node) {
        return standing(node).or(() -> neighbours.obstacle(node)).or(() -> room(node));
    }

    /** The same, ignoring room. */
    public Optional<Obstacle> obstacleBesideRoom(NodeFacts node) {
        return standing(node).or(() -> neighbours.obstacle(node));
    }

    /** Whether the node would take the pod if nothing ran there, ignoring pods on other nodes. */
    public boolean couldIfEmpty(NodeFacts node) {
        return standing(node).isEmpty()
                && pod.requests().entrySet().stream()
                        .allMatch(request -> request.getValue() <= node.amount(request.getKey()))
                && pod.gpus().obstacle(node.gpus()).isEmpty()
                && GpuRoom.of(node, List.of(), "").obstacle(pod.gpus()).isEmpty();
    }

    /** Another pod has come to a node since then, and is counted there. */
    public void came(PodFacts other) {
        neighbours.count(other, 1);
    }

    /** Another pod has left its node since then, and is no longer counted there. */
    public void left(PodFacts other) {
        neighbours.count(other, -1);
    }

    private Optional<Obstacle> standing(NodeFacts node) {
        Optional<Taint> taint = node.untolerated(pod.tolerations());
        if (taint.isPresent()) {
            return Optional.of(Obstacle.of(
                    taint.get().equals(Taint.CORDONED)
                            ? "are cordoned"
                            : "have the taint " + taint.get() + " that it does not tolerate"));
        }
        if (!pod.nodes().admits(node)) {
            return Optional.of(Obstacle.of("do not match its " + pod.nodes().unmatched(node)));
        }
        return pod.volumes().admit(node) ? Optional.empty() : Optional.of(Obstacle.of("cannot use its volumes"));
    }

    /** Why there is no room for what the pod asks of shared GPUs, if there is none. */
    public Optional<Obstacle> gpuObstacle(NodeFacts node) {
        return pod.gpus().isNone() || !node.gpus().areShared()
                ? Optional.empty()
                : GpuRoom.of(node, occupancy.on(node.name()), pod.uid()).obstacle(pod.gpus());
    }

    private Optional<Obstacle> room(NodeFacts node) {
        for (Map.Entry<String, Long> request : pod.requests().entrySet()) {
            String resource = request.getKey();
            long free = node.amount(resource) - occupancy.used(node.name(), resource);
            if (request.getValue() > free) {
                return Optional.of(Obstacle.room(resource, request.getValue() - free));
            }
        }
        return gpuObstacle(node);
    }

    /**
     * A summary of all nodes, e.g.
     * {@code 312 of 400 nodes lack memory (nearest: 1.2 GiB short on n17), 88 are cordoned}.
     */
    public String summary() {
        Map<String, Group> groups = new LinkedHashMap<>();
        int taking = 0;
        for (NodeFacts node : occupancy.nodes()) {
            Optional<Obstacle> obstacle = obstacle(node);
            if (obstacle.isEmpty() && occupancy.isOverfull(node)) {
                obstacle = Optional.of(Obstacle.of("run pods that take more than the node has"));
            }
            if (obstacle.isEmpty()) {
                taking++;
                continue;
            }
            Group group = groups.computeIfAbsent(obstacle.get().text(), first -> new Group());
            group.nodes++;
            if (group.nearest == null || obstacle.get().shortBy() < group.nearest.shortBy()) {
                group.nearest = obstacle.get();
                group.nearestNode = node.name();
            }
        }
        int all = occupancy.nodes().size();
        if (all == 0) {
            return "there is no node";
        }
        List<Map.Entry<String, Group>> order = new ArrayList<>(groups.entrySet());
        order.sort((one, other) -> other.getValue().nodes - one.getValue().nodes);
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, Group> entry : order) {
            Group group = entry.getValue();
            Obstacle nearest = Objects.requireNonNull(group.nearest);
            String count = parts.isEmpty() ? group.nodes + " of " + all + " nodes " : group.nodes + " ";
            parts.add(count
                    + entry.getKey()
                    + (nearest.resource().isEmpty()
                            ? ""
                            : " (nearest: " + Quantities.text(nearest.resource(), nearest.shortBy()) + " short on "
                                    + group.nearestNode + ")"));
        }
        if (taking > 0) {
            parts.add(taking + (parts.isEmpty() ? " of " + all + " nodes" : "") + " could take it");
        }
        return (isTooLarge() ? "no node that may take it is large enough, even empty: " : "")
                + String.join(", ", parts);
    }

    /** Whether no pod that ends would help: it asks for more than any node has that it may use. */
    private boolean isTooLarge() {
        List<NodeFacts> admitted = occupancy.nodes().stream()
                .filter(node -> standing(node).isEmpty())
                .toList();
        return !admitted.isEmpty()
                && admitted.stream()
                        .allMatch(node -> pod.requests().entrySet().stream()
                                .anyMatch(request -> request.getValue() > node.amount(request.getKey())));
    }
}

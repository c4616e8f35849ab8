package dev.stowage.kube.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeVerdict;
import dev.stowage.kube.translate.Obstacle;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodNeighbours;
import dev.stowage.kube.translate.Taint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why nodes do not take a pod by our rules, counted as kube-scheduler 1.20 does: the first of its filters, in its
 * order, that forbids a node (cordoned, taints, node selector and affinity, host ports, room, topology spread,
 * affinity and anti-affinity), and of that filter every reason. What our own events name must be among these, except
 * that they name neighbours before room, and may name another taint of a cordoned node.
 */
final class SchedulerReasons {
    private static final String AVAILABLE = "nodes are available: ";
    private static final Pattern PART = Pattern.compile("(\\d+) (.+)");
    private static final List<String> ALWAYS_COUNTED = List.of("cpu", "memory", "ephemeral-storage");
    /** kube-scheduler says with this which of two kinds it was, in addition. */
    private static final List<String> MORE = List.of(
            "didn't match pod affinity rules",
            "didn't match pod anti-affinity rules",
            "didn't satisfy existing pods anti-affinity rules");

    private static final List<String> NEIGHBOURS = List.of("spread", "anti-affinity");

    private final NodeOccupancy occupancy = new NodeOccupancy();

    SchedulerReasons(Collection<NodeFacts> nodes, Collection<PodFacts> running) {
        nodes.forEach(occupancy::put);
        running.forEach(occupancy::put);
    }

    /** How many nodes there are for each reason, by our rules. */
    Map<String, Integer> ours(PodFacts pod) {
        Map<String, Integer> counts = new TreeMap<>();
        NodeVerdict verdict = new NodeVerdict(pod, occupancy);
        for (NodeFacts node : occupancy.nodes()) {
            List<String> reasons = reasons(pod, node);
            reasons.forEach(reason -> counts.merge(reason, 1, Integer::sum));
            List<String> named =
                    verdict.obstacle(node).map(SchedulerReasons::word).stream().toList();
            boolean lacksRoom = !reasons.isEmpty() && reasons.get(0).startsWith("lacks ");
            boolean otherTaint = reasons.equals(List.of("cordoned")) && named.equals(List.of("taint"));
            if (!otherTaint
                    && !reasons.equals(named)
                    && !(lacksRoom && !named.isEmpty() && NEIGHBOURS.containsAll(named))) {
                assertThat(reasons)
                        .as(pod.path() + " on " + node.name())
                        .isNotEmpty()
                        .containsAll(named);
                assertThat(named).as(pod.path() + " on " + node.name()).isNotEmpty();
            }
        }
        return counts;
    }

    private static String word(Obstacle obstacle) {
        return obstacle.resource().isEmpty() ? word(obstacle.text()) : "lacks " + obstacle.resource();
    }

    private List<String> reasons(PodFacts pod, NodeFacts node) {
        Optional<Taint> taint = node.untolerated(pod.tolerations());
        boolean cordoned = node.taints().contains(Taint.CORDONED)
                && pod.tolerations().stream().noneMatch(one -> one.tolerates(Taint.CORDONED));
        if (cordoned) {
            return List.of("cordoned");
        }
        if (taint.isPresent()) {
            return List.of("taint");
        }
        if (!pod.nodes().admits(node)) {
            return List.of("selector");
        }
        String neighbours = PodNeighbours.of(pod, occupancy)
                .obstacle(node)
                .map(SchedulerReasons::word)
                .orElse("");
        if (neighbours.equals("port")) {
            return List.of("port");
        }
        List<String> room = room(pod, node);
        if (!room.isEmpty()) {
            return room;
        }
        return neighbours.isEmpty() ? List.of() : List.of(neighbours);
    }

    private List<String> room(PodFacts pod, NodeFacts node) {
        List<String> lacking = new ArrayList<>();
        List<String> asked = new ArrayList<>(pod.requests().keySet());
        boolean any = asked.stream()
                .anyMatch(resource -> !resource.equals("pods") && pod.requests().getOrDefault(resource, 0L) > 0);
        if (any) {
            ALWAYS_COUNTED.stream().filter(one -> !asked.contains(one)).forEach(asked::add);
        }
        for (String resource : asked) {
            long free = node.amount(resource) - occupancy.used(node.name(), resource);
            if (pod.requests().getOrDefault(resource, 0L) > free) {
                lacking.add("lacks " + resource);
            }
        }
        return lacking;
    }

    /** The same of what kube-scheduler wrote, as in {@code 0/5 nodes are available: 2 Insufficient cpu, ...}. */
    static Map<String, Integer> theirs(String message) {
        Map<String, Integer> counts = new TreeMap<>();
        int at = message.indexOf(AVAILABLE);
        if (at < 0) {
            throw new AssertionError("not understood: " + message);
        }
        String list = message.substring(at + AVAILABLE.length()).replaceAll("\\.$", "");
        // A taint has a comma in it.
        for (String part : list.split(", (?=\\d+ )", -1)) {
            Matcher matcher = PART.matcher(part);
            if (!list.isEmpty() && MORE.stream().noneMatch(part::endsWith)) {
                if (!matcher.matches()) {
                    throw new AssertionError("not understood: " + part + " in " + message);
                }
                counts.merge(word(matcher.group(2)), Integer.parseInt(matcher.group(1)), Integer::sum);
            }
        }
        return counts;
    }

    /** One word for a reason, kube-scheduler's or ours. */
    private static String word(String reason) {
        if (reason.startsWith("Insufficient ")) {
            return "lacks " + reason.substring("Insufficient ".length());
        }
        if (reason.equals("Too many pods")) {
            return "lacks pods";
        }
        if (reason.contains("were unschedulable") || reason.equals("are cordoned")) {
            return "cordoned";
        }
        if (reason.contains("had taint") || reason.startsWith("have the taint")) {
            return "taint";
        }
        if (reason.contains("free ports") || reason.contains("host port")) {
            return "port";
        }
        if (reason.contains("node affinity") || reason.contains("node selector")) {
            return "selector";
        }
        if (reason.contains("topology spread")) {
            return "spread";
        }
        // kube-scheduler's first words are the same for both.
        if (reason.contains("anti-affinity") || reason.contains("its affinity")) {
            return "anti-affinity";
        }
        throw new AssertionError("not understood: " + reason);
    }
}

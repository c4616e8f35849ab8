package dev.stowage.kube.schedule;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Site;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import java.util.ArrayList;
import java.util.List;

/** The resources that the engine counts: those that some pod asked for. */
final class Resources {
    /** Larger amounts are not counted, so that sums stay in range. */
    static final long MOST = 1L << 50;

    private final List<String> names = new ArrayList<>(List.of("cpu", "memory", "pods"));

    /** Learns what a pod asks for. Returns whether this includes a new resource, which the engine does not know yet. */
    boolean learn(PodFacts pod) {
        int before = names.size();
        pod.requests().keySet().stream()
                .filter(name -> !names.contains(name) && names.size() < Cluster.MAX_RESOURCES)
                .forEach(names::add);
        return names.size() > before;
    }

    /** What a pod asks for that cannot be counted; empty if nothing. */
    String uncountable(PodFacts pod) {
        for (var request : pod.requests().entrySet()) {
            if (request.getValue() > MOST) {
                return "more than " + MOST + " of " + request.getKey();
            }
            if (!names.contains(request.getKey()) && names.size() == Cluster.MAX_RESOURCES) {
                return request.getKey() + ", beyond the " + Cluster.MAX_RESOURCES + " resources that are counted ("
                        + String.join(", ", names) + ")";
            }
        }
        return "";
    }

    Cluster cluster() {
        List<Resource> resources = names.stream()
                .map(name -> Resource.of(name.equals("cpu") ? "cpu_milli" : name))
                .toList();
        return new Cluster(resources, List.of(), List.of(Site.of("cluster")), List.of());
    }

    long[] capacity(NodeFacts node) {
        return names.stream()
                .mapToLong(name -> Math.min(node.amount(name), MOST))
                .toArray();
    }

    /** What a pod asks for; for a running pod as much of it as can be counted. */
    long[] demand(PodFacts pod) {
        return names.stream()
                .mapToLong(name -> Math.min(pod.requests().getOrDefault(name, 0L), MOST))
                .toArray();
    }

    List<String> names() {
        return names;
    }
}

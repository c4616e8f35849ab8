package dev.stowage.kube.schedule;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Site;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import java.util.ArrayList;
import java.util.List;

/** The resources that the engine counts: those that some pod asked for. */
final class Resources {
    /** Larger amounts are not counted, so that sums stay in range. */
    static final long MOST = 1L << 50;

    private final List<String> names = new ArrayList<>(List.of("cpu", "memory", "pods"));
    private final boolean devices;

    /** @param devices whether the policy knows devices */
    Resources(boolean devices) {
        this.devices = devices;
    }

    /** Learns what a pod asks for. Returns whether this includes a new resource, which the engine does not know yet. */
    boolean learn(PodFacts pod) {
        int before = names.size();
        pod.requests().keySet().stream()
                .filter(name -> !names.contains(name) && names.size() < Cluster.MAX_RESOURCES)
                .forEach(names::add);
        return names.size() > before;
    }

    /** Learns what a node has: GPUs are counted one by one where some node shares them. */
    boolean learn(NodeFacts node) {
        return devices
                && node.gpus().areShared()
                && !names.contains(PodGpus.RESOURCE)
                && names.size() < Cluster.MAX_RESOURCES
                && names.add(PodGpus.RESOURCE);
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
                .map(name -> name.equals(PodGpus.RESOURCE)
                        ? Resource.inDevices(name, PodGpus.WHOLE)
                        : Resource.of(name.equals("cpu") ? "cpu_milli" : name))
                .toList();
        return new Cluster(resources, List.of(), List.of(Site.of("cluster")), List.of());
    }

    long[] capacity(NodeFacts node) {
        return names.stream()
                .mapToLong(name -> Math.min(name.equals(PodGpus.RESOURCE) ? gpus(node) : node.amount(name), MOST))
                .toArray();
    }

    private static long gpus(NodeFacts node) {
        return PodGpus.WHOLE
                * (node.gpus().areShared()
                        ? node.gpus().gpus().size()
                        : Math.min(node.amount(PodGpus.GPU), Resource.MOST_DEVICES));
    }

    /** The GPUs that a node shares, by their numbers; 0 if it shares none, or they are not counted. */
    long devices(NodeFacts node) {
        return countsGpus()
                ? node.gpus().gpus().stream()
                        .mapToLong(gpu -> 1L << gpu.number())
                        .sum()
                : 0;
    }

    /**
     * What a pod asks for; for a running pod as much of it as can be counted.
     *
     * @param gpus thousandths of GPUs, a part of one or whole ones
     */
    long[] demand(PodFacts pod, long gpus) {
        long most = PodGpus.WHOLE * Resource.MOST_DEVICES;
        return names.stream()
                .mapToLong(name -> name.equals(PodGpus.RESOURCE)
                        ? Math.min(gpus, most)
                        : Math.min(pod.requests().getOrDefault(name, 0L), MOST))
                .toArray();
    }

    /** Whether GPUs are counted one by one. */
    boolean countsGpus() {
        return names.contains(PodGpus.RESOURCE);
    }

    List<String> names() {
        return names;
    }
}

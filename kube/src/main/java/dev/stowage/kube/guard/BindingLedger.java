package dev.stowage.kube.guard;

import dev.stowage.kube.translate.GpuRoom;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import dev.stowage.kube.translate.Quantities;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each node has, what is bound to it, and which bindings were allowed and may still take effect: such a pod is
 * counted until it is seen bound, is gone, or the binding can no longer take effect. A pod may have such promises on
 * several nodes, because its scheduler gave up a binding of unknown outcome, or another replica decided anew: only one
 * of them can take effect, and all hold room until it is known which. No thread, no clock: the caller must serialize
 * calls.
 */
final class BindingLedger {
    /** A binding that was allowed. */
    private record Promise(PodFacts pod, long nanos) {}

    private final NodeOccupancy occupancy = new NodeOccupancy();
    private final Map<String, PodFacts> waiting = new LinkedHashMap<>();
    /** By node and by the pod's unique id. */
    private final Map<String, Map<String, Promise>> promised = new LinkedHashMap<>();

    void node(NodeFacts node) {
        occupancy.put(node);
    }

    void nodeGone(String name) {
        occupancy.removeNode(name);
    }

    /** A pod is new or has changed. */
    void pod(PodFacts pod) {
        if (pod.isBound()) {
            podGone(pod.uid());
            occupancy.put(pod);
        } else {
            waiting.put(pod.uid(), pod);
        }
    }

    /** A pod is gone, or has finished. */
    void podGone(String uid) {
        waiting.remove(uid);
        promised.values().forEach(there -> there.remove(uid));
        promised.values().removeIf(Map::isEmpty);
        occupancy.removePod(uid);
    }

    /** Whether it matters for a pod which GPUs its annotations name. */
    boolean sharesGpus(PodFacts pod) {
        return occupancy.sharesGpus(pod);
    }

    /** The pod with a unique id, bound or not, or null. */
    @Nullable
    PodFacts find(String uid) {
        PodFacts there = occupancy.pod(uid);
        return there == null ? waiting.get(uid) : there;
    }

    /**
     * Whether a pod may be bound to a node. It is counted there from then on.
     *
     * @param dryRun only a question: nothing is counted
     * @param nanos of a clock that never goes back
     * @return why not; empty if it may
     */
    String ask(PodFacts pod, String nodeName, boolean dryRun, long nanos) {
        if (occupancy.pod(pod.uid()) != null) {
            // The API server refuses a second binding of a bound pod.
            return "";
        }
        NodeFacts node = occupancy.node(nodeName);
        if (node == null) {
            return "there is no node " + nodeName;
        }
        String closed = occupancy.closed(nodeName);
        if (!closed.isEmpty()) {
            return "node " + nodeName + " " + closed;
        }
        Map<String, Promise> there = promised.getOrDefault(nodeName, Map.of());
        String gpus = gpus(pod, node, there);
        if (!gpus.isEmpty()) {
            return "node " + nodeName + " " + gpus + holders(there);
        }
        if (!there.containsKey(pod.uid())) {
            for (Map.Entry<String, Long> request : pod.requests().entrySet()) {
                String resource = request.getKey();
                long free = node.amount(resource) - occupancy.used(nodeName, resource) - held(there, resource);
                if (request.getValue() > free) {
                    return "node " + nodeName + " lacks " + resource + ": "
                            + Quantities.text(resource, request.getValue() - free) + " short" + holders(there);
                }
            }
        }
        if (!dryRun) {
            promised.computeIfAbsent(nodeName, first -> new LinkedHashMap<>())
                    .put(pod.uid(), new Promise(pod.boundTo(nodeName), nanos));
        }
        return "";
    }

    private String gpus(PodFacts pod, NodeFacts node, Map<String, Promise> there) {
        if (pod.gpus().isNone() || !node.gpus().areShared()) {
            return "";
        }
        List<PodFacts> all = new ArrayList<>(occupancy.on(node.name()));
        there.values().forEach(promise -> all.add(promise.pod()));
        return GpuRoom.of(node, all, pod.uid()).refusal(pod.gpus(), node.name());
    }

    private static long held(Map<String, Promise> there, String resource) {
        return there.values().stream()
                .mapToLong(promise -> promise.pod().requests().getOrDefault(resource, 0L))
                .sum();
    }

    private static String holders(Map<String, Promise> there) {
        return there.isEmpty()
                ? ""
                : " (" + there.size() + " being bound to it, the first "
                        + there.values().iterator().next().pod().path() + ")";
    }

    /** Pods whose bindings were allowed before a time and have not been seen since, for each of their nodes. */
    List<PodFacts> promisedBefore(long nanos) {
        return promised.values().stream()
                .flatMap(there -> there.values().stream())
                .filter(promise -> promise.nanos() - nanos < 0)
                .map(Promise::pod)
                .toList();
    }

    /** The bindings of a pod that were allowed before a time did not take effect, and cannot any more. */
    void release(PodFacts pod, long nanos) {
        promised.values()
                .forEach(there -> there.values()
                        .removeIf(promise -> promise.pod().uid().equals(pod.uid()) && promise.nanos() - nanos < 0));
        promised.values().removeIf(Map::isEmpty);
    }

    /**
     * Reports the present state of a pod whose bindings were allowed before a time. A pod that runs is left to the
     * watch: if it were added here, its deletion might never be reported.
     *
     * @param now the pod of that name, or null if there is none
     */
    void isNow(PodFacts promised, @Nullable Pod now, long nanos) {
        if (now == null || !promised.uid().equals(now.getMetadata().getUid()) || PodReader.hasFinished(now)) {
            podGone(promised.uid());
        } else if (!PodReader.read(now).isBound()) {
            release(promised, nanos);
        }
    }

    int promises() {
        return promised.values().stream().mapToInt(Map::size).sum();
    }
}

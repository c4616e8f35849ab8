package dev.stowage.kube.guard;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.Quantities;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each node has, what is bound to it, and which bindings were let through and may take effect yet: such a pod is
 * counted until it is seen bound, is gone, or the binding can no longer take effect. No thread, no clock: whoever calls
 * keeps the calls one after the other.
 */
final class BindingLedger {
    /** A binding that was let through. */
    private record Promise(PodFacts pod, long nanos) {}

    private final NodeOccupancy occupancy = new NodeOccupancy();
    private final Map<String, PodFacts> waiting = new LinkedHashMap<>();
    private final Map<String, Promise> promised = new LinkedHashMap<>();

    void node(NodeFacts node) {
        occupancy.put(node);
    }

    void nodeGone(String name) {
        occupancy.removeNode(name);
    }

    /** A pod is as given from now on. */
    void pod(PodFacts pod) {
        if (pod.isBound()) {
            waiting.remove(pod.uid());
            promised.remove(pod.uid());
            occupancy.put(pod);
        } else {
            waiting.put(pod.uid(), pod);
        }
    }

    /** A pod is gone, or has finished. */
    void podGone(String uid) {
        waiting.remove(uid);
        promised.remove(uid);
        occupancy.removePod(uid);
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
     * @param dryRun only asks: nothing is counted
     * @param nanos of a clock that never goes back
     * @return why not; empty if it may
     */
    String ask(PodFacts pod, String nodeName, boolean dryRun, long nanos) {
        PodFacts known = occupancy.pod(pod.uid());
        if (known != null) {
            return again(known, nodeName, dryRun, nanos);
        }
        NodeFacts node = occupancy.node(nodeName);
        if (node == null) {
            return "there is no node " + nodeName;
        }
        for (Map.Entry<String, Long> request : pod.requests().entrySet()) {
            String resource = request.getKey();
            long free = node.amount(resource) - occupancy.used(nodeName, resource);
            if (request.getValue() > free) {
                return "node " + nodeName + " lacks " + resource + ": "
                        + Quantities.text(resource, request.getValue() - free) + " short";
            }
        }
        if (!dryRun) {
            PodFacts there = pod.boundTo(nodeName);
            occupancy.put(there);
            promised.put(pod.uid(), new Promise(there, nanos));
        }
        return "";
    }

    private String again(PodFacts known, String nodeName, boolean dryRun, long nanos) {
        if (!promised.containsKey(known.uid())) {
            // A second binding of a bound pod is the API server's to refuse.
            return "";
        }
        if (!known.node().equals(nodeName)) {
            return "the pod is being bound to " + known.node();
        }
        if (!dryRun) {
            promised.put(known.uid(), new Promise(known, nanos));
        }
        return "";
    }

    /** Pods whose bindings were let through before a time and have not been seen since. */
    List<PodFacts> promisedBefore(long nanos) {
        return promised.values().stream()
                .filter(promise -> promise.nanos() - nanos < 0)
                .map(Promise::pod)
                .toList();
    }

    /** A binding that was let through before a time did not take effect, and cannot any more. */
    void release(PodFacts pod, long nanos) {
        Promise promise = promised.get(pod.uid());
        if (promise != null && promise.nanos() - nanos < 0) {
            promised.remove(pod.uid());
            occupancy.removePod(pod.uid());
            waiting.put(pod.uid(), pod.boundTo(""));
        }
    }

    int promises() {
        return promised.size();
    }
}

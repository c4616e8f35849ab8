package dev.stowage.kube.guard;

import dev.stowage.kube.translate.GpuRoom;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.Quantities;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What each node has, what is bound to it, and which bindings were allowed and may still take effect, by whichever
 * guard: such a pod is counted until this guard has seen it bound or gone. A pod may have such promises on several
 * nodes, because its scheduler gave up a binding of unknown outcome, or another replica decided anew: only one of them
 * can take effect, and all hold room until it is known which. No thread, no clock: the caller must serialize calls.
 */
final class BindingLedger {
    /**
     * A binding that was allowed.
     *
     * @param pod namespace and name of the pod
     * @param requests what it asks for
     * @param gpus what it is to have of GPUs that pods share
     * @param stamp another one each time that it is allowed
     */
    record Promise(String pod, Map<String, Long> requests, List<PodGpus.Held> gpus, String stamp) {}

    /** A promise that may still hold room, and to which pod and node it is about. */
    record Open(String node, String uid, Promise promise) {}

    /** @param since when this guard first saw it */
    private record Seen(Promise promise, long since) {}

    private static final int DEPARTED = 100_000;

    private final NodeOccupancy occupancy = new NodeOccupancy();
    private final Map<String, PodFacts> waiting = new LinkedHashMap<>();
    /** By node and by the pod's unique id: as they were written last, as far as is known. */
    private final Map<String, Map<String, Seen>> promised = new LinkedHashMap<>();
    /** Unique ids of pods that were bound and are gone, the latest ones: what was promised to them holds nothing. */
    private final Set<String> departed = new LinkedHashSet<>();

    void node(NodeFacts node) {
        occupancy.put(node);
    }

    void nodeGone(String name) {
        occupancy.removeNode(name);
    }

    boolean hasNode(String name) {
        return occupancy.node(name) != null;
    }

    /** A pod is new or has changed. */
    void pod(PodFacts pod) {
        departed.remove(pod.uid());
        if (pod.isBound()) {
            waiting.remove(pod.uid());
            occupancy.put(pod);
        } else {
            waiting.put(pod.uid(), pod);
        }
    }

    /**
     * A pod is gone, or has finished. One that was not seen bound may have been: what was promised to it holds until it
     * is asked for.
     */
    void podGone(String uid) {
        waiting.remove(uid);
        if (occupancy.removePod(uid) == null) {
            return;
        }
        departed.add(uid);
        if (departed.size() > DEPARTED) {
            departed.remove(departed.iterator().next());
        }
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
     * The promises on a node, as guards have written them.
     *
     * @param nanos of a clock that never goes back
     */
    void promises(String node, Map<String, Promise> written, long nanos) {
        Map<String, Seen> before = promised.getOrDefault(node, Map.of());
        Map<String, Seen> now = new LinkedHashMap<>();
        written.forEach((uid, promise) -> {
            Seen known = before.get(uid);
            boolean same = known != null && known.promise().stamp().equals(promise.stamp());
            now.put(uid, same ? known : new Seen(promise, nanos));
        });
        promised.put(node, now);
        if (now.isEmpty()) {
            promised.remove(node);
        }
    }

    /** Whether it has been seen bound. */
    boolean isBound(String uid) {
        return occupancy.pod(uid) != null;
    }

    private boolean holds(String uid) {
        return !isBound(uid) && !departed.contains(uid);
    }

    /**
     * Whether a pod may be bound to a node, beside what is promised there.
     *
     * @return why not; empty if it may
     */
    String ask(PodFacts pod, String nodeName) {
        if (isBound(pod.uid())) {
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
        Map<String, Promise> there = new LinkedHashMap<>();
        promised.getOrDefault(nodeName, Map.of()).forEach((uid, seen) -> {
            if (holds(uid)) {
                there.put(uid, seen.promise());
            }
        });
        if (!pod.gpus().isNone() && node.gpus().areShared()) {
            GpuRoom room = GpuRoom.of(node, occupancy.on(nodeName), pod.uid());
            there.forEach((uid, promise) -> room.hold(uid.equals(pod.uid()) ? List.of() : promise.gpus()));
            String lacks = room.refusal(pod.gpus(), nodeName);
            if (!lacks.isEmpty()) {
                return "node " + nodeName + " " + lacks + holders(there);
            }
        }
        if (there.containsKey(pod.uid())) {
            return "";
        }
        for (Map.Entry<String, Long> request : pod.requests().entrySet()) {
            String resource = request.getKey();
            long held = there.values().stream()
                    .mapToLong(promise -> promise.requests().getOrDefault(resource, 0L))
                    .sum();
            long free = node.amount(resource) - occupancy.used(nodeName, resource) - held;
            if (request.getValue() > free) {
                return "node " + nodeName + " lacks " + resource + ": "
                        + Quantities.text(resource, request.getValue() - free) + " short" + holders(there);
            }
        }
        return "";
    }

    /** What a pod is to have of the GPUs of a node that pods share. */
    List<PodGpus.Held> gpus(PodFacts pod, String nodeName) {
        NodeFacts node = occupancy.node(nodeName);
        return node == null ? List.of() : pod.gpus().heldOf(nodeName, node.gpus());
    }

    private static String holders(Map<String, Promise> there) {
        return there.isEmpty()
                ? ""
                : " (" + there.size() + " being bound to it; the first is "
                        + there.values().iterator().next().pod() + ")";
    }

    /** Promises that hold room and were first seen before a time. */
    List<Open> openSince(long nanos) {
        return before(nanos, true);
    }

    /** Promises that hold no room any more and were first seen before a time. */
    List<Open> settledSince(long nanos) {
        return before(nanos, false);
    }

    private List<Open> before(long nanos, boolean holding) {
        List<Open> found = new ArrayList<>();
        promised.forEach((node, there) -> there.forEach((uid, seen) -> {
            if (seen.since() - nanos < 0 && holds(uid) == holding) {
                found.add(new Open(node, uid, seen.promise()));
            }
        }));
        return found;
    }

    /** Promises that hold room. */
    int promises() {
        return (int) promised.values().stream()
                .flatMap(there -> there.keySet().stream())
                .filter(this::holds)
                .count();
    }
}

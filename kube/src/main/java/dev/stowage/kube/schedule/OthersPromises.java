package dev.stowage.kube.schedule;

import dev.stowage.kube.schedule.KnownPods.KnownPod;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waiting pods that other schedulers have nominated to a node, to be bound when others have left it. Such a pod is
 * counted there, so that ours do not take the room; one of higher priority may (by preemption). This holds as long as
 * pods of lower priority are terminating on the node, and {@value #LONGER_SECONDS} s longer, within which its scheduler
 * should bind it: a nomination may stay in a pod's status although the room is gone, or its scheduler.
 */
final class OthersPromises {
    static final long LONGER_SECONDS = 10;

    private final KnownPods pods;
    private final NodeOccupancy occupancy;
    private final EngineRequests requests;
    private final PodOffers offers;
    private final Consumer<String> release;
    /** Those that are counted, with the time when pods were last seen leaving for them; the least before a look. */
    private final Map<String, Long> counted = new LinkedHashMap<>();
    /** Those whose node is not known. */
    private final Map<String, PodFacts> pending = new LinkedHashMap<>();
    /** The nodes on which pods are counted no longer. */
    private final Map<String, String> over = new LinkedHashMap<>();

    /** @param release removes a pod that is no longer counted, by unique id */
    OthersPromises(
            KnownPods pods,
            NodeOccupancy occupancy,
            EngineRequests requests,
            PodOffers offers,
            Consumer<String> release) {
        this.pods = pods;
        this.occupancy = occupancy;
        this.requests = requests;
        this.offers = offers;
        this.release = release;
    }

    /** A pod of another scheduler that is not bound is new or has changed. */
    void waits(PodFacts pod) {
        String node = pod.preemption().nominated();
        KnownPod entry = pods.get(pod.uid());
        if (node.isEmpty()) {
            over.remove(pod.uid());
        }
        boolean holds = !node.isEmpty() && !pod.terminating() && !node.equals(over.get(pod.uid()));
        if (entry != null && !(holds && entry.pod.node().equals(node))) {
            String before = over.get(pod.uid());
            release.accept(pod.uid());
            entry = null;
            if (before != null) {
                over.put(pod.uid(), before);
            }
        }
        if (holds) {
            count(entry, pod.boundTo(node));
        }
    }

    private void count(@Nullable KnownPod known, PodFacts pod) {
        if (occupancy.node(pod.node()) == null) {
            pending.put(pod.uid(), pod);
            return;
        }
        pending.remove(pod.uid());
        KnownPod entry = known == null ? pods.add(pod) : known;
        entry.pod = pod;
        entry.state = PodState.PROMISED;
        occupancy.promise(pod);
        requests.kinds().touched(pod);
        counted.putIfAbsent(pod.uid(), Long.MIN_VALUE);
        if (requests.isStarted()) {
            offers.adopt(entry);
            offers.settle();
        }
    }

    /** A pod is gone, or bound. */
    void forget(String uid) {
        counted.remove(uid);
        pending.remove(uid);
        over.remove(uid);
    }

    /** Counts those whose node has become known. */
    void countPending() {
        List.copyOf(pending.values()).forEach(pod -> count(null, pod));
    }

    /** Ends what has lasted too long; must be called from time to time. */
    void look(long nanos) {
        countPending();
        for (String uid : List.copyOf(counted.keySet())) {
            KnownPod entry = pods.get(uid);
            if (entry == null || entry.state != PodState.PROMISED) {
                counted.remove(uid);
                continue;
            }
            PodFacts pod = entry.pod;
            long last = counted.getOrDefault(uid, Long.MIN_VALUE);
            boolean leaving = occupancy.on(pod.node()).stream()
                    .anyMatch(other -> other.terminating() && other.priority() < pod.priority());
            if (leaving || last == Long.MIN_VALUE) {
                counted.put(uid, nanos);
            } else if (nanos - last > TimeUnit.SECONDS.toNanos(LONGER_SECONDS)) {
                release.accept(uid);
                over.put(uid, pod.node());
            }
        }
    }
}

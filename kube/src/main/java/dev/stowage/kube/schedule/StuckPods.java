package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Pods that are being deleted and do not end: their grace period is over, and some time beyond it has passed since they
 * were first seen terminating. It has no clock: times are those of the looks.
 */
final class StuckPods {
    private final NodeOccupancy occupancy;
    private final Set<String> justSeen = new LinkedHashSet<>();
    /** When they were first seen terminating. */
    private final Map<String, Long> since = new LinkedHashMap<>();

    private long now = Long.MIN_VALUE;
    private long after;

    StuckPods(NodeOccupancy occupancy) {
        this.occupancy = occupancy;
    }

    /**
     * The time has come to this.
     *
     * @param stuckAfter nanoseconds beyond the grace period
     */
    void look(long nanos, long stuckAfter) {
        now = nanos;
        after = stuckAfter;
        justSeen.forEach(uid -> since.putIfAbsent(uid, nanos));
        justSeen.clear();
        since.keySet().removeIf(uid -> occupancy.pod(uid) == null);
    }

    /** A bound pod is new or has changed. */
    void seen(PodFacts pod) {
        if (pod.terminating()) {
            justSeen.add(pod.uid());
        }
    }

    /** Whether a pod is stuck. */
    boolean isStuck(PodFacts pod) {
        return from(pod) <= now;
    }

    /** The first pod on a node that has become stuck since a time. */
    Optional<PodFacts> stuckSince(String node, long nanos) {
        return occupancy.on(node).stream()
                .filter(pod -> isStuck(pod) && from(pod) > nanos)
                .findFirst();
    }

    /** When it became, or will become, stuck. */
    private long from(PodFacts pod) {
        Long seen = since.get(pod.uid());
        return seen == null
                ? Long.MAX_VALUE
                : seen + TimeUnit.SECONDS.toNanos(pod.preemption().graceSeconds()) + after;
    }

    /** For people. */
    String text(PodFacts pod) {
        return pod.path() + " has not ended on " + pod.node() + ", "
                + TimeUnit.NANOSECONDS.toSeconds(after) + " s after its grace period of "
                + pod.preemption().graceSeconds() + " s";
    }
}

package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;

/**
 * The properties of a pod that concern preemption, beside its priority.
 *
 * @param mayEvict whether it may have pods of lower priority evicted ({@code preemptionPolicy} is not {@code Never})
 * @param nominated its nominated node ({@code status.nominatedNodeName}), empty for none
 * @param mirror whether it mirrors a static pod, which its node starts again after any eviction
 * @param graceSeconds how long it may take to end when it is deleted, seconds
 */
public record PodPreemption(boolean mayEvict, String nominated, boolean mirror, long graceSeconds) {
    private static final long USUAL_GRACE_SECONDS = 30;
    private static final String MIRROR = "kubernetes.io/config.mirror";

    static PodPreemption of(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String node = pod.getStatus() == null ? null : pod.getStatus().getNominatedNodeName();
        return new PodPreemption(
                !"Never".equals(pod.getSpec().getPreemptionPolicy()),
                node == null ? "" : node,
                annotations != null && annotations.containsKey(MIRROR),
                grace(pod));
    }

    private static long grace(Pod pod) {
        Long now = pod.getMetadata().getDeletionGracePeriodSeconds();
        Long usual = now == null ? pod.getSpec().getTerminationGracePeriodSeconds() : now;
        return usual == null ? USUAL_GRACE_SECONDS : usual;
    }
}

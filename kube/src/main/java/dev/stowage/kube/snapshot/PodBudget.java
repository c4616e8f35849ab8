package dev.stowage.kube.snapshot;

import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodSelector;

/**
 * A PodDisruptionBudget.
 *
 * @param namespace namespace
 * @param name name
 * @param selector pods of the namespace that it is for
 * @param allowed how many of them may be disrupted now ({@code status.disruptionsAllowed}); 0 if it does not say
 * @param known whether it says
 */
public record PodBudget(String namespace, String name, PodSelector selector, int allowed, boolean known) {
    /** Whether it is for a pod. */
    public boolean covers(PodFacts pod) {
        return namespace.equals(pod.namespace()) && selector.selects(pod.labels());
    }
}

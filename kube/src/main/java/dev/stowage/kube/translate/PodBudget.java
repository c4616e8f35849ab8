package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A PodDisruptionBudget.
 *
 * @param namespace namespace
 * @param name name
 * @param selector pods of the namespace that it covers
 * @param allowed how many of them may be disrupted now ({@code status.disruptionsAllowed}); 0 if it is not given
 * @param known whether it is given; false if the status belongs to an earlier generation ({@code observedGeneration})
 */
public record PodBudget(String namespace, String name, PodSelector selector, int allowed, boolean known) {
    /**
     * A budget as Kubernetes 1.21 and later have it, {@code policy/v1}.
     *
     * @throws IllegalArgumentException if its selector has an operator that is not known
     */
    public static PodBudget of(PodDisruptionBudget budget) {
        boolean said = budget.getStatus() != null;
        return of(
                budget.getMetadata(),
                budget.getSpec() == null ? null : budget.getSpec().getSelector(),
                said ? budget.getStatus().getDisruptionsAllowed() : null,
                said ? budget.getStatus().getObservedGeneration() : null,
                false);
    }

    /**
     * A budget of {@code policy/v1beta1}, where an empty selector selects no pod.
     *
     * @throws IllegalArgumentException if its selector has an operator that is not known
     */
    public static PodBudget of(io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget budget) {
        boolean said = budget.getStatus() != null;
        return of(
                budget.getMetadata(),
                budget.getSpec() == null ? null : budget.getSpec().getSelector(),
                said ? budget.getStatus().getDisruptionsAllowed() : null,
                said ? budget.getStatus().getObservedGeneration() : null,
                true);
    }

    private static PodBudget of(
            ObjectMeta metadata,
            @Nullable LabelSelector selector,
            @Nullable Integer allowed,
            @Nullable Long observed,
            boolean beta) {
        boolean known = allowed != null
                && (metadata.getGeneration() == null || (observed != null && observed >= metadata.getGeneration()));
        PodSelector read = PodSelector.of(selector);
        return new PodBudget(
                Objects.requireNonNullElse(metadata.getNamespace(), "default"),
                metadata.getName(),
                beta && read.rules().isEmpty() ? new PodSelector(true, List.of()) : read,
                known && allowed != null ? Math.max(0, allowed) : 0,
                known);
    }

    /** Whether it covers a pod. */
    public boolean covers(PodFacts pod) {
        return namespace.equals(pod.namespace()) && selector.selects(pod.labels());
    }

    /** Namespace and name. */
    public String path() {
        return namespace + "/" + name;
    }
}

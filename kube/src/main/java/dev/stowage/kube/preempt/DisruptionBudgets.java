package dev.stowage.kube.preempt;

import dev.stowage.kube.translate.PodBudget;
import dev.stowage.kube.translate.PodFacts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The disruption budgets of a cluster, and why they keep a pod where it is. */
public final class DisruptionBudgets {
    private final Map<String, List<PodBudget>> byNamespace = new LinkedHashMap<>();

    /** An immutable set of these budgets. */
    public DisruptionBudgets(Collection<PodBudget> budgets) {
        budgets.forEach(budget -> byNamespace
                .computeIfAbsent(budget.namespace(), first -> new ArrayList<>())
                .add(budget));
    }

    /** The budgets that cover a pod. */
    List<PodBudget> of(PodFacts pod) {
        return byNamespace.getOrDefault(pod.namespace(), List.of()).stream()
                .filter(budget -> budget.covers(pod))
                .toList();
    }

    /** What keeps a pod from being evicted now, even alone; empty if nothing. */
    Optional<String> obstacle(PodFacts pod) {
        List<PodBudget> own = of(pod);
        if (own.size() > 1) {
            return Optional.of(pod.path() + " has several disruption budgets ("
                    + String.join(", ", own.stream().map(PodBudget::path).toList())
                    + "), and the API server evicts no such pod");
        }
        return own.isEmpty() || own.get(0).allowed() > 0
                ? Optional.empty()
                : Optional.of("the disruption budget " + own.get(0).path()
                        + (own.get(0).known() ? " allows no disruption now" : " does not say yet what it allows")
                        + ", and keeps " + pod.path());
    }
}

package dev.stowage.kube.preempt;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeVerdict;
import dev.stowage.kube.translate.PodBudget;
import dev.stowage.kube.translate.PodFacts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pods that must go from one node so that a waiting pod fits there. It spares one candidate after the other,
 * the most important first, as long as the pod fits without the rest: since one more eviction never makes it worse,
 * this spares the most important ones possible. If a budget allows fewer evictions than there are candidates, the
 * search may have to backtrack and evict an earlier one.
 */
final class VictimSearch {
    /** Limit on checks of the node, after which the search gives up. */
    static final int MOST_LOOKS = 2000;

    /**
     * A pod that may go.
     *
     * @param budget its disruption budget, which allows at least one to go; null if it has none
     */
    record Candidate(PodFacts pod, @Nullable PodBudget budget) {}

    private final PodFacts pod;
    private final NodeFacts node;
    private final NodeOccupancy base;
    private final NodeVerdict verdict;
    private final List<Candidate> order;
    /** How many may still be evicted, by budget. */
    private final Map<PodBudget, Integer> left = new LinkedHashMap<>();

    private final List<PodFacts> going = new ArrayList<>();
    private int looks;

    /**
     * A search that has not been started.
     *
     * @param base nodes and pods, without those that are leaving; restored when the search has ended
     * @param verdict on the pod among these
     * @param candidates pods on the node
     */
    VictimSearch(
            PodFacts pod, NodeFacts node, NodeOccupancy base, NodeVerdict verdict, Collection<Candidate> candidates) {
        this.verdict = verdict;
        this.pod = pod;
        this.node = node;
        this.base = base;
        order = candidates.stream().sorted(mostImportantFirst()).toList();
        for (Candidate candidate : order) {
            if (candidate.budget() != null) {
                left.put(candidate.budget(), candidate.budget().allowed());
            }
        }
    }

    /** Orders by highest priority, then smallest share of the node, then greatest age. */
    private Comparator<Candidate> mostImportantFirst() {
        return Comparator.comparingLong((Candidate each) -> -(long) each.pod().priority())
                .thenComparingDouble(each -> share(each.pod()))
                .thenComparing(each -> each.pod().created())
                .thenComparing(each -> each.pod().path())
                .thenComparing(each -> each.pod().uid());
    }

    /** Its largest share of the resources that the waiting pod also asks for. */
    private double share(PodFacts other) {
        double largest = 0;
        for (String resource : pod.requests().keySet()) {
            long all = node.amount(resource);
            long amount = other.requests().getOrDefault(resource, 0L);
            largest = Math.max(largest, all == 0 ? 0 : (double) amount / all);
        }
        return largest;
    }

    /** The pods that must go; none if the pod fits now, null if it does not fit whichever go. */
    @Nullable
    List<PodFacts> victims() {
        remove(order);
        boolean found = fits() && decide(0);
        order.stream().filter(each -> base.pod(each.pod().uid()) == null).forEach(this::putBack);
        return found ? List.copyOf(going) : null;
    }

    /** Whether it stopped before it had tried everything. */
    boolean gaveUp() {
        return looks >= MOST_LOOKS;
    }

    /**
     * Decides on the candidates from {@code next} on, which are all removed at this point. If there is no solution, the
     * state is restored.
     */
    private boolean decide(int next) {
        if (next == order.size() || gaveUp()) {
            return !gaveUp();
        }
        Candidate candidate = order.get(next);
        PodBudget budget = candidate.budget();
        if (budget != null && left.getOrDefault(budget, 0) == 0) {
            return decide(next + 1);
        }
        putBack(candidate);
        if (fits() && decide(next + 1)) {
            return true;
        }
        remove(List.of(candidate));
        going.add(candidate.pod());
        List<Candidate> kept = budget == null ? List.of() : charge(budget, next + 1);
        if ((kept.isEmpty() || fits()) && decide(next + 1)) {
            return true;
        }
        remove(kept);
        if (budget != null) {
            left.merge(budget, 1, Integer::sum);
        }
        going.remove(going.size() - 1);
        return false;
    }

    /**
     * A pod with this budget is evicted. If the budget allows no more, returns the later candidates that are put back.
     */
    private List<Candidate> charge(PodBudget budget, int next) {
        if (left.merge(budget, -1, Integer::sum) > 0) {
            return List.of();
        }
        List<Candidate> kept = order.subList(next, order.size()).stream()
                .filter(each -> budget.equals(each.budget()))
                .toList();
        kept.forEach(this::putBack);
        return kept;
    }

    private void remove(Collection<Candidate> those) {
        for (Candidate each : those) {
            verdict.left(each.pod());
            base.removePod(each.pod().uid());
        }
    }

    private void putBack(Candidate candidate) {
        base.put(candidate.pod());
        verdict.came(candidate.pod());
    }

    private boolean fits() {
        looks++;
        return !base.isOverfull(node) && verdict.obstacle(node).isEmpty();
    }
}

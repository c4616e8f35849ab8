package dev.stowage.kube.preempt;

import dev.stowage.kube.preempt.PreemptionAnswer.RoomFound;
import dev.stowage.kube.preempt.VictimSearch.Candidate;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeVerdict;
import dev.stowage.kube.translate.PodBudget;
import dev.stowage.kube.translate.PodFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds room for a waiting pod by evicting pods of lower priority, only if that is enough; disruption budgets are
 * respected. On a node, pods that need not go are spared, those of the highest priority first; of equals the smallest,
 * then the oldest. The node is chosen on which the highest priority of a victim is lowest, then the one with the least
 * sum of the victims' priorities, each raised by 2^31 + 1, then the one with the fewest victims, then the first by
 * name; the pod's nominated node comes before all others.
 *
 * <p>Pods that are terminating count as gone unless they are stuck, and room that is reserved for pods of lower
 * priority counts as free. The search ends after {@value #ENOUGH_NODES} nodes with room.
 *
 * <p>Source: Kubernetes 1.20.2, {@code pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go};
 * kube-scheduler violates budgets if there is no other way, this planner never.
 */
public final class PreemptionPlanner {
    static final int ENOUGH_NODES = 100;
    private static final long LEAST_PRIORITY = Integer.MIN_VALUE;

    private final NodeOccupancy live;
    private final DisruptionBudgets budgets;
    private final Function<PodFacts, PodStanding> standing;

    /**
     * A planner, valid until any of these changes.
     *
     * @param live nodes and the pods counted on them
     * @param standing of a pod on a node
     */
    public PreemptionPlanner(NodeOccupancy live, DisruptionBudgets budgets, Function<PodFacts, PodStanding> standing) {
        this.live = live;
        this.budgets = budgets;
        this.standing = standing;
    }

    /** What preemption can do for a pod that waits. */
    public PreemptionAnswer plan(PodFacts pod) {
        NodeVerdict now = new NodeVerdict(pod, live);
        if (live.nodes().stream()
                .anyMatch(node -> !live.isOverfull(node) && now.obstacle(node).isEmpty())) {
            return PreemptionAnswer.notNeeded();
        }
        NodeOccupancy base = live.copy();
        Set<String> losing = withoutThoseThatGo(base, pod);
        NodeVerdict later = new NodeVerdict(pod, base);
        boolean bounded = false;
        VictimPlan best = null;
        int found = 0;
        for (NodeFacts node : order(pod, later)) {
            VictimSearch search = new VictimSearch(pod, node, base, later, candidates(pod, node.name(), true));
            @Nullable List<PodFacts> victims = search.victims();
            bounded = bounded || search.gaveUp();
            if (victims == null || (victims.isEmpty() && !losing.contains(node.name()))) {
                continue;
            }
            VictimPlan plan = new VictimPlan(node.name(), victims);
            if (node.name().equals(pod.preemption().nominated())) {
                return room(plan, "it was promised that node");
            }
            best = best == null || VictimPlan.ORDER.compare(plan, best) < 0 ? plan : best;
            if (++found == ENOUGH_NODES) {
                break;
            }
        }
        return best == null
                ? PreemptionAnswer.noRoom(inTheWay(pod, base, later, bounded))
                : room(
                        best,
                        found == 1
                                ? "no other node is suitable"
                                : "chosen from " + found + " suitable nodes: " + why(best));
    }

    /** Removes the pods that count as gone, and returns the nodes that lose pods of lower priority this way. */
    private Set<String> withoutThoseThatGo(NodeOccupancy base, PodFacts pod) {
        Set<String> losing = new LinkedHashSet<>();
        for (NodeFacts node : live.nodes()) {
            for (PodFacts other : live.on(node.name())) {
                if (isAsGoneFor(pod, other)) {
                    base.removePod(other.uid());
                    if (other.priority() < pod.priority()) {
                        losing.add(node.name());
                    }
                }
            }
        }
        return losing;
    }

    /** Nodes that could take it if they were empty, its nominated node first. */
    private List<NodeFacts> order(PodFacts pod, NodeVerdict verdict) {
        Comparator<NodeFacts> promised = Comparator.comparing(
                node -> !node.name().equals(pod.preemption().nominated()));
        return live.nodes().stream()
                .filter(verdict::couldIfEmpty)
                .sorted(promised)
                .toList();
    }

    private boolean isAsGoneFor(PodFacts pod, PodFacts other) {
        if (other.uid().equals(pod.uid())) {
            // It has room reserved, and looks for another node.
            return true;
        }
        return switch (standing.apply(other)) {
            case LEAVING -> true;
            case NOMINATED -> other.priority() < pod.priority();
            case STUCK -> false;
            case BOUND, STAYS -> other.terminating();
        };
    }

    /** Pods on a node that may be evicted for a pod. */
    private List<Candidate> candidates(PodFacts pod, String node, boolean keepBudgets) {
        List<Candidate> candidates = new ArrayList<>();
        for (PodFacts other : live.on(node)) {
            if (other.priority() < pod.priority()
                    && !other.terminating()
                    && !other.preemption().mirror()
                    && standing.apply(other) == PodStanding.BOUND) {
                if (!keepBudgets) {
                    candidates.add(new Candidate(other, null));
                } else if (budgets.obstacle(other).isEmpty()) {
                    List<PodBudget> own = budgets.of(other);
                    candidates.add(new Candidate(other, own.isEmpty() ? null : own.get(0)));
                }
            }
        }
        return candidates;
    }

    private String inTheWay(PodFacts pod, NodeOccupancy base, NodeVerdict later, boolean bounded) {
        for (NodeFacts node : order(pod, later)) {
            @Nullable
            List<PodFacts> victims =
                    new VictimSearch(pod, node, base, later, candidates(pod, node.name(), false)).victims();
            if (victims != null && !victims.isEmpty()) {
                String kept = victims.stream()
                        .flatMap(victim -> budgets.obstacle(victim).stream())
                        .findFirst()
                        .orElseGet(() -> tooMany(victims));
                return "there would be room on " + node.name() + ", but " + kept;
            }
        }
        return bounded
                ? "there were too many possibilities to check"
                : "evicting pods of lower priority would not make room on any node";
    }

    private String tooMany(List<PodFacts> victims) {
        return "more pods would have to go than the disruption budget "
                + victims.stream()
                        .flatMap(victim -> budgets.of(victim).stream())
                        .findFirst()
                        .map(PodBudget::path)
                        .orElse("of its pods")
                + " allows";
    }

    private static String why(VictimPlan plan) {
        return plan.victims().isEmpty()
                ? "no other pod needs to be evicted there"
                : "evictions there have the lowest priorities and are the fewest";
    }

    private PreemptionAnswer room(VictimPlan plan, String reason) {
        // Evictions that may be refused come first, so that no pod is evicted in vain.
        List<PodFacts> victims = new ArrayList<>(plan.victims());
        victims.sort(Comparator.comparing((PodFacts victim) ->
                budgets.of(victim).stream().mapToInt(PodBudget::allowed).min().orElse(Integer.MAX_VALUE)));
        return new PreemptionAnswer(RoomFound.ROOM, plan.node(), victims, reason);
    }

    /** The victims on a node. */
    private record VictimPlan(String node, List<PodFacts> victims) {
        static final Comparator<VictimPlan> ORDER = Comparator.comparingLong(VictimPlan::highest)
                .thenComparingLong(VictimPlan::sum)
                .thenComparingInt(plan -> plan.victims().size())
                .thenComparing(VictimPlan::node);

        long highest() {
            return victims.stream().mapToLong(PodFacts::priority).max().orElse(Long.MIN_VALUE);
        }

        /** Each counts by its distance above the least possible priority, so that fewer victims have a smaller sum. */
        long sum() {
            return victims.stream()
                    .mapToLong(victim -> victim.priority() - LEAST_PRIORITY + 1)
                    .sum();
        }
    }
}

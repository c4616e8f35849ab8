package dev.stowage.kube.schedule;

import dev.stowage.kube.preempt.DisruptionBudgets;
import dev.stowage.kube.preempt.PodStanding;
import dev.stowage.kube.preempt.PreemptionAnswer;
import dev.stowage.kube.preempt.PreemptionAnswer.RoomFound;
import dev.stowage.kube.preempt.PreemptionPlanner;
import dev.stowage.kube.schedule.KnownPods.KnownPod;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeVerdict;
import dev.stowage.kube.translate.PodFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pods for which others are evicted. Such a pod is counted on its node at once, beside the victims that are leaving, so
 * that no other pod takes the room; it is bound when they are gone and all its rules hold. This state is not stored: a
 * new scheduler finds the node in the pod's status, and the terminating pods.
 */
final class Nominations {
    private static final long FIRST_WAIT = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(10);
    private static final long LONGEST_REFUSED = TimeUnit.MINUTES.toNanos(10);
    /** Longer than one search per waiting pod takes, so that all have their turn. */
    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(50);
    /** Number of pods that are planned for before new events are processed. */
    private static final int PLANS_AT_ONCE = 20;

    private record Nomination(KnownPod entry, Set<String> victims, String reason) {}

    /** When it is tried again, and the length of that wait. */
    private record Wait(long until, long length) {}

    private final KnownPods pods;
    private final NodeOccupancy occupancy;
    private final EngineRequests requests;
    private final PodPlacements placements;
    private final PodOffers offers;
    private final Decisions decisions;
    private final Map<String, Nomination> byUid = new LinkedHashMap<>();
    private final Map<String, Wait> waits = new LinkedHashMap<>();
    /**
     * Pods whose eviction was refused, with the time before which it is not requested again; the wait grows each time.
     */
    private final Map<String, Wait> refused = new LinkedHashMap<>();
    /**
     * Pods whose eviction was requested, with the time until which they count as leaving although they are not seen
     * terminating.
     */
    private final Map<String, Long> asked = new LinkedHashMap<>();

    /** The victims of all nominations. */
    private final Set<String> leaving = new HashSet<>();

    private @Nullable DisruptionBudgets budgets;
    /** The time of the last call of {@link #look}. */
    private long nanosNow = Long.MIN_VALUE;

    private int waiting;

    Nominations(
            KnownPods pods,
            NodeOccupancy occupancy,
            EngineRequests requests,
            PodPlacements placements,
            PodOffers offers,
            Decisions decisions) {
        this.pods = pods;
        this.occupancy = occupancy;
        this.requests = requests;
        this.placements = placements;
        this.offers = offers;
        this.decisions = decisions;
    }

    /** Replaces the disruption budgets. */
    void budgets(DisruptionBudgets now) {
        if (budgets == null) {
            // Until now no pod could be evicted for the waiting ones.
            waits.clear();
        }
        budgets = now;
    }

    /** A pod is gone, or bound. */
    void forget(String uid) {
        Nomination nomination = byUid.get(uid);
        if (nomination != null) {
            decisions.promiseEnds(nomination.entry().pod);
        }
        remove(uid);
        waits.remove(uid);
    }

    private void remove(String uid) {
        Nomination nomination = byUid.remove(uid);
        if (nomination != null) {
            leaving.removeAll(nomination.victims());
        }
    }

    /** A pod gives up its reserved room, and is offered again. */
    void giveUp(KnownPod entry) {
        remove(entry.pod.uid());
        placements.takeBack(entry);
        offers.leaveEngine(entry);
        offers.oneLeft();
        entry.state = PodState.FITS_NOWHERE;
        offers.add(entry);
        decisions.notNominated(entry.pod);
    }

    /**
     * An eviction for a pod was refused.
     *
     * @param victim the pod whose eviction was refused; empty if the waiting pod's status could not be written
     * @param staying unique ids of all whose eviction was refused or not requested
     */
    void refused(String uid, String victim, List<String> staying, String why, long nanos) {
        staying.forEach(asked::remove);
        if (!victim.isEmpty()) {
            Wait before = refused.get(victim);
            long length = before == null ? LONGEST_WAIT : Math.min(LONGEST_REFUSED, 2 * before.length());
            refused.put(victim, new Wait(nanos + length, length));
        }
        Nomination nomination = byUid.get(uid);
        // A late answer may be about an earlier nomination.
        if (nomination != null && (victim.isEmpty() || nomination.victims().contains(victim))) {
            giveUp(nomination.entry());
            wait(uid, nanos);
            say(nomination.entry(), why);
        }
    }

    // ---- those that are nominated

    /** Binds the nominated pods whose room is free. */
    void bindReady() {
        for (Nomination nomination : inOrder()) {
            KnownPod entry = nomination.entry();
            NodeFacts node = occupancy.node(entry.pod.node());
            if (node != null
                    && hasRoom(entry, node)
                    && new NodeVerdict(entry.pod, occupancy)
                            .obstacleBesideRoom(node)
                            .isEmpty()) {
                forget(entry.pod.uid());
                entry.state = PodState.ASSUMED;
                decisions.bind(entry.pod, node.name(), "preemption: " + nomination.reason());
            }
        }
    }

    /** Whether the node has enough, apart from other nominated pods that hold room there. */
    private boolean hasRoom(KnownPod entry, NodeFacts node) {
        Map<String, Long> used = occupancy.used(node.name());
        for (Nomination other : byUid.values()) {
            PodFacts pod = other.entry().pod;
            if (other.entry() != entry && pod.node().equals(node.name())) {
                pod.requests().forEach((resource, amount) -> used.merge(resource, -amount, Long::sum));
            }
        }
        return used.entrySet().stream().allMatch(sum -> sum.getValue() <= node.amount(sum.getKey()));
    }

    private List<Nomination> inOrder() {
        return byUid.values().stream()
                .sorted((one, other) -> KnownPods.OFFERED_FIRST.compare(one.entry(), other.entry()))
                .toList();
    }

    /**
     * A nominated pod is offered again if its room will not become free, because somebody else took it or the node
     * changed.
     */
    private void giveUpHopeless(long nanos) {
        if (byUid.isEmpty()) {
            return;
        }
        NodeOccupancy later = occupancy.copy();
        for (NodeFacts node : occupancy.nodes()) {
            for (PodFacts pod : occupancy.on(node.name())) {
                PodStanding standing = standing(pod);
                if (pod.terminating() || standing == PodStanding.LEAVING || standing == PodStanding.NOMINATED) {
                    later.removePod(pod.uid());
                }
            }
        }
        for (Nomination nomination : inOrder()) {
            PodFacts pod = nomination.entry().pod;
            NodeFacts node = occupancy.node(pod.node());
            if (node != null
                    && !later.isOverfull(node)
                    && new NodeVerdict(pod, later).obstacle(node).isEmpty()) {
                later.put(pod);
            } else {
                giveUp(nomination.entry());
                wait(pod.uid(), nanos);
            }
        }
    }

    private PodStanding standing(PodFacts pod) {
        if (byUid.containsKey(pod.uid())) {
            return PodStanding.NOMINATED;
        }
        if (asked.containsKey(pod.uid()) || leaving.contains(pod.uid())) {
            return PodStanding.LEAVING;
        }
        KnownPod entry = pods.get(pod.uid());
        Wait not = refused.get(pod.uid());
        return entry == null
                        || entry.state != PodState.BOUND
                        || budgets == null
                        || (not != null && not.until() > nanosNow)
                ? PodStanding.STAYS
                : PodStanding.BOUND;
    }

    /** A nominated pod whose victims stay for long is offered again if another node can take it now. */
    private void giveUpForAnotherNode() {
        inOrder().stream().limit(PLANS_AT_ONCE).forEach(nomination -> {
            PodFacts pod = nomination.entry().pod;
            boolean another = occupancy.nodes().stream()
                    .filter(node -> !node.name().equals(pod.node()) && !occupancy.isOverfull(node))
                    .anyMatch(node ->
                            new NodeVerdict(pod, occupancy).obstacle(node).isEmpty());
            if (another) {
                giveUp(nomination.entry());
            }
        });
    }

    // ---- those that wait

    /** Looks for room for waiting pods; must be called from time to time. */
    void look(long nanos) {
        nanosNow = nanos;
        refused.keySet().removeIf(uid -> pods.get(uid) == null);
        asked.values().removeIf(until -> until - nanos <= 0);
        giveUpHopeless(nanos);
        giveUpForAnotherNode();
        offers.settle();
        pods.all().stream()
                .filter(entry -> !entry.preemption.isEmpty() && !occupancy.hasBelow(entry.pod.priority()))
                .forEach(entry -> entry.preemption = "");
        plan(nanos);
        giveUpHopeless(nanos);
        offers.settle();
    }

    private void plan(long nanos) {
        List<KnownPod> toPlan = pods.all().stream()
                .filter(Nominations::waits)
                .filter(entry -> occupancy.hasBelow(entry.pod.priority()))
                .sorted(KnownPods.OFFERED_FIRST)
                .toList();
        waiting = toPlan.size();
        List<KnownPod> without = new ArrayList<>();
        int plans = 0;
        for (KnownPod entry : toPlan) {
            Wait wait = waits.get(entry.pod.uid());
            if (!waits(entry) || (wait != null && wait.until() - nanos > 0)) {
                continue;
            }
            KnownPod like = without.stream()
                    .filter(one -> one.pod.namespace().equals(entry.pod.namespace())
                            && one.pod.preemption().mayEvict()
                                    == entry.pod.preemption().mayEvict()
                            && one.pod.asksTheSameAs(entry.pod))
                    .findFirst()
                    .orElse(null);
            if (like != null) {
                wait(entry.pod.uid(), nanos);
                say(entry, like.preemption);
            } else if (plans++ == PLANS_AT_ONCE) {
                return;
            } else if (!plan(entry, nanos)) {
                without.add(entry);
            }
        }
    }

    private static boolean waits(KnownPod entry) {
        return entry.state == PodState.QUEUED || entry.state == PodState.FITS_NOWHERE;
    }

    /** Looks for room for a pod. Returns whether it has room now, or will have. */
    private boolean plan(KnownPod entry, long nanos) {
        String notTried = notTried(entry.pod);
        PreemptionAnswer answer = notTried.isEmpty() ? planner().plan(entry.pod) : PreemptionAnswer.noRoom(notTried);
        if (answer.outcome() == RoomFound.ROOM && entry.inEngine) {
            // Another pod may be placed when this one leaves the queue.
            offers.leaveEngine(entry);
            entry.state = PodState.FITS_NOWHERE;
            offers.settle();
            answer = planner().plan(entry.pod);
            if (answer.outcome() != RoomFound.ROOM) {
                offers.add(entry);
                offers.settle();
            }
        }
        if (answer.outcome() == RoomFound.ROOM) {
            nominate(entry, answer, nanos);
            return true;
        }
        wait(entry.pod.uid(), nanos);
        say(entry, budgets == null ? "the disruption budgets of the cluster are not known yet" : answer.reason());
        return answer.outcome() == RoomFound.NOT_NEEDED;
    }

    private PreemptionPlanner planner() {
        return new PreemptionPlanner(
                occupancy, budgets == null ? new DisruptionBudgets(List.of()) : budgets, this::standing);
    }

    private String notTried(PodFacts pod) {
        return !pod.preemption().mayEvict()
                ? "its preemptionPolicy is Never"
                : pod.group().isGang() ? "nobody is evicted for a pod of a group" : "";
    }

    private void nominate(KnownPod entry, PreemptionAnswer answer, long nanos) {
        List<String> going = answer.victims().stream().map(PodFacts::path).toList();
        String reason = going.isEmpty()
                ? "what left " + answer.node() + " made enough room"
                : String.join(", ", going) + " of lower priority left " + answer.node() + " for it; " + answer.reason();
        Set<String> victims = new LinkedHashSet<>();
        // Victims whose eviction was refused before come first, so that the others are not evicted in vain.
        List<PodFacts> asking = answer.victims().stream()
                .sorted(Comparator.comparing((PodFacts victim) -> !refused.containsKey(victim.uid())))
                .toList();
        asking.forEach(victim -> victims.add(victim.uid()));
        victims.forEach(victim -> asked.put(victim, nanos + LONGEST_WAIT));
        byUid.put(entry.pod.uid(), new Nomination(entry, victims, reason));
        leaving.addAll(victims);
        entry.preemption = "";
        entry.waitsFor(
                going.isEmpty()
                        ? "until those have gone that leave " + answer.node() + ", which is promised to it"
                        : "until " + String.join(", ", going) + " of lower priority have gone from " + answer.node()
                                + ", which is promised to it");
        entry.pod = entry.pod.boundTo(answer.node());
        entry.state = PodState.NOMINATED;
        occupancy.put(entry.pod);
        requests.kinds().touched(entry.pod);
        offers.adopt(entry);
        requests.part(entry);
        decisions.nominate(entry.pod, answer.node(), asking, answer.reason());
        offers.settle();
    }

    private void wait(String uid, long nanos) {
        Wait before = waits.get(uid);
        long length =
                before == null ? FIRST_WAIT : Math.min(Math.max(LONGEST_WAIT, waiting * TURN), 2 * before.length());
        waits.put(uid, new Wait(nanos + length, length));
    }

    /** Records why no pod is evicted for it; for people. */
    private void say(KnownPod entry, String why) {
        if (!why.equals(entry.preemption)) {
            entry.preemption = why;
            decisions.waits(entry.pod);
        }
    }
}

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
import java.util.Optional;
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
    /** For this long the room is kept for a pod whose binding is refused: longer than a guard holds what was lost. */
    private static final long KEPT = TimeUnit.SECONDS.toNanos(90);
    /** For one pod, this often another node is chosen because those that were evicted do not end. */
    private static final int MOST_CHOICES = 3;
    /** Number of pods that are planned for before new events are processed. */
    private static final int PLANS_AT_ONCE = 20;

    /** @param made when it was made, nanoseconds */
    private record Nomination(KnownPod entry, Set<String> victims, String reason, long made) {}

    /** Another node was chosen so often, and none is looked for until then. */
    private record Choices(int times, long until) {}

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

    /** Those whose binding is under way. */
    private final Map<String, Nomination> binding = new LinkedHashMap<>();
    /** Those whose binding was refused, with the time of the first refusal. */
    private final Map<String, Long> notBound = new LinkedHashMap<>();
    /** Those whose binding was refused, and which are not bound before {@link #again}. */
    private final Set<String> pausing = new LinkedHashSet<>();
    /** Those for which another node was chosen, or looked for. */
    private final Map<String, Choices> choices = new LinkedHashMap<>();

    private final StuckPods stuck;
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
        stuck = new StuckPods(occupancy);
    }

    /** A bound pod is new or has changed. */
    void seen(PodFacts pod) {
        stuck.seen(pod);
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
        binding.remove(uid);
        notBound.remove(uid);
        choices.remove(uid);
    }

    private void remove(String uid) {
        pausing.remove(uid);
        Nomination nomination = byUid.remove(uid);
        if (nomination != null) {
            leaving.removeAll(nomination.victims());
        }
    }

    /** A pod gives up its reserved room, and is offered again. */
    void giveUp(KnownPod entry) {
        remove(entry.pod.uid());
        notBound.remove(entry.pod.uid());
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

    /**
     * The binding of a pod was refused. Returns whether it is nominated to the node again, because others were evicted
     * for it: by {@link #again} it may be bound.
     */
    boolean keepsRoom(KnownPod entry, String why) {
        String uid = entry.pod.uid();
        Nomination nomination = binding.remove(uid);
        if (nomination == null) {
            return false;
        }
        Long before = notBound.putIfAbsent(uid, nanosNow);
        if (before != null && nanosNow - before > KEPT) {
            notBound.remove(uid);
            decisions.notNominated(entry.pod);
            return false;
        }
        byUid.put(uid, nomination);
        pausing.add(uid);
        entry.state = PodState.NOMINATED;
        entry.waitsFor(
                "to be bound to " + entry.pod.node() + ", which is promised to it; its binding was refused: " + why);
        decisions.waits(entry.pod);
        return true;
    }

    /** A pod whose room was kept may be bound again. */
    void again(String uid) {
        pausing.remove(uid);
    }

    // ---- those that are nominated

    /** Binds the nominated pods whose room is free. */
    void bindReady() {
        for (Nomination nomination : inOrder()) {
            KnownPod entry = nomination.entry();
            NodeFacts node = occupancy.node(entry.pod.node());
            if (node != null
                    && !pausing.contains(entry.pod.uid())
                    && hasRoom(entry, node)
                    && new NodeVerdict(entry.pod, occupancy)
                            .obstacleBesideRoom(node)
                            .isEmpty()) {
                remove(entry.pod.uid());
                waits.remove(entry.pod.uid());
                decisions.promiseEnds(entry.pod);
                binding.put(entry.pod.uid(), new Nomination(entry, Set.of(), nomination.reason(), nomination.made()));
                entry.state = PodState.ASSUMED;
                decisions.bind(entry.pod, node.name(), "preemption: " + nomination.reason());
            }
        }
    }

    /** Whether the node has enough, apart from other nominated pods that hold room there. */
    private boolean hasRoom(KnownPod entry, NodeFacts node) {
        Map<String, Long> used = occupancy.used(node.name());
        for (PodFacts pod : occupancy.on(node.name())) {
            KnownPod other = pods.get(pod.uid());
            boolean isPromise = other != null
                    && other != entry
                    && ((other.state == PodState.NOMINATED && !pausing.contains(pod.uid()))
                            || (other.state == PodState.PROMISED && pod.priority() < entry.pod.priority()));
            if (isPromise) {
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
        KnownPod entry = pods.get(pod.uid());
        if (byUid.containsKey(pod.uid()) || (entry != null && entry.state == PodState.PROMISED)) {
            return PodStanding.NOMINATED;
        }
        if (stuck.isStuck(pod)) {
            return PodStanding.STUCK;
        }
        if (asked.containsKey(pod.uid()) || leaving.contains(pod.uid())) {
            return PodStanding.LEAVING;
        }
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

    /**
     * A nominated pod whose node is not left, because some pod does not end there, gets another one, if pods may be
     * evicted from that.
     */
    private void chooseAgain(long nanos) {
        int plans = 0;
        for (Nomination nomination : inOrder()) {
            KnownPod entry = nomination.entry();
            Optional<PodFacts> staying = stuck.stuckSince(entry.pod.node(), nomination.made());
            Choices before = choices.getOrDefault(entry.pod.uid(), new Choices(0, nanos));
            if (!nomination.equals(byUid.get(entry.pod.uid()))
                    || staying.isEmpty()
                    || before.times() == MOST_CHOICES
                    || before.until() - nanos > 0) {
                continue;
            }
            if (plans++ == PLANS_AT_ONCE) {
                return;
            }
            PreemptionAnswer answer = planner().plan(entry.pod);
            boolean another = answer.outcome() == RoomFound.ROOM;
            choices.put(entry.pod.uid(), new Choices(before.times() + (another ? 1 : 0), nanos + LONGEST_WAIT));
            if (another) {
                giveUp(entry);
                nominate(
                        entry,
                        answer.because(stuck.text(staying.get()) + ", so another choice was made: " + answer.reason()),
                        nanos);
            } else {
                String why = "until others have gone from " + entry.pod.node() + ", which is promised to it; "
                        + stuck.text(staying.get()) + ", and no other node was found: " + answer.reason();
                if (!entry.isWaitingFor(why)) {
                    entry.waitsFor(why);
                    decisions.waits(entry.pod);
                }
            }
        }
    }

    // ---- those that wait

    /** Looks for room for waiting pods; must be called from time to time. */
    void look(long nanos, long stuckAfter) {
        nanosNow = nanos;
        stuck.look(nanos, stuckAfter);
        refused.keySet().removeIf(uid -> pods.get(uid) == null);
        asked.values().removeIf(until -> until - nanos <= 0);
        giveUpHopeless(nanos);
        giveUpForAnotherNode();
        offers.settle();
        chooseAgain(nanos);
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
        if (answer.outcome() == RoomFound.NO_ROOM
                && !entry.pod.preemption().nominated().isEmpty()) {
            // Somebody else has written it, or it could not be removed: whoever reads it would reserve room in vain.
            decisions.notNominated(entry.pod);
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
                : offers.isOfGang(pod)
                        ? "no pod is evicted for a pod of a group"
                        : occupancy.sharesGpus(pod) ? "no pod is evicted for one that asks for shared GPUs" : "";
    }

    private void nominate(KnownPod entry, PreemptionAnswer answer, long nanos) {
        List<String> going = answer.victims().stream().map(PodFacts::path).toList();
        String reason = going.isEmpty()
                ? "the pods that left " + answer.node() + " made enough room"
                : String.join(", ", going) + " of lower priority left " + answer.node() + " for it; " + answer.reason();
        Set<String> victims = new LinkedHashSet<>();
        // Victims whose eviction was refused before come first, so that the others are not evicted in vain.
        List<PodFacts> asking = answer.victims().stream()
                .sorted(Comparator.comparing((PodFacts victim) -> !refused.containsKey(victim.uid())))
                .toList();
        asking.forEach(victim -> victims.add(victim.uid()));
        victims.forEach(victim -> asked.put(victim, nanos + LONGEST_WAIT));
        byUid.put(entry.pod.uid(), new Nomination(entry, victims, reason, nanos));
        leaving.addAll(victims);
        entry.preemption = "";
        entry.waitsFor(
                going.isEmpty()
                        ? "until the pods leaving " + answer.node() + ", which is promised to it, have gone"
                        : "until " + String.join(", ", going) + " of lower priority have gone from " + answer.node()
                                + ", which is promised to it");
        entry.pod = entry.pod.boundTo(answer.node());
        entry.state = PodState.NOMINATED;
        occupancy.promise(entry.pod);
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

package dev.stowage.kube.schedule;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.kube.schedule.KnownPods.KnownPod;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Offers pods to the policy, one after the other or as a gang, and carries out what it decides. */
final class PodOffers {
    private final KnownPods pods;
    private final PodGroups groups;
    private final NodeOccupancy occupancy;
    private final EngineRequests requests;
    private final PodPlacements placements;
    private final Decisions decisions;
    private final Runnable restart;
    private final ArrayDeque<KnownPod> toOffer = new ArrayDeque<>();
    private boolean nodesChanged;
    private boolean offerWhenOneLeaves;

    /** @param restart starts a new engine with everything known */
    PodOffers(
            KnownPods pods,
            PodGroups groups,
            NodeOccupancy occupancy,
            EngineRequests requests,
            PodPlacements placements,
            Decisions decisions,
            Runnable restart) {
        this.pods = pods;
        this.groups = groups;
        this.occupancy = occupancy;
        this.requests = requests;
        this.placements = placements;
        this.decisions = decisions;
        this.restart = restart;
    }

    /** Offers all waiting pods to a new engine. */
    void begin() {
        toOffer.clear();
        add(pods.toOffer());
        settle();
    }

    /** A pod will be offered by the next {@link #settle}. */
    void add(KnownPod entry) {
        toOffer.add(entry);
    }

    void add(Collection<KnownPod> entries) {
        toOffer.addAll(entries);
    }

    /** Offers pods again that were turned away, if nodes have changed since. */
    void addTurnedAway() {
        if (nodesChanged) {
            nodesChanged = false;
            add(pods.in(PodState.FITS_NOWHERE));
            settle();
        }
    }

    /** Pods that were turned away may fit now. */
    void nodesChanged() {
        nodesChanged = true;
    }

    /** A pod is gone: pods that were turned away for lack of room may fit now. */
    void oneLeft() {
        nodesChanged = nodesChanged || offerWhenOneLeaves;
        offerWhenOneLeaves = false;
    }

    /** Whether a pod is one of several that are bound at once. */
    boolean isOfGang(PodFacts pod) {
        KnownPod known = pods.get(pod.uid());
        return known != null && groups.isTogether(known);
    }

    /** Waiting pods of a group are offered anew, because their group is another now. */
    void regroup(List<KnownPod> waiting) {
        for (KnownPod entry : waiting) {
            leaveEngine(entry);
            entry.state = PodState.GATHERING;
        }
        add(waiting);
    }

    /** A pod leaves the engine, together with its gang. */
    void leaveEngine(KnownPod entry) {
        if (entry.gang != null) {
            dissolve(entry.gang, PodState.GATHERING);
            return;
        }
        requests.leave(entry);
    }

    /** Adopts a running pod. */
    void adopt(KnownPod entry) {
        learn(entry.pod);
        if (!entry.inEngine) {
            requests.adopt(entry);
        }
    }

    /** Learns vocabulary and resources; a new resource needs a new engine. */
    void learn(PodFacts pod) {
        if (requests.learnResources(pod)) {
            restart.run();
        }
        requests.learnWords(pod);
    }

    private void arrive(KnownPod entry) {
        PodFacts pod = entry.pod;
        if (pods.get(pod.uid()) != entry || !entry.isWaiting() || entry.inEngine) {
            return;
        }
        entry.state = PodState.NOT_KNOWN;
        String notKnown = requests.notKnown(pod);
        if (notKnown.isEmpty()) {
            notKnown = groups.notKnown(entry);
        }
        entry.waitsFor(notKnown);
        if (!notKnown.isEmpty()) {
            decisions.waits(pod);
            return;
        }
        List<KnownPod> together = groups.toPlaceWith(entry);
        if (!together.contains(entry)) {
            entry.state = PodState.GATHERING;
            decisions.waits(pod);
        }
        if (!together.isEmpty()) {
            admit(together);
        }
    }

    private void admit(List<KnownPod> members) {
        Engine before = requests.engine();
        members.forEach(entry -> learn(entry.pod));
        if (requests.engine() != before) {
            // All waiting pods are offered to the new one.
            return;
        }
        EngineEvents.Refused refusal = requests.arrive(members);
        if (refusal != null) {
            for (KnownPod entry : members) {
                entry.gang = null;
                entry.waitsFor(refusal);
                turnedAway(entry, refusal.why() == Refusal.FITS_NO_SERVER);
            }
        }
    }

    /** The pods of a gang leave the engine, and are offered again if they wait for each other. */
    private void dissolve(PodGang gang, PodState state) {
        gang.end();
        for (KnownPod entry : gang.members()) {
            leaveEngine(entry);
            entry.state = state;
            if (state == PodState.GATHERING) {
                add(entry);
            } else {
                decisions.waits(entry.pod);
            }
        }
    }

    private void turnedAway(KnownPod entry, boolean tooLarge) {
        // It keeps its kind, so that it is noticed when its neighbours allow it.
        entry.inEngine = false;
        entry.state = PodState.FITS_NOWHERE;
        offerWhenOneLeaves = offerWhenOneLeaves || !tooLarge;
        decisions.waits(entry.pod);
    }

    // ---- decisions

    /** Processes the effects until no command is left. */
    void settle() {
        while (true) {
            EngineEvents.Event event = requests.events().next();
            if (event != null) {
                decided(event);
                continue;
            }
            Set<String> changed = new LinkedHashSet<>(requests.kinds().update(occupancy));
            changed.forEach(requests.servers()::relabel);
            nodesChanged = nodesChanged || !changed.isEmpty();
            if (!requests.events().isEmpty()) {
                continue;
            }
            KnownPod next = !requests.isStarted() ? null : toOffer.poll();
            if (next == null) {
                return;
            }
            arrive(next);
        }
    }

    private void decided(EngineEvents.Event event) {
        KnownPod entry = pods.withId(event.id());
        // A decision about a pod that has been reported bound meanwhile is dropped.
        if (entry == null || !entry.inEngine || entry.state != PodState.QUEUED) {
            return;
        }
        switch (event.kind()) {
            case PLACED -> placed(entry, event);
            case QUEUED -> {
                if (entry.state == PodState.QUEUED) {
                    entry.waitsFor(event.reason());
                    decisions.waits(entry.pod);
                }
            }
            case REJECTED -> {
                entry.gang = null;
                entry.waitsFor(event.reason());
                turnedAway(entry, false);
            }
        }
    }

    private void placed(KnownPod entry, EngineEvents.Event event) {
        if (entry.gang != null) {
            if (entry.gang.placed(entry, event)) {
                placed(entry.gang);
            }
            return;
        }
        if (!groups.isEnough(List.of(entry))) {
            leaveEngine(entry);
            entry.state = PodState.GATHERING;
            add(entry);
            return;
        }
        String reason = placements.assume(entry, event);
        if (reason.isEmpty()) {
            // It was placed in one step with a neighbour that it must avoid, or that keeps it away.
            entry.mustHaveKind = true;
            leaveEngine(entry);
            add(entry);
            return;
        }
        requests.part(entry);
        decisions.bind(entry.pod, entry.pod.node(), reason);
    }

    /** All of a gang are placed; each pod is checked before any is bound. */
    private void placed(PodGang gang) {
        if (!groups.isEnough(gang.members())) {
            dissolve(gang, PodState.GATHERING);
            return;
        }
        List<String> whole = groups.whole(gang.members());
        Map<KnownPod, String> reasons = new LinkedHashMap<>();
        for (Map.Entry<KnownPod, EngineEvents.Event> one : gang.placements().entrySet()) {
            String reason = placements.assume(one.getKey(), one.getValue());
            if (reason.isEmpty()) {
                reasons.keySet().forEach(placements::takeBack);
                nodesChanged = nodesChanged || !one.getKey().mustHaveKind;
                gang.members().forEach(entry -> entry.mustHaveKind = true);
                offerWhenOneLeaves = true;
                dissolve(gang, PodState.FITS_NOWHERE);
                return;
            }
            reasons.put(one.getKey(), reason);
        }
        gang.end();
        reasons.forEach((entry, reason) -> {
            requests.part(entry);
            entry.pod = entry.pod.placedWith(whole);
            occupancy.promise(entry.pod);
            decisions.bind(
                    entry.pod,
                    entry.pod.node(),
                    reason + "; together with its group " + entry.pod.group().name());
        });
        add(groups.gathering(gang.members().get(0)));
    }
}

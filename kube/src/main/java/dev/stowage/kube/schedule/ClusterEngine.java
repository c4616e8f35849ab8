package dev.stowage.kube.schedule;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.schedule.KnownPods.KnownPod;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of a cluster: nodes and pods come in as the API server reports them, decisions go out. It has no thread
 * and does no input or output, so that it can be tested without a cluster. All that it knows can be given to it again
 * at any time: the API server is the durable state.
 *
 * <p>Pods of others, and those that run, are adopted. A pod that the policy places is counted on its node at once
 * (assumed); {@link #refused} takes that back. What depends on other pods is checked once more when the policy has
 * chosen, because one step of a policy may place several: a pod that would be wrong then is offered anew.
 */
public final class ClusterEngine {
    private final String scheduler;
    private final PolicySpec spec;
    private final PolicyFactory policies;
    private final Decisions decisions;
    private final NodeOccupancy occupancy = new NodeOccupancy();
    private final KnownPods pods = new KnownPods();
    private final PodGroups groups = new PodGroups(pods);
    private final EngineRequests requests;
    private final PodPlacements placements;
    private final NodeServers servers;
    private final Kinds kinds;
    private final ArrayDeque<KnownPod> toOffer = new ArrayDeque<>();
    private boolean nodesChanged;
    private boolean offerWhenOneLeaves;

    /**
     * An engine that collects but does not decide until {@link #start}.
     *
     * @param scheduler name of the scheduler whose pods it places
     * @param clock nanoseconds; may stand still or go back
     * @param logs where the commands of its engines are recorded
     * @throws IllegalArgumentException if there is no such policy, or it does not keep constraints
     */
    public ClusterEngine(
            String scheduler,
            PolicySpec spec,
            PolicyFactory policies,
            LongSupplier clock,
            Decisions decisions,
            CommandLogs logs) {
        Policy policy = policies.create(spec);
        if (!policy.capabilities().containsAll(Set.of(Capability.CONSTRAINTS, Capability.OVERCOMMITMENT))) {
            throw new IllegalArgumentException("policy " + spec
                    + " does not keep node selectors, taints and anti-affinity, or cannot adopt what runs; "
                    + "bf-js, bf-j, bf-s, best-fit, first-fit and fifo-ff do");
        }
        this.scheduler = scheduler;
        this.spec = spec;
        this.policies = policies;
        this.decisions = decisions;
        requests = new EngineRequests(occupancy, clock, logs);
        placements = new PodPlacements(spec.toString(), occupancy, requests);
        servers = requests.servers();
        kinds = requests.kinds();
    }

    /** Decides from now on: what is known is put into a new engine. */
    public void start() {
        requests.start(spec, policies, pods.all());
        for (KnownPod entry : pods.all()) {
            if (entry.state == PodState.ASSUMED || entry.state == PodState.BOUND) {
                adopt(entry);
            }
        }
        toOffer.clear();
        toOffer.addAll(pods.toOffer());
        settle();
    }

    // ---- nodes

    /** A node joins, or is as given from now on. */
    public void node(NodeFacts node) {
        NodeFacts before = occupancy.node(node.name());
        if (node.equals(before)) {
            return;
        }
        occupancy.put(node);
        nodesChanged = true;
        kinds.nodesChanged();
        if (requests.isStarted()) {
            if (before == null) {
                servers.add(node);
                adoptThoseOn(node.name());
            } else {
                servers.change(node, before);
            }
            settle();
        } else {
            adoptThoseOn(node.name());
        }
    }

    private void adoptThoseOn(String node) {
        for (PodFacts pod : List.copyOf(occupancy.on(node))) {
            KnownPod entry = Objects.requireNonNull(pods.get(pod.uid()));
            entry.state = PodState.BOUND;
            if (requests.isStarted()) {
                adopt(entry);
            }
        }
    }

    /** A node is gone. Pods that are bound to it stay so, and hold nothing until it is there again. */
    public void nodeGone(String name) {
        if (occupancy.node(name) == null) {
            return;
        }
        occupancy.removeNode(name);
        nodesChanged = true;
        kinds.nodesChanged();
        if (requests.isStarted()) {
            servers.drain(name);
        }
        for (PodFacts pod : List.copyOf(occupancy.on(name))) {
            KnownPod entry = Objects.requireNonNull(pods.get(pod.uid()));
            leaveEngine(entry);
            if (entry.state == PodState.BOUND) {
                entry.state = PodState.ELSEWHERE;
            }
        }
        if (requests.isStarted()) {
            servers.remove(name);
            settle();
        }
    }

    // ---- pods

    /** A pod is as given from now on. Those of other schedulers that are not bound are of no concern. */
    public void pod(PodFacts pod) {
        KnownPod entry = pods.get(pod.uid());
        if (pod.isBound()) {
            bound(entry == null ? pods.add(pod) : entry, pod);
        } else if (entry != null && (entry.state == PodState.BOUND || entry.state == PodState.ELSEWHERE)) {
            // Told late: a pod that is bound stays so.
            return;
        } else if (!pod.scheduler().equals(scheduler) || pod.terminating()) {
            if (entry != null && entry.state != PodState.ASSUMED) {
                podGone(pod.uid());
            }
            return;
        } else if (entry == null) {
            offer(pods.add(pod));
        } else if (entry.state == PodState.ASSUMED) {
            entry.pod = pod.boundTo(entry.pod.node());
            kinds.touched(entry.pod);
            occupancy.put(entry.pod);
        } else if (!entry.pod.asksTheSameAs(pod)) {
            leaveEngine(entry);
            entry.pod = pod;
            pods.regroup(entry);
            offer(entry);
        } else {
            entry.pod = pod;
        }
        if (requests.isStarted()) {
            settle();
        }
    }

    private void bound(KnownPod entry, PodFacts pod) {
        boolean isWhereItWas = entry.inEngine && entry.pod.node().equals(pod.node());
        if (!isWhereItWas || !entry.pod.requests().equals(pod.requests())) {
            leaveEngine(entry);
        }
        kinds.touched(entry.pod);
        kinds.touched(pod);
        boolean isNew = !entry.pod.isBound();
        entry.pod = pod;
        if (isNew) {
            toOffer.addAll(groups.gathering(entry));
        }
        occupancy.put(pod);
        entry.state = occupancy.node(pod.node()) == null ? PodState.ELSEWHERE : PodState.BOUND;
        learn(pod);
        if (requests.isStarted() && entry.state == PodState.BOUND && !entry.inEngine) {
            adopt(entry);
        }
    }

    /** A pod is gone, or has finished. */
    public void podGone(String uid) {
        KnownPod entry = pods.get(uid);
        if (entry == null) {
            return;
        }
        toOffer.addAll(groups.gathering(entry));
        pods.remove(uid);
        occupancy.removePod(uid);
        kinds.touched(entry.pod);
        leaveEngine(entry);
        nodesChanged = nodesChanged || offerWhenOneLeaves;
        offerWhenOneLeaves = false;
        if (requests.isStarted()) {
            settle();
        }
    }

    /** The binding of a pod was refused and did not take effect: it holds nothing, and waits for {@link #again}. */
    public void refused(String uid, String why) {
        KnownPod entry = pods.get(uid);
        if (entry == null || entry.state != PodState.ASSUMED) {
            return;
        }
        placements.takeBack(entry);
        leaveEngine(entry);
        entry.state = PodState.HELD;
        entry.waitsFor(why);
        settle();
    }

    /** A pod whose binding was refused is offered again. */
    public void again(String uid) {
        KnownPod entry = pods.get(uid);
        if (entry != null && entry.state == PodState.HELD) {
            offer(entry);
            settle();
        }
    }

    /** Offers pods again that were turned away, if nodes have changed since; to be called now and then. */
    public void offerAgain() {
        if (nodesChanged && requests.isStarted()) {
            nodesChanged = false;
            toOffer.addAll(pods.in(PodState.FITS_NOWHERE));
            settle();
        }
    }

    /**
     * Has groups that are bound in part undone; to be called now and then.
     *
     * @param nanos of a clock that never goes back
     * @param patience how long the rest of a group may take to follow, nanoseconds
     */
    public void lookAfterGroups(long nanos, long patience) {
        if (requests.isStarted()) {
            PodGroups.Undo undo = groups.look(nanos, patience);
            undo.evict()
                    .forEach(pod -> decisions.evict(
                            pod,
                            "its group " + pod.group().name() + " is bound in part, and the rest of it found no room"));
            for (KnownPod entry : undo.hold()) {
                leaveEngine(entry);
                entry.state = PodState.GATHERING;
            }
            toOffer.addAll(undo.offer());
            settle();
        }
    }

    private void leaveEngine(KnownPod entry) {
        if (entry.gang != null) {
            dissolve(entry.gang, PodState.GATHERING);
            return;
        }
        requests.leave(entry);
    }

    private void adopt(KnownPod entry) {
        learn(entry.pod);
        if (!entry.inEngine) {
            requests.adopt(entry);
        }
    }

    /** Learns words and resources; a new resource needs a new engine. */
    private void learn(PodFacts pod) {
        if (requests.learnResources(pod)) {
            start();
        }
        requests.learnWords(pod);
    }

    private void offer(KnownPod entry) {
        toOffer.add(entry);
    }

    private void arrive(KnownPod entry) {
        PodFacts pod = entry.pod;
        if (pods.get(pod.uid()) != entry || !entry.isWaiting() || entry.inEngine) {
            return;
        }
        entry.state = PodState.NOT_KNOWN;
        String notKnown = requests.notKnown(pod);
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
            // All that wait are offered to the new one.
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
                offer(entry);
            } else {
                decisions.waits(entry.pod);
            }
        }
    }

    private void turnedAway(KnownPod entry, boolean tooLarge) {
        // It stays of its kind, so that it is seen when its neighbours let it in.
        entry.inEngine = false;
        entry.state = PodState.FITS_NOWHERE;
        offerWhenOneLeaves = offerWhenOneLeaves || !tooLarge;
        decisions.waits(entry.pod);
    }

    // ---- decisions

    /** Works through the effects, until there is no command left. */
    private void settle() {
        while (true) {
            EngineEvents.Event event = requests.events().next();
            if (event != null) {
                decided(event);
                continue;
            }
            Set<String> changed = new LinkedHashSet<>(kinds.update(occupancy));
            changed.forEach(servers::relabel);
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
        if (entry == null || !entry.inEngine) {
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
        String reason = placements.assume(entry, event);
        if (reason.isEmpty()) {
            // Placed in one step with a neighbour that it must not have, or that keeps it away.
            entry.mustHaveKind = true;
            leaveEngine(entry);
            offer(entry);
            return;
        }
        requests.part(entry);
        decisions.bind(entry.pod, entry.pod.node(), reason);
    }

    /** All of a gang are placed: nothing of it is bound before each has been looked at. */
    private void placed(PodGang gang) {
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
            occupancy.put(entry.pod);
            decisions.bind(
                    entry.pod,
                    entry.pod.node(),
                    reason + "; at once with its group " + entry.pod.group().name());
        });
        toOffer.addAll(groups.gathering(gang.members().get(0)));
    }

    // ---- questions

    /** State of a pod, or null where it is not known or another scheduler's and not bound. */
    public @Nullable PodState state(String uid) {
        KnownPod entry = pods.get(uid);
        return entry == null ? null : entry.state;
    }

    /** A pod as it is known, or null. */
    public @Nullable PodFacts known(String uid) {
        KnownPod entry = pods.get(uid);
        return entry == null ? null : entry.pod;
    }

    /** How many pods are in each state. */
    public Map<PodState, Integer> counts() {
        return pods.counts();
    }

    /** Unique ids of the pods that wait. */
    public Collection<String> waiting() {
        return pods.waiting();
    }

    /** Why a pod waits and what would help, empty if it does not. */
    public String explain(String uid) {
        return pods.explain(uid, occupancy);
    }

    /** Nodes and the pods on them. */
    public NodeOccupancy occupancy() {
        return occupancy;
    }

    /** For tests: what the engine says is free on a node. */
    Map<String, Long> free(String node) {
        return servers.free(node);
    }

    /** Hash of all decisions of this engine. */
    public long digest() {
        return requests.engine().digest();
    }
}

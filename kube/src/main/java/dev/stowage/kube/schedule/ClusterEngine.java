package dev.stowage.kube.schedule;

import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.preempt.DisruptionBudgets;
import dev.stowage.kube.schedule.KnownPods.KnownPod;
import dev.stowage.kube.translate.GroupSize;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.PodFacts;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of a cluster: nodes and pods come in as the API server reports them, decisions go out. It has no thread
 * and does no input or output, so that it can be tested without a cluster. Everything that it knows can be given to it
 * again at any time: the API server is the durable state.
 *
 * <p>Running pods, and those bound by others, are adopted. A pod that the policy places is counted on its node at once
 * (assumed); {@link #refused} takes that back. Rules that depend on other pods are checked again after the policy has
 * chosen, because one step of a policy may place several pods: a pod that would break a rule is offered anew.
 */
public final class ClusterEngine {
    /** States of pods that are counted on a known node. */
    private static final Set<PodState> HOLD_ROOM =
            Set.of(PodState.ASSUMED, PodState.BOUND, PodState.NOMINATED, PodState.PROMISED);

    private final String scheduler;
    private final PolicySpec spec;
    private final PolicyFactory policies;
    private final int preferences;
    private final Decisions decisions;
    private final NodeOccupancy occupancy = new NodeOccupancy();
    private final KnownPods pods = new KnownPods();
    private final PodGroups groups = new PodGroups(pods);
    private final EngineRequests requests;
    private final PodPlacements placements;
    private final NodeServers servers;
    private final Kinds kinds;
    private final PodOffers offers;
    private final Nominations nominations;
    private final OthersPromises others;

    /**
     * An engine that collects but does not decide until {@link #start}.
     *
     * @param scheduler name of the scheduler whose pods it places
     * @param preferences weight of pods' preferences ({@link KubeSettings#preferences}); a policy without {@link
     *     Capability#PENALTIES} ignores them
     * @param clock nanoseconds; may stand still or go back
     * @param logs where the commands of its engines are recorded
     * @throws IllegalArgumentException if there is no such policy, or it does not keep constraints
     */
    public ClusterEngine(
            String scheduler,
            PolicySpec spec,
            PolicyFactory policies,
            int preferences,
            LongSupplier clock,
            Decisions decisions,
            CommandLogs logs) {
        Policy policy = policy(spec, policies);
        this.scheduler = scheduler;
        this.spec = spec;
        this.policies = policies;
        this.decisions = decisions;
        this.preferences = policy.capabilities().contains(Capability.PENALTIES) ? preferences : 0;
        requests = new EngineRequests(
                occupancy, clock, logs, this.preferences, policy.capabilities().contains(Capability.DEVICES));
        placements = new PodPlacements(spec.toString(), occupancy, requests);
        servers = requests.servers();
        kinds = requests.kinds();
        offers = new PodOffers(pods, groups, occupancy, requests, placements, decisions, this::start);
        nominations = new Nominations(pods, occupancy, requests, placements, offers, decisions);
        others = new OthersPromises(pods, occupancy, requests, offers, this::podGone);
    }

    /**
     * A policy that can schedule pods.
     *
     * @throws IllegalArgumentException if there is no such policy, or it does not keep constraints
     */
    static Policy policy(PolicySpec spec, PolicyFactory policies) {
        Policy policy = policies.create(spec);
        if (!policy.capabilities().containsAll(Set.of(Capability.CONSTRAINTS, Capability.OVERCOMMITMENT))) {
            throw new IllegalArgumentException("policy " + spec
                    + " does not respect node selectors, taints and anti-affinity, or cannot adopt what runs; "
                    + "use bf-js, bf-j, bf-s, best-fit, first-fit or fifo-ff");
        }
        return policy;
    }

    /** Decides from now on: everything known is put into a new engine. */
    public void start() {
        requests.start(spec, policies, pods.all());
        for (KnownPod entry : pods.all()) {
            if (HOLD_ROOM.contains(entry.state)) {
                offers.adopt(entry);
            }
        }
        others.countPending();
        offers.begin();
    }

    // ---- nodes

    /** A node is new or has changed. */
    public void node(NodeFacts node) {
        NodeFacts before = occupancy.node(node.name());
        if (node.equals(before)) {
            return;
        }
        occupancy.put(node);
        offers.nodesChanged();
        kinds.nodesChanged();
        if (requests.learnResources(node) || (before != null && isRenumbered(node, before))) {
            onNode(node.name()).forEach(entry -> entry.state = PodState.BOUND);
            start();
        } else if (requests.isStarted()) {
            if (before == null) {
                servers.add(node);
                adoptThoseOn(node.name());
            } else {
                servers.change(node, before);
            }
            offers.settle();
        } else {
            adoptThoseOn(node.name());
        }
    }

    /** Whether pods have GPUs of a node that have changed, so that they must be counted anew. */
    private boolean isRenumbered(NodeFacts node, NodeFacts before) {
        return requests.isStarted()
                && !node.gpus().equals(before.gpus())
                && occupancy.on(node.name()).stream()
                        .anyMatch(pod -> !pod.gpus().isNone());
    }

    private List<KnownPod> onNode(String node) {
        return occupancy.on(node).stream()
                .map(pod -> Objects.requireNonNull(pods.get(pod.uid())))
                .toList();
    }

    private void adoptThoseOn(String node) {
        for (KnownPod entry : onNode(node)) {
            entry.state = PodState.BOUND;
            if (requests.isStarted()) {
                offers.adopt(entry);
            }
        }
    }

    /** A node is gone. Pods that are bound to it stay bound, and hold nothing until it is there again. */
    public void nodeGone(String name) {
        if (occupancy.node(name) == null) {
            return;
        }
        occupancy.removeNode(name);
        offers.nodesChanged();
        kinds.nodesChanged();
        if (requests.isStarted()) {
            servers.drain(name);
        }
        for (PodFacts pod : List.copyOf(occupancy.on(name))) {
            KnownPod entry = Objects.requireNonNull(pods.get(pod.uid()));
            if (entry.state == PodState.NOMINATED) {
                nominations.giveUp(entry);
                continue;
            }
            if (entry.state == PodState.PROMISED) {
                podGone(pod.uid());
                others.waits(pod.boundTo(""));
                continue;
            }
            offers.leaveEngine(entry);
            if (entry.state == PodState.BOUND) {
                entry.state = PodState.ELSEWHERE;
            }
        }
        if (requests.isStarted()) {
            servers.remove(name);
            offers.settle();
        }
    }

    // ---- pods

    /** A pod is new or has changed. Unbound pods of other schedulers are ignored. */
    public void pod(PodFacts told) {
        PodFacts pod = preferences == 0 ? told.withoutPreferences() : told;
        KnownPod entry = pods.get(pod.uid());
        if (pod.isBound()) {
            bound(entry == null ? pods.add(pod) : entry, pod);
        } else if (entry != null && (entry.state == PodState.BOUND || entry.state == PodState.ELSEWHERE)) {
            // A late event: a bound pod stays bound.
            return;
        } else if (!pod.scheduler().equals(scheduler)) {
            others.waits(pod);
            return;
        } else if (pod.terminating()) {
            if (entry != null && entry.state != PodState.ASSUMED) {
                podGone(pod.uid());
            }
            return;
        } else if (entry == null) {
            offers.add(pods.add(pod));
        } else if (entry.state == PodState.ASSUMED
                || (entry.state == PodState.NOMINATED && entry.pod.asksTheSameAs(pod))) {
            entry.pod = pod.boundTo(entry.pod.node(), entry.pod.gpus());
            kinds.touched(entry.pod);
            occupancy.promise(entry.pod);
        } else if (!entry.pod.asksTheSameAs(pod)) {
            if (entry.state == PodState.NOMINATED) {
                nominations.giveUp(entry);
            }
            offers.leaveEngine(entry);
            entry.pod = pod;
            pods.regroup(entry);
            offers.add(entry);
        } else {
            entry.pod = pod;
        }
        if (requests.isStarted()) {
            offers.settle();
        }
    }

    private void bound(KnownPod entry, PodFacts pod) {
        nominations.forget(pod.uid());
        nominations.seen(pod);
        others.forget(pod.uid());
        boolean isWhereItWas = entry.inEngine && entry.pod.node().equals(pod.node());
        if (!isWhereItWas
                || !entry.pod.requests().equals(pod.requests())
                || !entry.pod.gpus().equals(pod.gpus())) {
            offers.leaveEngine(entry);
        }
        kinds.touched(entry.pod);
        kinds.touched(pod);
        boolean isNew = !entry.pod.isBound();
        entry.pod = pod;
        if (isNew) {
            offers.add(groups.gathering(entry));
        }
        occupancy.put(pod);
        entry.state = occupancy.node(pod.node()) == null ? PodState.ELSEWHERE : PodState.BOUND;
        offers.learn(pod);
        if (requests.isStarted() && entry.state == PodState.BOUND && !entry.inEngine) {
            offers.adopt(entry);
        }
    }

    /** What an object says of a group of pods is new or has changed. */
    public void group(GroupSize size) {
        offers.regroup(groups.learn(size));
        if (requests.isStarted()) {
            offers.settle();
        }
    }

    /** Whether an object has to say how many pods of a pod's group are bound at once, and none has. */
    public boolean needsGroup(PodFacts pod) {
        return groups.isUnsaid(pod);
    }

    /** A pod is gone, or has finished. */
    public void podGone(String uid) {
        others.forget(uid);
        KnownPod entry = pods.get(uid);
        if (entry == null) {
            return;
        }
        offers.add(groups.gathering(entry));
        nominations.forget(uid);
        pods.remove(uid);
        occupancy.removePod(uid);
        kinds.touched(entry.pod);
        offers.leaveEngine(entry);
        offers.oneLeft();
        if (requests.isStarted()) {
            offers.settle();
        }
    }

    /**
     * The binding of a pod was refused and did not take effect: it waits for {@link #again}, and holds nothing unless
     * others were evicted for it.
     */
    public void refused(String uid, String why) {
        KnownPod entry = pods.get(uid);
        if (entry == null || entry.state != PodState.ASSUMED || nominations.keepsRoom(entry, why)) {
            return;
        }
        placements.takeBack(entry);
        offers.leaveEngine(entry);
        entry.state = PodState.HELD;
        entry.waitsFor(why);
        offers.oneLeft();
        offers.settle();
    }

    /** A pod whose binding was refused is offered again, or may be bound again where its room is kept. */
    public void again(String uid) {
        nominations.again(uid);
        KnownPod entry = pods.get(uid);
        if (entry != null && entry.state == PodState.HELD) {
            offers.add(entry);
            offers.settle();
        }
    }

    /** Offers pods again that were turned away, if nodes have changed since; must be called from time to time. */
    public void offerAgain() {
        if (requests.isStarted()) {
            offers.addTurnedAway();
        }
    }

    /**
     * Evicts the bound pods of groups that stay bound in part; must be called from time to time.
     *
     * @param nanos of a clock that never goes back
     * @param patience how long the rest of a group may take to be bound, nanoseconds
     */
    public void lookAfterGroups(long nanos, long patience) {
        if (requests.isStarted()) {
            PodGroups.Undo undo = groups.look(nanos, patience);
            undo.evict()
                    .forEach(pod -> decisions.evict(
                            pod,
                            "its group " + pod.group().name() + " is bound in part, and the rest of it found no room"));
            for (KnownPod entry : undo.hold()) {
                offers.leaveEngine(entry);
                entry.state = PodState.GATHERING;
            }
            offers.add(undo.offer());
            offers.settle();
        }
    }

    /**
     * Looks after pods that other schedulers have nominated to nodes; must be called from time to time.
     *
     * @param nanos of a clock that never goes back
     */
    public void lookAfterPromises(long nanos) {
        if (requests.isStarted()) {
            others.look(nanos);
        }
    }

    // ---- preemption

    /** The disruption budgets of the cluster; nobody is evicted for another before they are known. */
    public void budgets(DisruptionBudgets budgets) {
        nominations.budgets(budgets);
    }

    /**
     * Looks for pods of lower priority that may be evicted for waiting ones; must be called from time to time.
     *
     * @param nanos of a clock that never goes back
     * @param stuckAfter so long after its grace period an evicted pod that has not ended is stuck, nanoseconds
     */
    public void preempt(long nanos, long stuckAfter) {
        if (requests.isStarted()) {
            nominations.look(nanos, stuckAfter);
        }
    }

    /** Binds pods for which others were evicted, once those are gone; must be called often. */
    public void bindNominated() {
        if (requests.isStarted()) {
            nominations.bindReady();
        }
    }

    /**
     * An eviction for a pod was refused: the pod is offered again, and preemption is tried again after a while.
     *
     * @param uid of the pod that waits
     * @param victim unique id of the other; empty if no eviction was requested
     * @param staying unique ids of all victims whose eviction was refused or not requested
     * @param nanos of the clock of {@link #preempt}
     */
    public void notEvicted(String uid, String victim, List<String> staying, String why, long nanos) {
        nominations.refused(uid, victim, staying, why, nanos);
        if (requests.isStarted()) {
            offers.settle();
        }
    }

    // ---- questions

    /** State of a pod; null if it is unknown, or an unbound pod of another scheduler. */
    public @Nullable PodState state(String uid) {
        KnownPod entry = pods.get(uid);
        return entry == null ? null : entry.state;
    }

    /** The last known facts of a pod, or null. */
    public @Nullable PodFacts known(String uid) {
        KnownPod entry = pods.get(uid);
        return entry == null ? null : entry.pod;
    }

    /** How many pods are in each state. */
    public Map<PodState, Integer> counts() {
        return pods.counts();
    }

    /** Why a pod waits and what would help, empty if it does not. */
    public String explain(String uid) {
        return pods.explain(uid, occupancy, groups);
    }

    /** Nodes and the pods on them. */
    public NodeOccupancy occupancy() {
        return occupancy;
    }

    /** For tests: the free amounts on a node according to the engine. */
    Map<String, Long> free(String node) {
        return servers.free(node);
    }

    /** Hash of all decisions of this engine. */
    public long digest() {
        return requests.engine().digest();
    }

    /** Ends the record of its commands. */
    public void endLog() {
        requests.endLog();
    }
}

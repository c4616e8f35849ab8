package dev.stowage.kube.schedule;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.kube.schedule.KnownPods.KnownPod;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeVerdict;
import dev.stowage.kube.translate.Obstacle;
import dev.stowage.kube.translate.PodFacts;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
    private static final int NONE = View.NONE;

    private final String scheduler;
    private final PolicySpec spec;
    private final PolicyFactory policies;
    private final LongSupplier clock;
    private final Decisions decisions;
    private final NodeOccupancy occupancy = new NodeOccupancy();
    private final Vocabulary vocabulary = new Vocabulary();
    private final Kinds kinds = new Kinds();
    private final Resources resources = new Resources();
    private final KnownPods pods = new KnownPods();
    private final NodeServers servers = new NodeServers(occupancy, vocabulary, kinds, resources, this::at);
    private final ArrayDeque<KnownPod> toOffer = new ArrayDeque<>();
    private EngineEvents events = new EngineEvents();
    private @Nullable Engine engine;
    private long now;
    private boolean nodesChanged;
    private boolean offerWhenOneLeaves;

    /**
     * An engine that collects but does not decide until {@link #start}.
     *
     * @param scheduler name of the scheduler whose pods it places
     * @param clock nanoseconds; may stand still or go back
     * @throws IllegalArgumentException if there is no such policy, or it does not keep constraints
     */
    public ClusterEngine(
            String scheduler, PolicySpec spec, PolicyFactory policies, LongSupplier clock, Decisions decisions) {
        Policy policy = policies.create(spec);
        if (!policy.capabilities().containsAll(Set.of(Capability.CONSTRAINTS, Capability.OVERCOMMITMENT))) {
            throw new IllegalArgumentException("policy " + spec
                    + " does not keep node selectors, taints and anti-affinity, or cannot adopt what runs; "
                    + "bf-js, bf-j, bf-s, best-fit, first-fit and fifo-ff do");
        }
        this.scheduler = scheduler;
        this.spec = spec;
        this.policies = policies;
        this.clock = clock;
        this.decisions = decisions;
    }

    /** Decides from now on: what is known is put into a new engine. */
    public void start() {
        events = new EngineEvents();
        now = Math.max(now, clock.getAsLong());
        engine = Engine.start(resources.cluster(), spec, policies, Steps.COMMANDS, 1, now, events);
        pods.all().forEach(entry -> entry.inEngine = false);
        pods.all().forEach(entry -> vocabulary.learn(entry.pod));
        kinds.nodesChanged();
        kinds.update(occupancy);
        servers.start(engine);
        for (KnownPod entry : pods.all()) {
            if (entry.state == PodState.ASSUMED || entry.state == PodState.BOUND) {
                adopt(entry);
            }
        }
        toOffer.clear();
        toOffer.addAll(pods.toOffer());
        settle();
    }

    private Engine engine() {
        return Objects.requireNonNull(engine, "not started");
    }

    private long at() {
        now = Math.max(now, clock.getAsLong());
        return now;
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
        if (engine != null) {
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
            if (engine != null) {
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
        if (engine != null) {
            servers.drain(name);
        }
        for (PodFacts pod : List.copyOf(occupancy.on(name))) {
            KnownPod entry = Objects.requireNonNull(pods.get(pod.uid()));
            leaveEngine(entry);
            if (entry.state == PodState.BOUND) {
                entry.state = PodState.ELSEWHERE;
            }
        }
        if (engine != null) {
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
            touch(entry.pod);
            occupancy.put(entry.pod);
        } else if (!entry.pod.asksTheSameAs(pod)) {
            leaveEngine(entry);
            entry.pod = pod;
            offer(entry);
        } else {
            entry.pod = pod;
        }
        if (engine != null) {
            settle();
        }
    }

    private void bound(KnownPod entry, PodFacts pod) {
        boolean isWhereItWas = entry.inEngine && entry.pod.node().equals(pod.node());
        if (!isWhereItWas || !entry.pod.requests().equals(pod.requests())) {
            leaveEngine(entry);
        }
        touch(entry.pod);
        touch(pod);
        entry.pod = pod;
        occupancy.put(pod);
        entry.state = occupancy.node(pod.node()) == null ? PodState.ELSEWHERE : PodState.BOUND;
        learn(pod);
        if (engine != null && entry.state == PodState.BOUND && !entry.inEngine) {
            adopt(entry);
        }
    }

    /** A pod is gone, or has finished. */
    public void podGone(String uid) {
        KnownPod entry = pods.remove(uid);
        if (entry == null) {
            return;
        }
        occupancy.removePod(uid);
        touch(entry.pod);
        leaveEngine(entry);
        nodesChanged = nodesChanged || offerWhenOneLeaves;
        offerWhenOneLeaves = false;
        if (engine != null) {
            settle();
        }
    }

    /** The binding of a pod was refused and did not take effect: it holds nothing, and waits for {@link #again}. */
    public void refused(String uid, String why) {
        KnownPod entry = pods.get(uid);
        if (entry == null || entry.state != PodState.ASSUMED) {
            return;
        }
        occupancy.removePod(uid);
        touch(entry.pod);
        leaveEngine(entry);
        entry.pod = entry.pod.boundTo("");
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
        if (nodesChanged && engine != null) {
            nodesChanged = false;
            toOffer.addAll(pods.in(PodState.FITS_NOWHERE));
            settle();
        }
    }

    private void touch(PodFacts pod) {
        kinds.touched(pod);
    }

    private void leaveEngine(KnownPod entry) {
        part(entry);
        if (engine != null && entry.inEngine) {
            entry.inEngine = false;
            engine().leave(at(), entry.id);
        }
    }

    private void part(KnownPod entry) {
        if (entry.kind != NONE) {
            int kind = entry.kind;
            entry.kind = NONE;
            Set<String> freed = kinds.part(kind);
            if (engine != null) {
                freed.forEach(servers::relabel);
            }
        }
    }

    private void adopt(KnownPod entry) {
        learn(entry.pod);
        if (entry.inEngine) {
            return;
        }
        entry.inEngine = true;
        engine().adopt(
                        at(),
                        entry.id,
                        NONE,
                        resources.demand(entry.pod),
                        new long[0],
                        0,
                        Constraints.NONE,
                        servers.number(entry.pod.node()));
        EngineEvents.Refused refusal = events.takeRefusal();
        if (refusal != null) {
            throw new IllegalStateException("cannot adopt " + entry.pod.path() + ": " + refusal);
        }
    }

    /** Learns words and resources; a new resource needs a new engine. */
    private void learn(PodFacts pod) {
        if (resources.learn(pod) && engine != null) {
            start();
        }
        if (vocabulary.learn(pod) && engine != null) {
            servers.relabelAll();
        }
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
        String notKnown = whatIsNotKnown(pod);
        entry.waitsFor(notKnown);
        if (!notKnown.isEmpty()) {
            decisions.waits(pod);
            return;
        }
        learn(pod);
        if (pods.get(pod.uid()) != entry || entry.inEngine || !entry.isWaiting()) {
            return;
        }
        part(entry);
        if (entry.mustHaveKind || pod.dependsOnOthers() || occupancy.isKeptAway(pod)) {
            entry.kind = kinds.join(pod);
            kinds.update(occupancy).forEach(servers::relabel);
        }
        entry.inEngine = true;
        entry.state = PodState.QUEUED;
        engine().arrive(
                        at(),
                        entry.id,
                        NONE,
                        resources.demand(pod),
                        new long[0],
                        0,
                        vocabulary.constraints(pod, entry.kind));
        EngineEvents.Refused refusal = events.takeRefusal();
        if (refusal != null) {
            entry.waitsFor(refusal);
            turnedAway(entry, refusal.why() == Refusal.FITS_NO_SERVER);
        }
    }

    private void turnedAway(KnownPod entry, boolean tooLarge) {
        // It stays of its kind, so that it is seen when its neighbours let it in.
        entry.inEngine = false;
        entry.state = PodState.FITS_NOWHERE;
        offerWhenOneLeaves = offerWhenOneLeaves || !tooLarge;
        decisions.waits(entry.pod);
    }

    private String whatIsNotKnown(PodFacts pod) {
        String unspeakable = Vocabulary.unspeakable(pod);
        String uncountable = resources.uncountable(pod);
        return !pod.unknown().isEmpty()
                ? String.join("; ", pod.unknown())
                : unspeakable.isEmpty() ? uncountable : unspeakable;
    }

    // ---- decisions

    /** Works through the effects, until there is no command left. */
    private void settle() {
        while (true) {
            EngineEvents.Event event = events.next();
            if (event != null) {
                decided(event);
                continue;
            }
            Set<String> changed = new LinkedHashSet<>(kinds.update(occupancy));
            changed.forEach(servers::relabel);
            nodesChanged = nodesChanged || !changed.isEmpty();
            if (!events.isEmpty()) {
                continue;
            }
            KnownPod next = engine == null ? null : toOffer.poll();
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
                entry.waitsFor(event.reason());
                turnedAway(entry, false);
            }
        }
    }

    private void placed(KnownPod entry, EngineEvents.Event event) {
        String name = engine().view().serverName(event.server());
        NodeFacts node = Objects.requireNonNull(occupancy.node(name), name);
        NodeVerdict verdict = new NodeVerdict(entry.pod, occupancy);
        Optional<Obstacle> obstacle = verdict.obstacleBesideRoom(node);
        if (obstacle.isPresent()) {
            // Placed in one step with a neighbour that it must not have, or that keeps it away.
            entry.mustHaveKind = true;
            leaveEngine(entry);
            offer(entry);
            return;
        }
        part(entry);
        String reason = spec + ": " + event.reason() + RunnerUp.text(verdict, entry.pod, occupancy, name);
        entry.pod = entry.pod.boundTo(name);
        entry.state = PodState.ASSUMED;
        occupancy.put(entry.pod);
        touch(entry.pod);
        decisions.bind(entry.pod, name, reason);
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
        return engine().digest();
    }
}

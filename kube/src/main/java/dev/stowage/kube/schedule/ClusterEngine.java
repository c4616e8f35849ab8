package dev.stowage.kube.schedule;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeVerdict;
import dev.stowage.kube.translate.Obstacle;
import dev.stowage.kube.translate.PodFacts;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of a cluster: nodes and pods come in as the API server tells of them, decisions go out. It has no thread
 * and does no input or output, so that it can be tried without a cluster. What it knows it can be told anew at any
 * time: the API server is the durable state.
 *
 * <p>Pods of others, and those that run, are adopted. A pod that the policy places is counted on its node at once
 * (assumed); {@link #refused} takes that back. What depends on other pods is checked once more when the policy has
 * chosen, because one step of a policy may place several: a pod that would be wrong then is offered anew.
 */
public final class ClusterEngine {
    /** What is known of a pod. */
    private static final class Entry {
        private PodFacts pod;
        private final long id;
        private PodState state = PodState.NOT_KNOWN;
        private int kind = NONE;
        private boolean inEngine;
        private boolean mustHaveKind;
        private String why = "";

        Entry(PodFacts pod, long id) {
            this.pod = pod;
            this.id = id;
        }
    }

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
    private final Map<String, Entry> pods = new LinkedHashMap<>();
    private final Map<Long, Entry> byId = new LinkedHashMap<>();
    private final Map<String, Labels> told = new LinkedHashMap<>();
    private final ArrayDeque<Entry> toOffer = new ArrayDeque<>();
    private EngineEars ears = new EngineEars();
    private @Nullable Engine engine;
    private long now;
    private long lastId;
    private boolean nodesChanged;
    private boolean offerWhenOneLeaves;

    /**
     * An engine that hears but does not decide until {@link #start}.
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
        ears = new EngineEars();
        now = Math.max(now, clock.getAsLong());
        engine = Engine.start(resources.cluster(), spec, policies, Steps.COMMANDS, 1, now, ears);
        told.clear();
        pods.values().forEach(entry -> entry.inEngine = false);
        pods.values().forEach(entry -> vocabulary.learn(entry.pod));
        kinds.nodesChanged();
        kinds.update(occupancy);
        occupancy.nodes().forEach(this::addServer);
        for (Entry entry : pods.values()) {
            if (entry.state == PodState.ASSUMED || entry.state == PodState.BOUND) {
                adopt(entry);
            }
        }
        toOffer.clear();
        pods.values().stream()
                .filter(entry -> isWaiting(entry) && entry.state != PodState.HELD)
                .sorted(Comparator.comparing((Entry entry) -> -entry.pod.priority())
                        .thenComparing(entry -> entry.pod.created())
                        .thenComparing(entry -> entry.pod.path()))
                .forEach(toOffer::add);
        settle();
    }

    private Engine engine() {
        return Objects.requireNonNull(engine, "not started");
    }

    private long at() {
        now = Math.max(now, clock.getAsLong());
        return now;
    }

    private static boolean isWaiting(Entry entry) {
        return !entry.pod.isBound() && entry.state != PodState.ASSUMED;
    }

    // ---- nodes
    // -------------------------------------------------------------------------------------------------------

    /** A node joins, or is as told from now on. */
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
                addServer(node);
                adoptThoseOn(node.name());
            } else {
                change(node, before);
            }
            settle();
        } else {
            adoptThoseOn(node.name());
        }
    }

    private void addServer(NodeFacts node) {
        Labels labels = vocabulary.labels(node, kinds.deniedBy(node.name()));
        told.put(node.name(), labels);
        int server = engine().findServer(node.name());
        if (server == NONE) {
            engine().addServer(at(), 0, resources.capacity(node), node.name(), labels);
        } else {
            engine().labelServer(at(), server, labels);
            engine().resizeServer(at(), server, resources.capacity(node));
            engine().returnServer(at(), server);
        }
    }

    private void adoptThoseOn(String node) {
        for (PodFacts pod : List.copyOf(occupancy.on(node))) {
            Entry entry = Objects.requireNonNull(pods.get(pod.uid()));
            entry.state = PodState.BOUND;
            if (engine != null) {
                adopt(entry);
            }
        }
    }

    private void change(NodeFacts node, NodeFacts before) {
        // What keeps pods away is told first, so that nothing is placed by old rules.
        relabel(node.name());
        if (!node.allocatable().equals(before.allocatable())) {
            engine().resizeServer(at(), server(node.name()), resources.capacity(node));
        }
    }

    private void relabel(String name) {
        NodeFacts node = occupancy.node(name);
        if (node == null) {
            return;
        }
        Labels labels = vocabulary.labels(node, kinds.deniedBy(name));
        if (!labels.equals(told.put(name, labels))) {
            engine().labelServer(at(), server(name), labels);
        }
    }

    private int server(String name) {
        int server = engine().findServer(name);
        if (server == NONE) {
            throw new IllegalStateException("the engine does not know node " + name);
        }
        return server;
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
            engine().drainServer(at(), server(name));
        }
        for (PodFacts pod : List.copyOf(occupancy.on(name))) {
            Entry entry = Objects.requireNonNull(pods.get(pod.uid()));
            leaveEngine(entry);
            if (entry.state == PodState.BOUND) {
                entry.state = PodState.ELSEWHERE;
            }
        }
        if (engine != null) {
            engine().removeServer(at(), server(name));
            told.remove(name);
            settle();
        }
    }

    // ---- pods
    // --------------------------------------------------------------------------------------------------------

    /** A pod is as told from now on. Those of other schedulers that are not bound are of no concern. */
    public void pod(PodFacts pod) {
        Entry entry = pods.get(pod.uid());
        if (pod.isBound()) {
            bound(entry == null ? enter(pod) : entry, pod);
        } else if (entry != null && (entry.state == PodState.BOUND || entry.state == PodState.ELSEWHERE)) {
            // Told late: a pod that is bound stays so.
            return;
        } else if (!pod.scheduler().equals(scheduler) || pod.terminating()) {
            if (entry != null && entry.state != PodState.ASSUMED) {
                podGone(pod.uid());
            }
            return;
        } else if (entry == null) {
            offer(enter(pod));
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

    private Entry enter(PodFacts pod) {
        Entry entry = new Entry(pod, lastId++);
        pods.put(pod.uid(), entry);
        byId.put(entry.id, entry);
        return entry;
    }

    private void bound(Entry entry, PodFacts pod) {
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
        Entry entry = pods.remove(uid);
        if (entry == null) {
            return;
        }
        byId.remove(entry.id);
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
        Entry entry = pods.get(uid);
        if (entry == null || entry.state != PodState.ASSUMED) {
            return;
        }
        occupancy.removePod(uid);
        touch(entry.pod);
        leaveEngine(entry);
        entry.pod = entry.pod.boundTo("");
        entry.state = PodState.HELD;
        entry.why = why;
        settle();
    }

    /** A pod whose binding was refused is offered again. */
    public void again(String uid) {
        Entry entry = pods.get(uid);
        if (entry != null && entry.state == PodState.HELD) {
            offer(entry);
            settle();
        }
    }

    /** Offers pods again that were turned away, if nodes have changed since; to be called now and then. */
    public void offerAgain() {
        if (nodesChanged && engine != null) {
            nodesChanged = false;
            pods.values().stream()
                    .filter(entry -> entry.state == PodState.FITS_NOWHERE)
                    .forEach(toOffer::add);
            settle();
        }
    }

    private void touch(PodFacts pod) {
        kinds.touched(pod);
    }

    private void leaveEngine(Entry entry) {
        part(entry);
        if (engine != null && entry.inEngine) {
            entry.inEngine = false;
            engine().leave(at(), entry.id);
        }
    }

    private void part(Entry entry) {
        if (entry.kind != NONE) {
            int kind = entry.kind;
            entry.kind = NONE;
            Set<String> freed = kinds.part(kind);
            if (engine != null) {
                freed.forEach(this::relabel);
            }
        }
    }

    private void adopt(Entry entry) {
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
                        dev.stowage.core.model.Constraints.NONE,
                        server(entry.pod.node()));
        String refusal = ears.takeRefusal();
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
            occupancy.nodes().forEach(node -> relabel(node.name()));
        }
    }

    private void offer(Entry entry) {
        toOffer.add(entry);
    }

    private void arrive(Entry entry) {
        PodFacts pod = entry.pod;
        if (pods.get(pod.uid()) != entry || !isWaiting(entry) || entry.inEngine) {
            return;
        }
        entry.state = PodState.NOT_KNOWN;
        entry.why = whatIsNotKnown(pod);
        if (!entry.why.isEmpty()) {
            decisions.waits(pod);
            return;
        }
        learn(pod);
        if (pods.get(pod.uid()) != entry || entry.inEngine || !isWaiting(entry)) {
            return;
        }
        part(entry);
        if (entry.mustHaveKind || pod.dependsOnOthers() || occupancy.isKeptAway(pod)) {
            entry.kind = kinds.join(pod);
            kinds.update(occupancy).forEach(this::relabel);
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
        String refusal = ears.takeRefusal();
        if (refusal != null) {
            turnedAway(entry, refusal);
        }
    }

    private void turnedAway(Entry entry, String why) {
        // It stays of its kind, so that it is seen when its neighbours let it in.
        entry.inEngine = false;
        entry.state = PodState.FITS_NOWHERE;
        offerWhenOneLeaves = offerWhenOneLeaves || !why.startsWith(Refusal.FITS_NO_SERVER.name());
        entry.why = why;
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
    // ---------------------------------------------------------------------------------------------------

    /** Works through what the engine told, until there is nothing left to say to it. */
    private void settle() {
        while (true) {
            EngineEars.Heard heard = ears.next();
            if (heard != null) {
                hear(heard);
                continue;
            }
            Set<String> changed = new LinkedHashSet<>(kinds.update(occupancy));
            changed.forEach(this::relabel);
            nodesChanged = nodesChanged || !changed.isEmpty();
            if (!ears.isEmpty()) {
                continue;
            }
            Entry next = engine == null ? null : toOffer.poll();
            if (next == null) {
                return;
            }
            arrive(next);
        }
    }

    private void hear(EngineEars.Heard heard) {
        Entry entry = byId.get(heard.id());
        if (entry == null || !entry.inEngine) {
            return;
        }
        switch (heard.kind()) {
            case PLACED -> placed(entry, heard);
            case QUEUED -> {
                if (entry.state == PodState.QUEUED) {
                    entry.why = heard.reason();
                    decisions.waits(entry.pod);
                }
            }
            case REJECTED -> turnedAway(entry, heard.reason());
        }
    }

    private void placed(Entry entry, EngineEars.Heard heard) {
        String name = engine().view().serverName(heard.server());
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
        String reason = spec + ": " + heard.reason() + RunnerUp.text(verdict, entry.pod, occupancy, name);
        entry.pod = entry.pod.boundTo(name);
        entry.state = PodState.ASSUMED;
        occupancy.put(entry.pod);
        touch(entry.pod);
        decisions.bind(entry.pod, name, reason);
    }

    // ---- questions
    // ---------------------------------------------------------------------------------------------------

    /** State of a pod, or null where it is not known or another scheduler's and not bound. */
    public @Nullable PodState state(String uid) {
        Entry entry = pods.get(uid);
        return entry == null ? null : entry.state;
    }

    /** A pod as it is known, or null. */
    public @Nullable PodFacts known(String uid) {
        Entry entry = pods.get(uid);
        return entry == null ? null : entry.pod;
    }

    /** How many pods are in each state. */
    public Map<PodState, Integer> counts() {
        Map<PodState, Integer> counts = new java.util.TreeMap<>();
        pods.values().forEach(entry -> counts.merge(entry.state, 1, Integer::sum));
        return counts;
    }

    /** Unique ids of the pods that wait. */
    public Collection<String> waiting() {
        return pods.values().stream()
                .filter(ClusterEngine::isWaiting)
                .map(entry -> entry.pod.uid())
                .toList();
    }

    /** Why a pod waits and what would help, empty if it does not. */
    public String explain(String uid) {
        Entry entry = pods.get(uid);
        if (entry == null || !isWaiting(entry)) {
            return "";
        }
        String ignored = entry.pod.ignored().isEmpty()
                ? ""
                : ". Not kept, being wishes: " + String.join(", ", entry.pod.ignored());
        return switch (entry.state) {
            case NOT_KNOWN -> "waits: asks for what Stowage does not know: " + entry.why + ignored;
            case HELD -> "waits to be tried again: " + entry.why + ignored;
            default -> "waits: " + new NodeVerdict(entry.pod, occupancy).summary() + stranger(entry) + ignored;
        };
    }

    private static String stranger(Entry entry) {
        return entry.why.startsWith("CONSTRAINT") ? " (" + entry.why + ")" : "";
    }

    /** Nodes and the pods on them. */
    public NodeOccupancy occupancy() {
        return occupancy;
    }

    /** What the engine says of a node, for tests: whether it is up, and the free amounts in order of the resources. */
    Map<String, Long> free(String node) {
        View view = engine().view();
        int server = server(node);
        Map<String, Long> free = new LinkedHashMap<>();
        for (int r = 0; r < view.resources(); r++) {
            free.put(resources.names().get(r), view.free(server, r));
        }
        if (view.status(server) != ServerStatus.UP) {
            throw new IllegalStateException(node + " is " + view.status(server));
        }
        return free;
    }

    /** Hash of all decisions of this engine. */
    public long digest() {
        return engine().digest();
    }
}

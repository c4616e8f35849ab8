package dev.stowage.core.engine;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The state machine: commands in, effects out, a policy deciding. The same commands in the same order give the same
 * effects and the same {@link #digest()} on any JVM. It has no clock, no I/O, no thread.
 *
 * <p>Cost of a command: O(1) plus one heap operation per timer and what the policy does. Memory follows the requests in
 * the system, not those finished.
 *
 * <p>An engine cannot be used after an exception in a command, be it of the policy
 * ({@link dev.stowage.core.policy.PolicyBugException} where it broke a rule), of a listener or its own: its state may
 * be half changed, and every further command throws {@link IllegalStateException}, which names the cause.
 */
public final class Engine implements Commands {
    private static final int NONE = State.NONE;

    private final State state;
    private final EngineView view;
    private final EngineActions actions;
    private final PolicyCalls policy;
    private final Refusals refusals;
    private final Timeline timeline;
    private final Admission admission;
    private final RequestLife requests;
    private final ServerLife servers;
    private final ServerAgents agents;
    private final PolicySwitch policySwitch;
    private final Copies copies;
    /** The demand of an arriving request of a type, reused. */
    private final long[] demand;

    private final long[] pooledDemand;

    private Engine(State state, PolicySpec spec, PolicyFactory policies, Effects effects) {
        this.state = state;
        view = new EngineView(state);
        actions = new EngineActions(state, effects);
        policy = new PolicyCalls(state, view, actions, policies.create(spec), spec);
        refusals = new Refusals(state, policy, effects);
        requests = new RequestLife(state, policy, actions, refusals);
        servers = new ServerLife(state, policy, actions, refusals);
        agents = new ServerAgents(state, policy, actions, refusals, servers, requests);
        admission = new Admission(state, policy, actions, refusals, agents);
        timeline = new Timeline(state, policy, actions, refusals, agents);
        policySwitch = new PolicySwitch(state, policy, actions, refusals, policies);
        copies = new Copies(state, this::write);
        demand = new long[state.resources.size()];
        pooledDemand = new long[state.pooledResources.size()];
        effects.attached(view);
    }

    /**
     * An engine at its start; the policy has been called.
     *
     * @param cluster resources, sites, servers, types
     * @param spec the policy
     * @param policies makes policies from specifications
     * @param steps continuous or slotted
     * @param seed seed of the policy's random numbers
     * @param at time of the start, nanoseconds
     * @param effects receives every effect
     * @throws IllegalArgumentException if a resource comes in devices and the policy does not know them
     *     ({@link dev.stowage.core.policy.Capability#DEVICES})
     */
    public static Engine start(
            Cluster cluster,
            PolicySpec spec,
            PolicyFactory policies,
            Steps steps,
            long seed,
            long at,
            Effects effects) {
        Engine engine = new Engine(State.of(cluster, steps, seed), spec, policies, effects);
        engine.policySwitch.checkDevices();
        engine.state.now = at;
        engine.policy.step(engine.policy::started);
        return engine;
    }

    /**
     * The engine that {@link #save()} wrote, with another listener.
     *
     * @throws IllegalArgumentException if the bytes are not a whole, undamaged saved state of this version
     */
    public static Engine restore(byte[] saved, PolicyFactory policies, Effects effects) {
        SavedState.Opened opened = SavedState.open(saved);
        StateReader in = opened.in();
        String name = in.getString();
        TreeMap<String, String> parameters = new TreeMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            parameters.put(in.getString(), in.getString());
        }
        Engine engine =
                new Engine(State.restore(in, opened.old()), new PolicySpec(name, parameters), policies, effects);
        engine.policy.restore(in);
        if (!in.atEnd()) {
            throw new IllegalArgumentException("saved state has bytes after its end");
        }
        return engine;
    }

    /** The whole state, policy included, between two commands. */
    public byte[] save() {
        policy.checkAlive();
        return copies.bytes();
    }

    /**
     * The same in two parts: copies the state now, which must happen between two commands, and makes the bytes of
     * {@link #save()} later, on any thread, while the engine goes on. The memory of the copy is reused for the next.
     */
    public Supplier<byte[]> copy() {
        policy.checkAlive();
        return copies.copy();
    }

    /** Allocates memory for the next {@link #copy} in advance. Any thread may call it. */
    public void prepareCopy() {
        copies.prepare();
    }

    private void write(StateWriter out) {
        PolicySpec spec = policy.spec();
        out.putString(spec.name());
        out.putInt(spec.parameters().size());
        spec.parameters().forEach((name, value) -> {
            out.putString(name);
            out.putString(value);
        });
        state.save(out);
        policy.save(out);
    }

    /** What callers may read; the same object for the life of the engine. */
    public View view() {
        return view;
    }

    /** Hash of every effect so far, in order. */
    public long digest() {
        return state.digest();
    }

    /** Deadline of the earliest timer, or {@link DeadlineHeap#NEVER}. */
    public long nextDeadline() {
        return state.timers.firstDeadline();
    }

    /**
     * When the time should come next, or {@link DeadlineHeap#NEVER}: as {@link #nextDeadline}, but for a drain that
     * could move nothing it may come later while nothing changes, after pauses that grow to 64 gaps or a minute.
     */
    public long nextTick() {
        return state.timers.firstDeadline(agents::pauseNanos);
    }

    /** The present policy. */
    public PolicySpec policy() {
        return policy.spec();
    }

    /** Handle of a request in the system, or -1. */
    public int find(long id) {
        return id < 0 ? NONE : state.jobs.find(id);
    }

    /** Number of the server with a name, or -1. */
    public int findServer(String name) {
        return state.servers.find(name);
    }

    /** Whether the agent of a server has ever sent a heartbeat, since it was added or removed last. */
    public boolean hasAgent(int server) {
        return state.leases.of(server) != null;
    }

    /** Handles (of requests and dummies) are below this. */
    public int handles() {
        return state.jobs.used();
    }

    /** Requests accepted so far: arrived = pending + waiting + running + left + rejected. */
    public long arrived() {
        return state.arrived;
    }

    /** Requests that left so far, including those that left while waiting. */
    public long left() {
        return state.left;
    }

    /** Requests rejected so far. */
    public long rejected() {
        return state.rejected;
    }

    /** Commands refused so far. */
    public long refused() {
        return state.refused;
    }

    @Override
    public void arrive(long at, long id, int type) {
        if (type < 0 || type >= state.types.size()) {
            if (timeline.begin(at, id)) {
                refusals.checkType(id, type, 0);
            }
            return;
        }
        RequestType known = state.types.get(type);
        for (int r = 0; r < demand.length; r++) {
            demand[r] = state.typeDemand(type, r);
        }
        for (int p = 0; p < pooledDemand.length; p++) {
            pooledDemand[p] = known.pooledDemand().get(p);
        }
        arrive(at, id, type, demand, pooledDemand, known.rewardMicros());
    }

    @Override
    public void arrive(
            long at,
            long id,
            int type,
            long[] demand,
            long[] pooledDemand,
            long rewardMicros,
            Constraints constraints) {
        if (timeline.begin(at, id)) {
            admission.arrive(id, type, demand, pooledDemand, rewardMicros, constraints, 0, false, 0);
        }
    }

    @Override
    public void arrive(long at, NewRequest one) {
        if (timeline.begin(at, one.id())) {
            admission.arrive(
                    one.id(),
                    one.type(),
                    one.demand(),
                    one.pooledDemand(),
                    one.rewardMicros(),
                    one.constraints(),
                    one.priority(),
                    one.agent(),
                    one.expectedNanos());
        }
    }

    @Override
    public void arriveTogether(long at, List<NewRequest> members) {
        if (timeline.begin(at, members.isEmpty() ? NONE : members.get(0).id())) {
            admission.arriveTogether(members);
        }
    }

    @Override
    public void leaveTogether(long at, long id) {
        if (timeline.begin(at, id)) {
            requests.leaveTogether(id);
        }
    }

    @Override
    public void adopt(long at, NewRequest request, int server, long devices) {
        if (timeline.begin(at, request.id())
                && refusals.checkSupported(request.id(), "adopt what runs already")
                && servers.checkPresent(server)) {
            admission.adopt(request, server, devices);
        }
    }

    @Override
    public void leave(long at, long id) {
        leave(at, id, NONE);
    }

    @Override
    public void leave(long at, long id, int handle) {
        if (timeline.begin(at, id)) {
            requests.leave(id, handle);
        }
    }

    @Override
    public void started(long at, long id) {
        if (timeline.begin(at, id)) {
            requests.started(id);
        }
    }

    @Override
    public void startFailed(long at, long id) {
        if (timeline.begin(at, id)) {
            requests.startFailed(id);
        }
    }

    @Override
    public void stop(long at, long id) {
        if (timeline.begin(at, id)) {
            requests.stop(id);
        }
    }

    @Override
    public void stopped(long at, long id) {
        if (timeline.begin(at, id)) {
            requests.stopped(id);
        }
    }

    @Override
    public void evict(long at, long id) {
        if (timeline.begin(at, id)) {
            requests.evict(id);
        }
    }

    @Override
    public void tick(long at) {
        timeline.begin(at, NONE);
    }

    @Override
    public void round(long at) {
        if (state.steps != Steps.SLOTS) {
            throw new IllegalStateException(
                    "the round command belongs to slotted time, this engine's steps are " + state.steps);
        }
        if (timeline.begin(at, NONE)) {
            policy.step(policy::round);
        }
    }

    @Override
    public void addServer(long at, int site, long[] capacity, String name, Labels labels) {
        if (timeline.begin(at, site)) {
            servers.add(site, capacity, name, labels);
        }
    }

    @Override
    public void resizeServer(long at, int server, long[] capacity, long devices) {
        if (timeline.begin(at, server)) {
            servers.resize(server, capacity, devices);
        }
    }

    @Override
    public void labelServer(long at, int server, Labels labels) {
        if (timeline.begin(at, server)) {
            servers.label(server, labels);
        }
    }

    @Override
    public void addSite(long at, long[] pooledCapacity) {
        if (timeline.begin(at, NONE)) {
            servers.addSite(pooledCapacity);
        }
    }

    @Override
    public void drainServer(long at, int server) {
        if (timeline.begin(at, server)) {
            servers.drain(server);
        }
    }

    @Override
    public void drainServer(long at, int server, long gapNanos) {
        if (timeline.begin(at, server)) {
            agents.drain(server, gapNanos);
        }
    }

    @Override
    public void heartbeat(long at, int server, long incarnation, long leaseNanos, long graceNanos) {
        if (timeline.begin(at, server)) {
            agents.heartbeat(server, incarnation, leaseNanos, graceNanos);
        }
    }

    @Override
    public void report(long at, int server, long incarnation, long... ids) {
        if (timeline.begin(at, server)) {
            agents.report(server, incarnation, ids);
        }
    }

    @Override
    public void renewLeases(long at, long from) {
        if (timeline.begin(at, NONE)) {
            agents.renewLeases(from);
        }
    }

    @Override
    public void returnServer(long at, int server) {
        if (timeline.begin(at, server)) {
            servers.giveBack(server);
        }
    }

    @Override
    public void removeServer(long at, int server) {
        if (timeline.begin(at, server)) {
            servers.remove(server);
        }
    }

    @Override
    public void loseServer(long at, int server) {
        if (timeline.begin(at, server)) {
            servers.lose(server);
        }
    }

    @Override
    public void setPolicy(long at, PolicySpec newSpec) {
        if (timeline.begin(at, NONE)) {
            policySwitch.to(newSpec);
        }
    }
}

package dev.stowage.core.engine;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyBugException;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The state machine: commands in, effects out, a policy deciding. The same commands in the same order give the same
 * effects and the same {@link #digest()} on any JVM. It has no clock, no I/O, no thread.
 *
 * <p>Cost of a command: O(1) plus one heap operation per timer and what the policy does. Memory follows the requests in the
 * system, not those finished.
 *
 * <p>An engine whose policy broke a rule ({@link PolicyBugException}) is dead: its state may be half changed, and every
 * further command throws {@link IllegalStateException}.
 */
public final class Engine implements Commands {
    private static final int NONE = State.NONE;
    private static final int SPARE_FRACTION = 8;

    private final State state;
    private final EngineView view;
    private final EngineActions actions;
    private final Effects effects;
    private final PolicyFactory policies;
    private PolicySpec spec;
    private Policy policy;
    private boolean dead;
    private boolean stepHasCallback;
    private int savedBytes;
    /** What the last copy was written into, once its bytes are made: new memory of that size takes longer than to copy. */
    private volatile @Nullable StateWriter spare;
    /** The demand of an arriving request of a type, reused. */
    private final long[] demand;

    private final long[] pooledDemand;
    /** The sites of an arriving request, reused. */
    private final BitSet allowed = new BitSet();

    private Engine(State state, PolicySpec spec, PolicyFactory policies, Effects effects) {
        this.state = state;
        this.spec = spec;
        this.policies = policies;
        this.effects = effects;
        policy = policies.create(spec);
        view = new EngineView(state);
        actions = new EngineActions(state, effects);
        demand = new long[state.resources.size()];
        pooledDemand = new long[state.pooledResources.size()];
        effects.attached(view);
    }

    /**
     * An engine at its start, the policy told.
     *
     * @param cluster resources, sites, servers, types
     * @param spec the policy
     * @param policies makes policies from specifications
     * @param steps continuous or slotted
     * @param seed seed of the policy's random numbers
     * @param at time of the start, nanoseconds
     * @param effects hears every effect
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
        engine.state.now = at;
        engine.run(engine::startPolicy);
        return engine;
    }

    /**
     * The engine that {@link #save()} wrote, with other ears.
     *
     * @throws IllegalArgumentException if the bytes are not a whole, undamaged saved state of this version
     */
    public static Engine restore(byte[] saved, PolicyFactory policies, Effects effects) {
        StateReader in = SavedState.open(saved);
        String name = in.getString();
        TreeMap<String, String> parameters = new TreeMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            parameters.put(in.getString(), in.getString());
        }
        Engine engine = new Engine(State.restore(in), new PolicySpec(name, parameters), policies, effects);
        engine.policy.restore(in, engine.view);
        if (!in.atEnd()) {
            throw new IllegalArgumentException("saved state has bytes behind its end");
        }
        return engine;
    }

    /** The whole state, policy included, between two commands. */
    public byte[] save() {
        checkAlive();
        return SavedState.seal(write(SavedState.begin(expectedBytes())));
    }

    /**
     * The same in two parts: copies the state now, which is all that must happen between two commands, and makes the bytes of
     * {@link #save()} of it when asked, by any thread, while the engine goes on. The memory of the copy is used again for the next.
     */
    public Supplier<byte[]> copy() {
        checkAlive();
        StateWriter used = spare;
        spare = null;
        return new Copy(write(used == null ? SavedState.begin(expectedBytes()) : SavedState.again(used)));
    }

    /**
     * Makes room for the next {@link #copy}, so that it need not. By any thread: what is read to know how much may be a little old.
     */
    public void prepareCopy() {
        if (spare == null) {
            spare = new StateWriter(expectedBytes());
        }
    }

    /** A little more than last time, so that it seldom grows. */
    private int expectedBytes() {
        long least = Math.max(savedBytes, state.leastBytes());
        return (int) Math.min(Integer.MAX_VALUE - 8L, least + least / SPARE_FRACTION);
    }

    private StateWriter write(StateWriter out) {
        out.putString(spec.name());
        out.putInt(spec.parameters().size());
        spec.parameters().forEach((name, value) -> {
            out.putString(name);
            out.putString(value);
        });
        state.save(out);
        policy.save(out);
        savedBytes = out.size();
        return out;
    }

    /** A copy of the state, and its bytes once they were asked for. */
    private final class Copy implements Supplier<byte[]> {
        private @Nullable StateWriter out;
        private byte[] bytes = {};

        Copy(StateWriter out) {
            this.out = out;
        }

        @Override
        public synchronized byte[] get() {
            StateWriter written = out;
            if (written != null) {
                bytes = SavedState.seal(written);
                out = null;
                spare = written;
            }
            return bytes;
        }
    }

    /** What anybody may read; the same object for the life of the engine. */
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

    /** The present policy. */
    public PolicySpec policy() {
        return spec;
    }

    /** Handle of a request in the system, or -1. */
    public int find(long id) {
        return id < 0 ? NONE : state.jobs.find(id);
    }

    /** Handles (of requests and dummies) are below this. */
    public int handles() {
        return state.jobs.used();
    }

    /** Requests accepted so far: arrived = pending + waiting + running + left + rejected. */
    public long arrived() {
        return state.arrived;
    }

    /** Requests that left so far, those that gave up waiting included. */
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
            if (begin(at, id)) {
                refuse(id, Refusal.UNKNOWN_TYPE, "type " + type + " is not one of 0.." + (state.types.size() - 1));
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
            long at, long id, int type, long[] demand, long[] pooledDemand, long rewardMicros, int... sites) {
        if (!begin(at, id) || !checkSites(id, sites)) {
            return;
        }
        int limit = sites.length == 0 ? SiteLimits.EVERYWHERE : state.jobs.siteLimits.find(set(sites));
        if (!checkRequest(id, type, demand, pooledDemand, limit)) {
            return;
        }
        int job = state.jobs.create(JobState.PENDING, id, type, at, state.arrived++, rewardMicros);
        for (int r = 0; r < demand.length; r++) {
            state.jobs.setDemand(job, r, demand[r]);
        }
        for (int p = 0; p < pooledDemand.length; p++) {
            state.jobs.setPooledDemand(job, p, pooledDemand[p]);
        }
        if (limit != SiteLimits.EVERYWHERE) {
            state.jobs.limitTo(job, limit);
        }
        try {
            actions.accept(job);
            callback();
            policy.arrived(job, view, actions);
            endStep();
        } catch (RuntimeException e) {
            throw died(e);
        }
    }

    @Override
    public void leave(long at, long id) {
        if (!begin(at, id)) {
            return;
        }
        int job = find(id);
        if (job == NONE) {
            refuse(id, Refusal.UNKNOWN_ID, "no request " + id + " is in the system");
            return;
        }
        try {
            int server = actions.end(job);
            callback();
            policy.left(job, server, view, actions);
            state.jobs.free(job);
            endStep();
        } catch (RuntimeException e) {
            throw died(e);
        }
    }

    @Override
    public void tick(long at) {
        begin(at, NONE);
    }

    @Override
    public void round(long at) {
        if (state.steps != Steps.SLOTS) {
            throw new IllegalStateException(
                    "the round command belongs to slotted time, this engine's steps are " + state.steps);
        }
        if (begin(at, NONE)) {
            run(this::callRound);
        }
    }

    @Override
    public void addServer(long at, int site, long[] capacity) {
        if (!begin(at, site)) {
            return;
        }
        if (site < 0 || site >= state.servers.sites()) {
            refuse(site, Refusal.UNKNOWN_SITE, "site " + site + " is not one of 0.." + (state.servers.sites() - 1));
        } else if (checkAmounts(site, Refusal.BAD_CAPACITY, capacity, state.resources.size())) {
            int server = state.servers.add(site, capacity);
            state.occupants.growTo(state.servers.count());
            run(() -> serverChanged(server, ServerStatus.UP));
        }
    }

    @Override
    public void addSite(long at, long[] pooledCapacity) {
        if (begin(at, NONE) && checkAmounts(NONE, Refusal.BAD_CAPACITY, pooledCapacity, state.pooledResources.size())) {
            state.servers.addSite(pooledCapacity);
            run(this::growQueues);
        }
    }

    @Override
    public void drainServer(long at, int server) {
        if (beginServer(at, server, "drained", ServerStatus.UP)) {
            run(() -> serverChanged(server, ServerStatus.DRAINING));
        }
    }

    @Override
    public void returnServer(long at, int server) {
        if (beginServer(at, server, "returned", ServerStatus.DRAINING, ServerStatus.GONE)) {
            run(() -> serverChanged(server, ServerStatus.UP));
        }
    }

    @Override
    public void removeServer(long at, int server) {
        if (!beginServer(at, server, "removed", ServerStatus.UP, ServerStatus.DRAINING)) {
            return;
        }
        if (state.servers.running(server) > 0) {
            refuse(
                    server,
                    Refusal.WRONG_STATUS,
                    "server " + server + " holds " + state.servers.running(server)
                            + " requests; drain it first, or report it lost");
            return;
        }
        run(() -> takeAway(server));
    }

    @Override
    public void loseServer(long at, int server) {
        if (beginServer(at, server, "lost", ServerStatus.UP, ServerStatus.DRAINING)) {
            run(() -> takeAway(server));
        }
    }

    @Override
    public void setPolicy(long at, PolicySpec newSpec) {
        if (!begin(at, NONE)) {
            return;
        }
        Policy successor;
        try {
            successor = policies.create(newSpec);
        } catch (IllegalArgumentException e) {
            refuse(NONE, Refusal.UNKNOWN_POLICY, String.valueOf(e.getMessage()));
            return;
        }
        if (state.jobs.siteLimits.limited() > 0 && !successor.keepsSiteLimits()) {
            refuse(
                    NONE,
                    Refusal.SITE_LIMIT,
                    "policy " + newSpec + " does not keep requests to sites, and " + state.jobs.siteLimits.limited()
                            + " in the system are limited");
            return;
        }
        run(() -> {
            endAllDummies();
            state.timers.removePolicyTimers();
            policy = successor;
            spec = newSpec;
            int[] undecided = undecidedInOrder();
            for (int job : undecided) {
                actions.makePending(job);
            }
            state.queues.clear();
            startPolicy();
            for (int job : undecided) {
                if (state.jobs.state(job) == JobState.PENDING) {
                    callback();
                    policy.arrived(job, view, actions);
                }
            }
        });
    }

    private void startPolicy() {
        growQueues();
        callback();
        policy.started(view, actions);
    }

    /** Empties the server before the policy hears of anything, so that nothing can be put on it or saved from it. */
    private void takeAway(int server) {
        int[] dummies = occupants(server, JobState.DUMMY);
        int[] displaced = occupants(server, JobState.RUNNING);
        for (int dummy : dummies) {
            state.timers.remove(state.timers.timerOf(dummy));
            actions.endDummy(dummy);
        }
        for (int job : displaced) {
            actions.makePending(job);
        }
        changeStatus(server, ServerStatus.GONE);
        for (int dummy : dummies) {
            tellDummyEnded(dummy, server);
        }
        callServerChanged(server);
        for (int job : displaced) {
            if (state.jobs.state(job) == JobState.PENDING) {
                callback();
                policy.displaced(job, server, view, actions);
            }
        }
    }

    private void serverChanged(int server, ServerStatus status) {
        changeStatus(server, status);
        callServerChanged(server);
    }

    private void changeStatus(int server, ServerStatus status) {
        state.servers.setStatus(server, status);
        state.note(EngineActions.SERVER_CHANGED, server, status.ordinal());
        effects.serverChanged(state.now, server, status);
    }

    private void callServerChanged(int server) {
        growQueues();
        callback();
        policy.serverChanged(server, view, actions);
    }

    private void growQueues() {
        state.queues.growTo(policy.queues(view));
    }

    /** What is on the server in this state, in order of placement. */
    private int[] occupants(int server, JobState where) {
        return IntStream.iterate(state.occupants.head(server), job -> job != NONE, state.jobs::next)
                .filter(job -> state.jobs.state(job) == where)
                .toArray();
    }

    private void endDummy(int dummy, int timer) {
        int server = state.jobs.place(dummy);
        state.timers.remove(timer);
        actions.endDummy(dummy);
        tellDummyEnded(dummy, server);
    }

    private void tellDummyEnded(int dummy, int server) {
        callback();
        policy.dummyEnded(dummy, server, view, actions);
        state.jobs.free(dummy);
    }

    private void endAllDummies() {
        for (int job = 0; job < state.jobs.used(); job++) {
            if (state.jobs.state(job) == JobState.DUMMY) {
                state.timers.remove(state.timers.timerOf(job));
                actions.endDummy(job);
                state.jobs.free(job);
            }
        }
    }

    /** Pending and waiting requests in order of arrival. */
    private int[] undecidedInOrder() {
        return IntStream.range(0, state.jobs.used())
                .filter(job -> state.jobs.state(job) == JobState.PENDING || state.jobs.state(job) == JobState.WAITING)
                .boxed()
                .sorted(Comparator.comparingLong(state.jobs::order))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Lets the time come to {@code at}, firing what is due; false if the command is late. */
    private boolean begin(long at, long subject) {
        checkAlive();
        if (at < state.now) {
            refuse(subject, Refusal.LATE, "time " + at + " ns is before " + state.now + " ns");
            return false;
        }
        if (state.timers.isDue(at)) {
            try {
                fireTimers(at);
            } catch (RuntimeException e) {
                throw died(e);
            }
        }
        state.now = at;
        return true;
    }

    private void fireTimers(long at) {
        while (state.timers.isDue(at)) {
            state.now = state.timers.firstDeadline();
            int timer = state.timers.firstTimer();
            int dummy = state.timers.dummy(timer);
            if (dummy == NONE) {
                long tag = state.timers.tag(timer);
                state.timers.remove(timer);
                callback();
                policy.timer(tag, view, actions);
            } else {
                endDummy(dummy, timer);
            }
            endStep();
        }
    }

    private boolean beginServer(long at, int server, String verb, ServerStatus... allowed) {
        if (!begin(at, server)) {
            return false;
        }
        if (server < 0 || server >= state.servers.count()) {
            refuse(
                    server,
                    Refusal.UNKNOWN_SERVER,
                    "server " + server + " is not one of 0.." + (state.servers.count() - 1));
            return false;
        }
        ServerStatus status = state.servers.status(server);
        for (ServerStatus one : allowed) {
            if (one == status) {
                return true;
            }
        }
        refuse(server, Refusal.WRONG_STATUS, "server " + server + " is " + status + " and cannot be " + verb);
        return false;
    }

    private boolean checkSites(long id, int[] sites) {
        if (sites.length > 0 && !policy.keepsSiteLimits()) {
            refuse(id, Refusal.SITE_LIMIT, "policy " + spec + " does not keep requests to sites");
            return false;
        }
        for (int site : sites) {
            if (site < 0 || site >= state.servers.sites()) {
                refuse(id, Refusal.UNKNOWN_SITE, "site " + site + " is not one of 0.." + (state.servers.sites() - 1));
                return false;
            }
        }
        return true;
    }

    private BitSet set(int[] sites) {
        allowed.clear();
        for (int site : sites) {
            allowed.set(site);
        }
        return allowed;
    }

    private boolean checkRequest(long id, int type, long[] demand, long[] pooledDemand, int limit) {
        if (id < 0) {
            refuse(id, Refusal.UNKNOWN_ID, "id " + id + " is negative");
        } else if (state.jobs.find(id) != NONE) {
            refuse(id, Refusal.DUPLICATE_ID, "request " + id + " is in the system");
        } else if (type < NONE || type >= state.types.size()) {
            refuse(id, Refusal.UNKNOWN_TYPE, "type " + type + " is not one of -1.." + (state.types.size() - 1));
        } else if (limit > SiteLimits.MOST) {
            refuse(id, Refusal.SITE_LIMIT, SiteLimits.MOST + " different sets of sites are in use, no more are kept");
        } else if (checkAmounts(id, Refusal.BAD_DEMAND, demand, state.resources.size())
                && checkAmounts(id, Refusal.BAD_DEMAND, pooledDemand, state.pooledResources.size())) {
            if (state.servers.couldHold(demand, pooledDemand, state.jobs.siteLimits, limit)) {
                return true;
            }
            String where = limit == SiteLimits.EVERYWHERE ? "" : " at the sites it is limited to";
            refuse(id, Refusal.FITS_NO_SERVER, "no server, even empty, can hold " + Arrays.toString(demand) + where);
        }
        return false;
    }

    private boolean checkAmounts(long subject, Refusal refusal, long[] amounts, int expected) {
        if (amounts.length != expected) {
            refuse(subject, refusal, amounts.length + " amounts instead of " + expected);
            return false;
        }
        for (long amount : amounts) {
            if (amount < 0) {
                refuse(subject, refusal, "amount " + amount + " is negative");
                return false;
            }
        }
        return true;
    }

    private void refuse(long subject, Refusal refusal, String detail) {
        state.refused++;
        effects.refused(state.now, subject, refusal, detail);
    }

    private void callback() {
        state.callbacks++;
        stepHasCallback = true;
    }

    /** In continuous time the step ends here; in slotted time with the round command. */
    private void endStep() {
        actions.rethrowBug();
        if (state.steps == Steps.COMMANDS && stepHasCallback) {
            callRound();
        }
    }

    private void callRound() {
        callback();
        policy.round(view, actions);
        actions.rethrowBug();
        stepHasCallback = false;
        if (state.pending.length(0) > 0) {
            int job = state.pending.head(0);
            throw new PolicyBugException("policy " + spec + " left request " + state.jobs.id(job) + " (job " + job
                    + ") undecided at " + state.now + " ns: place, enqueue or reject it before the step ends");
        }
    }

    /** Runs a command's body as a step; after an exception the engine is dead. */
    private void run(Runnable body) {
        try {
            body.run();
            endStep();
        } catch (RuntimeException e) {
            throw died(e);
        }
    }

    private RuntimeException died(RuntimeException e) {
        dead = true;
        return e;
    }

    private void checkAlive() {
        if (dead) {
            throw new IllegalStateException(
                    "the engine stopped at " + state.now + " ns because policy " + spec + " broke a rule");
        }
    }
}

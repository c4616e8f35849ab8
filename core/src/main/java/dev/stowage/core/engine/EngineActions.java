package dev.stowage.core.engine;

import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;

/** The verbs of a policy: each is checked, carried out, added to the digest and reported to the listener. */
final class EngineActions implements Actions {
    static final int PLACED = 1;
    static final int QUEUED = 2;
    static final int LEFT = 3;
    static final int REJECTED = 4;
    static final int ALLOCATED = 5;
    static final int MIGRATED = 6;
    static final int DUMMY_PLACED = 7;
    static final int DUMMY_ENDED = 8;
    static final int DISPLACED = 9;
    static final int ARRIVED = 10;
    private static final int SERVER_CHANGED = 11;
    private static final int ADOPTED = 12;
    private static final int RESIZED = 13;
    private static final int LABELLED = 14;
    private static final int STARTED = 15;
    private static final int START_FAILED = 16;
    private static final int STOPPING = 17;
    private static final int EVICTED = 18;
    private static final int STRAYED = 19;
    private static final int DEVICES = 20;

    private static final int NONE = State.NONE;

    private final State state;
    private final Jobs jobs;
    private final Effects effects;
    private final Rules rules;
    private final Assumptions assumptions;
    /** Whether a listener is being called: an exception comes from there. */
    private boolean telling;

    EngineActions(State state, Effects effects) {
        this.state = state;
        this.jobs = state.jobs;
        this.effects = effects;
        assumptions = new Assumptions(state);
        rules = new Rules(state, assumptions);
    }

    @Override
    public void place(int job, int server, long devices, String reason) {
        rules.checkAlone(job, "place");
        put(job, server, devices, reason);
    }

    private void put(int job, int server, long devices, String reason) {
        rules.checkUndecided(job, "place");
        rules.checkTarget(job, server, "place");
        rules.checkDevices(job, server, devices);
        unchain(job);
        setOn(job, server, JobState.RUNNING, devices);
        state.servers.addRunning(server, 1);
        jobs.traits.runs(job, state.now);
        noteOn(PLACED, job, jobs.id(job), server);
        tell().placed(state.now, job, server, reason);
        telling = false;
    }

    @Override
    public void enqueue(int job, int queue, String reason) {
        rules.checkAlone(job, "enqueue");
        append(job, queue, reason);
    }

    private void append(int job, int queue, String reason) {
        rules.checkUndecided(job, "enqueue");
        if (queue < 0 || queue >= state.queues.count()) {
            throw rules.bug("enqueue", job, "queue " + queue + " is not one of 0.." + (state.queues.count() - 1));
        }
        unchain(job);
        state.queues.append(queue, job);
        jobs.move(job, JobState.WAITING, queue);
        state.note(QUEUED, jobs.id(job), queue);
        tell().queued(state.now, job, queue, reason);
        telling = false;
    }

    @Override
    public void reject(int job, String reason) {
        rules.checkAlone(job, "reject");
        turnAway(job, reason);
    }

    private void turnAway(int job, String reason) {
        rules.checkUndecided(job, "reject");
        unchain(job);
        state.rejected++;
        state.note(REJECTED, jobs.id(job), 0);
        tell().rejected(state.now, job, reason);
        telling = false;
        jobs.free(job);
    }

    @Override
    public void placeGang(int gang, String reason) {
        int[] members = rules.gang(gang, "placeGang");
        int[] servers = new int[members.length];
        long[] devices = new long[members.length];
        for (int k = 0; k < members.length; k++) {
            servers[k] = assumptions.server(members[k]);
            devices[k] = state.devices(members[k]);
            if (servers[k] == NONE) {
                throw rules.bug("placeGang", members[k], "it is not assumed to be on any server");
            }
        }
        if (assumptions.size() > members.length) {
            throw rules.bug("placeGang of gang " + gang + ": something else is assumed too");
        }
        assumptions.undoAll();
        for (int k = 0; k < members.length; k++) {
            put(members[k], servers[k], devices[k], reason);
        }
        state.gangs.end(gang);
    }

    @Override
    public void enqueueGang(int gang, int queue, String reason) {
        for (int job : rules.gang(gang, "enqueueGang")) {
            append(job, queue, reason);
        }
    }

    @Override
    public void rejectGang(int gang, String reason) {
        int[] members = rules.gang(gang, "rejectGang");
        state.gangs.end(gang);
        for (int job : members) {
            turnAway(job, reason);
        }
    }

    @Override
    public void evict(int job, String reason) {
        if (jobs.state(job) != JobState.RUNNING || jobs.traits.phase(job) == Phase.STOPPING) {
            throw rules.bug("evict", job, "it is " + jobs.state(job) + "; it must be RUNNING and not stopping");
        }
        rules.checkAlone(job, "evict");
        evict(job, false, reason);
    }

    /** Takes a request off its server, or has its agent stop it first. Returns whether it is pending. */
    boolean evict(int job, boolean avoiding, String reason) {
        if (jobs.traits.hasAgent(job)) {
            jobs.traits.stopForNow(job, avoiding);
            tellStopping(job, reason);
            return false;
        }
        again(job, EVICTED, avoiding, reason);
        return true;
    }

    /** A request that was evicted has stopped. */
    void evictedAtLast(int job, String reason) {
        again(job, EVICTED, jobs.traits.isAvoiding(job), reason);
    }

    void stop(int job, String reason) {
        jobs.traits.setPhase(job, Phase.STOPPING);
        tellStopping(job, reason);
    }

    private void tellStopping(int job, String reason) {
        int server = jobs.place(job);
        state.note(STOPPING, jobs.id(job), server);
        tell().stopping(state.now, job, server, reason);
        telling = false;
    }

    void start(int job) {
        int server = jobs.place(job);
        jobs.traits.setPhase(job, Phase.STARTED);
        state.note(STARTED, jobs.id(job), server);
        tell().started(state.now, job, server);
        telling = false;
    }

    void failStart(int job) {
        jobs.traits.countFailure(job);
        again(job, START_FAILED, true, "");
    }

    void stray(long id, int server) {
        state.note(STRAYED, id, server);
        tell().strayed(state.now, id, server);
        telling = false;
    }

    private void again(int job, int what, boolean avoiding, String reason) {
        int server = jobs.place(job);
        takeOff(job, server);
        state.servers.addRunning(server, -1);
        jobs.traits.setPhase(job, Phase.PLACED);
        jobs.traits.runs(job, 0);
        if (avoiding) {
            state.avoid(job, server);
        }
        state.note(what, jobs.id(job), server);
        startShare(job);
        append(job);
        if (what == START_FAILED) {
            tell().startFailed(state.now, job, server);
        } else {
            tell().evicted(state.now, job, server, reason);
        }
        telling = false;
    }

    @Override
    public void assume(int job, int server) {
        rules.checkUndecided(job, "assume");
        if (assumptions.contains(job)) {
            throw rules.bug("assume", job, "it is assumed on server " + assumptions.server(job));
        }
        rules.checkTarget(job, server, "assume");
        assumptions.on(job, server);
    }

    @Override
    public void assumeLeft(int job) {
        if (jobs.state(job) != JobState.RUNNING || assumptions.contains(job)) {
            throw rules.bug("assumeLeft", job, "it is " + jobs.state(job) + "; it must be RUNNING, not assumed gone");
        }
        assumptions.off(job);
    }

    @Override
    public void assumeNothing(int job) {
        if (!assumptions.contains(job)) {
            throw rules.bug("assumeNothing", job, "nothing is assumed about it");
        }
        assumptions.undo(job);
    }

    @Override
    public void assumeNothing() {
        assumptions.undoAll();
    }

    @Override
    public void migrate(int job, int server, String reason) {
        if (jobs.state(job) != JobState.RUNNING) {
            throw rules.bug("migrate", job, "it is " + jobs.state(job) + ", not RUNNING");
        }
        rules.checkAlone(job, "migrate");
        if (jobs.traits.hasAgent(job)) {
            throw rules.bug("migrate", job, "it has an agent: evict it");
        }
        int from = jobs.place(job);
        if (from == server) {
            throw rules.bug("migrate", job, "it already runs on server " + server);
        }
        long devices = state.devices(job);
        takeOff(job, from);
        if (!rules.canTake(job, server)) {
            setOn(job, from, JobState.RUNNING, devices);
            rules.checkTarget(job, server, "migrate");
        }
        setOn(job, server, JobState.RUNNING, 0);
        state.servers.addRunning(from, -1);
        state.servers.addRunning(server, 1);
        noteOn(MIGRATED, job, jobs.id(job), server);
        tell().migrated(state.now, job, from, server, reason);
        telling = false;
    }

    @Override
    public void allocate(int job, long amount) {
        if (state.divisible == NONE) {
            throw rules.bug("allocate", job, "no resource of this cluster is divisible");
        }
        if (jobs.state(job) != JobState.RUNNING) {
            throw rules.bug("allocate", job, "it is " + jobs.state(job) + ", not RUNNING");
        }
        int server = jobs.place(job);
        long most = state.servers.free(server, state.divisible) + jobs.share(job);
        if (amount < 0 || amount > most) {
            throw rules.bug(
                    "allocate", job, "amount " + amount + " is not in 0.." + most + ", what server " + server + " has");
        }
        state.servers.take(server, state.divisible, amount - jobs.share(job));
        jobs.setShare(job, amount);
        state.note(ALLOCATED, jobs.id(job), amount);
        tell().allocated(state.now, job, amount);
        telling = false;
    }

    @Override
    public int placeDummy(int type, int server, long endsAt, String reason) {
        if (type < 0 || type >= state.types.size()) {
            throw rules.bug("placeDummy: type " + type + " is not one of the " + state.types.size());
        }
        if (endsAt <= state.now) {
            throw rules.bug("placeDummy: end " + endsAt + " ns is not later than now, " + state.now + " ns");
        }
        int dummy = jobs.create(JobState.DUMMY, NONE, type, state.now, NONE, 0);
        for (int r = 0; r < jobs.resources; r++) {
            jobs.setDemand(dummy, r, state.typeDemand(type, r));
        }
        for (int p = 0; p < jobs.pooledResources; p++) {
            jobs.setPooledDemand(dummy, p, state.types.get(type).pooledDemand().get(p));
        }
        startShare(dummy);
        rules.checkTarget(dummy, server, "placeDummy");
        setOn(dummy, server, JobState.DUMMY, 0);
        state.timers.set(endsAt, 0, dummy);
        noteOn(DUMMY_PLACED, dummy, type, server);
        tell().dummyPlaced(state.now, dummy, server, reason);
        telling = false;
        return dummy;
    }

    @Override
    public int timer(long deadline, long tag) {
        if (deadline <= state.now) {
            throw rules.bug("timer: deadline " + deadline + " ns is not later than now, " + state.now + " ns");
        }
        return state.timers.set(deadline, tag, NONE);
    }

    @Override
    public void cancelTimer(int timer) {
        if (!state.timers.isSet(timer) || state.timers.dummy(timer) != NONE) {
            throw rules.bug("cancelTimer: timer " + timer + " is not set");
        }
        state.timers.remove(timer);
    }

    @Override
    public void gauge(Gauge gauge, long value) {
        tell().gauged(state.now, gauge, value);
        telling = false;
    }

    boolean telling() {
        return telling;
    }

    private Effects tell() {
        telling = true;
        return effects;
    }

    /** Throws again what a verb threw and the policy caught; throws if the policy left an assumption. */
    void rethrowBug() {
        rules.rethrow();
        if (assumptions.size() > 0) {
            throw rules.bug(assumptions.size() + " assumptions were not undone at " + state.now + " ns");
        }
    }

    /** Makes a new request pending and reports it. */
    void accept(int job) {
        startShare(job);
        append(job);
        state.note(ARRIVED, jobs.id(job), jobs.type(job));
        tell().arrived(state.now, job);
        telling = false;
    }

    /** Adds a request that already runs on a server, regardless of the free capacity there. */
    void adopt(int job, int server, long devices) {
        startShare(job);
        state.note(ARRIVED, jobs.id(job), jobs.type(job));
        tell().arrived(state.now, job);
        setOn(job, server, JobState.RUNNING, devices);
        state.servers.addRunning(server, 1);
        jobs.traits.setPhase(job, Phase.STARTED);
        jobs.traits.runs(job, state.now);
        noteOn(ADOPTED, job, jobs.id(job), server);
        tell().adopted(state.now, job, server);
        telling = false;
    }

    void resize(int server, long[] capacity, long devices) {
        long[] before = state.servers.capacity(server);
        state.resize(server, capacity, devices);
        for (int r = 0; r < jobs.resources; r++) {
            state.note(RESIZED, server, capacity[r]);
        }
        if (state.devices != null) {
            state.note(DEVICES, server, state.devices.present(server));
        }
        tell().resized(state.now, server, before);
        telling = false;
    }

    void label(int server, Labels labels) {
        state.countSpread(server, -1);
        state.servers.label(server, labels);
        state.constraints.groups.changed(server);
        state.countSpread(server, 1);
        state.note(LABELLED, server, 0);
        tell().labelled(state.now, server);
        telling = false;
    }

    /** A job that starts holds its demand of the divisible resource until allocated otherwise. */
    private void startShare(int job) {
        if (state.divisible != NONE) {
            jobs.setShare(job, jobs.demand(job, state.divisible));
        }
    }

    /** Ends a running or waiting request; the handle stays readable until it is freed. Returns its server or -1. */
    int end(int job) {
        int server = NONE;
        if (jobs.state(job) == JobState.RUNNING) {
            server = jobs.place(job);
            takeOff(job, server);
            state.servers.addRunning(server, -1);
        } else {
            unchain(job);
        }
        jobs.move(job, JobState.FREE, NONE);
        state.left++;
        state.note(LEFT, jobs.id(job), server);
        tell().left(state.now, job, server);
        telling = false;
        return server;
    }

    /** Ends a dummy; the handle stays readable until it is freed. */
    void endDummy(int dummy) {
        int server = jobs.place(dummy);
        takeOff(dummy, server);
        jobs.move(dummy, JobState.FREE, NONE);
        state.note(DUMMY_ENDED, jobs.type(dummy), server);
        tell().dummyEnded(state.now, dummy, server);
        telling = false;
    }

    /** Makes a running or waiting request pending again. */
    void makePending(int job) {
        if (jobs.state(job) == JobState.RUNNING) {
            int server = jobs.place(job);
            takeOff(job, server);
            state.servers.addRunning(server, -1);
            jobs.traits.setPhase(job, Phase.PLACED);
            jobs.traits.runs(job, 0);
            state.note(DISPLACED, jobs.id(job), server);
            startShare(job);
            append(job);
            tell().displaced(state.now, job, server);
            telling = false;
        } else {
            unchain(job);
            append(job);
        }
    }

    void changeStatus(int server, ServerStatus status) {
        state.servers.setStatus(server, status);
        state.constraints.groups.changed(server);
        state.note(SERVER_CHANGED, server, SavedCodes.of(status));
        tell().serverChanged(state.now, server, status);
        telling = false;
    }

    private void append(int job) {
        state.pending.append(0, job);
        jobs.move(job, JobState.PENDING, NONE);
    }

    private void setOn(int job, int server, JobState where, long devices) {
        state.put(job, server, devices);
        state.occupants.append(server, job);
        jobs.move(job, where, server);
    }

    private void noteOn(int what, int job, long subject, int server) {
        state.note(what, subject, server);
        if (state.devices(job) != 0) {
            state.note(DEVICES, subject, state.devices(job));
        }
    }

    private void takeOff(int job, int server) {
        state.take(job, server);
        state.occupants.remove(server, job);
    }

    private void unchain(int job) {
        if (jobs.state(job) == JobState.PENDING) {
            state.pending.remove(0, job);
        } else {
            state.queues.remove(jobs.place(job), job);
        }
    }
}

package dev.stowage.core.engine;

import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.PolicyBugException;
import dev.stowage.core.policy.ServerStatus;
import org.jspecify.annotations.Nullable;

/** The verbs of a policy: each is checked, carried out, added to the digest and told to the world. */
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

    private static final int NONE = State.NONE;

    private final State state;
    private final Jobs jobs;
    private final Effects effects;
    /** The first rule the policy broke: remembered so that a policy cannot swallow the exception. */
    private @Nullable PolicyBugException bug;
    /** Whether a listener is being told: an exception comes from there. */
    private boolean telling;

    EngineActions(State state, Effects effects) {
        this.state = state;
        this.jobs = state.jobs;
        this.effects = effects;
    }

    @Override
    public void place(int job, int server, String reason) {
        checkUndecided(job, "place");
        checkTarget(job, server, "place");
        unchain(job);
        setOn(job, server, JobState.RUNNING);
        state.servers.addRunning(server, 1);
        state.note(PLACED, jobs.id(job), server);
        tell().placed(state.now, job, server, reason);
        telling = false;
    }

    @Override
    public void enqueue(int job, int queue, String reason) {
        checkUndecided(job, "enqueue");
        if (queue < 0 || queue >= state.queues.count()) {
            throw bug("enqueue", job, "queue " + queue + " is not one of 0.." + (state.queues.count() - 1));
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
        checkUndecided(job, "reject");
        unchain(job);
        state.rejected++;
        state.note(REJECTED, jobs.id(job), 0);
        tell().rejected(state.now, job, reason);
        telling = false;
        jobs.free(job);
    }

    @Override
    public void migrate(int job, int server, String reason) {
        if (jobs.state(job) != JobState.RUNNING) {
            throw bug("migrate", job, "it is " + jobs.state(job) + ", not RUNNING");
        }
        int from = jobs.place(job);
        if (from == server) {
            throw bug("migrate", job, "it already runs on server " + server);
        }
        takeOff(job, from);
        if (!canTake(job, server)) {
            setOn(job, from, JobState.RUNNING);
            checkTarget(job, server, "migrate");
        }
        setOn(job, server, JobState.RUNNING);
        state.servers.addRunning(from, -1);
        state.servers.addRunning(server, 1);
        state.note(MIGRATED, jobs.id(job), server);
        tell().migrated(state.now, job, from, server, reason);
        telling = false;
    }

    @Override
    public void allocate(int job, long amount) {
        if (state.divisible == NONE) {
            throw bug("allocate", job, "no resource of this cluster is divisible");
        }
        if (jobs.state(job) != JobState.RUNNING) {
            throw bug("allocate", job, "it is " + jobs.state(job) + ", not RUNNING");
        }
        int server = jobs.place(job);
        long most = state.servers.free(server, state.divisible) + jobs.share(job);
        if (amount < 0 || amount > most) {
            throw bug(
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
            throw bug("placeDummy: type " + type + " is not one of the " + state.types.size());
        }
        if (endsAt <= state.now) {
            throw bug("placeDummy: end " + endsAt + " ns is not later than now, " + state.now + " ns");
        }
        int dummy = jobs.create(JobState.DUMMY, NONE, type, state.now, NONE, 0);
        for (int r = 0; r < jobs.resources; r++) {
            jobs.setDemand(dummy, r, state.typeDemand(type, r));
        }
        for (int p = 0; p < jobs.pooledResources; p++) {
            jobs.setPooledDemand(dummy, p, state.types.get(type).pooledDemand().get(p));
        }
        startShare(dummy);
        checkTarget(dummy, server, "placeDummy");
        setOn(dummy, server, JobState.DUMMY);
        state.timers.set(endsAt, 0, dummy);
        state.note(DUMMY_PLACED, type, server);
        tell().dummyPlaced(state.now, dummy, server, reason);
        telling = false;
        return dummy;
    }

    @Override
    public int timer(long deadline, long tag) {
        if (deadline <= state.now) {
            throw bug("timer: deadline " + deadline + " ns is not later than now, " + state.now + " ns");
        }
        return state.timers.set(deadline, tag, NONE);
    }

    @Override
    public void cancelTimer(int timer) {
        if (!state.timers.isSet(timer) || state.timers.dummy(timer) != NONE) {
            throw bug("cancelTimer: timer " + timer + " is not set");
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

    /** Throws what a verb threw and the policy caught. */
    void rethrowBug() {
        if (bug != null) {
            throw bug;
        }
    }

    /** Makes a new request pending and tells the world. */
    void accept(int job) {
        startShare(job);
        append(job);
        state.note(ARRIVED, jobs.id(job), jobs.type(job));
        tell().arrived(state.now, job);
        telling = false;
    }

    /** Brings a request in that runs on a server already, whatever is free there. */
    void adopt(int job, int server) {
        startShare(job);
        state.note(ARRIVED, jobs.id(job), jobs.type(job));
        tell().arrived(state.now, job);
        setOn(job, server, JobState.RUNNING);
        state.servers.addRunning(server, 1);
        state.note(ADOPTED, jobs.id(job), server);
        tell().adopted(state.now, job, server);
        telling = false;
    }

    void resize(int server, long[] capacity) {
        long[] before = new long[jobs.resources];
        for (int r = 0; r < before.length; r++) {
            before[r] = state.servers.capacity(server, r);
        }
        state.servers.resize(server, capacity);
        state.constraints.groups.changed(server);
        for (int r = 0; r < before.length; r++) {
            state.note(RESIZED, server, capacity[r]);
        }
        tell().resized(state.now, server, before);
        telling = false;
    }

    void label(int server, Labels labels) {
        countSpread(server, -1);
        state.servers.label(server, labels);
        state.constraints.groups.changed(server);
        countSpread(server, 1);
        state.note(LABELLED, server, 0);
        tell().labelled(state.now, server);
        telling = false;
    }

    private void countSpread(int server, int sign) {
        for (int job = state.occupants.head(server); job != NONE; job = jobs.next(job)) {
            if (jobs.constraint(job) != ConstraintTable.NONE) {
                state.constraints.count(jobs.constraint(job), server, sign);
            }
        }
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
        state.note(SERVER_CHANGED, server, status.ordinal());
        tell().serverChanged(state.now, server, status);
        telling = false;
    }

    private void append(int job) {
        state.pending.append(0, job);
        jobs.move(job, JobState.PENDING, NONE);
    }

    private void setOn(int job, int server, JobState where) {
        state.hold(job, server, 1);
        state.occupants.append(server, job);
        jobs.move(job, where, server);
    }

    private void takeOff(int job, int server) {
        state.hold(job, server, -1);
        state.occupants.remove(server, job);
    }

    private void unchain(int job) {
        if (jobs.state(job) == JobState.PENDING) {
            state.pending.remove(0, job);
        } else {
            state.queues.remove(jobs.place(job), job);
        }
    }

    private void checkUndecided(int job, String verb) {
        JobState where = jobs.state(job);
        if (where != JobState.PENDING && where != JobState.WAITING) {
            throw bug(verb, job, "it is " + where + ", neither PENDING nor WAITING");
        }
    }

    private boolean canTake(int job, int server) {
        return server >= 0
                && server < state.servers.count()
                && state.servers.isUp(server)
                && state.hasRoom(job, server)
                && state.mayRunOn(job, server);
    }

    private void checkTarget(int job, int server, String verb) {
        if (canTake(job, server)) {
            return;
        }
        if (server < 0 || server >= state.servers.count()) {
            throw bug(verb, job, "server " + server + " is not one of 0.." + (state.servers.count() - 1));
        }
        if (!state.servers.isUp(server)) {
            throw bug(verb, job, "server " + server + " is " + state.servers.status(server) + ", not UP");
        }
        if (!state.mayRunOn(job, server)) {
            int site = state.servers.site(server);
            throw bug(
                    verb,
                    job,
                    state.constraints.allowsSite(jobs.constraint(job), site)
                            ? "its constraints " + state.constraints.what(jobs.constraint(job))
                                    + " do not admit server " + server
                            : "it is not allowed at site " + site + " of server " + server);
        }
        throw bug(verb, job, "it does not fit server " + server + ": " + shortage(job, server));
    }

    private String shortage(int job, int server) {
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < jobs.resources; r++) {
            if (state.held(job, r) > state.servers.free(server, r)) {
                append(text, state.resources.get(r).name(), state.held(job, r), state.servers.free(server, r));
            }
        }
        int site = state.servers.site(server);
        for (int p = 0; p < jobs.pooledResources; p++) {
            if (jobs.pooledDemand(job, p) > Math.max(0, state.servers.pooledFree(site, p))) {
                String name = state.pooledResources.get(p) + " of site " + site;
                append(text, name, jobs.pooledDemand(job, p), state.servers.pooledFree(site, p));
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String name, long wanted, long free) {
        text.append(text.length() == 0 ? "" : ", ")
                .append(name)
                .append(" needs ")
                .append(wanted);
        text.append(" and ").append(free).append(" is free");
    }

    private PolicyBugException bug(String verb, int job, String what) {
        String who = jobs.state(job) == JobState.FREE ? "job " + job : "job " + job + " (request " + jobs.id(job) + ")";
        return bug(verb + " at " + state.now + " ns: " + who + ": " + what);
    }

    private PolicyBugException bug(String message) {
        PolicyBugException found = new PolicyBugException(message);
        if (bug == null) {
            bug = found;
        }
        return found;
    }
}

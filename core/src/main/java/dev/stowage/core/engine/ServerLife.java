package dev.stowage.core.engine;

import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import java.util.Locale;
import java.util.stream.IntStream;

/** The life of servers: they join, drain, return, are removed or lost. */
record ServerLife(State state, PolicyCalls policy, EngineActions actions, Refusals refusals) {
    private static final int NONE = State.NONE;
    private static final String WITHOUT_AGENT =
            "if the agent is gone for good, send one heartbeat for the server (docs/service.md), then remove it";
    private static final ServerStatus[] PRESENT = {
        ServerStatus.UP, ServerStatus.DRAINING, ServerStatus.SUSPECTED, ServerStatus.RETURNING
    };

    void add(int site, long[] capacity, String name, Labels labels) {
        if (refusals.checkSite(site, site) && refusals.checkCapacity(site, capacity, 0) && checkName(site, name)) {
            int server = state.addServer(site, capacity, name, labels);
            policy.step(() -> change(server, ServerStatus.UP));
        }
    }

    private boolean checkName(int site, String name) {
        int other = state.servers.find(name);
        if (other != NONE) {
            refusals.refuse(
                    site,
                    Refusal.BAD_NAME,
                    "server " + other + " has the name '" + name + "'; if it is the same machine, return it");
            return false;
        }
        try {
            Labels.checkWord("server name", name, true);
        } catch (IllegalArgumentException e) {
            refusals.refuse(site, Refusal.BAD_NAME, String.valueOf(e.getMessage()));
            return false;
        }
        return true;
    }

    void resize(int server, long[] capacity, long devices) {
        if (refusals.checkServer(server, server)
                && refusals.checkSupported(server, "work with servers whose capacity changes")
                && refusals.checkCapacity(server, capacity, devices)) {
            policy.step(() -> {
                actions.resize(server, capacity, devices);
                policy.serverChanged(server);
            });
        }
    }

    void label(int server, Labels labels) {
        if (refusals.checkServer(server, server)) {
            policy.step(() -> {
                actions.label(server, labels);
                if (policy.can(Capability.CONSTRAINTS)) {
                    policy.serverChanged(server);
                }
            });
        }
    }

    /** Whether a server exists and is not gone, so that requests can run on it. */
    boolean checkPresent(int server) {
        return mayBe("the place of a request", server, PRESENT);
    }

    void addSite(long[] pooledCapacity) {
        if (refusals.checkAmounts(NONE, Refusal.BAD_CAPACITY, pooledCapacity, state.pooledResources.size())) {
            state.servers.addSite(pooledCapacity);
            policy.step(policy::growQueues);
        }
    }

    void drain(int server) {
        if (mayBe("drained", server, ServerStatus.UP)) {
            policy.step(() -> change(server, ServerStatus.DRAINING));
        }
    }

    void giveBack(int server) {
        if (mayBe("returned", server, ServerStatus.DRAINING, ServerStatus.GONE)
                && (state.servers.status(server) != ServerStatus.GONE
                        || checkNoLease(server, "its agent brings it back; " + WITHOUT_AGENT + ", and return it"))) {
            policy.step(() -> {
                state.drains.end(server, state.timers);
                change(server, ServerStatus.UP);
            });
        }
    }

    void remove(int server) {
        if (!mayBe("removed", server, PRESENT)) {
            return;
        }
        int running = state.servers.running(server);
        if (running > 0) {
            refusals.refuse(
                    server,
                    Refusal.WRONG_STATUS,
                    named(server) + " still holds " + running + (running == 1 ? " request" : " requests")
                            + "; drain it first, or report it lost");
            return;
        }
        policy.step(() -> {
            // First, so that whoever hears that it is gone can tell it from one whose agent is silent.
            stopLease(server);
            state.leases.forget(server);
            takeAway(server);
        });
    }

    void lose(int server) {
        if (mayBe("lost", server, PRESENT)
                && checkNoLease(server, "what runs there is placed again once its lease has run out")) {
            policy.step(() -> takeAway(server));
        }
    }

    private boolean checkNoLease(int server, String hint) {
        if (state.leases.of(server) != null) {
            refusals.refuse(server, Refusal.LEASE, named(server) + " has an agent: " + hint);
            return false;
        }
        return true;
    }

    boolean mayBe(String verb, int server, ServerStatus... allowed) {
        if (!refusals.checkServer(server, server)) {
            return false;
        }
        ServerStatus status = state.servers.status(server);
        for (ServerStatus one : allowed) {
            if (one == status) {
                return true;
            }
        }
        boolean agentGone = status == ServerStatus.GONE && state.leases.of(server) != null;
        refusals.refuse(
                server,
                Refusal.WRONG_STATUS,
                named(server) + " is " + word(status) + " and cannot be " + verb
                        + (agentGone ? "; its agent brings it back; " + WITHOUT_AGENT : ""));
        return false;
    }

    /** A server in messages: by its name if it has one. */
    String named(int server) {
        String name = state.servers.name(server);
        return "server " + (name.isEmpty() ? Integer.toString(server) : name);
    }

    /** A status as the service shows it, {@code gone}. */
    static String word(ServerStatus status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    void change(int server, ServerStatus status) {
        actions.changeStatus(server, status);
        policy.serverChanged(server);
    }

    /** Empties the server before the policy is called, so that nothing can be placed on it or migrated off it. */
    void takeAway(int server) {
        int[] dummies = occupants(server, JobState.DUMMY);
        int[] running = running(server);
        int[] stopped = IntStream.of(running).filter(this::isEnding).toArray();
        int[] displaced = IntStream.of(running).filter(job -> !isEnding(job)).toArray();
        state.drains.end(server, state.timers);
        stopLease(server);
        for (int job : stopped) {
            actions.end(job);
        }
        for (int dummy : dummies) {
            state.timers.remove(state.timers.timerOf(dummy));
            actions.endDummy(dummy);
        }
        for (int job : displaced) {
            actions.makePending(job);
        }
        actions.changeStatus(server, ServerStatus.GONE);
        for (int dummy : dummies) {
            policy.dummyEnded(dummy, server);
            state.jobs.free(dummy);
        }
        for (int job : stopped) {
            policy.left(job, server);
            state.jobs.free(job);
        }
        policy.serverChanged(server);
        for (int job : displaced) {
            if (state.jobs.state(job) == JobState.PENDING) {
                policy.displaced(job, server);
            }
        }
    }

    /** Whether it was stopping to end. */
    private boolean isEnding(int job) {
        return state.jobs.traits.phase(job) == Phase.STOPPING && !state.jobs.traits.isAgain(job);
    }

    private void stopLease(int server) {
        Leases.Lease lease = state.leases.of(server);
        if (lease != null && lease.timer != NONE) {
            state.timers.remove(lease.timer);
            lease.timer = NONE;
        }
    }

    /** Requests on the server, in order of placement. */
    int[] running(int server) {
        return occupants(server, JobState.RUNNING);
    }

    /** The jobs on the server in this state, in order of placement. */
    private int[] occupants(int server, JobState where) {
        return IntStream.iterate(state.occupants.head(server), job -> job != NONE, state.jobs::next)
                .filter(job -> state.jobs.state(job) == where)
                .toArray();
    }
}

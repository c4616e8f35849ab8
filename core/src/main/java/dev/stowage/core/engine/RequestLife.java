package dev.stowage.core.engine;

import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;

/** The later life of requests: they end, and agents report on those on servers. */
record RequestLife(State state, PolicyCalls policy, EngineActions actions, Refusals refusals) {
    private static final int NONE = State.NONE;
    private static final String STOPPED = "evicted: it has stopped";

    /** With the handle if it is known; any other number will do. */
    void leave(long id, int handle) {
        int job = state.jobs.isOf(handle, id) ? handle : find(id);
        if (job == NONE) {
            return;
        }
        try {
            end(job);
            policy.endStep();
        } catch (RuntimeException | Error e) {
            policy.stop(e);
            throw e;
        }
    }

    /** All members are gone when the policy hears of the first. */
    void leaveTogether(long id) {
        int job = find(id);
        if (job == NONE) {
            return;
        }
        int gang = state.gangs.of(job);
        if (gang == NONE) {
            refusals.refuse(id, Refusal.WRONG_PHASE, "request " + id + " does not belong to a waiting gang");
            return;
        }
        policy.step(() -> {
            int[] members = state.gangs.members(gang);
            for (int member : members) {
                actions.end(member);
            }
            for (int member : members) {
                policy.left(member, NONE);
            }
            state.gangs.end(gang);
            for (int member : members) {
                state.jobs.free(member);
            }
        });
    }

    /** To be called in a step. */
    void end(int job) {
        int server = actions.end(job);
        policy.left(job, server);
        state.gangs.leave(job);
        state.jobs.free(job);
    }

    void started(long id) {
        int job = withAgent(id);
        if (job != NONE) {
            if (state.jobs.traits.phase(job) == Phase.PLACED) {
                policy.step(() -> actions.start(job));
            } else {
                refusals.refuse(
                        id,
                        Refusal.WRONG_PHASE,
                        "request " + id
                                + (state.jobs.traits.phase(job) == Phase.STARTED
                                        ? " has already started"
                                        : " is stopping"));
            }
        }
    }

    void startFailed(long id) {
        int job = withAgent(id);
        if (job == NONE) {
            return;
        }
        if (state.jobs.traits.phase(job) == Phase.STARTED) {
            refusals.refuse(id, Refusal.WRONG_PHASE, "request " + id + " has started; report that it stopped instead");
        } else if (state.jobs.traits.phase(job) == Phase.STOPPING) {
            policy.step(() -> stopped(job));
        } else {
            policy.step(() -> {
                int server = state.jobs.place(job);
                actions.failStart(job);
                policy.evicted(job, server);
            });
        }
    }

    void stop(long id) {
        int job = find(id);
        if (job == NONE) {
            return;
        }
        if (state.jobs.state(job) != JobState.RUNNING || !state.jobs.traits.hasAgent(job)) {
            leave(id, job);
        } else if (state.jobs.traits.phase(job) == Phase.STOPPING && !state.jobs.traits.isAgain(job)) {
            refusals.refuse(id, Refusal.WRONG_PHASE, "request " + id + " is already stopping");
        } else {
            policy.step(() -> actions.stop(job, "it was told to end"));
        }
    }

    void stopped(long id) {
        int job = withAgent(id);
        if (job != NONE) {
            policy.step(() -> stopped(job));
        }
    }

    /** To be called in a step, of a request with an agent. */
    void stopped(int job) {
        if (state.jobs.traits.isAgain(job)) {
            int server = state.jobs.place(job);
            actions.evictedAtLast(job, STOPPED);
            policy.evicted(job, server);
        } else {
            end(job);
        }
    }

    void evict(long id) {
        int job = find(id);
        if (job == NONE
                || !refusals.checkCan(id, Capability.EVICTION, "evict requests")
                || !checkRunning(job, "evicted")) {
            return;
        }
        if (state.jobs.traits.phase(job) == Phase.STOPPING) {
            refusals.refuse(id, Refusal.WRONG_PHASE, "request " + id + " is already stopping");
        } else {
            policy.step(() -> evict(job, true, "evicted by a command for this request"));
        }
    }

    /** To be called in a step. */
    void evict(int job, boolean avoiding, String reason) {
        int server = state.jobs.place(job);
        if (actions.evict(job, avoiding, reason)) {
            policy.evicted(job, server);
        }
    }

    private int find(long id) {
        int job = id < 0 ? NONE : state.jobs.find(id);
        if (job == NONE) {
            refusals.refuse(id, Refusal.UNKNOWN_ID, "request " + id + " is not in the system");
        }
        return job;
    }

    /** A request on a server with an agent. */
    private int withAgent(long id) {
        int job = find(id);
        if (job == NONE || !checkRunning(job, "reported on by an agent")) {
            return NONE;
        }
        if (!state.jobs.traits.hasAgent(job)) {
            refusals.refuse(id, Refusal.WRONG_PHASE, "request " + id + " is not run by an agent");
            return NONE;
        }
        return job;
    }

    private boolean checkRunning(int job, String what) {
        if (state.jobs.state(job) != JobState.RUNNING) {
            long id = state.jobs.id(job);
            refusals.refuse(id, Refusal.WRONG_PHASE, "request " + id + " is not on a server and cannot be " + what);
            return false;
        }
        return true;
    }
}

package dev.stowage.core.engine;

import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/** Servers whose agents send heartbeats or are silent, and servers whose requests are moved while they drain. */
record ServerAgents(
        State state,
        PolicyCalls policy,
        EngineActions actions,
        Refusals refusals,
        ServerLife servers,
        RequestLife requests) {
    private static final int LEASE = 0;
    private static final int DRAIN = 1;
    private static final int KINDS = 2;

    /** A timer of the engine's own is due. To be called in a step. */
    void fire(long tag) {
        int server = (int) (tag / KINDS);
        if (tag % KINDS == LEASE) {
            leaseEnds(server);
        } else {
            moveOne(server);
        }
    }

    private int timer(int server, int kind, long nanos) {
        return timer(state.now, server, kind, nanos);
    }

    private int timer(long from, int server, int kind, long nanos) {
        long deadline = nanos > Long.MAX_VALUE - 1 - from ? Long.MAX_VALUE - 1 : from + nanos;
        return state.timers.set(deadline, (long) server * KINDS + kind, Timers.OWN);
    }

    /** All leases and grace times begin at {@code from}. */
    void renewLeases(long from) {
        if (from < state.now) {
            refusals.refuse(
                    State.NONE,
                    Refusal.BAD_TIME,
                    "leases from " + from + " ns on, which is before " + state.now + " ns");
            return;
        }
        state.leases.forEach((server, lease) -> {
            if (lease.timer != State.NONE) {
                state.timers.remove(lease.timer);
                boolean suspected = state.servers.status(server) == ServerStatus.SUSPECTED;
                lease.timer = timer(from, server, LEASE, suspected ? lease.graceNanos : lease.leaseNanos);
            }
        });
    }

    void heartbeat(int server, long incarnation, long leaseNanos, long graceNanos) {
        if (!refusals.checkServer(server, server) || !checkTimes(server, leaseNanos, graceNanos)) {
            return;
        }
        Leases.Lease lease = state.leases.of(server);
        ServerStatus status = state.servers.status(server);
        if (lease == null && status == ServerStatus.GONE) {
            refusals.refuse(
                    server,
                    Refusal.WRONG_STATUS,
                    servers.named(server) + " was removed or reported lost; return it to use it again");
        } else if (incarnation < (lease == null ? 0 : lease.incarnation)) {
            refuseIncarnation(server, incarnation, lease == null ? 0 : lease.incarnation);
        } else {
            policy.step(() -> heard(server, incarnation, leaseNanos, graceNanos));
        }
    }

    private void refuseIncarnation(int server, long incarnation, long newest) {
        refusals.refuse(
                server,
                Refusal.LEASE,
                "incarnation " + incarnation + " of the agent of server " + server + " is not the newest, " + newest);
    }

    private boolean checkTimes(int server, long leaseNanos, long graceNanos) {
        if (leaseNanos < 1 || graceNanos < 0) {
            refusals.refuse(
                    server,
                    Refusal.BAD_TIME,
                    "a lease of " + leaseNanos + " ns must be at least 1 ns, and a grace time of " + graceNanos
                            + " ns at least 0");
            return false;
        }
        return true;
    }

    private void heard(int server, long incarnation, long leaseNanos, long graceNanos) {
        Leases.Lease known = state.leases.of(server);
        ServerStatus status = state.servers.status(server);
        Leases.Lease lease = known == null ? state.leases.make(server) : known;
        if (known == null) {
            lease.reported = status;
            lease.heard = ServerStatus.RETURNING;
        } else if (status == ServerStatus.GONE || incarnation > lease.incarnation) {
            lease.reported = status == ServerStatus.GONE ? ServerStatus.UP : usual(lease, status);
            lease.heard = ServerStatus.RETURNING;
        } else if (status != ServerStatus.SUSPECTED) {
            lease.heard = status;
        }
        lease.incarnation = incarnation;
        lease.leaseNanos = leaseNanos;
        lease.graceNanos = graceNanos;
        if (lease.timer != State.NONE) {
            state.timers.remove(lease.timer);
        }
        lease.timer = timer(server, LEASE, leaseNanos);
        if (status != lease.heard) {
            servers.change(server, lease.heard);
        }
    }

    /** Up or draining: the status of the server while its agent is alive. */
    private static ServerStatus usual(Leases.Lease lease, ServerStatus status) {
        if (status == ServerStatus.UP || status == ServerStatus.DRAINING) {
            return status;
        }
        return lease.heard == ServerStatus.RETURNING ? lease.reported : lease.heard;
    }

    private void leaseEnds(int server) {
        Leases.Lease lease = state.leases.of(server);
        if (lease == null) {
            throw new IllegalStateException("server " + server + " has no lease to end");
        }
        lease.timer = State.NONE;
        ServerStatus status = state.servers.status(server);
        if (status == ServerStatus.SUSPECTED) {
            servers.takeAway(server);
        } else {
            lease.heard = status;
            lease.timer = timer(server, LEASE, lease.graceNanos);
            servers.change(server, ServerStatus.SUSPECTED);
        }
    }

    void report(int server, long incarnation, long[] ids) {
        if (!refusals.checkServer(server, server)) {
            return;
        }
        Leases.Lease lease = state.leases.of(server);
        ServerStatus status = state.servers.status(server);
        if (lease == null || status == ServerStatus.GONE || status == ServerStatus.SUSPECTED) {
            refusals.refuse(
                    server,
                    Refusal.WRONG_STATUS,
                    servers.named(server) + " is " + ServerLife.word(status)
                            + (lease == null ? " without an agent" : "") + "; a heartbeat comes before a report");
        } else if (incarnation != lease.incarnation) {
            refuseIncarnation(server, incarnation, lease.incarnation);
        } else {
            policy.step(() -> {
                compare(server, ids);
                if (state.servers.status(server) == ServerStatus.RETURNING) {
                    servers.change(server, lease.reported);
                }
            });
        }
    }

    private void compare(int server, long[] ids) {
        Set<Long> running = new LinkedHashSet<>();
        Arrays.stream(ids).forEach(running::add);
        Traits traits = state.jobs.traits;
        for (int job : servers.running(server)) {
            if (!traits.hasAgent(job)) {
                running.remove(state.jobs.id(job));
            } else if (running.remove(state.jobs.id(job))) {
                if (traits.phase(job) == Phase.PLACED) {
                    actions.start(job);
                }
            } else if (traits.phase(job) == Phase.STOPPING) {
                requests.stopped(job);
            } else if (traits.phase(job) == Phase.STARTED) {
                again(job, server);
            }
        }
        running.forEach(id -> actions.stray(id, server));
    }

    private void again(int job, int server) {
        state.jobs.traits.stopForNow(job, false);
        actions.evictedAtLast(job, "its agent reports that it is not running");
        policy.evicted(job, server);
    }

    /** Drains a server that is up, or draining already, and moves its requests one by one. */
    void drain(int server, long gapNanos) {
        if (gapNanos < 1) {
            refusals.refuse(server, Refusal.BAD_TIME, "a gap of " + gapNanos + " ns must be at least 1 ns");
        } else if (refusals.checkCan(server, Capability.EVICTION, "move requests off a server")
                && servers.mayBe("drained", server, ServerStatus.UP, ServerStatus.DRAINING)) {
            policy.step(() -> {
                servers.change(server, ServerStatus.DRAINING);
                state.drains.end(server, state.timers);
                state.drains.put(server, gapNanos, State.NONE);
                moveOne(server);
            });
        }
    }

    /** Moves the first request that can be moved, and sets a timer for the next after the gap if there are more. */
    private void moveOne(int server) {
        Drains.Drain drain = state.drains.of(server);
        long gapNanos = drain.gapNanos();
        if (state.servers.status(server) != ServerStatus.DRAINING) {
            state.drains.putInVain(server, drain, timer(server, DRAIN, gapNanos), state.digest());
            return;
        }
        state.drains.put(server, gapNanos, State.NONE);
        boolean moved = false;
        boolean more = false;
        for (int job : servers.running(server)) {
            if (state.jobs.traits.phase(job) != Phase.STOPPING) {
                boolean now = !moved && move(job, server);
                moved |= now;
                more |= !now;
            }
        }
        if (more && moved) {
            state.drains.put(server, gapNanos, timer(server, DRAIN, gapNanos));
        } else if (more) {
            state.drains.putInVain(server, drain, timer(server, DRAIN, gapNanos), state.digest());
        }
    }

    /** How much later than due the time may come for a timer of the engine's own, since it would change nothing. */
    long pauseNanos(long tag) {
        return tag % KINDS == DRAIN ? state.drains.pauseNanos((int) (tag / KINDS), state.digest()) : 0;
    }

    /** A request was adopted: if all had been moved off the server, there is one more to move. */
    void adopted(int server) {
        if (state.drains.isIdle(server)) {
            long gapNanos = state.drains.gapNanos(server);
            state.drains.put(server, gapNanos, timer(server, DRAIN, gapNanos));
        }
    }

    private boolean move(int job, int server) {
        if (state.jobs.traits.hasAgent(job) || !policy.can(Capability.MIGRATION)) {
            requests.evict(job, false, "its server is draining");
            return true;
        }
        policy.moveOff(job);
        return state.jobs.place(job) != server;
    }
}

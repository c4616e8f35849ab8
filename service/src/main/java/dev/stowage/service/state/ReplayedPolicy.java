package dev.stowage.service.state;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A second engine that is fed the same log, to show what another policy would have done. It begins as a copy of the
 * active engine, so running requests stay where they are.
 *
 * <p>The world is the same for both: requests come at the same times, servers change at the same times, and a request
 * <em>runs as long as it ran</em>, wherever and whenever it was placed. This time becomes known when its client
 * releases it: a policy that placed it later ends it that much later. For a request that the active policy never placed
 * it is unknown; it is estimated from other requests ({@link SeenLifetimes}), and counted. A change of policy in the
 * log applies to the active engine only.
 *
 * <p>Agents report on requests where the active policy placed them. Another policy ignores that: in it
 * every request starts where it is placed, and runs as long as it was on a server in the active engine, from its last
 * placement to its end. Heartbeats of servers, and so their loss, are the same for both.
 *
 * <p>The active policy itself gets the same commands as the active engine, those of agents too, and decides
 * exactly as it did, with the same digest. A bug of the policy stops this engine alone.
 */
public final class ReplayedPolicy {
    /** When a request ends, by its number; the earliest first. */
    record Due(long at, long number) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    /** Between two policies that decided one after the other, in their names. */
    public static final String THEN = ", then ";

    private static final long UNKNOWN = -1;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final boolean followsPolicy;
    private final Usage usage = new Usage();
    private final Engine engine;
    private final OperationDriver driver;
    private final PriorityQueue<Due> ends = new PriorityQueue<>();
    /** Start of each request that runs in the active engine. */
    private final Map<Long, Long> activeStart = new HashMap<>();
    /** Run times of requests that have left the active engine and not yet this one. */
    private final Map<Long, Long> runs = new HashMap<>();

    private final SeenLifetimes lifetimes = new SeenLifetimes();
    /** Requests that run here without an end, as long as no request has ended to learn from. */
    private final Set<Long> endless = new LinkedHashSet<>();

    /** The policies that have decided, the first one's name and from when the others did. */
    private final StringBuilder decided = new StringBuilder();

    private PolicySpec last;
    private boolean refused;
    private long gaveUp;
    private long refusedChanges;
    private long estimated;
    private @Nullable String failure;

    private ReplayedPolicy(World active, @Nullable PolicySpec policy, PolicyFactory policies, long at) {
        followsPolicy = policy == null;
        engine = Engine.restore(active.engine().save(), policies, new Listener());
        driver = new OperationDriver(engine, active.names(), followsPolicy);
        last = followsPolicy ? engine.policy() : Objects.requireNonNull(policy);
        decided.append(last);
        usage.begin(at);
        for (Request request : active.requests()) {
            if (request.state() == Request.State.RUNNING) {
                activeStart.put(request.number(), request.since());
                usage.ranSince(request.number(), request.since());
            }
            if (request.waitUntil() > at) {
                driver.waits(request.waitUntil(), request.number());
            }
        }
        if (policy != null) {
            refused = false;
            engine.setPolicy(at, policy);
            if (refused) {
                failure = "policy " + policy + " cannot take over here";
            }
        }
    }

    /**
     * Begins with a world as it is now.
     *
     * @param policy its policy; null for the active one, also when that changes
     */
    public static ReplayedPolicy of(ServiceState state, @Nullable PolicySpec policy, PolicyFactory policies) {
        World world = state.world();
        if (world == null) {
            throw new IllegalStateException("the service has not started yet");
        }
        return new ReplayedPolicy(world, policy, policies, state.now());
    }

    /**
     * Applies an entry that the active engine has just applied.
     *
     * @param at time of the active state after it
     * @param outcomes of the operations; none if the state is halted
     * @param changes of requests, in order
     */
    public void apply(long at, Batch batch, List<Outcome> outcomes, List<Request> changes) {
        if (failure != null) {
            return;
        }
        try {
            if (!outcomes.isEmpty() && batch.operations().get(0) instanceof Operation.ClockSet) {
                engine.renewLeases(engine.view().now(), at);
            }
            passTime(at);
            if (!followsPolicy) {
                lifetimes.note(at, batch, outcomes, changes);
                if (!endless.isEmpty() && lifetimes.known()) {
                    giveEnds(at);
                }
                changes.forEach(this::noteStart);
            }
            for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i).kind() == Outcome.Kind.DONE) {
                    apply(at, batch.operations().get(i), outcomes.get(i));
                }
            }
            if (!followsPolicy) {
                changes.forEach(request -> over(at, request));
            }
            usage.advance(at);
            noteChange(at);
        } catch (RuntimeException e) {
            failure = "stopped at " + at + ": " + e;
        }
    }

    private void noteChange(long at) {
        if (followsPolicy && !engine.policy().equals(last)) {
            last = engine.policy();
            decided.append(THEN)
                    .append(last)
                    .append(" from ")
                    .append(Instant.ofEpochSecond(Math.floorDiv(at, NANOS_PER_SECOND)));
        }
    }

    private void over(long at, Request request) {
        if (request.life().agent() && request.state() == Request.State.RELEASED) {
            released(new Release(request.tenant(), request.id()), at, request.number());
        }
        boolean neverRan = request.state() == Request.State.REJECTED || request.state() == Request.State.EXPIRED;
        if (neverRan) {
            unknown(at, request.number());
        }
    }

    private void noteStart(Request request) {
        if (request.state() == Request.State.RUNNING) {
            activeStart.putIfAbsent(request.number(), request.since());
        } else if (!request.state().finished()) {
            activeStart.remove(request.number());
        }
    }

    private void apply(long at, Operation operation, Outcome outcome) {
        Request request = outcome.request();
        if (operation instanceof Submit submit && request != null) {
            refused = false;
            driver.arrive(submit, request.number(), at);
            checkTaken(submit);
            if (submit.waitNanos() == 0) {
                passTime(at);
            }
        } else if (operation instanceof Operation.Adopt adopt && request != null) {
            refused = false;
            driver.adopt(adopt, request.number(), at);
            checkTaken(adopt.submit());
        } else if (operation instanceof Operation.Gang gang && request != null) {
            refused = false;
            driver.arriveTogether(gang, request.number(), at);
            checkTaken(gang.members().get(0));
            if (gang.waitNanos() == 0) {
                passTime(at);
            }
        } else if (operation instanceof Operation.Heartbeat heartbeat) {
            driver.heartbeat(heartbeat, at);
        } else if (operation instanceof Operation.Report report) {
            // Requests that come with another policy have no agent, so none of them is reported missing.
            long[] running = followsPolicy
                    ? outcome.requests().stream().mapToLong(Request::number).toArray()
                    : new long[0];
            engine.report(at, (int) outcome.number(), report.incarnation(), running);
        } else if (operation instanceof Operation.Told told && request != null && followsPolicy) {
            told(at, told.what(), request.number());
        } else if (operation instanceof Release release && request != null && followsPolicy) {
            release(release, at, request.number());
        } else if (operation instanceof Release release && request != null) {
            // The operation may allow for a gang that the active policy had placed.
            boolean withGang = !outcome.requests().isEmpty();
            List<Request> all = withGang ? outcome.requests() : List.of(request);
            Release happened = new Release(release.tenant(), release.id(), withGang);
            all.stream().filter(ReplayedPolicy::ends).forEach(one -> released(happened, at, one.number()));
        } else if (operation instanceof Change change
                && (followsPolicy || change.command().kind() != Command.Kind.SET_POLICY)) {
            refused = false;
            if (driver.problem(change) == null) {
                driver.change(change, at);
            } else {
                refused = true;
            }
            refusedChanges += refused ? 1 : 0;
        }
    }

    private void told(long at, Command.Kind what, long number) {
        switch (what) {
            case STARTED -> engine.started(at, number);
            case START_FAILED -> engine.startFailed(at, number);
            case STOPPED -> engine.stopped(at, number);
            default -> throw new IllegalArgumentException("no agent reports " + what);
        }
    }

    /** Whether a release ends it; a request with an agent runs until the agent reports that it has stopped. */
    private static boolean ends(Request request) {
        return request.state().finished() && !request.life().agent();
    }

    private void checkTaken(Submit submit) {
        if (refused) {
            throw new IllegalStateException(engine.policy() + " does not take request " + submit.id()
                    + (submit.sites().isEmpty() ? "" : ", which is limited to sites " + submit.sites())
                    + (submit.words().isNone() ? "" : ", which has constraints " + submit.words()));
        }
    }

    private void release(Release release, long at, long number) {
        int job = engine.find(number);
        boolean waits = job >= 0 && engine.view().state(job) == JobState.WAITING;
        int ended = driver.release(release, number, at).length;
        gaveUp += waits ? ended : 0;
    }

    /** The client has released it, or given up. */
    private void released(Release release, long at, long number) {
        Long start = activeStart.remove(number);
        int job = engine.find(number);
        if (start != null) {
            if (job >= 0) {
                ran(at, number, at - start);
            }
        } else if (job >= 0 && engine.view().state(job) == JobState.WAITING) {
            release(release, at, number);
        } else {
            unknown(at, number);
        }
    }

    private void unknown(long at, long number) {
        int job = engine.find(number);
        if (job >= 0) {
            ran(at, number, usage.startedAt(number) == null ? UNKNOWN : estimate(number));
        }
    }

    /** Its estimated run time, or {@link #UNKNOWN} as long as nothing is known. */
    private long estimate(long number) {
        if (lifetimes.known()) {
            estimated++;
            return lifetimes.estimate(number, 0);
        }
        endless.add(number);
        return UNKNOWN;
    }

    /** The first request has ended, so the endless ones get an end. */
    private void giveEnds(long at) {
        for (long number : endless) {
            Long start = usage.startedAt(number);
            if (start != null) {
                estimated++;
                ran(at, number, lifetimes.estimate(number, at - start));
            }
        }
        endless.clear();
    }

    /** The run time of a request is known: it ends now, or when that time is over. */
    private void ran(long at, long number, long nanos) {
        Long start = usage.startedAt(number);
        if (start == null || nanos == UNKNOWN) {
            runs.put(number, nanos);
        } else if (OperationDriver.saturated(start, nanos) <= at) {
            engine.leave(at, number);
        } else {
            runs.put(number, nanos);
            ends.add(new Due(OperationDriver.saturated(start, nanos), number));
        }
    }

    private void passTime(long at) {
        while (true) {
            long wait = driver.nextWait();
            Due end = ends.peek();
            boolean waitFirst = end == null || wait <= end.at();
            if ((waitFirst ? wait : end.at()) > at) {
                break;
            }
            if (waitFirst) {
                gaveUp += driver.endWait() ? 1 : 0;
            } else {
                ends.remove();
                long then = Math.max(end.at(), engine.view().now());
                engine.tick(then);
                end(then, end);
            }
        }
        engine.tick(at);
    }

    /** Ends it, unless it has lost its server meanwhile and started again. */
    private void end(long at, Due due) {
        Long start = usage.startedAt(due.number());
        Long nanos = runs.get(due.number());
        if (start != null && nanos != null && OperationDriver.saturated(start, nanos) == due.at()) {
            engine.leave(at, due.number());
        }
    }

    /** The figures so far. */
    public Figures figures() {
        long inSystem = engine.arrived() - engine.left() - engine.rejected();
        return new Figures(
                decided.toString(),
                usage.since(),
                usage.last(),
                usage.arrived,
                usage.placed,
                usage.rejected,
                gaveUp,
                usage.migrated,
                inSystem - usage.running(),
                usage.running(),
                refusedChanges,
                estimated,
                usage.meanWaitSeconds(),
                usage.meanOccupied(),
                usage.meanUtilization(),
                engine.digest(),
                failure == null ? "" : failure);
    }

    /** Passes effects to the usage, and schedules the ends of requests that are placed later here. */
    private final class Listener extends EngineListener {
        @Override
        public void attached(View engineView) {
            super.attached(engineView);
            usage.attached(engineView);
        }

        @Override
        public void arrived(long now, int job) {
            usage.arrived(now, job);
        }

        @Override
        public void placed(long now, int job, int server, String reason) {
            usage.placed(now, job, server, reason);
            long number = view().id(job);
            Long nanos = runs.get(number);
            if (nanos != null) {
                long known = nanos == UNKNOWN ? estimate(number) : nanos;
                if (known != UNKNOWN) {
                    runs.put(number, known);
                    ends.add(new Due(OperationDriver.saturated(now, known), number));
                }
            }
        }

        @Override
        public void migrated(long now, int job, int from, int to, String reason) {
            usage.migrated(now, job, from, to, reason);
        }

        @Override
        public void rejected(long now, int job, String reason) {
            usage.rejected(now, job, reason);
            forget(job);
        }

        @Override
        public void left(long now, int job, int server) {
            usage.left(now, job, server);
            forget(job);
        }

        private void forget(int job) {
            runs.remove(view().id(job));
        }

        @Override
        public void displaced(long now, int job, int server) {
            usage.displaced(now, job, server);
        }

        @Override
        public void serverChanged(long now, int server, ServerStatus status) {
            usage.serverChanged(now, server, status);
        }

        @Override
        public void resized(long now, int server, long[] before) {
            usage.resized(now, server, before);
        }

        @Override
        public void refused(long now, long subject, Refusal refusal, String detail) {
            refused = true;
        }
    }
}

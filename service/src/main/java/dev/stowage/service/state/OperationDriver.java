package dev.stowage.service.state;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.Operation.Adopt;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Gang;
import dev.stowage.service.state.Operation.Heartbeat;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Drives an engine by operations: translates them to commands, and ends longest waits. The active engine has one, and
 * so has each engine of a replayed policy.
 */
final class OperationDriver {
    /**
     * The names in operations; a name's number is its place in the list.
     *
     * @param sites grows when a site is added
     */
    record NameLists(List<String> resources, List<String> pooled, List<String> sites, List<RequestType> types) {
        NameLists {
            sites = new ArrayList<>(sites);
        }

        /** Number of a type, or -1. */
        int type(String name) {
            for (int type = 0; type < types.size(); type++) {
                if (types.get(type).name().equals(name)) {
                    return type;
                }
            }
            return -1;
        }
    }

    /** The demand of a request, including that of its type. */
    private record Asked(int type, long[] demand, long[] pooled, long rewardMicros) {}

    /** Why an operation is refused without the engine. */
    record Refused(Refusal refusal, String detail) {}

    /** A request and the time at which it gives up waiting. */
    private record Wait(long until, long number) implements Comparable<Wait> {
        @Override
        public int compareTo(Wait other) {
            return until != other.until ? Long.compare(until, other.until) : Long.compare(number, other.number);
        }
    }

    private static final int SPARE_WAITS = 1024;

    private final Engine engine;
    private final NameLists names;
    private final boolean agents;
    private final PriorityQueue<Wait> waits = new PriorityQueue<>();

    /**
     * Drives an engine.
     *
     * @param agents whether agents report what becomes of the requests that have one
     */
    OperationDriver(Engine engine, NameLists names, boolean agents) {
        this.engine = engine;
        this.names = names;
        this.agents = agents;
    }

    /** The demand of a request; omitted parts are those of its type. */
    long[] demand(Submit submit) {
        int type = names.type(submit.type());
        return type < 0 || submit.demand().length > 0
                ? submit.demand()
                : names.types().get(type).demand().toArray();
    }

    /** A request arrives. */
    void arrive(Submit submit, long number, long at) {
        engine.arrive(at, request(submit, number));
        if (engine.find(number) >= 0) {
            waits(until(submit, at), number);
        }
    }

    /** A running request is adopted. */
    void adopt(Adopt adopt, long number, long at) {
        engine.adopt(at, request(adopt.submit(), number), server(adopt.server()), adopt.devices());
    }

    /** Requests arrive that are placed at once or not at all. */
    void arriveTogether(Gang gang, long firstNumber, long at) {
        List<NewRequest> members = new ArrayList<>();
        for (Submit submit : gang.members()) {
            members.add(request(submit, firstNumber + members.size()));
        }
        engine.arriveTogether(at, members);
        for (NewRequest member : members) {
            if (engine.find(member.id()) >= 0) {
                waits(until(gang.members().get(0), at), member.id());
            }
        }
    }

    /** The agent of a server is alive. */
    void heartbeat(Heartbeat heartbeat, long at) {
        engine.heartbeat(
                at,
                server(heartbeat.server()),
                heartbeat.incarnation(),
                heartbeat.leaseNanos(),
                heartbeat.graceNanos());
    }

    private NewRequest request(Submit submit, long number) {
        Asked asked = asked(submit);
        return new NewRequest(
                number,
                asked.type(),
                asked.demand(),
                asked.pooled(),
                asked.rewardMicros(),
                constraints(submit),
                submit.priority(),
                agents && submit.agent(),
                submit.expectedNanos());
    }

    private Asked asked(Submit submit) {
        int type = names.type(submit.type());
        long[] pooled = submit.pooled();
        long reward = submit.rewardMicros();
        if (type >= 0) {
            RequestType of = names.types().get(type);
            pooled = pooled.length == 0 ? of.pooledDemand().toArray() : pooled;
            reward = reward < 0 ? of.rewardMicros() : reward;
        }
        if (pooled.length == 0) {
            pooled = new long[names.pooled().size()];
        }
        return new Asked(type, demand(submit), pooled, Math.max(0, reward));
    }

    /** Its constraints, parsed; there must be no {@link #problem} with them. */
    private Constraints constraints(Submit submit) {
        if (submit.sites().isEmpty() && submit.words().isNone()) {
            return Constraints.NONE;
        }
        return submit.words()
                .meaning(
                        submit.sites().stream().map(names.sites()::indexOf).toList(),
                        submit.words().avoid().stream().map(this::server).toList());
    }

    /** Number of the server with this name, or this number as text; -1 if there is none. */
    int server(String name) {
        return ServerNames.find(engine, name);
    }

    /** Why a submission is refused without the engine, or null; then the engine may still refuse it. */
    @Nullable
    Refused problem(Submit submit) {
        if (names.type(submit.type()) < 0 && !submit.type().isEmpty()) {
            return new Refused(
                    Refusal.UNKNOWN_TYPE,
                    "type '" + submit.type() + "' is not one of "
                            + names.types().stream().map(RequestType::name).toList());
        }
        for (String site : submit.sites()) {
            if (!names.sites().contains(site)) {
                return new Refused(Refusal.UNKNOWN_SITE, "site '" + site + "' is not one of " + names.sites());
            }
        }
        for (String server : submit.words().avoid()) {
            if (server(server) < 0) {
                return new Refused(
                        Refusal.UNKNOWN_SERVER, "servers to avoid: " + ServerNames.unknown(engine.view(), server));
            }
        }
        try {
            Constraints unused = constraints(submit);
            return null;
        } catch (IllegalArgumentException e) {
            return new Refused(Refusal.CONSTRAINT, String.valueOf(e.getMessage()));
        }
    }

    /** When a request gives up waiting, or {@link Long#MAX_VALUE}. */
    static long until(Submit submit, long at) {
        return submit.waitNanos() < 0 ? Long.MAX_VALUE : saturated(at, submit.waitNanos());
    }

    static long saturated(long time, long more) {
        return more > Long.MAX_VALUE - time ? Long.MAX_VALUE : time + more;
    }

    /** Limits the wait of a request in the system. */
    void waits(long until, long number) {
        if (until == Long.MAX_VALUE) {
            return;
        }
        // Waits of requests that have left are removed once they are the majority, so memory follows the requests in
        // the system.
        long inSystem = engine.arrived() - engine.left() - engine.rejected();
        if (waits.size() > 2 * inSystem + SPARE_WAITS) {
            waits.removeIf(wait -> engine.find(wait.number()) < 0);
        }
        waits.add(new Wait(until, number));
    }

    /** Number of waits, including those of requests that have left. */
    int waits() {
        return waits.size();
    }

    /** When the first wait ends, or {@link Long#MAX_VALUE}. */
    long nextWait() {
        Wait first = waits.peek();
        while (first != null && engine.find(first.number()) < 0) {
            waits.remove();
            first = waits.peek();
        }
        return first == null ? Long.MAX_VALUE : first.until();
    }

    /** A request ends or is to stop; with the gang, if it waits in one and that was asked for. Returns the members. */
    long[] release(Release release, long number, long at) {
        View view = engine.view();
        int job = engine.find(number);
        int gang = job >= 0 && release.withGang() ? view.gang(job) : View.NONE;
        if (gang == View.NONE) {
            engine.stop(at, number);
            return new long[] {number};
        }
        long[] members = new long[view.gangSize(gang)];
        Arrays.setAll(members, k -> view.id(view.gangMember(gang, k)));
        engine.leaveTogether(at, number);
        return members;
    }

    /**
     * Ends the first wait. Returns whether the request was still waiting, and has left, its gang with it if it is of
     * one.
     */
    boolean endWait() {
        Wait first = waits.remove();
        // A timer of the policy may place the request at this very moment, so that it has not waited too long.
        long at = Math.max(first.until(), engine.view().now());
        engine.tick(at);
        int job = engine.find(first.number());
        boolean waited = job >= 0 && engine.view().state(job) == JobState.WAITING;
        if (waited && engine.view().gang(job) >= 0) {
            engine.leaveTogether(at, first.number());
        } else if (waited) {
            engine.leave(at, first.number());
        }
        return waited;
    }

    /**
     * Why a change of all servers of a site is refused without the engine, or null; then the engine may still refuse
     * it.
     */
    @Nullable
    Refused problem(Change change) {
        if (!change.ofSite()) {
            return null;
        }
        int site = names.sites().indexOf(change.name());
        if (site < 0) {
            return new Refused(Refusal.UNKNOWN_SITE, "site '" + change.name() + "' is not one of " + names.sites());
        }
        String problem = SiteChange.problem(change.command().kind(), engine.view(), site);
        return problem == null ? null : new Refused(Refusal.WRONG_STATUS, problem);
    }

    /** Carries out a change of servers, sites or policy without a {@link #problem}. */
    void change(Change change, long at) {
        if (change.ofSite()) {
            int site = names.sites().indexOf(change.name());
            SiteChange.commands(change.command().kind(), engine.view(), site, at)
                    .forEach(one -> one.send(engine));
        } else {
            change.command().withAt(at).send(engine);
        }
    }
}

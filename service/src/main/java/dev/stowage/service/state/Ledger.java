package dev.stowage.service.state;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Preemption;
import dev.stowage.service.state.Operation.Submit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the effects of the engine into the table of requests and the totals of the servers. */
final class Ledger extends EngineListener {
    /**
     * What commands did.
     *
     * @param refusal why the engine refused the last of them that it refused, or null
     * @param detail detail of that, for people
     * @param server the server that changed its status last, or -1
     * @param ended the request that left last, as it is now, or null
     * @param arrived the first request that arrived, as it is now, or null
     */
    record Done(
            @Nullable Refusal refusal,
            String detail,
            int server,
            @Nullable Request ended,
            @Nullable Request arrived) {}

    /**
     * A request that is to arrive.
     *
     * @param fingerprint hash of what was asked
     */
    record Arrival(Submit submit, long fingerprint) {}

    /** Why a request leaves that need not be stopped first. */
    private enum Ending {
        RELEASED,
        EXPIRED,
        /** The client released it, or another one of its gang. */
        WITHDRAWN,
        /** Its agent reports it. */
        TOLD
    }

    /** The command that the engine is carrying out, to which effects belong. */
    private static final class Step {
        private final long position;
        /** The arriving requests, the first with this number. */
        private final List<Arrival> arrivals;

        private final long firstNumber;
        private final Ending end;
        private @Nullable Refusal refusal;
        private String detail = "";
        private int server = -1;
        private @Nullable Request ended;
        private @Nullable Request arrived;

        Step(long position, List<Arrival> arrivals, long firstNumber, Ending end) {
            this.position = position;
            this.arrivals = arrivals;
            this.firstNumber = firstNumber;
            this.end = end;
        }
    }

    /** Reason of a request whose longest wait ended. */
    static final String EXPIRED = "it was not placed within its longest wait";

    private static final String RELEASED = "released by the client";
    private static final String WITHDRAWN = "its gang, which waited, was released by the client";
    private static final String ENDED = "its agent reports that it has ended";

    private final RequestTable requests;
    private final ServerTotals servers = new ServerTotals();
    private final LabelKeys labels = new LabelKeys();
    private @Nullable Step step;
    private List<Request> changes = new ArrayList<>();

    Ledger(RequestTable requests) {
        this.requests = requests;
    }

    ServerTotals servers() {
        return servers;
    }

    LabelKeys labels() {
        return labels;
    }

    /** Lets the engine carry out commands at a log position. */
    Done during(long position, Runnable commands) {
        return during(new Step(position, List.of(), 0, Ending.RELEASED), commands);
    }

    /** The same for the arrival of requests, numbered from the first on. */
    Done arriving(List<Arrival> arrivals, long firstNumber, long position, Runnable commands) {
        return during(new Step(position, arrivals, firstNumber, Ending.RELEASED), commands);
    }

    /** The same for an agent's report on a request. */
    Done told(long position, Runnable commands) {
        return during(new Step(position, List.of(), 0, Ending.TOLD), commands);
    }

    /** The same for the release of a gang that waits. Returns its members, as they are now. */
    List<Request> withdrawing(long position, Runnable commands) {
        Step release = new Step(position, List.of(), 0, Ending.WITHDRAWN);
        int before = changes.size();
        during(release, commands);
        return changes.subList(before, changes.size()).stream()
                .filter(request -> request.reason().equals(WITHDRAWN))
                .toList();
    }

    /** The same for requests that have waited too long. */
    Done expiring(long position, Runnable commands) {
        return during(new Step(position, List.of(), 0, Ending.EXPIRED), commands);
    }

    private Done during(Step now, Runnable commands) {
        step = now;
        commands.run();
        step = null;
        return new Done(now.refusal, now.detail, now.server, now.ended, now.arrived);
    }

    private Step now() {
        if (step == null) {
            throw new IllegalStateException("the engine reported an effect outside a command");
        }
        return step;
    }

    @Override
    public void arrived(long now, int job) {
        View seen = view();
        if (HeldRoom.is(seen, job)) {
            return;
        }
        long place = seen.id(job) - now().firstNumber;
        if (place < 0 || place >= now().arrivals.size()) {
            throw new IllegalStateException("request " + seen.id(job) + " arrived but was not submitted");
        }
        Arrival arrival = now().arrivals.get((int) place);
        Submit submit = arrival.submit();
        long[] demand = new long[seen.resources()];
        for (int r = 0; r < demand.length; r++) {
            demand[r] = seen.demand(job, r);
        }
        // Names that many requests share are kept once.
        Request request = new Request(
                submit.tenant().intern(),
                submit.id(),
                seen.id(job),
                arrival.fingerprint(),
                submit.type().intern(),
                demand,
                submit.sites().isEmpty()
                        ? List.of()
                        : submit.sites().stream().map(String::intern).toList(),
                submit.words(),
                Request.State.WAITING,
                -1,
                -1,
                now,
                now,
                OperationDriver.until(submit, now),
                "",
                now().position,
                null,
                Life.begin(submit.priority(), submit.agent(), submit.expectedNanos()),
                0,
                null);
        requests.add(job, request);
        if (place == 0) {
            now().arrived = request;
        }
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        servers.changed(server);
        Request placed = known(job)
                .with(Request.State.RUNNING, server, -1, now, reason, now().position)
                .holding(view().devicesHeld(job));
        Life life = placed.life();
        changed(job, life.agent() ? placed.living(life.placed(view().phase(job)), reason, placed.position()) : placed);
    }

    @Override
    public void adopted(long now, int job, int server) {
        if (HeldRoom.is(view(), job)) {
            servers.changed(server);
        } else {
            super.adopted(now, job, server);
        }
    }

    @Override
    public void started(long now, int job, int server) {
        living(job, known(job).life().in(Phase.STARTED), known(job).reason());
    }

    @Override
    public void stopping(long now, int job, int server, String reason) {
        if (!HeldRoom.is(view(), job)) {
            living(job, known(job).life().in(Phase.STOPPING), reason);
        }
    }

    private void living(int job, Life life, String reason) {
        changed(job, known(job).living(life, reason, now().position));
    }

    @Override
    public void startFailed(long now, int job, int server) {
        servers.changed(server);
        Request request = known(job);
        String reason = "failed to start on server " + server;
        changed(
                job,
                request.with(Request.State.WAITING, -1, -1, now, reason, now().position)
                        .living(request.life().failed(), reason, now().position));
    }

    @Override
    public void evicted(long now, int job, int server, String reason) {
        Request request = known(job);
        // One with an agent had to stop first: that it has stopped is not why.
        boolean stopped = request.life().phase() == Phase.STOPPING;
        displaced(now, job, server, stopped ? request.reason() : reason);
    }

    private void displaced(long now, int job, int server, String reason) {
        servers.changed(server);
        Request request = known(job);
        long by = Preemption.neededBy(reason);
        String why = by < 0 ? reason : named(request.tenant(), by, reason);
        changed(
                job,
                request.with(Request.State.WAITING, -1, -1, now, why, now().position)
                        .displaced(new Displacement(server, now, by, why)));
    }

    /** With the client's id of a request in place of its number, if it is of the same tenant and in the system. */
    private String named(String tenant, long number, String reason) {
        Tracked other = requests.tracked(tenant, number);
        return other == null || other.now.state().finished()
                ? reason
                : reason.replace("request " + number + " ", "request " + other.now.id() + " ");
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        Request waits = known(job);
        // It may have waited before: another policy has taken over.
        changed(job, waits.with(Request.State.WAITING, -1, queue, waits.since(), reason, now().position), now);
    }

    @Override
    public void rejected(long now, int job, String reason) {
        update(now, job, Request.State.REJECTED, -1, -1, reason);
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        servers.changed(from);
        servers.changed(to);
        Request request = known(job);
        Adjustment pending = request.unconfirmed();
        int runsOn = pending == null ? from : pending.from();
        adjust(
                job,
                new Adjustment(Adjustment.Kind.MIGRATION, now().position, runsOn, to, share(job), false),
                now,
                reason);
    }

    @Override
    public void allocated(long now, int job, long amount) {
        servers.changed(view().server(job));
        Request request = known(job);
        Adjustment last = request.adjustment();
        long before = last == null ? request.demand()[view().divisibleResource()] : last.allocation();
        if (amount == before) {
            return;
        }
        Adjustment pending = request.unconfirmed();
        // Together with a migration that is not yet carried out it forms one change.
        Adjustment.Kind kind = pending == null ? Adjustment.Kind.RESIZE : pending.kind();
        int runsOn = pending == null ? request.server() : pending.from();
        adjust(
                job,
                new Adjustment(kind, now().position, runsOn, request.server(), amount, false),
                request.since(),
                request.reason());
    }

    /** The share of a running request of the divisible resource, or -1. */
    private long share(int job) {
        return view().divisibleResource() == View.NONE ? -1 : view().share(job);
    }

    private void adjust(int job, Adjustment adjustment, long since, String reason) {
        changed(
                job,
                known(job).adjusted(adjustment, since, reason, now().position).holding(view().devicesHeld(job)));
    }

    private Request changed(int job, Request after) {
        return changed(job, after, after.since());
    }

    private Request changed(int job, Request after, long now) {
        requests.update(job, after, now);
        changes.add(after);
        if (step != null && step.arrived != null && step.arrived.number() == after.number()) {
            step.arrived = after;
        }
        return after;
    }

    /** The last adjustment was carried out. */
    Request confirm(int job, Adjustment adjustment, long position) {
        Request request = known(job);
        return changed(job, request.adjusted(adjustment.done(), request.since(), request.reason(), position));
    }

    @Override
    public void left(long now, int job, int server) {
        servers.changed(server);
        if (HeldRoom.is(view(), job)) {
            return;
        }
        boolean told = now().end == Ending.TOLD && known(job).life().phase() != Phase.STOPPING;
        now().ended = now().end == Ending.EXPIRED
                ? update(now, job, Request.State.EXPIRED, -1, -1, EXPIRED)
                : update(
                        now,
                        job,
                        Request.State.RELEASED,
                        server,
                        -1,
                        told ? ENDED : now().end == Ending.WITHDRAWN ? WITHDRAWN : RELEASED);
    }

    @Override
    public void displaced(long now, int job, int server) {
        displaced(now, job, server, "the server was lost");
    }

    @Override
    public void dummyPlaced(long now, int dummy, int server, String reason) {
        servers.changed(server);
    }

    @Override
    public void dummyEnded(long now, int dummy, int server) {
        servers.changed(server);
    }

    @Override
    public void serverChanged(long now, int server, ServerStatus status) {
        servers.changed(server);
        labels.changed();
        now().server = server;
    }

    @Override
    public void resized(long now, int server, long[] before) {
        servers.changed(server);
        now().server = server;
    }

    @Override
    public void labelled(long now, int server) {
        labels.changed();
        now().server = server;
    }

    @Override
    public void refused(long now, long subject, Refusal why, String detail) {
        now().refusal = why;
        now().detail = detail;
    }

    private Request update(long now, int job, Request.State state, int server, int queue, String reason) {
        return changed(job, known(job).with(state, server, queue, now, reason, now().position));
    }

    private Request known(int job) {
        Request request = requests.ofJob(job);
        if (request == null) {
            throw new IllegalStateException("job " + job + " is not a request that the service knows");
        }
        return request;
    }

    /** The requests that changed since the last call, as they were after each change. */
    List<Request> takeChanges() {
        List<Request> taken = changes;
        changes = new ArrayList<>();
        return taken;
    }
}

package dev.stowage.service.state;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.state.Operation.Submit;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Writes what the engine tells into the table of requests and the totals of the servers. */
final class Ledger implements Effects {
    /** A request that gives up waiting at a time. */
    record Wait(long until, long number, String tenant, String id) implements Comparable<Wait> {
        @Override
        public int compareTo(Wait other) {
            return until != other.until ? Long.compare(until, other.until) : Long.compare(number, other.number);
        }
    }

    private static final int SPARE_WAITS = 1024;

    private final RequestTable requests;
    private final ServerTotals servers = new ServerTotals();
    private final PriorityQueue<Wait> waits = new PriorityQueue<>();
    private @Nullable View view;
    private @Nullable Submit arriving;
    private long fingerprint;
    private long position;
    private boolean expiring;
    private @Nullable Refusal refusal;
    private String refusalDetail = "";
    private int changedServer = -1;
    private List<Request> changes = new ArrayList<>();
    /** Changes from here on are of this operation. */
    private int begun;

    Ledger(RequestTable requests) {
        this.requests = requests;
    }

    ServerTotals servers() {
        return servers;
    }

    PriorityQueue<Wait> waits() {
        return waits;
    }

    /**
     * Drops the waits of what left long before its time, once they are most: memory follows the requests in the system.
     */
    private void addWait(Wait wait) {
        if (waits.size() > 2 * requests.live() + SPARE_WAITS) {
            waits.removeIf(old -> !inSystem(old));
        }
        waits.add(wait);
    }

    private boolean inSystem(Wait wait) {
        Request request = requests.find(wait.tenant(), wait.id());
        return request != null
                && request.number() == wait.number()
                && !request.state().finished();
    }

    /** Before each operation. */
    void begin(long newPosition) {
        position = newPosition;
        begun = changes.size();
        arriving = null;
        refusal = null;
        refusalDetail = "";
        changedServer = -1;
        expiring = false;
    }

    void arriving(Submit submit, long newFingerprint) {
        arriving = submit;
        fingerprint = newFingerprint;
    }

    void expiring(boolean now) {
        expiring = now;
    }

    @Nullable
    Refusal refusal() {
        return refusal;
    }

    String refusalDetail() {
        return refusalDetail;
    }

    /** The server that the operation changed last, or -1. */
    int changedServer() {
        return changedServer;
    }

    @Override
    public void attached(View newView) {
        view = newView;
        servers.attach(newView);
    }

    @Override
    public void arrived(long now, int job) {
        View seen = seen();
        Submit submit = arriving;
        if (submit == null) {
            throw new IllegalStateException("request " + seen.id(job) + " arrived that nobody submitted");
        }
        long[] demand = new long[seen.resources()];
        for (int r = 0; r < demand.length; r++) {
            demand[r] = seen.demand(job, r);
        }
        long until = submit.waitNanos() < 0 ? Long.MAX_VALUE : saturated(now, submit.waitNanos());
        // Names that many requests share are kept once.
        Request request = new Request(
                submit.tenant().intern(),
                submit.id(),
                seen.id(job),
                fingerprint,
                submit.type().intern(),
                demand,
                submit.sites().isEmpty()
                        ? List.of()
                        : submit.sites().stream().map(String::intern).toList(),
                Request.State.WAITING,
                -1,
                -1,
                now,
                now,
                until,
                "",
                position,
                null);
        requests.add(job, request);
        if (until != Long.MAX_VALUE) {
            addWait(new Wait(until, request.number(), submit.tenant(), submit.id()));
        }
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        servers.changed(server);
        update(now, job, Request.State.RUNNING, server, -1, reason);
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        update(now, job, Request.State.WAITING, -1, queue, reason);
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
        adjust(job, new Adjustment(Adjustment.Kind.MIGRATION, position, runsOn, to, share(job), false), now, reason);
    }

    @Override
    public void allocated(long now, int job, long amount) {
        servers.changed(seen().server(job));
        Request request = known(job);
        Adjustment last = request.adjustment();
        long before = last == null ? request.demand()[seen().divisibleResource()] : last.allocation();
        if (amount == before) {
            return;
        }
        Adjustment pending = request.unconfirmed();
        // On top of a migration that is still to be carried out it is one change with it.
        Adjustment.Kind kind = pending == null ? Adjustment.Kind.RESIZE : pending.kind();
        int runsOn = pending == null ? request.server() : pending.from();
        adjust(
                job,
                new Adjustment(kind, position, runsOn, request.server(), amount, false),
                request.since(),
                request.reason());
    }

    /** What a request that runs holds of the divisible resource, or -1. */
    private long share(int job) {
        return seen().divisibleResource() == View.NONE ? -1 : seen().share(job);
    }

    private void adjust(int job, Adjustment adjustment, long since, String reason) {
        Request after = known(job).adjusted(adjustment, since, reason, position);
        requests.update(job, after);
        changes.add(after);
    }

    /** The last adjustment was carried out. */
    Request confirm(int job, Adjustment adjustment) {
        Request request = known(job);
        adjust(job, adjustment.done(), request.since(), request.reason());
        return known(job);
    }

    @Override
    public void left(long now, int job, int server) {
        servers.changed(server);
        if (expiring) {
            update(now, job, Request.State.EXPIRED, -1, -1, "waited as long as it was willing to");
        } else {
            update(now, job, Request.State.RELEASED, server, -1, "released by the client");
        }
    }

    @Override
    public void displaced(long now, int job, int server) {
        servers.changed(server);
        update(now, job, Request.State.WAITING, -1, -1, "server " + server + " was lost");
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
        changedServer = server;
    }

    @Override
    public void refused(long now, long subject, Refusal why, String detail) {
        refusal = why;
        refusalDetail = detail;
    }

    private void update(long now, int job, Request.State state, int server, int queue, String reason) {
        Request after = known(job).with(state, server, queue, now, reason, position);
        requests.update(job, after);
        changes.add(after);
    }

    private Request known(int job) {
        Request request = requests.ofJob(job);
        if (request == null) {
            throw new IllegalStateException("job " + job + " is no request that the service knows");
        }
        return request;
    }

    /** A request as it is after its last change by this operation, or null if there was none. */
    @Nullable
    Request changed(long number) {
        for (int i = changes.size() - 1; i >= begun; i--) {
            if (changes.get(i).number() == number) {
                return changes.get(i);
            }
        }
        return null;
    }

    /** The requests that changed since the last call, as they were after each change. */
    List<Request> takeChanges() {
        List<Request> taken = changes;
        changes = new ArrayList<>();
        begun = 0;
        return taken;
    }

    private View seen() {
        if (view == null) {
            throw new IllegalStateException("no engine");
        }
        return view;
    }

    static long saturated(long time, long more) {
        return more > Long.MAX_VALUE - time ? Long.MAX_VALUE : time + more;
    }
}

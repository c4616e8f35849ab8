package dev.stowage.service.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.core.engine.Command;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.service.raft.ChangeHistory;
import dev.stowage.service.state.Adjustment;
import dev.stowage.service.state.KnownHistory;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.AdoptRequest;
import dev.stowage.service.v1.AttemptRequest;
import dev.stowage.service.v1.ConfirmRequest;
import dev.stowage.service.v1.ExplainRequest;
import dev.stowage.service.v1.Explanation;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.History;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.Problem;
import dev.stowage.service.v1.ReleaseBatchItem;
import dev.stowage.service.v1.ReleaseBatchReply;
import dev.stowage.service.v1.ReleaseBatchRequest;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.SubmitBatchItem;
import dev.stowage.service.v1.SubmitBatchReply;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitGangReply;
import dev.stowage.service.v1.SubmitGangRequest;
import dev.stowage.service.v1.SubmitReply;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls about requests. */
final class PlacementCalls extends PlacementGrpc.PlacementImplBase {
    /** What may follow the id in a path that is read. */
    private static final List<String> VERBS = List.of("explain", "history");

    private final Calls calls;
    private final Watchers watchers;
    private final DryRuns dryRuns;
    /** Whether a history is being read from the disk. */
    private final AtomicBoolean searching = new AtomicBoolean();

    PlacementCalls(Calls calls, Watchers watchers, DryRuns dryRuns) {
        this.calls = calls;
        this.dryRuns = dryRuns;
        this.watchers = watchers;
    }

    @Override
    public void submit(SubmitRequest request, StreamObserver<SubmitReply> observer) {
        calls.change("Submit", 1, observer, () -> submit(request));
    }

    @Override
    public void submitBatch(SubmitBatchRequest batch, StreamObserver<SubmitBatchReply> observer) {
        calls.change("SubmitBatch", batch.getRequestsCount(), observer, () -> submitBatch(batch));
    }

    @Override
    public void submitGang(SubmitGangRequest gang, StreamObserver<SubmitGangReply> observer) {
        calls.change("SubmitGang", gang.getRequestsCount(), observer, () -> submitGang(gang));
    }

    private CompletableFuture<SubmitGangReply> submitGang(SubmitGangRequest gang) {
        checkSize(gang.getRequestsCount());
        String tenant = gang.getRequests(0).getTenant();
        List<Operation.Submit> members = new ArrayList<>();
        for (SubmitRequest request : gang.getRequestsList()) {
            if (!request.getTenant().equals(tenant)) {
                throw Failure.invalid(
                        "BAD_GANG", "a gang belongs to one tenant; this one has '" + tenant + "' and another");
            }
            members.add(operation(request));
            if (members.get(members.size() - 1).waitNanos() != members.get(0).waitNanos()) {
                throw Failure.field(
                        "BAD_WAIT",
                        "max_wait_nanos",
                        " must be the same in all requests of a gang, which waits as one");
            }
        }
        return calls.done(new Operation.Gang(members)).thenApply(outcome -> {
            List<Request> placed =
                    outcome.requests().stream().map(calls::message).toList();
            return SubmitGangReply.newBuilder()
                    .addAllRequests(placed)
                    .setRepeated(outcome.kind() == Outcome.Kind.REPEATED)
                    .addAllWarnings(SubmitWarnings.of(calls, gang.getRequestsList(), placed))
                    .build();
        });
    }

    @Override
    public void started(AttemptRequest request, StreamObserver<Request> observer) {
        told("Started", request, Command.Kind.STARTED, observer);
    }

    @Override
    public void startFailed(AttemptRequest request, StreamObserver<Request> observer) {
        told("StartFailed", request, Command.Kind.START_FAILED, observer);
    }

    @Override
    public void stopped(AttemptRequest request, StreamObserver<Request> observer) {
        told("Stopped", request, Command.Kind.STOPPED, observer);
    }

    private void told(String method, AttemptRequest request, Command.Kind what, StreamObserver<Request> observer) {
        calls.change(method, 1, observer, () -> {
            calls.caller().mustConfirm(Checks.tenant(request.getTenant()));
            return calls.done(new Operation.Told(Checks.attempt(request), what)).thenApply(this::message);
        });
    }

    @Override
    public void release(ReleaseRequest request, StreamObserver<Request> observer) {
        calls.change("Release", 1, observer, () -> release(request));
    }

    @Override
    public void releaseBatch(ReleaseBatchRequest batch, StreamObserver<ReleaseBatchReply> observer) {
        calls.change("ReleaseBatch", batch.getRequestsCount(), observer, () -> releaseBatch(batch));
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchReply> observer) {
        ServiceRequestContext context = ServiceRequestContext.current();
        GrpcOutlet outlet = new GrpcOutlet((ServerCallStreamObserver<WatchReply>) observer);
        CompletableFuture<?> unused = watchers.begin(context, request)
                .thenAccept(watch -> watch.accept(outlet))
                .exceptionally(thrown -> {
                    outlet.fail(calls.failure(thrown));
                    return null;
                });
    }

    @Override
    public void confirmMigration(ConfirmRequest request, StreamObserver<Request> observer) {
        calls.change("ConfirmMigration", 1, observer, () -> confirm(request, Adjustment.Kind.MIGRATION));
    }

    @Override
    public void confirmResize(ConfirmRequest request, StreamObserver<Request> observer) {
        calls.change("ConfirmResize", 1, observer, () -> confirm(request, Adjustment.Kind.RESIZE));
    }

    @Override
    public void dryRun(SubmitRequest request, StreamObserver<SubmitReply> observer) {
        calls.read(
                "DryRun",
                observer,
                () -> dryRuns.outcome(operation(request)).thenApply(outcome -> reply(outcome, request)));
    }

    @Override
    public void adopt(AdoptRequest request, StreamObserver<SubmitReply> observer) {
        calls.change("Adopt", 1, observer, () -> adopt(request));
    }

    private CompletableFuture<SubmitReply> adopt(AdoptRequest request) {
        calls.caller().mustServe();
        SubmitRequest what = request.getRequest();
        if (what.hasMaxWaitNanos()) {
            throw Failure.field("BAD_WAIT", "max_wait_nanos", ": a request that already runs does not wait");
        }
        return calls.done(new Operation.Adopt(
                        asked(what),
                        Checks.server("server", request.getServer()),
                        Checks.devices(request.getDevicesList())))
                .thenApply(outcome -> reply(outcome, what));
    }

    private CompletableFuture<Request> confirm(ConfirmRequest request, Adjustment.Kind kind) {
        String tenant = Checks.tenant(request.getTenant());
        calls.caller().mustConfirm(tenant);
        String id = Checks.id("request_id", request.getRequestId());
        if (request.getPosition() < 0) {
            throw Failure.field(
                    "BAD_POSITION",
                    "position",
                    " " + request.getPosition() + " must be that of the unconfirmed change");
        }
        calls.releases().admit(tenant);
        return calls.done(new Operation.Confirm(tenant, id, kind, request.getPosition()))
                .thenApply(this::message);
    }

    @Override
    public void get(GetRequest request, StreamObserver<Request> observer) {
        calls.read("Get", observer, () -> {
            calls.mayRead(Checks.tenant(request.getTenant()));
            Checks.id("request_id", request.getRequestId());
            return calls.read(world -> Messages.request(find(world, request), world));
        });
    }

    @Override
    public void explain(ExplainRequest request, StreamObserver<Explanation> observer) {
        calls.read("Explain", observer, () -> {
            String tenant = Checks.tenant(request.getTenant());
            calls.mayRead(tenant);
            String id = Checks.id("request_id", request.getRequestId());
            int rollouts = Checks.rollouts(request.getRollouts());
            boolean all = calls.caller().seesAll();
            CompletableFuture<Explanation> why = calls.read(
                    world -> new Explainer(world, find(world, tenant, id), all),
                    Explainer::more,
                    Explainer::explanation);
            return rollouts == 0
                    ? why
                    : why.thenCombine(
                            dryRuns.forecast(tenant, id, rollouts),
                            (known, result) -> Forecasts.with(known, result, all));
        });
    }

    @Override
    public void getHistory(GetRequest request, StreamObserver<History> observer) {
        calls.read("GetHistory", observer, () -> {
            calls.mayRead(Checks.tenant(request.getTenant()));
            Checks.id("request_id", request.getRequestId());
            Executor disk = ServiceRequestContext.current().blockingTaskExecutor();
            return calls.read(world -> remembered(world, request))
                    .thenCompose(known -> known.complete() || (!known.versions().isEmpty() && searching.get())
                            ? CompletableFuture.completedFuture(message(known).build())
                            : CompletableFuture.supplyAsync(() -> recorded(request, known), disk));
        });
    }

    private static KnownHistory remembered(World world, GetRequest request) {
        var found = world.find(request.getTenant(), request.getRequestId());
        return found == null ? new KnownHistory(List.of(), false) : world.history(found);
    }

    private History.Builder message(KnownHistory history) {
        return History.newBuilder()
                .addAllVersions(history.versions().stream().map(calls::message).toList())
                .setComplete(history.complete());
    }

    /** With what the disk has: one at a time, because it may be a day of all that changed. */
    private History recorded(GetRequest request, KnownHistory known) {
        if (!searching.compareAndSet(false, true)) {
            throw Failure.of(
                    Status.Code.RESOURCE_EXHAUSTED,
                    "OVERLOADED",
                    "another history is being read from the disk; try again");
        }
        try {
            boolean forgotten = known.versions().isEmpty();
            ChangeHistory.Past past = calls.node()
                    .history()
                    .past(
                            request.getTenant(),
                            request.getRequestId(),
                            forgotten ? Long.MIN_VALUE : known.versions().get(0).arrivedAt());
            KnownHistory all = KnownHistory.of(
                    past.changes(),
                    forgotten ? KnownHistory.NEWEST : known.versions().get(0).number());
            if (forgotten && all.versions().isEmpty()) {
                throw Failure.notFound(named(request.getTenant(), request.getRequestId())
                        + " is known, and no such request has changed since "
                        + (past.after() < 0
                                ? "the first entry of the log"
                                : "log position " + past.after() + ", where this node's history begins")
                        + "; it may be another tenant's (tenant=NAME)");
            }
            boolean more = all.versions().size() > known.versions().size();
            History.Builder message = message(more ? all : known);
            return all.complete() && more
                    ? message.build()
                    : message.setAfterPosition(past.after()).build();
        } finally {
            searching.set(false);
        }
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListReply> observer) {
        calls.read("List", observer, () -> new ListCall(calls, request).page());
    }

    private CompletableFuture<SubmitReply> submit(SubmitRequest request) {
        return calls.done(operation(request)).thenApply(outcome -> reply(outcome, request));
    }

    private SubmitReply reply(Outcome outcome, SubmitRequest request) {
        Request placed = message(outcome);
        return SubmitReply.newBuilder()
                .setRequest(placed)
                .setRepeated(outcome.kind() == Outcome.Kind.REPEATED)
                .addAllWarnings(SubmitWarnings.of(calls, List.of(request), List.of(placed)))
                .build();
    }

    private CompletableFuture<Request> release(ReleaseRequest request) {
        String tenant = Checks.tenant(request.getTenant());
        calls.caller().mustSubmit(tenant);
        String id = Checks.id("request_id", request.getRequestId());
        calls.releases().admit(tenant);
        // Of one that is not known here a gang may be on its way.
        boolean withGang = calls.node().look(state -> {
            World world = Calls.begun(state);
            var known = world.find(tenant, id);
            return known == null || world.waitsInGang(known);
        });
        return calls.done(new Operation.Release(tenant, id, withGang)).thenApply(this::message);
    }

    private CompletableFuture<SubmitBatchReply> submitBatch(SubmitBatchRequest batch) {
        return each(
                batch.getRequestsList(),
                this::submit,
                (reply, problem) -> problem == null
                        ? SubmitBatchItem.newBuilder().setReply(reply).build()
                        : SubmitBatchItem.newBuilder().setProblem(problem).build(),
                items -> SubmitBatchReply.newBuilder().addAllItems(items).build());
    }

    private CompletableFuture<ReleaseBatchReply> releaseBatch(ReleaseBatchRequest batch) {
        return each(
                batch.getRequestsList(),
                this::release,
                (reply, problem) -> problem == null
                        ? ReleaseBatchItem.newBuilder().setRequest(reply).build()
                        : ReleaseBatchItem.newBuilder().setProblem(problem).build(),
                items -> ReleaseBatchReply.newBuilder().addAllItems(items).build());
    }

    /** Carries out all, and answers when all are done. */
    private <Q, R, I, B> CompletableFuture<B> each(
            List<Q> requests,
            Function<Q, CompletableFuture<R>> call,
            BiFunction<R, @Nullable Problem, I> item,
            Function<List<I>, B> reply) {
        checkSize(requests.size());
        List<CompletableFuture<R>> replies = new ArrayList<>(requests.size());
        for (Q request : requests) {
            CompletableFuture<R> one;
            try {
                one = call.apply(request);
            } catch (RuntimeException e) {
                one = CompletableFuture.failedFuture(e);
            }
            replies.add(one);
        }
        return CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
                .handle((done, thrown) -> {
                    if (thrown != null) {
                        failIfAllMayBeRepeated(replies);
                    }
                    return reply.apply(
                            replies.stream().map(one -> item(one, item)).toList());
                });
    }

    private void checkSize(int requests) {
        if (requests < 1 || requests > calls.limits().batch()) {
            throw Failure.invalid(
                    "BAD_BATCH",
                    requests + " requests; must be 1 to " + calls.limits().batch());
        }
    }

    private <R, I> I item(CompletableFuture<R> one, BiFunction<R, @Nullable Problem, I> item) {
        return one.handle((value, thrown) -> item.apply(
                        value, thrown == null ? null : calls.failure(thrown).toProblem()))
                .join();
    }

    /**
     * If nothing was done, as on a node that does not lead, the call fails like a single one, and can be retried like
     * one.
     */
    private <R> void failIfAllMayBeRepeated(List<CompletableFuture<R>> replies) {
        Failure first = null;
        for (CompletableFuture<R> one : replies) {
            Failure failure = one.handle((value, thrown) -> thrown == null ? null : calls.failure(thrown))
                    .join();
            if (failure == null || !failure.retry()) {
                return;
            }
            first = first == null ? failure : first;
        }
        if (first != null) {
            throw first;
        }
    }

    private Operation.Submit operation(SubmitRequest request) {
        String tenant = Checks.tenant(request.getTenant());
        calls.caller().mustSubmit(tenant);
        Operation.Submit submit = asked(request);
        calls.submits().admit(tenant);
        return submit;
    }

    private Operation.Submit asked(SubmitRequest request) {
        String tenant = Checks.tenant(request.getTenant());
        String id = Checks.newId("request_id", request.getRequestId());
        Calls.FixedNames names = calls.names();
        String type = request.getType().isEmpty() ? "" : Checks.name("type", request.getType());
        long[] demand = Checks.amounts("demand", request.getDemandMap(), names.resources());
        long[] pooled = Checks.amounts("pooled_demand", request.getPooledDemandMap(), names.pooled());
        if (type.isEmpty() && Checks.isNothing(demand) && (demand.length == 0 || Checks.isNothing(pooled))) {
            throw Failure.invalid(
                    "NO_DEMAND",
                    "give a type, or a demand with an amount above 0 of one or more of " + names.resources());
        }
        long reward = request.hasRewardMicros() ? request.getRewardMicros() : Operation.TYPE_REWARD;
        if (request.hasRewardMicros() && (reward < 0 || reward > Checks.MOST_AMOUNT)) {
            throw Failure.field(
                    "BAD_REWARD", "reward_micros", " is " + reward + ", must be 0 to " + Checks.MOST_AMOUNT);
        }
        long wait = request.hasMaxWaitNanos() ? request.getMaxWaitNanos() : Operation.ANY_WAIT;
        if (request.hasMaxWaitNanos() && wait < 0) {
            throw Failure.field("BAD_WAIT", "max_wait_nanos", " is " + wait + ", must be at least 0");
        }
        long expected = request.getExpectedNanos();
        if (expected < 0) {
            throw Failure.field("BAD_TIME", "expected_nanos", " is " + expected + ", must be at least 0");
        }
        List<String> sites = Checks.sites(request.getAllowedSitesList());
        return new Operation.Submit(
                tenant,
                id,
                type,
                demand,
                pooled,
                reward,
                wait,
                sites,
                Checks.words(request),
                request.getPriority(),
                request.getAgent(),
                expected);
    }

    private Request message(Outcome outcome) {
        dev.stowage.service.state.Request request = outcome.request();
        if (request == null) {
            throw Failure.notFound("the request finished too long ago");
        }
        return calls.message(request);
    }

    private static dev.stowage.service.state.Request find(World world, GetRequest request) {
        return find(world, request.getTenant(), request.getRequestId());
    }

    static dev.stowage.service.state.Request find(World world, String tenant, String id) {
        dev.stowage.service.state.Request found = world.find(tenant, id);
        if (found == null) {
            // An id may have a colon, so a wrong verb is read as a part of the id.
            String hint = Suggestion.of(id.substring(id.lastIndexOf(':') + 1), VERBS);
            throw Failure.notFound(named(tenant, id) + " is known"
                    + (hint.isEmpty() || id.indexOf(':') < 0
                            ? Failure.WHY_UNKNOWN
                            : hint.replace("mean ", "mean :").replace(" or ", " or :")));
        }
        return found;
    }

    private static String named(String tenant, String id) {
        return "no request '" + id + "'" + (tenant.isEmpty() ? "" : " of tenant '" + tenant + "'");
    }
}

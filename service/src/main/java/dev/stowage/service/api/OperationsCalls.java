package dev.stowage.service.api;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.raft.NodeStatus;
import dev.stowage.service.raft.NotServedException;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Quota;
import dev.stowage.service.state.QuotaListing;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.AddServerRequest;
import dev.stowage.service.v1.AddSiteRequest;
import dev.stowage.service.v1.Audit;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.ChangeServerRequest;
import dev.stowage.service.v1.ChangeSiteRequest;
import dev.stowage.service.v1.ConsolidationPlan;
import dev.stowage.service.v1.DryRunMovesRequest;
import dev.stowage.service.v1.DryRunPolicyRequest;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.EvictRequest;
import dev.stowage.service.v1.HeartbeatReply;
import dev.stowage.service.v1.HeartbeatRequest;
import dev.stowage.service.v1.LabelServerRequest;
import dev.stowage.service.v1.ListServersReply;
import dev.stowage.service.v1.ListServersRequest;
import dev.stowage.service.v1.Moves;
import dev.stowage.service.v1.Occupancy;
import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.Policy;
import dev.stowage.service.v1.PolicyCatalog;
import dev.stowage.service.v1.PolicyDryRun;
import dev.stowage.service.v1.Quotas;
import dev.stowage.service.v1.RemoveMemberRequest;
import dev.stowage.service.v1.ReportReply;
import dev.stowage.service.v1.ReportRequest;
import dev.stowage.service.v1.ResizeServerRequest;
import dev.stowage.service.v1.ServerChange;
import dev.stowage.service.v1.SetPolicyRequest;
import dev.stowage.service.v1.SetQuotaRequest;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.TenantQuota;
import dev.stowage.service.v1.TransferLeadershipRequest;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The calls about servers, sites, policy and nodes. */
final class OperationsCalls extends OperationsGrpc.OperationsImplBase {
    private static final int MOST_PARAMETERS = 64;

    private final Calls calls;
    private final AgentCalls agents;
    private final StatusMessages status;
    private final DryRuns dryRuns;
    private final PolicyDryRuns policyDryRuns;
    private final ConsolidationPlans plans;
    private final SharedOccupancy occupancy;

    OperationsCalls(Calls calls, ApiSettings settings, DryRuns dryRuns, SharedOccupancy occupancy) {
        this.calls = calls;
        this.occupancy = occupancy;
        policyDryRuns = new PolicyDryRuns(calls, settings.replay());
        plans = new ConsolidationPlans(calls, settings.plan());
        this.dryRuns = dryRuns;
        status = new StatusMessages(calls);
        agents = new AgentCalls(calls, calls.leases());
    }

    @Override
    public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatReply> observer) {
        calls.change("Heartbeat", 1, observer, () -> agents.heartbeat(request));
    }

    @Override
    public void report(ReportRequest request, StreamObserver<ReportReply> observer) {
        calls.change("Report", 1, observer, () -> agents.report(request));
    }

    @Override
    public void evict(EvictRequest request, StreamObserver<ChangeReply> observer) {
        calls.change("Evict", 1, observer, () -> {
            calls.caller().mustOperate();
            String change = Checks.id("change_id", request.getChangeId());
            String tenant = Checks.tenant(request.getTenant());
            String id = Checks.id("request_id", request.getRequestId());
            // The read may be answered by another thread, which does not know the caller.
            String actor = calls.caller().name();
            // The number belongs to this request for ever.
            return calls.read(world -> PlacementCalls.find(world, tenant, id).number())
                    .thenCompose(number -> calls.done(new Operation.Change(
                            change, actor, tenant + "/" + id, Command.plain(Command.Kind.EVICT, 0, number))))
                    .thenApply(OperationsCalls::reply);
        });
    }

    @Override
    public void listServers(ListServersRequest request, StreamObserver<ListServersReply> observer) {
        calls.read("ListServers", observer, () -> {
            calls.caller().mustRead(null);
            int size = Checks.pageSize(request.getPageSize());
            long from = Checks.pageToken(request.getPageToken());
            return calls.read(world -> new ServerPage(world, size, from), ServerPage::more, ServerPage::reply);
        });
    }

    @Override
    public void getOccupancy(Empty request, StreamObserver<Occupancy> observer) {
        calls.read(OccupancyPage.METHOD, observer, () -> {
            calls.caller().mustRead(null);
            return occupancy.get(0).thenApply(SharedOccupancy.Shown::columns);
        });
    }

    @Override
    public void planConsolidation(Empty request, StreamObserver<ConsolidationPlan> observer) {
        calls.read("PlanConsolidation", observer, () -> {
            calls.caller().mustRead(null);
            return plans.plan();
        });
    }

    @Override
    public void dryRunMoves(DryRunMovesRequest request, StreamObserver<Moves> observer) {
        calls.read("DryRunMoves", observer, () -> {
            calls.caller().mustOperate();
            return dryRuns.moves(request);
        });
    }

    @Override
    public void addServer(AddServerRequest request, StreamObserver<ChangeReply> observer) {
        change("AddServer", observer, request.getChangeId(), () -> {
            String name = Checks.name("site", request.getSite());
            long[] capacity = Checks.amounts(
                    "capacity", request.getCapacityMap(), calls.names().resources());
            if (capacity.length == 0) {
                throw Failure.invalid(
                        "NO_CAPACITY",
                        "give a capacity of one or more of " + calls.names().resources());
            }
            int site = calls.node().look(state -> Calls.site(Calls.begun(state), name));
            return change(
                    request.getChangeId(),
                    "",
                    Command.addServer(0, site, boxed(capacity))
                            .named(Checks.newServer(request.getName()), Checks.labels(request.getLabelsMap())));
        });
    }

    @Override
    public void changeServer(ChangeServerRequest request, StreamObserver<ChangeReply> observer) {
        if (request.getName().isEmpty()) {
            change(
                    "ChangeServer",
                    observer,
                    request.getChangeId(),
                    () -> change(request.getChangeId(), "", command(request, request.getServer())));
        } else {
            ofServer("ChangeServer", observer, request.getChangeId(), request.getName(), () -> command(request, -1));
        }
    }

    private static Command command(ChangeServerRequest request, long server) {
        Command.Kind kind = kind(request.getChange());
        if (!request.hasMoveGapNanos()) {
            return Command.plain(kind, 0, server);
        }
        if (kind != Command.Kind.DRAIN) {
            throw Failure.field("BAD_CHANGE", "move_gap_nanos", " goes with DRAIN only");
        }
        return Command.drain(0, server, Checks.nanos("move_gap_nanos", request.getMoveGapNanos(), 1));
    }

    @Override
    public void resizeServer(ResizeServerRequest request, StreamObserver<ChangeReply> observer) {
        ofServer("ResizeServer", observer, request.getChangeId(), request.getName(), () -> {
            List<String> resources = calls.names().resources();
            if (!request.getCapacityMap().keySet().containsAll(resources)) {
                throw Failure.field(
                        "NO_CAPACITY", "capacity", ": give all of " + resources + ", also those that do not change");
            }
            return Command.resize(0, -1, boxed(Checks.amounts("capacity", request.getCapacityMap(), resources)))
                    .onDevices(Checks.devices(request.getDevicesList()));
        });
    }

    @Override
    public void labelServer(LabelServerRequest request, StreamObserver<ChangeReply> observer) {
        ofServer(
                "LabelServer",
                observer,
                request.getChangeId(),
                request.getName(),
                () -> Command.label(0, -1, Checks.labels(request.getLabelsMap())));
    }

    /** A change of a server given by its name or number: both never change, so it is looked up before. */
    private void ofServer(
            String method, StreamObserver<ChangeReply> observer, String id, String name, Supplier<Command> command) {
        calls.change(method, 1, observer, () -> {
            calls.caller().mustOperate();
            Checks.id("change_id", id);
            Checks.server("name", name);
            Operation.Change change = change(id, "", command.get());
            return calls.read(world -> Calls.server(world, name))
                    .thenCompose(number -> calls.done(new Operation.Change(
                            id, change.actor(), "", change.command().withSubject(number))))
                    .thenApply(OperationsCalls::reply);
        });
    }

    private static ChangeReply reply(Outcome outcome) {
        return ChangeReply.newBuilder()
                .setNumber(outcome.number())
                .setRepeated(outcome.kind() == Outcome.Kind.REPEATED)
                .build();
    }

    @Override
    public void changeSite(ChangeSiteRequest request, StreamObserver<ChangeReply> observer) {
        change(
                "ChangeSite",
                observer,
                request.getChangeId(),
                () -> Operation.Change.site(
                        request.getChangeId(),
                        calls.caller().name(),
                        Checks.name("site", request.getSite()),
                        kind(request.getChange())));
    }

    private static Command.Kind kind(ServerChange change) {
        return switch (change) {
            case DRAIN -> Command.Kind.DRAIN;
            case RETURN -> Command.Kind.RETURN;
            case REMOVE -> Command.Kind.REMOVE;
            case LOST -> Command.Kind.LOSE;
            case SERVER_CHANGE_UNSPECIFIED, UNRECOGNIZED ->
                throw Failure.field("BAD_CHANGE", "change", " must be DRAIN, RETURN, REMOVE or LOST");
        };
    }

    @Override
    public void addSite(AddSiteRequest request, StreamObserver<ChangeReply> observer) {
        change("AddSite", observer, request.getChangeId(), () -> {
            List<String> pooled = calls.names().pooled();
            long[] given = Checks.amounts("pooled_capacity", request.getPooledCapacityMap(), pooled);
            long[] capacity = given.length == 0 ? new long[pooled.size()] : given;
            return change(
                    request.getChangeId(),
                    Checks.newId("name", Checks.name("name", request.getName())),
                    Command.addSite(0, boxed(capacity)));
        });
    }

    @Override
    public void setPolicy(SetPolicyRequest request, StreamObserver<ChangeReply> observer) {
        change(
                "SetPolicy",
                observer,
                request.getChangeId(),
                () -> change(request.getChangeId(), "", Command.setPolicy(0, pinned(policy(request.getPolicy())))));
    }

    private static PolicySpec policy(Policy policy) {
        if (policy.getParametersCount() > MOST_PARAMETERS) {
            throw Failure.invalid("BAD_POLICY", "more than " + MOST_PARAMETERS + " parameters");
        }
        policy.getParametersMap().forEach((name, value) -> {
            Checks.name("parameter", name);
            Checks.name("value of " + name, value);
        });
        return PolicySpec.of(Checks.name("policy", policy.getName()), policy.getParametersMap());
    }

    @Override
    public void dryRunPolicy(DryRunPolicyRequest request, StreamObserver<PolicyDryRun> observer) {
        calls.read("DryRunPolicy", observer, () -> {
            calls.caller().mustOperate();
            long last = request.getLastNanos() == 0
                    ? PolicyDryRuns.HOUR
                    : Checks.nanos("last_nanos", request.getLastNanos(), 1);
            return policyDryRuns.run(policy(request.getPolicy()), last);
        });
    }

    /**
     * With the digest of its jar, so that no node uses another one. What cannot be made here is refused before it is in
     * the log, so that its change id is not used; a node that does not lead leaves that to the leader.
     */
    private PolicySpec pinned(PolicySpec policy) {
        try {
            PolicySpec pinned = calls.node().policies().pinned(policy);
            dev.stowage.core.policy.Policy unused = calls.node().policies().create(pinned);
            return pinned;
        } catch (IllegalArgumentException e) {
            if (calls.node().leads()) {
                throw Failure.invalid(Refusal.UNKNOWN_POLICY.name(), String.valueOf(e.getMessage()));
            }
            return policy;
        }
    }

    @Override
    public void setQuota(SetQuotaRequest request, StreamObserver<ChangeReply> observer) {
        change("SetQuota", observer, request.getChangeId(), () -> {
            String tenant =
                    request.getTenant().equals(Quota.EVERYBODY) ? Quota.EVERYBODY : Checks.tenant(request.getTenant());
            if (request.hasRequests() && (request.getRequests() < 0 || request.getRequests() > Checks.MOST_AMOUNT)) {
                throw Failure.field(
                        "BAD_QUOTA",
                        "requests",
                        " is " + request.getRequests() + ", must be 0 to " + Checks.MOST_AMOUNT);
            }
            List<String> names = calls.names().resources();
            long[] given = Checks.amounts("amounts", request.getAmountsMap(), names);
            for (int r = 0; r < given.length; r++) {
                given[r] = request.containsAmounts(names.get(r)) ? given[r] : Quota.ANY;
            }
            long requests = request.hasRequests() ? request.getRequests() : Quota.ANY;
            return new Operation.SetQuota(
                    request.getChangeId(), calls.caller().name(), tenant, new Quota(requests, given));
        });
    }

    @Override
    public void listQuotas(Empty request, StreamObserver<Quotas> observer) {
        calls.read("ListQuotas", observer, () -> {
            Caller caller = calls.caller();
            return calls.read(
                    world -> new QuotaListing(
                            tenant -> caller.seesAll() || caller.tenants().contains(tenant)),
                    QuotaListing::more,
                    this::quotas);
        });
    }

    private Quotas quotas(QuotaListing listing) {
        List<String> resources = calls.names().resources();
        Quotas.Builder all = Quotas.newBuilder();
        for (QuotaListing.Row row : listing.rows()) {
            Quota quota = row.quota();
            TenantQuota.Builder one =
                    TenantQuota.newBuilder().setTenant(row.tenant()).setLiveRequests(row.requests());
            if (!row.own()) {
                one.setQuotaOf(Quota.EVERYBODY);
            }
            if (quota.requests() != Quota.ANY) {
                one.setRequests(quota.requests());
            }
            for (int r = 0; r < resources.size(); r++) {
                one.putUsed(resources.get(r), row.used()[r]);
                if (r < quota.amounts().length && quota.amounts()[r] != Quota.ANY) {
                    one.putAmounts(resources.get(r), quota.amounts()[r]);
                }
            }
            all.addQuotas(one);
        }
        return all.build();
    }

    private void change(String method, StreamObserver<ChangeReply> observer, String id, Supplier<Operation> operation) {
        calls.change(method, 1, observer, () -> {
            calls.caller().mustOperate();
            Checks.id("change_id", id);
            return calls.done(operation.get()).thenApply(OperationsCalls::reply);
        });
    }

    private Operation.Change change(String id, String name, Command command) {
        return new Operation.Change(id, calls.caller().name(), name, command);
    }

    private static List<Long> boxed(long[] amounts) {
        return Arrays.stream(amounts).boxed().toList();
    }

    @Override
    public void getPolicy(Empty request, StreamObserver<Policy> observer) {
        calls.read("GetPolicy", observer, () -> {
            return calls.read(world -> Messages.policy(world.engine().policy()));
        });
    }

    @Override
    public void listPolicies(Empty request, StreamObserver<PolicyCatalog> observer) {
        calls.read("ListPolicies", observer, () -> CompletableFuture.completedFuture(Messages.catalog(Policies.all())));
    }

    @Override
    public void getAudit(Empty request, StreamObserver<Audit> observer) {
        calls.read("GetAudit", observer, () -> {
            calls.caller().mustRead(null);
            return calls.read(World::audit)
                    .thenApply(lines -> AuditMessages.of(lines, calls.names().resources(), calls::serverName));
        });
    }

    @Override
    public void getStatus(Empty request, StreamObserver<Status> observer) {
        calls.read("GetStatus", observer, () -> {
            return CompletableFuture.completedFuture(status.of(calls.caller()));
        });
    }

    @Override
    public void takeSnapshot(Empty request, StreamObserver<Status> observer) {
        calls.change("TakeSnapshot", 1, observer, () -> {
            calls.caller().mustOperate();
            Operation.Note note =
                    note("take-snapshot node=" + calls.node().status().id(), "");
            return audited(
                    note,
                    calls.node().note(note),
                    () -> CompletableFuture.runAsync(() -> calls.node().snapshot()));
        });
    }

    @Override
    public void transferLeadership(TransferLeadershipRequest request, StreamObserver<Status> observer) {
        calls.change("TransferLeadership", 1, observer, () -> {
            calls.caller().mustOperate();
            String to = Checks.name("to", request.getTo());
            mustBeMember(to);
            NotServedException no = calls.node().whyNotTransferred(to);
            if (no != null) {
                throw no;
            }
            Operation.Note note = note("transfer-leadership to=" + to, "");
            return audited(note, calls.node().submit(note), () -> calls.node().transferLeadership(to));
        });
    }

    @Override
    public void removeMember(RemoveMemberRequest request, StreamObserver<Status> observer) {
        calls.change("RemoveMember", 1, observer, () -> {
            calls.caller().mustOperate();
            String out = Checks.name("node", request.getNode());
            mustBeMember(out);
            // Callers repeat a call that is refused for now; not each attempt is recorded.
            NotServedException no = calls.node().whyNotRemoved(out);
            if (no != null) {
                throw no;
            }
            Operation.Note note = note("remove-member node=" + out, "");
            return audited(note, calls.node().submit(note), () -> calls.node().removeMember(out));
        });
    }

    private void mustBeMember(String node) {
        NodeStatus present = calls.node().status();
        if (!present.peers().contains(node)) {
            throw Failure.noMember(node, present.peers(), present.leader());
        }
    }

    private Operation.Note note(String text, String result) {
        return new Operation.Note(calls.caller().name(), text, result);
    }

    /**
     * The action is recorded, then carried out; a failure is recorded as well. So nothing is done that is not in the
     * audit trail.
     */
    private CompletableFuture<Status> audited(
            Operation.Note note, CompletableFuture<?> noted, Supplier<CompletableFuture<?>> action) {
        Caller caller = calls.caller();
        return noted.thenCompose(done -> action.get().handle((end, thrown) -> {
            if (thrown == null) {
                return status.of(caller);
            }
            Failure failure = calls.failure(thrown);
            CompletableFuture<?> unused = calls.node()
                    .note(new Operation.Note(
                            note.actor(), note.text(), failure.reason() + ": " + failure.getMessage()));
            throw failure;
        }));
    }
}

package dev.stowage.cli.advise;

import dev.stowage.cli.live.ClientOptions;
import dev.stowage.service.client.Reasons;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.Audit;
import dev.stowage.service.v1.AuditLine;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.ChangeServerRequest;
import dev.stowage.service.v1.DryRunMovesRequest;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.Move;
import dev.stowage.service.v1.Moves;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.Server;
import dev.stowage.service.v1.ServerChange;
import dev.stowage.service.v1.State;
import dev.stowage.study.advise.AdviceView;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ConsolidationListener;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.LiveCluster;
import dev.stowage.study.advise.Pace;
import dev.stowage.study.advise.ServerEmptier;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Empties servers of a service by draining them with moves, one request after each gap, which the service does: it
 * migrates where its policy can and evicts elsewhere, and its policy finds the place. Before a drain begins the service
 * says what it would do, as of then: where a request would wait, or take a server that is empty, it is not begun.
 */
final class ServerDrains implements LiveCluster, ServerEmptier {
    private static final long POLL_NANOS = 500_000_000L;

    private final StowageClient service;
    private final ServedCluster cluster;
    private final ConsolidationSettings settings;
    private final Pace pace;
    private final ConsolidationListener tell;
    private final Set<String> drained = new HashSet<>();
    private final String run = "consolidate-" + UUID.randomUUID();
    private int changes;

    ServerDrains(
            StowageClient service,
            ServedCluster cluster,
            ConsolidationSettings settings,
            Pace pace,
            ConsolidationListener tell) {
        this.service = service;
        this.cluster = cluster;
        this.settings = settings;
        this.pace = pace;
        this.tell = tell;
    }

    /**
     * What should be known of servers that drain with moves: a run that is killed leaves the one that it was emptying.
     * The service knows who began a drain and when, not by which program, so how to open it is said, not done.
     */
    static List<String> left(StowageClient service) {
        List<AuditLine> audit = ClientOptions.answer(
                        service.<Audit>operations((stub, answer) -> stub.getAudit(Empty.getDefaultInstance(), answer)))
                .getLinesList();
        List<String> left = new ArrayList<>();
        for (Server one : ServedPages.of(service).servers()) {
            AuditLine last = null;
            for (AuditLine line : audit) {
                boolean about = List.of(line.getChange().split(" ", -1)).contains("server=" + one.getServer());
                last = about && line.getResult().isEmpty() ? line : last;
            }
            if (one.getStatus().equals("draining")
                    && last != null
                    && last.getChange().contains(" gap=")) {
                String name = one.getName().isEmpty() ? Integer.toString(one.getServer()) : one.getName();
                left.add("server " + name + " has been draining with moves since "
                        + Instant.ofEpochSecond(0, last.getAtNanos()).truncatedTo(ChronoUnit.SECONDS) + ", started by "
                        + last.getActor() + ". If that was a run of consolidate that was killed, open it again with:"
                        + " stowage servers --return " + name);
            }
        }
        return left;
    }

    @Override
    public ClusterState look() {
        return cluster.look();
    }

    /** Nothing is closed in advance: what drains is closed, and the policy finds places on the others. */
    @Override
    public boolean close(String server) {
        return true;
    }

    @Override
    public void open(String server) {
        if (drained.contains(server)) {
            change(server, ServerChange.RETURN);
            drained.remove(server);
        }
    }

    private void change(String server, ServerChange change) {
        ChangeServerRequest.Builder request = ChangeServerRequest.newBuilder()
                .setChangeId(run + "-" + changes++)
                .setServer(-1)
                .setName(server)
                .setChange(change);
        if (change == ServerChange.DRAIN) {
            request.setMoveGapNanos(Math.max(1, settings.gapNanos()));
        }
        ChangeReply unused = ClientOptions.answer(
                service.<ChangeReply>operations((stub, answer) -> stub.changeServer(request.build(), answer)));
    }

    @Override
    public String empty(String server, List<AdviceView.Move> moves) {
        ClusterState now = cluster.look();
        String why = whyNot(server, now);
        if (!why.isEmpty()) {
            return why;
        }
        Map<String, Request> left = running(server);
        drained.add(server);
        change(server, ServerChange.DRAIN);
        long since = pace.now();
        while (!left.isEmpty()) {
            if (!pace.pause(Math.max(1, Math.min(settings.gapNanos(), POLL_NANOS)))) {
                return "the run was stopped";
            }
            Map<String, Request> still = running(server);
            for (Map.Entry<String, Request> job : left.entrySet()) {
                if (!still.containsKey(job.getKey())) {
                    tellOf(job.getKey(), job.getValue(), server);
                    since = pace.now();
                }
            }
            left = still;
            if (pace.now() - since > settings.patienceNanos() + settings.gapNanos()) {
                return left.size() + " are still there, the first "
                        + left.keySet().iterator().next();
            }
        }
        return "";
    }

    /** Tells of a request that has left a server: for another, or for good, as one that is not known any more. */
    private void tellOf(String job, Request request, String server) {
        Request now = ClientOptions.answer(service.get(GetRequest.newBuilder()
                        .setTenant(request.getTenant())
                        .setRequestId(request.getRequestId())
                        .build())
                .exceptionallyCompose(thrown -> Reasons.reason(thrown).equals("NOT_FOUND")
                        ? CompletableFuture.completedFuture(Request.getDefaultInstance())
                        : CompletableFuture.failedFuture(thrown)));
        if (now.getState() == State.RUNNING) {
            tell.moved(job, server, cluster.name(now.getServer()));
        } else if (now.getState() == State.WAITING) {
            tell.moved(job, server, "");
        } else {
            tell.notReplaced(job, server);
        }
    }

    /** What the service would do, judged; empty if the server would be empty and nobody worse off. */
    private String whyNot(String server, ClusterState now) {
        Set<String> empty = new HashSet<>();
        now.servers().forEach(one -> empty.add(one.name()));
        for (ClusterJob job : now.jobs()) {
            if (!job.waits()) {
                empty.remove(now.servers().get(job.server()).name());
            }
        }
        DryRunMovesRequest asked =
                DryRunMovesRequest.newBuilder().setServer(server).build();
        Moves moves =
                ClientOptions.answer(service.<Moves>operations((stub, answer) -> stub.dryRunMoves(asked, answer)));
        if (moves.getStay() > 0) {
            return moves.getStay() + " of its requests would stay";
        }
        for (Move move : moves.getMovesList()) {
            String name = ServedCluster.name(move.getTenant(), move.getRequestId());
            if (move.getFromServer() >= 0 && move.getToServer() < 0) {
                return name + " would have no place";
            }
            if (move.getToServer() >= 0 && empty.contains(cluster.name(move.getToServer()))) {
                return name + " would take " + cluster.name(move.getToServer()) + ", which is empty";
            }
        }
        return "";
    }

    private Map<String, Request> running(String server) {
        Map<String, Request> names = new TreeMap<>();
        ListRequest.Builder page = ListRequest.newBuilder()
                .setAllTenants(true)
                .setState(State.RUNNING)
                .setServerName(server)
                .setPageSize(1000);
        do {
            var reply = ClientOptions.answer(service.list(page.build()));
            reply.getRequestsList()
                    .forEach(one -> names.put(ServedCluster.name(one.getTenant(), one.getRequestId()), one));
            page.setPageToken(reply.getNextPageToken());
        } while (!page.getPageToken().isEmpty());
        return names;
    }
}

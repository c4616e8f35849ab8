package dev.stowage.service.api;

import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.v1.AttemptRequest;
import dev.stowage.service.v1.HeartbeatReply;
import dev.stowage.service.v1.HeartbeatRequest;
import dev.stowage.service.v1.ReportReply;
import dev.stowage.service.v1.ReportRequest;
import java.util.concurrent.CompletableFuture;

/**
 * The calls of agents of servers.
 *
 * @param usual defaults if an agent does not give them
 */
record AgentCalls(Calls calls, LeaseTimes usual) {
    private static final int MOST_REPORTED = 10_000;

    CompletableFuture<HeartbeatReply> heartbeat(HeartbeatRequest request) {
        calls.caller().mustServe();
        String server = Checks.server("name", request.getName());
        long lease = request.hasLeaseNanos()
                ? Checks.nanos("lease_nanos", request.getLeaseNanos(), 1)
                : usual.lease().toNanos();
        long grace = request.hasGraceNanos()
                ? Checks.nanos("grace_nanos", request.getGraceNanos(), 0)
                : usual.grace().toNanos();
        return calls.done(new Operation.Heartbeat(server, incarnation(request.getIncarnation()), lease, grace))
                .thenApply(outcome -> HeartbeatReply.newBuilder()
                        .setServer((int) outcome.number())
                        .setStatus(outcome.detail())
                        .setLeaseNanos(lease)
                        .setGraceNanos(grace)
                        .build());
    }

    CompletableFuture<ReportReply> report(ReportRequest request) {
        calls.caller().mustServe();
        if (request.getRunningCount() > MOST_REPORTED) {
            throw Failure.field(
                    "BAD_REPORT",
                    "running",
                    " has " + request.getRunningCount() + " requests, must be at most " + MOST_REPORTED);
        }
        return calls.done(new Operation.Report(
                        Checks.server("name", request.getName()),
                        incarnation(request.getIncarnation()),
                        request.getRunningList().stream().map(Checks::attempt).toList()))
                .thenApply(AgentCalls::reply);
    }

    private static long incarnation(long incarnation) {
        if (incarnation < 0) {
            throw Failure.field("BAD_INCARNATION", "incarnation", " is " + incarnation + ", must be at least 0");
        }
        return incarnation;
    }

    private static ReportReply reply(Outcome outcome) {
        ReportReply.Builder reply = ReportReply.newBuilder().setStatus(outcome.detail());
        outcome.strays()
                .forEach(stray -> reply.addStrays(AttemptRequest.newBuilder()
                        .setRequestId(stray.id())
                        .setTenant(stray.tenant())
                        .setAttempt(stray.attempt())));
        return reply.build();
    }
}

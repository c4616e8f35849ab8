package dev.stowage.service.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Figures;
import dev.stowage.service.v1.PolicyDryRun;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What another policy would have decided in the last part of this node's log: runs {@code stowage replay} in a separate
 * process, which reads the log's files. One at a time, and bounded in time; its memory is bounded by the command.
 */
final class PolicyDryRuns {
    /** The default period, in nanoseconds. */
    static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private static final String NO_REPLAY = "NO_REPLAY";
    /** Far more than the figures of two policies. */
    private static final HelperProcess PROCESS = new HelperProcess(NO_REPLAY, "replayed", 1 << 20);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Calls calls;
    private final List<String> command;
    private final AtomicBoolean busy = new AtomicBoolean();

    /**
     * Of a node.
     *
     * @param command the command that replays the node's log; empty for none
     */
    PolicyDryRuns(Calls calls, List<String> command) {
        this.calls = calls;
        this.command = command;
    }

    /** The figures of the real decisions and of this policy's. */
    CompletableFuture<PolicyDryRun> run(PolicySpec policy, long lastNanos) {
        if (command.isEmpty()) {
            throw Failure.of(
                    Status.Code.FAILED_PRECONDITION,
                    NO_REPLAY,
                    "this service was started without a command that replays its log");
        }
        try {
            calls.node().policies().create(policy);
        } catch (IllegalArgumentException e) {
            throw Failure.invalid("BAD_POLICY", String.valueOf(e.getMessage()));
        }
        if (!busy.compareAndSet(false, true)) {
            throw Failure.of(
                    Status.Code.RESOURCE_EXHAUSTED,
                    "OVERLOADED",
                    "another dry run of a policy is under way; try again");
        }
        ServiceRequestContext caller = ServiceRequestContext.current();
        HelperProcess.patience(caller);
        return CompletableFuture.supplyAsync(() -> replay(policy, lastNanos, caller), caller.blockingTaskExecutor())
                .whenComplete((figures, thrown) -> busy.set(false));
    }

    private PolicyDryRun replay(PolicySpec policy, long lastNanos, ServiceRequestContext caller) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("--policy", policy.toString(), "--last", lastNanos + " ns", "--format", "json"));
        String said = PROCESS.run(all, nothing -> {}, caller.blockingTaskExecutor(), () -> !caller.isCancelled());
        try {
            Figures[] both = JSON.readValue(said, Figures[].class);
            return PolicyDryRun.newBuilder()
                    .setDecided(message(both[0]))
                    .setOther(message(both[1]))
                    .build();
        } catch (JsonProcessingException e) {
            throw Failure.of(Status.Code.INTERNAL, NO_REPLAY, "the log cannot be replayed: " + e.getOriginalMessage());
        }
    }

    private static dev.stowage.service.v1.Figures message(Figures one) {
        return dev.stowage.service.v1.Figures.newBuilder()
                .setPolicy(one.policy())
                .setSinceNanos(one.sinceNanos())
                .setUntilNanos(one.untilNanos())
                .setArrived(one.arrived())
                .setPlaced(one.placed())
                .setRejected(one.rejected())
                .setGaveUp(one.gaveUp())
                .setMigrated(one.migrated())
                .setWaiting(one.waiting())
                .setRunning(one.running())
                .setEstimated(one.estimated())
                .setMeanWaitSeconds(one.meanWaitSeconds())
                .setMeanOccupied(one.meanOccupied())
                .addAllMeanUtilization(one.meanUtilization())
                .setFailure(one.failure())
                .build();
    }
}

package dev.stowage.service.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Figures;
import dev.stowage.service.v1.PolicyDryRun;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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

    private static final Duration MOST = Duration.ofSeconds(60);
    private static final Duration ENDING = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 100;
    /** Far more than the figures of two policies. */
    private static final int MOST_BYTES = 1 << 20;

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
                    Status.Code.FAILED_PRECONDITION, "NO_REPLAY", "this service was started without a way to do that");
        }
        try {
            calls.node().policies().create(policy);
        } catch (IllegalArgumentException e) {
            throw Failure.invalid("BAD_POLICY", String.valueOf(e.getMessage()));
        }
        if (!busy.compareAndSet(false, true)) {
            throw Failure.of(
                    Status.Code.RESOURCE_EXHAUSTED, "OVERLOADED", "another policy is being tried; ask again later");
        }
        ServiceRequestContext caller = ServiceRequestContext.current();
        caller.setRequestTimeout(MOST.plus(ENDING));
        return CompletableFuture.supplyAsync(() -> replay(policy, lastNanos, caller), caller.blockingTaskExecutor())
                .whenComplete((figures, thrown) -> busy.set(false));
    }

    private PolicyDryRun replay(PolicySpec policy, long lastNanos, ServiceRequestContext caller) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("--policy", argument(policy), "--last", lastNanos + " ns", "--format", "json"));
        Process process = null;
        try {
            process = new ProcessBuilder(all).start();
            process.getOutputStream().close();
            CompletableFuture<String> out = reading(process.getInputStream(), caller);
            CompletableFuture<String> err = reading(process.getErrorStream(), caller);
            long end = System.nanoTime() + MOST.toNanos();
            while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() - end > 0 || caller.isCancelled()) {
                    throw Failure.of(
                            Status.Code.DEADLINE_EXCEEDED,
                            "TOO_LONG",
                            "the log was not replayed within " + MOST.toSeconds()
                                    + " s; stowage replay does it beside the service");
                }
            }
            return figures(process.exitValue(), out.join(), err.join());
        } catch (IOException e) {
            throw Failure.of(Status.Code.INTERNAL, "NO_REPLAY", "the log cannot be replayed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.of(Status.Code.UNAVAILABLE, "UNAVAILABLE", "the node ends");
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    /** In the form of the command line. */
    private static String argument(PolicySpec policy) {
        StringBuilder argument = new StringBuilder(policy.name());
        policy.parameters()
                .forEach((name, value) ->
                        argument.append(':').append(name).append('=').append(value));
        return argument.toString();
    }

    private static CompletableFuture<String> reading(InputStream in, ServiceRequestContext caller) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (in) {
                        return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        return "";
                    }
                },
                caller.blockingTaskExecutor());
    }

    private static PolicyDryRun figures(int code, String out, String err) throws JsonProcessingException {
        if (code != 0) {
            String[] lines = err.strip().split("\n", -1);
            throw Failure.of(
                    Status.Code.FAILED_PRECONDITION,
                    "NO_REPLAY",
                    "the log was not replayed: " + lines[lines.length - 1].strip());
        }
        Figures[] both = JSON.readValue(out, Figures[].class);
        return PolicyDryRun.newBuilder()
                .setDecided(ShadowMetrics.message(both[0]))
                .setOther(ShadowMetrics.message(both[1]))
                .build();
    }
}

package dev.stowage.service.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Work for calls in a separate process, so that it cannot disturb the service: bounded in time, and ended when nobody
 * wants it any more. Its memory is bounded by the command.
 */
final class HelperProcess {
    private static final Duration MOST = Duration.ofSeconds(60);
    private static final Duration ENDING = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 100;

    private final String reason;
    private final String what;
    private final int mostBytes;
    private final Duration most;

    /** What the process reads. */
    interface Input {
        /** Writes all of it; whoever calls closes the stream. */
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Of one kind.
     *
     * @param reason of refusals where the process fails
     * @param what it does, for messages: "the log was replayed"
     * @param mostBytes most that is read of what it says
     */
    HelperProcess(String reason, String what, int mostBytes) {
        this(reason, what, mostBytes, MOST);
    }

    /** The same with another limit of time. */
    HelperProcess(String reason, String what, int mostBytes, Duration most) {
        this.reason = reason;
        this.what = what;
        this.mostBytes = mostBytes;
        this.most = most;
    }

    /** Gives a call the time that a process may take. */
    static void patience(ServiceRequestContext caller) {
        caller.setRequestTimeout(MOST.plus(ENDING));
    }

    /**
     * Runs a command to its end.
     *
     * @param wanted asked now and then: whether anybody waits for it, or will ask again
     * @return what it said, if it ended well
     */
    String run(List<String> command, Input input, Executor executor, BooleanSupplier wanted) {
        Process process = null;
        try {
            process = new ProcessBuilder(command).start();
            CompletableFuture<String> out = reading(process.getInputStream(), executor);
            CompletableFuture<String> err = reading(process.getErrorStream(), executor);
            CompletableFuture<Void> in = writing(process.getOutputStream(), input, executor);
            long end = System.nanoTime() + most.toNanos();
            while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (!wanted.getAsBoolean()) {
                    throw Failure.of(
                            Status.Code.CANCELLED, "CANCELLED", "not " + what + ": the caller has disconnected");
                }
                if (System.nanoTime() - end > 0) {
                    throw Failure.of(
                            Status.Code.FAILED_PRECONDITION,
                            reason,
                            "not " + what + " within " + most.toSeconds()
                                    + " s; use the command line, which does it outside the service");
                }
            }
            in.join();
            if (process.exitValue() != 0) {
                String[] lines = err.join().strip().split("\n", -1);
                throw Failure.of(
                        Status.Code.FAILED_PRECONDITION,
                        reason,
                        "not " + what + ": " + lines[lines.length - 1].strip());
            }
            return out.join();
        } catch (IOException e) {
            throw Failure.of(Status.Code.INTERNAL, reason, "not " + what + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.of(Status.Code.UNAVAILABLE, "UNAVAILABLE", "this node is shutting down");
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    private CompletableFuture<String> reading(InputStream in, Executor executor) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (in) {
                        return new String(in.readNBytes(mostBytes), StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        return "";
                    }
                },
                executor);
    }

    /** A process that ends before it has read everything says why itself. */
    private static CompletableFuture<Void> writing(OutputStream out, Input input, Executor executor) {
        return CompletableFuture.runAsync(
                () -> {
                    try (out) {
                        input.writeTo(out);
                    } catch (IOException e) {
                        // Its exit code and messages tell more.
                    }
                },
                executor);
    }
}

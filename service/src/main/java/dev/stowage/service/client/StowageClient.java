package dev.stowage.service.client;

import dev.stowage.service.v1.AdoptRequest;
import dev.stowage.service.v1.AttemptRequest;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.ConfirmRequest;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.EvictRequest;
import dev.stowage.service.v1.ExplainRequest;
import dev.stowage.service.v1.Explanation;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.HeartbeatReply;
import dev.stowage.service.v1.HeartbeatRequest;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.ReleaseBatchReply;
import dev.stowage.service.v1.ReleaseBatchRequest;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.ReportReply;
import dev.stowage.service.v1.ReportRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.SubmitBatchReply;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitGangReply;
import dev.stowage.service.v1.SubmitGangRequest;
import dev.stowage.service.v1.SubmitReply;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.stub.StreamObserver;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls a service. A call that fails temporarily (no leader, overload, a node that died) is retried with the same id
 * until it is answered or the client's patience ends; the service answers a retry, it does not carry it out twice.
 * Calls go to the leader as soon as it is known. Safe for many threads.
 *
 * <p>A call that fails for good ends in a {@code StatusRuntimeException}; {@link Reasons} gives its stable reason.
 */
public final class StowageClient implements AutoCloseable {
    private static final long LEAST_PAUSE_MILLIS = 20;
    private static final long MOST_PAUSE_MILLIS = 1000;
    private static final long SILENCE_MILLIS = 2000;

    private final ClientSettings settings;
    private final Targets targets;
    /** Whether something may be there: from the beginning, or because an address did not refuse the connection. */
    private volatile boolean awaits;

    private volatile boolean closed;
    /** Told once of a call that is not answered within {@link #SILENCE_MILLIS} of a failed attempt. */
    private final AtomicReference<@Nullable Consumer<Throwable>> listener = new AtomicReference<>();

    private StowageClient(ClientSettings settings, boolean awaits) {
        this.settings = settings;
        this.awaits = awaits;
        targets = new Targets(settings);
    }

    /** A client; it connects with its first call. */
    public static StowageClient of(ClientSettings settings) {
        return new StowageClient(settings, true);
    }

    /**
     * A client of a service that is said to run: its first call fails at once, whatever the patience, if no
     * service is to be expected at any of the addresses: nothing listens, or a certificate is not accepted.
     */
    public static StowageClient ofRunning(ClientSettings settings) {
        return new StowageClient(settings, false);
    }

    /**
     * Calls a listener, once, if a call has no answer two seconds after an attempt failed, also if it was cancelled
     * meanwhile; with why the attempt failed. Returns this client.
     */
    public StowageClient whenRetrying(Consumer<Throwable> once) {
        listener.set(once);
        return this;
    }

    /** Asks for a place. */
    public CompletableFuture<SubmitReply> submit(SubmitRequest request) {
        return placement((stub, answer) -> stub.submit(request, answer));
    }

    /** Asks for several. */
    public CompletableFuture<SubmitBatchReply> submit(SubmitBatchRequest batch) {
        return placement((stub, answer) -> stub.submitBatch(batch, answer));
    }

    /** Ends a request. */
    public CompletableFuture<Request> release(ReleaseRequest request) {
        return placement((stub, answer) -> stub.release(request, answer));
    }

    /** Ends several. */
    public CompletableFuture<ReleaseBatchReply> release(ReleaseBatchRequest batch) {
        return placement((stub, answer) -> stub.releaseBatch(batch, answer));
    }

    /** Tells that a migration was carried out. */
    public CompletableFuture<Request> confirmMigration(ConfirmRequest request) {
        return placement((stub, answer) -> stub.confirmMigration(request, answer));
    }

    /** What would become of a request if it were submitted now; nothing is changed. */
    public CompletableFuture<SubmitReply> dryRun(SubmitRequest request) {
        return placement((stub, answer) -> stub.dryRun(request, answer));
    }

    /** Brings in a request that runs on a server already. */
    public CompletableFuture<SubmitReply> adopt(AdoptRequest request) {
        return placement((stub, answer) -> stub.adopt(request, answer));
    }

    /** Asks for places for all of them or none. */
    public CompletableFuture<SubmitGangReply> submit(SubmitGangRequest gang) {
        return placement((stub, answer) -> stub.submitGang(gang, answer));
    }

    /** The agent of a request reports that it runs. */
    public CompletableFuture<Request> started(AttemptRequest attempt) {
        return placement((stub, answer) -> stub.started(attempt, answer));
    }

    /** The agent of a request reports that it could not be started. */
    public CompletableFuture<Request> startFailed(AttemptRequest attempt) {
        return placement((stub, answer) -> stub.startFailed(attempt, answer));
    }

    /** The agent of a request reports that it does not run any more. */
    public CompletableFuture<Request> stopped(AttemptRequest attempt) {
        return placement((stub, answer) -> stub.stopped(attempt, answer));
    }

    /** Takes a running request off its server, to run elsewhere. */
    public CompletableFuture<ChangeReply> evict(EvictRequest request) {
        return operations((stub, answer) -> stub.evict(request, answer));
    }

    /** The agent of a server is there. */
    public CompletableFuture<HeartbeatReply> heartbeat(HeartbeatRequest heartbeat) {
        return operations((stub, answer) -> stub.heartbeat(heartbeat, answer));
    }

    /** The agent of a server says all that runs there. */
    public CompletableFuture<ReportReply> report(ReportRequest report) {
        return operations((stub, answer) -> stub.report(report, answer));
    }

    /** Tells that a resize was carried out. */
    public CompletableFuture<Request> confirmResize(ConfirmRequest request) {
        return placement((stub, answer) -> stub.confirmResize(request, answer));
    }

    /** A request as it is. */
    public CompletableFuture<Request> get(GetRequest request) {
        return placement((stub, answer) -> stub.get(request, answer));
    }

    /** A page of a tenant's requests. */
    public CompletableFuture<ListReply> list(ListRequest request) {
        return placement((stub, answer) -> stub.list(request, answer));
    }

    /** Why a request is where it is. */
    public CompletableFuture<Explanation> explain(ExplainRequest request) {
        return placement((stub, answer) -> stub.explain(request, answer));
    }

    /** The status of a node. */
    public CompletableFuture<Status> status() {
        return operations((stub, answer) -> stub.getStatus(Empty.getDefaultInstance(), answer));
    }

    /** A call about requests. */
    public <R> CompletableFuture<R> placement(BiConsumer<PlacementGrpc.PlacementStub, StreamObserver<R>> call) {
        return call((target, answer) -> call.accept(target.placement(), answer));
    }

    /** A call about servers, sites, policy and nodes. */
    public <R> CompletableFuture<R> operations(BiConsumer<OperationsGrpc.OperationsStub, StreamObserver<R>> call) {
        return call((target, answer) -> call.accept(target.operations(), answer));
    }

    /**
     * Watches until it fails for good or {@code each} throws; where a node dies, or does not remember the position, it
     * goes on with another, and nothing is missed or told twice. Does not return before.
     *
     * @param first from where
     * @param each takes what is told
     * @throws io.grpc.StatusRuntimeException if it cannot go on
     */
    public void watch(WatchRequest first, Consumer<WatchReply> each) {
        WatchRequest from = first;
        long failing = 0;
        // Nodes that do not remember the position: each remembers as far back as it has been there.
        Set<String> forgetful = new HashSet<>();
        Throwable forgotten = null;
        while (!closed) {
            Watch watch = new Watch(from, each);
            Target target = targets.but(forgetful);
            try {
                target.watching().watch(watch.from(), watch);
                watch.take();
            } catch (CompletionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                targets.told(target.address(), cause);
                long now = System.nanoTime();
                failing = watch.heard() || failing == 0 ? now : failing;
                if (watch.heard()) {
                    forgetful.clear();
                    forgotten = null;
                }
                if (Reasons.forgotten(cause)) {
                    forgotten = cause;
                    if (forgetful.add(target.address()) && targets.hasBut(forgetful)) {
                        from = watch.next();
                        continue;
                    }
                } else if (watch.heard() || !Reasons.refused(cause)) {
                    awaits = true;
                }
                if (!Reasons.passing(cause)
                        || (!awaits
                                && (forgotten != null
                                        || targets.allRefuse(target.address()).join()))
                        || now - failing > settings.patience().toNanos()) {
                    // One that refuses the connection does not hide what those that run have answered.
                    Throwable said = forgotten != null && Reasons.passing(cause) ? forgotten : targets.ofAll(cause);
                    throw said instanceof RuntimeException known ? known : e;
                }
                CompletableFuture<?> unused = targets.search(target.address(), Reasons.leader(cause));
                pause();
            }
            from = watch.next();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(MOST_PAUSE_MILLIS / 4);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private <R> CompletableFuture<R> call(BiConsumer<Target, StreamObserver<R>> call) {
        CompletableFuture<R> result = new CompletableFuture<>();
        attempt(call, result, System.nanoTime() + settings.patience().toNanos(), LEAST_PAUSE_MILLIS);
        return result;
    }

    private <R> void attempt(
            BiConsumer<Target, StreamObserver<R>> call, CompletableFuture<R> result, long until, long pauseMillis) {
        Target target = targets.current();
        Answer<R> answer = new Answer<>();
        CompletableFuture<?> unused = answer.whenComplete((reply, thrown) -> {
            targets.told(target.address(), thrown);
            if (!awaits && (thrown == null || !Reasons.refused(thrown))) {
                awaits = true;
            }
            if (thrown == null) {
                result.complete(reply);
            } else if (closed || !Reasons.passing(thrown) || System.nanoTime() > until) {
                result.completeExceptionally(targets.ofAll(thrown));
            } else if (awaits) {
                again(call, result, until, pauseMillis, target, thrown);
            } else {
                CompletableFuture<?> unusedAsked = targets.allRefuse(target.address())
                        .whenComplete((nothing, failure) -> {
                            if (failure == null && nothing) {
                                result.completeExceptionally(targets.ofAll(thrown));
                            } else {
                                awaits = true;
                                again(call, result, until, pauseMillis, target, thrown);
                            }
                        });
            }
        });
        try {
            call.accept(target, answer);
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    private <R> void again(
            BiConsumer<Target, StreamObserver<R>> call,
            CompletableFuture<R> result,
            long until,
            long pauseMillis,
            Target failed,
            Throwable thrown) {
        if (listener.get() != null) {
            CompletableFuture.delayedExecutor(SILENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(() -> {
                        Consumer<Throwable> once =
                                result.isDone() && !result.isCancelled() ? null : listener.getAndSet(null);
                        if (once != null) {
                            once.accept(thrown);
                        }
                    });
        }
        CompletableFuture<Void> found = Reasons.overloaded(thrown)
                ? CompletableFuture.completedFuture(null)
                : targets.search(failed.address(), Reasons.leader(thrown))
                        .completeOnTimeout(null, Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        // Half to all of the pause, so that those who failed together do not come again together.
        long pause = pauseMillis / 2 + ThreadLocalRandom.current().nextLong(pauseMillis / 2 + 1);
        Executor later = CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS);
        CompletableFuture<?> unused = found.thenRunAsync(
                () -> attempt(call, result, until, Math.min(MOST_PAUSE_MILLIS, 2 * pauseMillis)), later);
    }

    @Override
    public void close() {
        closed = true;
        targets.close();
    }
}

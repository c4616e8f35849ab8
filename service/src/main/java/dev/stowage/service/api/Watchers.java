package dev.stowage.service.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.service.raft.Feed;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All calls that watch, and the thread that serves them. */
final class Watchers implements AutoCloseable {
    private static final long BEAT_SECONDS = 5;
    private static final long MOST_GAP_NANOS = TimeUnit.SECONDS.toNanos(BEAT_SECONDS);

    private final Calls calls;
    private final Shares shares;
    private final SharedReplies replies = new SharedReplies();
    private final Set<Watcher> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "stowage-watch");
        thread.setDaemon(true);
        return thread;
    });
    /** For those who watch from a position that only the disk has: the others do not wait for them. */
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "stowage-history-reader");
        thread.setDaemon(true);
        return thread;
    });

    Watchers(Calls calls) {
        this.calls = calls;
        ApiLimits limits = calls.limits();
        shares = new Shares(
                "TOO_MANY_WATCHERS",
                "open watch calls",
                limits.watches(),
                limits.watchesOfCaller(),
                limits.watchesOfCaller() * ApiLimits.CALLERS_OF_ADDRESS);
        ScheduledFuture<?> unused = executor.scheduleAtFixedRate(
                () -> open.forEach(Watcher::beat), BEAT_SECONDS, BEAT_SECONDS, TimeUnit.SECONDS);
    }

    int open() {
        return open.size();
    }

    /** How many log positions the slowest is behind. */
    long behind() {
        return open.stream().mapToLong(Watcher::behind).max().orElse(0);
    }

    /** A watch that has been admitted, where it begins, and how long it wants to be left alone between replies. */
    record Start(Caller caller, @Nullable String tenant, long position, long gapNanos) {}

    /**
     * Admits a call: the result takes an outlet and begins to send changes. It fails with the reason if it is
     * not admitted. The call is counted and logged when it ends.
     */
    CompletableFuture<Consumer<WatchOutlet>> begin(ServiceRequestContext context, WatchRequest request) {
        long began = System.nanoTime();
        Caller caller = calls.caller();
        Consumer<@Nullable Failure> ended =
                failure -> calls.ended(context, "Watch", caller, failure, System.nanoTime() - began);
        CompletableFuture<Consumer<WatchOutlet>> admitted;
        try {
            admitted = admit(caller, request, ended);
        } catch (RuntimeException e) {
            admitted = CompletableFuture.failedFuture(e);
        }
        return admitted.whenComplete((watch, thrown) -> {
            calls.counters().time("Watch", System.nanoTime() - began);
            if (thrown == null) {
                context.clearRequestTimeout();
            } else {
                ended.accept(calls.failure(thrown));
            }
        });
    }

    /** A position that this node has not reached is waited for: the caller comes from a node that was ahead. */
    private CompletableFuture<Consumer<WatchOutlet>> admit(
            Caller caller, WatchRequest request, Consumer<@Nullable Failure> ended) {
        String tenant = request.hasTenant() ? Checks.tenant(request.getTenant()) : null;
        caller.mustRead(tenant);
        if (closed) {
            throw Failure.closing("this node is shutting down; watch another node");
        }
        Feed feed = calls.node().feed();
        long position = request.hasAfterPosition() ? request.getAfterPosition() : feed.last();
        if (position < -1) {
            throw badPosition(position, feed.last());
        }
        long floor = calls.node().history().floor();
        if (position < floor) {
            throw Failure.field(
                    Status.Code.OUT_OF_RANGE,
                    Watcher.FORGOTTEN,
                    "after_position",
                    " " + position + ": the changes after it" + Watcher.areForgotten(floor));
        }
        long gap = request.hasGapNanos() ? Checks.nanos("gap_nanos", request.getGapNanos(), 0) : 0;
        if (gap > MOST_GAP_NANOS) {
            throw Failure.field("BAD_TIME", "gap_nanos", " is " + gap + ", must be at most " + MOST_GAP_NANOS);
        }
        Shares.Held held = shares.take(caller, Calls.address(), 1);
        Consumer<WatchOutlet> watch = outlet -> watch(outlet, new Start(caller, tenant, position, gap), failure -> {
            held.free();
            ended.accept(failure);
        });
        if (position <= feed.last()) {
            return CompletableFuture.completedFuture(watch);
        }
        // A read sees all that was committed when it began.
        return calls.node().read(state -> feed.last()).handle((last, thrown) -> {
            if (thrown == null && position <= feed.last()) {
                return watch;
            }
            held.free();
            throw thrown == null ? badPosition(position, feed.last()) : calls.failure(thrown);
        });
    }

    private static Failure badPosition(long position, long last) {
        return Failure.field(
                "BAD_POSITION",
                "after_position",
                " " + position + " must be -1 to " + last + ", the newest log position");
    }

    private void watch(WatchOutlet outlet, Start start, Consumer<@Nullable Failure> ended) {
        Watcher[] self = new Watcher[1];
        Watcher watcher = new Watcher(calls, outlet, start, new Watcher.Threads(executor, reader), replies, failure -> {
            open.remove(self[0]);
            ended.accept(failure);
        });
        self[0] = watcher;
        open.add(watcher);
        if (!closed) {
            try {
                watcher.start();
                return;
            } catch (RejectedExecutionException closing) {
                // Its threads have ended just now.
            }
        }
        watcher.close();
    }

    @Override
    public void close() {
        closed = true;
        open.forEach(Watcher::close);
        executor.shutdownNow();
        reader.shutdownNow();
    }
}

package dev.stowage.service.api;

import dev.stowage.service.raft.Feed;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** All calls that watch, and the thread that serves them. */
final class Watchers implements AutoCloseable {
    private static final long BEAT_SECONDS = 5;

    private final Calls calls;
    private final int most;
    private final Set<Watcher> open = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "stowage-watch");
        thread.setDaemon(true);
        return thread;
    });

    Watchers(Calls calls, int most) {
        this.calls = calls;
        this.most = most;
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

    /** Begins to tell what is asked for, or throws what is wrong with it. */
    void watch(WatchOutlet outlet, WatchRequest request) {
        String tenant = request.hasTenant() ? Checks.tenant(request.getTenant()) : null;
        calls.caller().mustRead(tenant);
        Feed feed = calls.node().feed();
        long now = feed.last();
        long position = request.hasAfterPosition() ? request.getAfterPosition() : now;
        if (position < -1 || position > now) {
            throw Failure.invalid(
                    "BAD_POSITION",
                    "after_position " + position + " must be -1 to " + now
                            + ", the newest here; this node may be behind");
        }
        if (position < feed.floor()) {
            throw Watcher.forgotten(position, feed.floor());
        }
        if (open.size() >= most) {
            throw Failure.of(
                    Status.Code.RESOURCE_EXHAUSTED,
                    "TOO_MANY_WATCHERS",
                    most + " calls watch already; ask again later");
        }
        Watcher[] self = new Watcher[1];
        Watcher watcher = new Watcher(calls, outlet, tenant, position, executor, () -> open.remove(self[0]));
        self[0] = watcher;
        open.add(watcher);
        watcher.start();
    }

    @Override
    public void close() {
        open.forEach(Watcher::close);
        executor.shutdownNow();
    }
}

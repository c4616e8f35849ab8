package dev.stowage.service.api;

import dev.stowage.service.v1.WatchReply;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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

    void watch(ServerCallStreamObserver<WatchReply> observer, @Nullable String tenant, long position) {
        if (open.size() >= most) {
            throw Failure.of(
                    Status.Code.RESOURCE_EXHAUSTED,
                    "TOO_MANY_WATCHERS",
                    most + " calls watch already; ask again later");
        }
        Watcher[] self = new Watcher[1];
        Watcher watcher = new Watcher(calls, observer, tenant, position, executor, () -> open.remove(self[0]));
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

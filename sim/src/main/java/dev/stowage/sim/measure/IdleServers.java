package dev.stowage.sim.measure;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * Servers that are up and empty for at least an hour at a stretch: they could be switched off. A stretch is added to
 * the counts when it is over, so one costs a few nanoseconds, and as many additions as it touches intervals if it is
 * long enough.
 */
final class IdleServers {
    static final long LEAST_NANOS = 3_600_000_000_000L;

    private static final long IN_USE = Long.MIN_VALUE;

    private final EventCounts counts;
    private final int kind;
    private long[] since = {};

    IdleServers(EventCounts counts, int kind) {
        this.counts = counts;
        this.kind = kind;
    }

    /** Updates the status of a server, and whether it holds anything. */
    void see(long now, int server, ServerStatus status, View view) {
        if (server >= since.length) {
            int old = since.length;
            since = Arrays.copyOf(since, Math.max(server + 1, 2 * old));
            Arrays.fill(since, old, since.length, IN_USE);
        }
        boolean isIdle = status == ServerStatus.UP && view.running(server) + view.dummies(server) == 0;
        if (isIdle != (since[server] != IN_USE)) {
            end(now, server);
            since[server] = isIdle ? now : IN_USE;
        }
    }

    /** The run ends: stretches that are long enough by now are counted. */
    void finish(long endNanos) {
        for (int server = 0; server < since.length; server++) {
            end(endNanos, server);
        }
    }

    private void end(long now, int server) {
        if (since[server] != IN_USE && now - since[server] >= LEAST_NANOS) {
            counts.addMillis(since[server], now, kind);
        }
    }
}

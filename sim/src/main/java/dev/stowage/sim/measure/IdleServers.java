package dev.stowage.sim.measure;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * Servers that are up and empty for at least an hour at a stretch: they could be switched off. A stretch is added to
 * the counts when it is over, so one costs a few nanoseconds.
 */
final class IdleServers {
    static final long LEAST_NANOS = 3_600_000_000_000L;

    private static final double NANOS_PER_MILLI = 1e6;
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

    /**
     * The mean number of them from a time to the end of a run, with the values of its whole pieces.
     *
     * @param first number of the first piece
     * @param complete how many pieces are whole
     */
    static RunMetric mean(Measurements run, long firstNanos, int first, int complete) {
        double width = run.inSystem.widthNanos() / NANOS_PER_MILLI;
        double[] pieces = run.counts.pieces(RunCollector.IDLE_MILLIS, first, complete, run.inSystem.widthNanos());
        Arrays.setAll(pieces, i -> pieces[i] / width);
        double millis = (run.inSystem.endNanos() - firstNanos) / NANOS_PER_MILLI;
        return RunMetric.mean(run.counts.from(firstNanos, RunCollector.IDLE_MILLIS) / millis, pieces);
    }

    private void end(long now, int server) {
        if (since[server] != IN_USE && now - since[server] >= LEAST_NANOS) {
            counts.addMillis(since[server], now, kind);
        }
    }
}

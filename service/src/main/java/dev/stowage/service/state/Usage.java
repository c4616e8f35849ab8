package dev.stowage.service.state;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the effects of an engine, and integrates over time what its servers hold. O(resources) for an effect,
 * O(servers) for a change of servers.
 */
final class Usage extends EngineListener {
    private static final double NANOS = 1e9;

    /** When each running request came to its first server since it last had none. */
    private final Map<Long, Long> startedAt = new HashMap<>();

    private int[] runningOn = new int[0];
    private long[] used = new long[0];
    private long[] capacity = new long[0];
    private double[] usedSeconds = new double[0];
    private double[] capacitySeconds = new double[0];
    private double occupiedSeconds;
    private int occupied;
    private boolean serversChanged;
    private long since;
    private long last;
    private long waitNanos;
    long arrived;
    long placed;
    long rejected;
    long migrated;

    /** Starts counting, with the present requests. */
    void begin(long now) {
        View seen = view();
        since = now;
        last = now;
        used = new long[seen.resources()];
        capacity = new long[seen.resources()];
        usedSeconds = new double[seen.resources()];
        capacitySeconds = new double[seen.resources()];
        for (int server = 0; server < seen.servers(); server++) {
            for (int job = seen.firstOn(server); job != View.NONE; job = seen.next(job)) {
                if (seen.state(job) == JobState.RUNNING) {
                    hold(job, server, 1);
                }
            }
        }
        serversChanged = true;
    }

    /** When a request that runs came to its first server, or null. */
    @Nullable
    Long startedAt(long number) {
        return startedAt.get(number);
    }

    /** Sets the start of a request that was running before counting began. */
    void ranSince(long number, long when) {
        startedAt.put(number, when);
    }

    /** Advances the time. */
    void advance(long now) {
        if (serversChanged) {
            serversChanged = false;
            addUpCapacity();
        }
        double seconds = (now - last) / NANOS;
        for (int r = 0; r < used.length; r++) {
            usedSeconds[r] += used[r] * seconds;
            capacitySeconds[r] += capacity[r] * seconds;
        }
        occupiedSeconds += occupied * seconds;
        last = now;
    }

    private void addUpCapacity() {
        View seen = view();
        Arrays.fill(capacity, 0);
        for (int server = 0; server < seen.servers(); server++) {
            ServerStatus status = seen.status(server);
            if (status == ServerStatus.UP || status == ServerStatus.DRAINING) {
                for (int r = 0; r < capacity.length; r++) {
                    capacity[r] += seen.capacity(server, r);
                }
            }
        }
    }

    private void hold(int job, int server, int sign) {
        View seen = view();
        for (int r = 0; r < used.length; r++) {
            used[r] += sign * seen.demand(job, r);
        }
        if (server >= runningOn.length) {
            runningOn = Arrays.copyOf(runningOn, Math.max(server + 1, 2 * runningOn.length));
        }
        boolean wasEmpty = runningOn[server] == 0;
        runningOn[server] += sign;
        if (wasEmpty != (runningOn[server] == 0)) {
            occupied += sign;
        }
    }

    @Override
    public void arrived(long now, int job) {
        arrived++;
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        advance(now);
        hold(job, server, 1);
        View seen = view();
        startedAt.put(seen.id(job), now);
        placed++;
        waitNanos += now - seen.arrivedAt(job);
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        advance(now);
        hold(job, from, -1);
        hold(job, to, 1);
        migrated++;
    }

    @Override
    public void rejected(long now, int job, String reason) {
        rejected++;
    }

    @Override
    public void left(long now, int job, int server) {
        if (server >= 0) {
            advance(now);
            hold(job, server, -1);
            startedAt.remove(view().id(job));
        }
    }

    @Override
    public void displaced(long now, int job, int server) {
        advance(now);
        hold(job, server, -1);
        startedAt.remove(view().id(job));
    }

    @Override
    public void resized(long now, int server, long[] before) {
        advance(now);
        serversChanged = true;
    }

    @Override
    public void serverChanged(long now, int server, ServerStatus status) {
        advance(now);
        serversChanged = true;
    }

    long since() {
        return since;
    }

    long last() {
        return last;
    }

    long running() {
        return startedAt.size();
    }

    double meanWaitSeconds() {
        return placed == 0 ? 0 : waitNanos / NANOS / placed;
    }

    double meanOccupied() {
        return last == since ? occupied : occupiedSeconds / ((last - since) / NANOS);
    }

    List<Double> meanUtilization() {
        List<Double> means = new ArrayList<>();
        for (int r = 0; r < used.length; r++) {
            means.add(capacitySeconds[r] == 0 ? 0.0 : usedSeconds[r] / capacitySeconds[r]);
        }
        return means;
    }
}

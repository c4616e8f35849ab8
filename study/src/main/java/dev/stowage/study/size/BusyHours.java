package dev.stowage.study.size;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.policy.View;
import java.util.Arrays;

/** How much of each resource runs hold, hour by hour from the start, in unit-nanoseconds. */
final class BusyHours extends EngineListener {
    static final long HOUR = 3_600_000_000_000L;

    private long[] held = new long[0];
    private double[][] used = new double[0][24];
    private long since;

    @Override
    public void attached(View now) {
        super.attached(now);
        held = new long[now.resources()];
        used = new double[held.length][24];
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        change(now, job, 1);
    }

    @Override
    public void left(long now, int job, int server) {
        if (server >= 0) {
            change(now, job, -1);
        }
    }

    @Override
    public void displaced(long now, int job, int server) {
        change(now, job, -1);
    }

    private void change(long now, int job, int sign) {
        advance(now);
        View at = view();
        for (int r = 0; r < held.length; r++) {
            held[r] += sign * at.demand(job, r);
        }
    }

    private void advance(long now) {
        while (since < now) {
            int hour = Math.toIntExact(since / HOUR);
            long until = Math.min(now, (hour + 1) * HOUR);
            for (int r = 0; r < held.length; r++) {
                if (hour >= used[r].length) {
                    used[r] = Arrays.copyOf(used[r], 2 * hour + 1);
                }
                used[r][hour] += (double) held[r] * (until - since);
            }
            since = until;
        }
    }

    /**
     * Until a time, by resource and hour: the part of a capacity that was in use, in the mean over the hour or what of
     * it there is.
     */
    double[][] parts(long end, double[] capacity) {
        advance(end);
        int hours = Math.toIntExact((end + HOUR - 1) / HOUR);
        double[][] parts = new double[held.length][hours];
        for (int r = 0; r < held.length; r++) {
            for (int h = 0; h < hours; h++) {
                long length = Math.min(end, (h + 1) * HOUR) - h * HOUR;
                parts[r][h] = capacity[r] == 0 || h >= used[r].length ? 0 : used[r][h] / length / capacity[r];
            }
        }
        return parts;
    }
}

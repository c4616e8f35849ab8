package dev.stowage.study.size;

import dev.stowage.core.engine.Effects;
import java.util.Arrays;

/** The time during which servers hold something, summed over servers. */
final class OccupiedTime implements Effects {
    private int[] running = new int[64];
    private long occupied;
    private long since;
    private double nanos;

    /** So far. */
    double hours(long end) {
        return (nanos + (double) occupied * (end - since)) / 3600e9;
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        if (server >= running.length) {
            running = Arrays.copyOf(running, Math.max(2 * running.length, server + 1));
        }
        if (running[server]++ == 0) {
            change(now, 1);
        }
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        left(now, job, from);
        placed(now, job, to, reason);
    }

    @Override
    public void left(long now, int job, int server) {
        if (server >= 0 && --running[server] == 0) {
            change(now, -1);
        }
    }

    @Override
    public void displaced(long now, int job, int server) {
        left(now, job, server);
    }

    private void change(long now, int by) {
        nanos += (double) occupied * (now - since);
        since = now;
        occupied += by;
    }
}

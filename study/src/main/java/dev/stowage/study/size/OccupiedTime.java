package dev.stowage.study.size;

import dev.stowage.core.engine.Effects;
import java.util.Arrays;

/** The time during which servers hold something, and that of long stretches without, summed over servers. */
final class OccupiedTime implements Effects {
    private static final double HOUR = 3600e9;

    private int[] running = new int[64];
    /** Since when each server is empty, if it is; at first since time 0. */
    private long[] emptySince = new long[64];

    private double idleNanos;
    private long occupied;
    private long since;
    private double nanos;

    /** So far. */
    double hours(long end) {
        return (nanos + (double) occupied * (end - since)) / HOUR;
    }

    /** Of this many servers, those that are empty for at least an hour at a stretch, time average up to the end. */
    double idleServers(long servers, long end) {
        double idle = idleNanos;
        for (int server = 0; server < servers; server++) {
            if (server >= running.length) {
                idle += stretch(0, end);
            } else if (running[server] == 0) {
                idle += stretch(emptySince[server], end);
            }
        }
        return end == 0 ? 0 : idle / end;
    }

    private static double stretch(long from, long to) {
        return to - from < HOUR ? 0 : to - from;
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        if (server >= running.length) {
            running = Arrays.copyOf(running, Math.max(2 * running.length, server + 1));
            emptySince = Arrays.copyOf(emptySince, running.length);
        }
        if (running[server]++ == 0) {
            idleNanos += stretch(emptySince[server], now);
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
            emptySince[server] = now;
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

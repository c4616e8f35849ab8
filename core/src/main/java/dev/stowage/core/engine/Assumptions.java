package dev.stowage.core.engine;

import java.util.Arrays;

/** The assumptions of a policy within a callback: requests on servers where they are not, or off their own. */
final class Assumptions {
    private static final int NONE = State.NONE;

    private final State state;
    private int[] jobs = new int[16];
    /** The server that the job is assumed on, or {@link #NONE} if it is assumed off its own. */
    private int[] servers = new int[16];

    private int size;

    Assumptions(State state) {
        this.state = state;
    }

    int size() {
        return size;
    }

    private int find(int job) {
        for (int k = size - 1; k >= 0; k--) {
            if (jobs[k] == job) {
                return k;
            }
        }
        return NONE;
    }

    boolean contains(int job) {
        return size > 0 && find(job) != NONE;
    }

    /** The server that a job is assumed on, or -1. */
    int server(int job) {
        int at = find(job);
        return at == NONE ? NONE : servers[at];
    }

    /** A pending or waiting request is on a server. */
    void on(int job, int server) {
        state.put(job, server, 0);
        add(job, server);
    }

    /** A running request is not on its server. */
    void off(int job) {
        state.hold(job, state.jobs.place(job), -1);
        add(job, NONE);
    }

    private void add(int job, int server) {
        if (size == jobs.length) {
            jobs = Arrays.copyOf(jobs, 2 * size);
            servers = Arrays.copyOf(servers, 2 * size);
        }
        jobs[size] = job;
        servers[size++] = server;
    }

    /** Takes back an assumption, which must exist. */
    void undo(int job) {
        int at = find(job);
        take(at);
        System.arraycopy(jobs, at + 1, jobs, at, size - at - 1);
        System.arraycopy(servers, at + 1, servers, at, size - at - 1);
        size--;
    }

    void undoAll() {
        while (size > 0) {
            take(size - 1);
            size--;
        }
    }

    private void take(int at) {
        if (servers[at] == NONE) {
            state.hold(jobs[at], state.jobs.place(jobs[at]), 1);
        } else {
            state.take(jobs[at], servers[at]);
        }
    }
}

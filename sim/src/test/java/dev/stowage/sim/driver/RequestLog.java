package dev.stowage.sim.driver;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.policy.View;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes what happens to requests, in seconds; a request that leaves while it waits has expired. */
class RequestLog implements Effects {
    private static final long SECOND = 1_000_000_000L;

    private final List<String> lines;
    private @Nullable View view;

    /** With the list to which it adds. */
    RequestLog(List<String> lines) {
        this.lines = lines;
    }

    private void note(long now, String what, int job) {
        lines.add(now / SECOND + " " + what + " " + Objects.requireNonNull(view).id(job));
    }

    @Override
    public void attached(View engineView) {
        view = engineView;
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        note(now, "on " + server, job);
    }

    @Override
    public void started(long now, int job, int server) {
        note(now, "started", job);
    }

    @Override
    public void startFailed(long now, int job, int server) {
        note(now, "failed", job);
    }

    @Override
    public void displaced(long now, int job, int server) {
        note(now, "displaced", job);
    }

    @Override
    public void stopping(long now, int job, int server, String reason) {
        note(now, "stopping", job);
    }

    @Override
    public void evicted(long now, int job, int server, String reason) {
        note(now, "evicted", job);
    }

    @Override
    public void left(long now, int job, int server) {
        note(now, server == View.NONE ? "expired" : "left", job);
    }
}

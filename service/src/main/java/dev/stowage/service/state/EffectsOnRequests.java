package dev.stowage.service.state;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hears what becomes of requests in a copy of an engine that is only asked what it would do. */
final class EffectsOnRequests extends EngineListener {
    /** Where a request was last; server and queue are -1 for none. */
    record End(Request.State state, int server, int queue, String reason) {}

    private final Map<Long, End> ends = new LinkedHashMap<>();
    private final Deque<Long> stopping = new ArrayDeque<>();
    private @Nullable Refusal refusal;
    private String detail = "";
    private long[] demand = {};

    /** By number, in the order in which they were touched first. */
    Map<Long, End> ends() {
        return ends;
    }

    /** Numbers of those that are to stop, for the caller to remove. */
    Deque<Long> stopping() {
        return stopping;
    }

    /** Why the engine refused something, or null. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    /** More about the refusal. */
    String detail() {
        return detail;
    }

    /** What the request demands that arrived last. */
    long[] demand() {
        return demand;
    }

    private void ends(int job, Request.State state, int server, int queue, String reason) {
        ends.put(view().id(job), new End(state, server, queue, reason));
    }

    @Override
    public void arrived(long now, int job) {
        demand = new long[view().resources()];
        for (int r = 0; r < demand.length; r++) {
            demand[r] = view().demand(job, r);
        }
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        ends(job, Request.State.RUNNING, server, -1, reason);
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        ends(job, Request.State.RUNNING, to, -1, reason);
    }

    @Override
    public void displaced(long now, int job, int server) {
        ends(job, Request.State.WAITING, -1, -1, "");
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        ends(job, Request.State.WAITING, -1, queue, reason);
    }

    @Override
    public void rejected(long now, int job, String reason) {
        ends(job, Request.State.REJECTED, -1, -1, reason);
    }

    @Override
    public void stopping(long now, int job, int server, String reason) {
        stopping.add(view().id(job));
    }

    @Override
    public void left(long now, int job, int server) {
        ends(job, Request.State.RELEASED, -1, -1, "");
    }

    @Override
    public void refused(long now, long subject, Refusal why, String text) {
        refusal = why;
        detail = text;
    }
}

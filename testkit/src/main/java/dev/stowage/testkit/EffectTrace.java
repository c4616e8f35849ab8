package dev.stowage.testkit;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every effect except refusals as a line of text, to show where two runs differ. */
public final class EffectTrace implements Effects {
    private final List<String> lines = new ArrayList<>();
    private @Nullable View view;

    @Override
    public void attached(View given) {
        view = given;
    }

    /** The effects so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Where this trace and another first differ, in words. */
    String difference(EffectTrace other) {
        int i = 0;
        while (i < lines.size() && i < other.lines.size() && lines.get(i).equals(other.lines.get(i))) {
            i++;
        }
        return "effect " + (i + 1) + " is '" + line(i) + "' in one and '" + other.line(i) + "' in the other";
    }

    private String line(int i) {
        return i < lines.size() ? lines.get(i) : "nothing";
    }

    private void add(long now, String what, long job, String more) {
        lines.add("at " + now + " " + what + " " + job + more);
    }

    private String devices(int job) {
        long held = view == null ? 0 : view.devicesHeld(job);
        return held == 0 ? "" : " devices " + Books.set(held);
    }

    @Override
    public void arrived(long now, int job) {
        add(now, "arrived", job, "");
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        add(now, "placed", job, " on " + server + devices(job) + ": " + reason);
    }

    @Override
    public void adopted(long now, int job, int server) {
        add(now, "adopted", job, " on " + server + devices(job));
    }

    @Override
    public void resized(long now, int server, long[] before) {
        add(now, "server", server, " is resized");
    }

    @Override
    public void labelled(long now, int server) {
        add(now, "server", server, " is labelled");
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        add(now, "queued", job, " in " + queue + ": " + reason);
    }

    @Override
    public void rejected(long now, int job, String reason) {
        add(now, "rejected", job, ": " + reason);
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        add(now, "migrated", job, " from " + from + " to " + to + devices(job) + ": " + reason);
    }

    @Override
    public void allocated(long now, int job, long amount) {
        add(now, "allocated", job, " " + amount);
    }

    @Override
    public void left(long now, int job, int server) {
        add(now, "left", job, " from " + server);
    }

    @Override
    public void displaced(long now, int job, int server) {
        add(now, "displaced", job, " from " + server);
    }

    @Override
    public void started(long now, int job, int server) {
        add(now, "started", job, " on " + server);
    }

    @Override
    public void startFailed(long now, int job, int server) {
        add(now, "failed to start", job, " on " + server);
    }

    @Override
    public void stopping(long now, int job, int server, String reason) {
        add(now, "stopping", job, " on " + server + ": " + reason);
    }

    @Override
    public void evicted(long now, int job, int server, String reason) {
        add(now, "evicted", job, " from " + server + ": " + reason);
    }

    @Override
    public void strayed(long now, long id, int server) {
        add(now, "strayed", id, " to " + server);
    }

    @Override
    public void dummyPlaced(long now, int dummy, int server, String reason) {
        add(now, "dummy placed", dummy, " on " + server + ": " + reason);
    }

    @Override
    public void dummyEnded(long now, int dummy, int server) {
        add(now, "dummy ended", dummy, " on " + server);
    }

    @Override
    public void serverChanged(long now, int server, ServerStatus status) {
        add(now, "server", server, " is " + status);
    }
}

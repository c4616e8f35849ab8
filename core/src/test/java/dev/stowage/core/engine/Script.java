package dev.stowage.core.engine;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A policy that does what a test tells it, beside a record of its callbacks and of the engine's effects, one line each.
 * Unless told otherwise it enqueues what arrives in queue 0.
 */
final class Script implements Policy, Effects, PolicyFactory {
    /** What to do in a callback about a job. */
    interface OnJob {
        void act(int job, View view, Actions actions);
    }

    /** What to do in another callback. */
    interface OnCall {
        void act(View view, Actions actions);
    }

    static final OnJob ENQUEUE = (job, view, actions) -> actions.enqueue(job, 0, "wait");
    static final OnJob PLACE = (job, view, actions) -> actions.place(job, 0, "go");
    static final OnJob NOTHING = (job, view, actions) -> {};

    final List<String> callbacks = new ArrayList<>();
    final List<String> effects = new ArrayList<>();
    int queues = 1;
    boolean keepsSiteLimits;
    Set<Capability> capabilities = Set.of();
    OnCall onStart = (view, actions) -> {};
    OnJob onArrival = ENQUEUE;
    OnJob onLeave = NOTHING;
    OnJob onDummyEnd = NOTHING;
    OnJob onDisplaced = ENQUEUE;
    OnCall onServerChange = (view, actions) -> {};
    OnCall onTimer = (view, actions) -> {};
    OnCall onRound = (view, actions) -> {};

    @Override
    public Policy create(PolicySpec spec) {
        if (!spec.name().equals("script")) {
            throw new IllegalArgumentException("policy " + spec.name() + " is not one of [script]");
        }
        return this;
    }

    /** Two servers of 10; type 0 needs 4, type 1 needs 11. */
    static Cluster cluster() {
        return new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(10)))),
                List.of(RequestType.of("small", 4), RequestType.of("huge", 11)));
    }

    Engine start(Steps steps) {
        return start(cluster(), steps);
    }

    Engine start(Cluster cluster, Steps steps) {
        return Engine.start(cluster, PolicySpec.of("script"), this, steps, 1, 0, this);
    }

    Engine start(dev.stowage.core.model.Cluster cluster, Steps steps, OnJob arrival) {
        onArrival = arrival;
        return start(cluster, steps);
    }

    /** The effects since the last time, and forgets them. */
    List<String> takeEffects() {
        List<String> taken = new ArrayList<>(effects);
        effects.clear();
        return taken;
    }

    /** The callbacks since the last time, and forgets them. */
    List<String> takeCallbacks() {
        List<String> taken = new ArrayList<>(callbacks);
        callbacks.clear();
        return taken;
    }

    private void call(String what, View view) {
        callbacks.add(what + " @" + view.now());
    }

    @Override
    public Set<Capability> capabilities() {
        return keepsSiteLimits ? Set.of(Capability.SITE_LIMITS) : capabilities;
    }

    @Override
    public int queues(View view) {
        return queues;
    }

    @Override
    public void started(View view, Actions actions) {
        call("started", view);
        onStart.act(view, actions);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        call("arrived " + view.id(job), view);
        onArrival.act(job, view, actions);
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        call("left " + view.id(job) + " from " + server, view);
        onLeave.act(job, view, actions);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        call("displaced " + view.id(job) + " from " + server, view);
        onDisplaced.act(job, view, actions);
    }

    @Override
    public void adopted(int job, int server, View view, Actions actions) {
        call("adopted " + view.id(job) + " on " + server, view);
    }

    @Override
    public void dummyEnded(int dummy, int server, View view, Actions actions) {
        call("dummy ended on " + server, view);
        onDummyEnd.act(dummy, view, actions);
    }

    @Override
    public void timer(long tag, View view, Actions actions) {
        call("timer " + tag, view);
        onTimer.act(view, actions);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        call("server " + server + " " + view.status(server), view);
        onServerChange.act(view, actions);
    }

    @Override
    public void round(View view, Actions actions) {
        call("round", view);
        onRound.act(view, actions);
    }

    @Override
    public void save(StateWriter out) {
        out.putString("script");
    }

    @Override
    public void restore(StateReader in, View view) {
        callbacks.add("restored " + in.getString());
    }

    @Override
    public void arrived(long now, int job) {
        effects.add("arrived " + job);
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        effects.add("placed " + job + " on " + server + ": " + reason);
    }

    @Override
    public void adopted(long now, int job, int server) {
        effects.add("adopted " + job + " on " + server);
    }

    @Override
    public void resized(long now, int server, long[] before) {
        effects.add("resized " + server + " from " + Arrays.toString(before));
    }

    @Override
    public void labelled(long now, int server) {
        effects.add("labelled " + server);
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        effects.add("queued " + job + " in " + queue + ": " + reason);
    }

    @Override
    public void rejected(long now, int job, String reason) {
        effects.add("rejected " + job + ": " + reason);
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        effects.add("migrated " + job + " from " + from + " to " + to + ": " + reason);
    }

    @Override
    public void allocated(long now, int job, long amount) {
        effects.add("allocated " + amount + " to " + job);
    }

    @Override
    public void left(long now, int job, int server) {
        effects.add("left " + job + " from " + server);
    }

    @Override
    public void displaced(long now, int job, int server) {
        effects.add("displaced " + job + " from " + server);
    }

    @Override
    public void dummyPlaced(long now, int dummy, int server, String reason) {
        effects.add("dummy " + dummy + " on " + server + ": " + reason);
    }

    @Override
    public void dummyEnded(long now, int dummy, int server) {
        effects.add("dummy " + dummy + " ended on " + server);
    }

    @Override
    public void serverChanged(long now, int server, ServerStatus status) {
        effects.add("server " + server + " " + status);
    }

    @Override
    public void refused(long now, long subject, Refusal refusal, String detail) {
        effects.add("refused " + refusal + " " + subject + ": " + detail);
    }
}

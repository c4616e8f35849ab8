package dev.stowage.policies.randomized;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An engine with a policy, servers of one resource and types, for cases worked out by hand: requests are numbered 0, 1,
 * 2, ...; time stands still but for {@link #until} and {@link #step}.
 */
final class TypedRig implements Effects {
    static final long SECOND = 1_000_000_000L;

    /** What {@link #servers} says of a request that waits. */
    static final int WAITS = -1;

    /** What {@link #servers} says of a request that is not in the system. */
    static final int GONE = -2;

    final Engine engine;
    final View view;
    /** What happened: "place 3 on 0", "dummy of 1 on 0", "end of dummy on 0", with the time in nanoseconds. */
    final List<String> log = new ArrayList<>();

    private long arrived;

    /**
     * An engine at its start.
     *
     * @param seed of the policy
     * @param demands of types 0, 1, ...; their mean service time is a second
     */
    TypedRig(PolicySpec policy, Steps steps, long seed, long[] capacities, long... demands) {
        List<ServerBlock> servers = Arrays.stream(capacities)
                .mapToObj(capacity -> new ServerBlock(1, Amounts.of(capacity)))
                .toList();
        List<RequestType> types = IntStream.range(0, demands.length)
                .mapToObj(type -> RequestType.of("t" + type, demands[type]).withMeanService(SECOND))
                .toList();
        Cluster cluster = new Cluster(
                List.of(Resource.of("r")),
                List.of(),
                List.of(Site.of("site", servers.toArray(ServerBlock[]::new))),
                types);
        engine = Engine.start(cluster, policy, new Policies(), steps, seed, 0, this);
        view = engine.view();
    }

    /** Requests of these types arrive, one after the other. */
    TypedRig arrive(int... types) {
        for (int type : types) {
            engine.arrive(view.now(), arrived++, type);
        }
        return this;
    }

    /** As many requests of a type arrive. */
    TypedRig arriveMany(int count, int type) {
        for (int k = 0; k < count; k++) {
            arrive(type);
        }
        return this;
    }

    /** Requests leave, or give up. */
    TypedRig leave(long... ids) {
        for (long id : ids) {
            engine.leave(view.now(), id);
        }
        return this;
    }

    /** The slot ends. */
    TypedRig endSlot() {
        engine.round(view.now());
        return this;
    }

    /** Time goes on. */
    TypedRig until(long nanos) {
        engine.tick(nanos);
        return this;
    }

    /** Time goes on to the next timer. */
    TypedRig step() {
        return until(engine.nextDeadline());
    }

    /** Time goes on until something is placed, a request or a dummy. */
    TypedRig untilPlaced() {
        int before = log.size();
        while (log.stream().skip(before).noneMatch(line -> !line.startsWith("end"))) {
            step();
        }
        return this;
    }

    /** Where each request that ever arrived is. */
    int[] servers() {
        return IntStream.range(0, (int) arrived)
                .map(id -> engine.find(id) < 0 ? GONE : view.server(engine.find(id)))
                .toArray();
    }

    /** Lengths of all queues. */
    int[] queues() {
        return IntStream.range(0, view.queues()).map(view::queueLength).toArray();
    }

    /** Where the last request waits. */
    int lastQueue() {
        return view.queue(engine.find(arrived - 1));
    }

    long lastId() {
        return arrived - 1;
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        log.add("place " + engine.view().id(job) + " on " + server + " at " + now);
    }

    @Override
    public void dummyPlaced(long now, int dummy, int server, String reason) {
        log.add("dummy on " + server + " at " + now);
    }

    @Override
    public void dummyEnded(long now, int dummy, int server) {
        log.add("end of dummy on " + server + " at " + now);
    }
}

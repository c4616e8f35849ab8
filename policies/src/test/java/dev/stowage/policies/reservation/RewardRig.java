package dev.stowage.policies.reservation;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One resource, types A (size 1, reward 1) and B (size 2, reward 3), servers of size 4; what is decided is written
 * down.
 */
final class RewardRig implements Effects {
    static final int A = 0;
    static final int B = 1;

    final Engine engine;
    final Map<String, Long> gauges = new TreeMap<>();
    private final List<String> log = new ArrayList<>();
    private long now;
    private long ids;

    RewardRig(int servers, PolicySpec policy) {
        this(servers, policy, type("A", 1, 1), type("B", 2, 3));
    }

    /** With types of one's own. */
    RewardRig(int servers, PolicySpec policy, RequestType... types) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("size")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(servers, Amounts.of(4)))),
                List.of(types));
        engine = Engine.start(cluster, policy, new Policies(), Steps.COMMANDS, 1, 0, this);
    }

    static RewardRig dra(int servers) {
        return new RewardRig(servers, PolicySpec.of("dra", Map.of("slack", "1")));
    }

    static RequestType type(String name, long size, long reward) {
        return new RequestType(name, Amounts.of(size), Amounts.NONE, reward);
    }

    /** Requests arrive, one by one; returns for each the server, or "rejected". */
    String arrive(int... types) {
        log.clear();
        for (int type : types) {
            engine.arrive(now++, ids++, type);
        }
        return String.join(" ", log);
    }

    /** A request with a demand of its own. */
    String arriveWith(int type, long demand) {
        log.clear();
        engine.arrive(now++, ids++, type, new long[] {demand}, new long[0], 0);
        return String.join(" ", log);
    }

    /** Requests leave, by id; returns the migrations, "from > to". */
    String leave(long... all) {
        log.clear();
        for (long id : all) {
            engine.leave(now++, id);
        }
        return String.join(" ", log);
    }

    void setPolicy(PolicySpec policy) {
        engine.setPolicy(now++, policy);
    }

    void drain(int server) {
        engine.drainServer(now++, server);
    }

    String lose(int server) {
        log.clear();
        engine.loseServer(now++, server);
        return String.join(" ", log);
    }

    void returnServer(int server) {
        engine.returnServer(now++, server);
    }

    void tick(long nanos) {
        now += nanos;
        engine.tick(now);
    }

    static int[] times(int count, int type) {
        int[] types = new int[count];
        Arrays.fill(types, type);
        return types;
    }

    @Override
    public void placed(long at, int job, int server, String reason) {
        log.add(Integer.toString(server));
    }

    @Override
    public void rejected(long at, int job, String reason) {
        log.add("rejected");
    }

    @Override
    public void migrated(long at, int job, int from, int to, String reason) {
        log.add(from + ">" + to);
    }

    @Override
    public void gauged(long at, Gauge gauge, long value) {
        gauges.put(gauge.toString(), value);
    }
}

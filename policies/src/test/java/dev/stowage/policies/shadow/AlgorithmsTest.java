package dev.stowage.policies.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import dev.stowage.policies.learn.ServiceTimes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Algorithms A to D by hand. Lengths of virtual queues are told in seconds. */
class AlgorithmsTest {
    private static final long SECOND = 1_000_000_000L;

    /** Sites of 2 servers of capacity 4 and pool 10, and 4 servers of capacity 6 and pool 20. */
    private static Cluster twoSites() {
        return new Cluster(
                List.of(Resource.of("r")),
                List.of("pool"),
                List.of(
                        new Site("a", List.of(new ServerBlock(2, Amounts.of(4))), Amounts.of(10)),
                        new Site("b", List.of(new ServerBlock(4, Amounts.of(6))), Amounts.of(20))),
                List.of(
                        new RequestType("0", Amounts.of(2), Amounts.of(1), 0, 8 * SECOND / 10),
                        new RequestType("1", Amounts.of(3), Amounts.of(4), 0, 2 * SECOND)));
    }

    private static Engine engine(Cluster cluster, String policy, Map<String, String> parameters) {
        return Engine.start(
                cluster, PolicySpec.of(policy, parameters), new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
    }

    private static View view(Cluster cluster) {
        return engine(cluster, "first-fit", Map.of()).view();
    }

    private static ShadowOptions options(double gamma) {
        return ShadowOptions.of(gamma).withTheta(0.01);
    }

    /**
     * Reduced configurations: a {(2,0), (0,1)}; b {(3,0), (0,2)}, for (1,1) is below a third of (3,0) and two thirds of
     * (0,2). H1 = max(1/10 .8, 4/10 2, 1/20 .8, 4/20 2) = .8, H2 = max(.8/2, 2/2, .8/4, 2/4) = 1, c = 1.01; 2 + 2 x 2 =
     * 6 queues, so with gamma 1 condition (8) asks for a sum of 6 c = 6.06.
     */
    @Test
    void algorithmA() {
        View view = view(twoSites());
        Blocks blocks = new Blocks(view, 500, 0);
        AlgorithmA a = new AlgorithmA(view, blocks, new ServiceTimes(view), options(1));

        // All empty, a tie. Pool of a: .4 x 2 = .8, (a,1): 2/2 = 1. Sum .8 + 1.
        assertThat(a.route(1, 0, view)).isEqualTo(0);
        lengths(a.system(), .8, 0, 0, 1, 0, 0);
        // Costs (in units of 1/mu): a 1/2 + .8 x .4 = .82, b 0. Sum .8 + 1 + .4 + 2 x .5 = 3.2.
        assertThat(a.route(1, 0, view)).isEqualTo(1);
        lengths(a.system(), .8, .4, 0, 1, 0, .5);
        // a .8 x .1 = .08, b .4 x .05 = .02. Sum .8 + 1 + .44 + max(3 x .2, 2 x .5) = 3.24.
        assertThat(a.route(0, 0, view)).isEqualTo(1);
        lengths(a.system(), .8, .44, 0, 1, .2, .5);
        // a .82, b .5/4 + .44 x .2 = .213. Sum .8 + 1 + .84 + 2 = 4.64.
        assertThat(a.route(1, 0, view)).isEqualTo(1);
        // a .82, b 1/4 + .84 x .2 = .418. Sum .8 + 1 + 1.24 + 3 = 6.04: not yet.
        assertThat(a.route(1, 0, view)).isEqualTo(1);
        lengths(a.system(), .8, 1.24, 0, 1, .2, 1.5);
        // a .08, b .2/4 + 1.24 x .05 = .112. Sum .88 + max(2 x .4, 1) + 1.24 + 3 = 6.12: the superserver takes 1.01
        // from the
        // pools, 1.01 x (0,1) from a and 1.01 x (0,2) from b.
        assertThat(a.route(0, 0, view)).isEqualTo(0);
        lengths(a.system(), 0, .23, .4, 0, .2, 0);
        assertThat(a.share(0, 1)).isPositive();
        assertThat(a.share(1, 1)).isPositive();
        assertThat(a.share(0, 0) + a.share(1, 0)).isZero();
        // a .4/2 = .2, b .2/4 + .23 x .05 = .0615.
        assertThat(a.route(0, 0, view)).isEqualTo(1);
        lengths(a.system(), 0, .27, .4, 0, .4, 0);
    }

    /** Lengths of the pools of a and b, then (a,0), (a,1), (b,0), (b,1). */
    private static void lengths(VirtualSystem system, double... seconds) {
        double[] actual = {
            system.pooled(0),
            system.pooled(1),
            system.length(0, 0),
            system.length(0, 1),
            system.length(1, 0),
            system.length(1, 1)
        };
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i] / VirtualSystem.WORK * 1.01).as("queue %d", i).isCloseTo(seconds[i], within(1e-8));
        }
    }

    /**
     * All pooled: a has 8, b 24 of r. H1 = max over a of (2/8 .8, .1 x .8, 3/8 2 = .75, .4 x 2 = .8), c = .808, 4
     * queues; gamma .5 asks for 2 c = 1.616.
     */
    @Test
    void algorithmC() {
        View view = view(twoSites());
        AlgorithmsCD cd = new AlgorithmsCD(view, new Blocks(view, 500, 0), new ServiceTimes(view), options(.5));
        // A tie. a: pool .8, r 3/8 x 2 = .75. Sum 1.55.
        assertThat(cd.route(1, 0, view)).isEqualTo(0);
        pooled(cd.routing(), .8, .75, 0, 0);
        // b: pool .2 x 2 = .4, r 3/24 x 2 = .25. Sum 2.2: .808 from each.
        assertThat(cd.route(1, 0, view)).isEqualTo(1);
        pooled(cd.routing(), 0, 0, 0, 0);
        // a: .08, .2. Then a costs .08 x .1 + .2 x .25 = .058, b 0: .04, 2/24 x .8 = .0667.
        assertThat(cd.route(0, 0, view)).isEqualTo(0);
        assertThat(cd.route(0, 0, view)).isEqualTo(1);
        pooled(cd.routing(), .08, .2, .04, .2 / 3);
        // a .08 x .4 + .2 x .375 = .107, b .04 x .2 + .0667 x .125 = .0163: b gets .4 and .25. Sum .28 + .44 + .3167.
        assertThat(cd.route(1, 0, view)).isEqualTo(1);
        pooled(cd.routing(), .08, .2, .44, .95 / 3);
    }

    /** Lengths (a, pool), (a, r), (b, pool), (b, r). */
    private static void pooled(VirtualSystem system, double... seconds) {
        for (int i = 0; i < seconds.length; i++) {
            assertThat((double) system.pooled(i) / VirtualSystem.WORK * .808)
                    .as("queue %d", i)
                    .isCloseTo(seconds[i], within(1e-8));
        }
    }

    /**
     * Site a alone: c = 1.01 x 2/2, 2 queues, gamma .5 asks for 1 c = 1.01. One request of type 1 makes (a,1) 1: not
     * enough; the next makes it 2: weight 2, and (0,1) serves 1.01. Site b, for itself: c = 1.01 x 2/4 = .505, asks for
     * .505.
     */
    @Test
    void algorithmD() {
        View view = view(twoSites());
        AlgorithmsCD cd = new AlgorithmsCD(view, new Blocks(view, 500, 0), new ServiceTimes(view), options(.5));
        VirtualSystem a = cd.inSite(0);
        VirtualSystem b = cd.inSite(1);
        cd.packAt(0, 1, 2 * SECOND);
        assertThat(seconds(a, 1, 1.01)).isCloseTo(1, within(1e-8));
        assertThat(cd.share(0, 1)).isZero();
        cd.packAt(0, 1, 2 * SECOND);
        assertThat(seconds(a, 1, 1.01)).isCloseTo(.99, within(1e-8));
        assertThat(cd.share(0, 1)).isPositive();
        assertThat(cd.share(0, 0)).isZero();
        // .8/4 = .2, weight 3 x .2 = .6: (3,0) serves 3 x .505, more than there is. a hears nothing of it.
        cd.packAt(1, 0, 8 * SECOND / 10.0);
        assertThat(seconds(b, 0, .505)).isZero();
        assertThat(cd.share(1, 0)).isPositive();
        assertThat(seconds(a, 1, 1.01)).isCloseTo(.99, within(1e-8));
    }

    private static double seconds(VirtualSystem system, int type, double c) {
        return (double) system.length(0, type) / VirtualSystem.WORK * c;
    }

    /** phi: theta I + (1 - theta) phi at each arrival; and no fraction that was used is forgotten. */
    @Test
    void usageFractions() {
        UsageFractions phi = new UsageFractions(0.1, false);
        phi.grow(0, 3);
        phi.arrived();
        phi.used(0, 1);
        assertThat(phi.fraction(0, 1)).isCloseTo(0.1, within(1e-15));
        phi.arrived();
        phi.used(0, 2);
        assertThat(phi.fraction(0, 1)).isCloseTo(0.09, within(1e-15));
        for (int i = 0; i < 100_000; i++) {
            phi.arrived();
        }
        assertThat(phi.share(0, 0)).isZero();
        assertThat(phi.share(0, 1)).isPositive();
        assertThat(phi.share(0, 2)).isPositive();
        phi.used(0, 0);
        assertThat(phi.fraction(0, 0)).isCloseTo(0.1, within(1e-15));
    }

    /** theta1 .5: declared 8 s, seen 2 s: 5 s, seen 1 s: 3 s. Not declared: the first seen. */
    @Test
    void serviceTimesAreLearned() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("r")),
                List.of(),
                List.of(Site.of("a", new ServerBlock(1, Amounts.of(9)))),
                List.of(RequestType.of("declared", 1).withMeanService(8 * SECOND), RequestType.of("not", 1)));
        Engine engine = engine(cluster, "first-fit", Map.of());
        View view = engine.view();
        ServiceTimes times = new ServiceTimes(view, .5);
        assertThat(times.meanNanos(0, 7)).isEqualTo(8 * SECOND);
        assertThat(times.meanNanos(1, 7)).isEqualTo(7);
        for (int type = 0; type < 2; type++) {
            engine.arrive(10L * type * SECOND, type, type);
            times.started(view, engine.find(type));
            engine.tick((10L * type + 2) * SECOND);
            times.ended(view, engine.find(type));
        }
        assertThat(times.meanNanos(0, 7)).isEqualTo(5 * SECOND);
        assertThat(times.meanNanos(1, 7)).isEqualTo(2 * SECOND);
        times.started(view, engine.find(0));
        engine.tick(13 * SECOND);
        times.ended(view, engine.find(0));
        assertThat(times.meanNanos(0, 7)).isEqualTo(3 * SECOND);
    }

    /** One site of servers of capacity 7; types of 2 and 3: configurations (3,0), (2,1), (0,2). */
    private static Cluster sevens(int servers) {
        return new Cluster(
                List.of(Resource.of("r")),
                List.of(),
                List.of(Site.of("a", new ServerBlock(servers, Amounts.of(7)))),
                List.of(
                        RequestType.of("two", 2).withMeanService(SECOND),
                        RequestType.of("three", 3).withMeanService(SECOND)));
    }

    /**
     * With gamma 1000 the superserver sleeps, so all configurations count alike: the least (z + 1) / s, ties to the
     * first.
     */
    @Test
    void algorithmB() {
        Engine engine = engine(sevens(3), "shadow", Map.of("gamma", "1000"));
        int[] types = {0, 0, 0, 0, 0, 1, 1, 1, 1};
        int[] servers = {
            0, // (3,0): 1/3, (2,1): 1/2
            1, // 2/3, 1/2
            0, // 2/3, 2/2
            0, // 3/3, 2/2: a tie
            1, // 4/3, 2/2
            2, // (2,1): 1/1, (0,2): 1/2
            1, // 1/1, 2/2: a tie
            2, // 2/1, 2/2
            -1, // 2/1, 3/2: no (0,2)-server has a slot, none is empty, nor has (2,1) one
        };
        for (int id = 0; id < types.length; id++) {
            engine.arrive(id, id, types[id]);
            assertThat(engine.view().server(engine.find(id)))
                    .as("request %d", id)
                    .isEqualTo(servers[id]);
        }
        assertThat(engine.view().queueLength(2)).isEqualTo(1);
        engine.leave(20, 6);
        assertThat(engine.view().server(engine.find(8))).isEqualTo(1);
        assertThat(engine.view().queueLength(2)).isZero();
    }

    /** The literal rule from equal fractions: an untouched configuration has ratio 0, so each is opened first. */
    @Test
    void algorithmBAsPrinted() {
        Engine engine = engine(sevens(3), "shadow", Map.of("gamma", "1000", "ratio", "literal"));
        // 0/3 and 0/2, a tie; then 1/3 against 0; then 1/3 against 1/2.
        int[] servers = {0, 1, 0};
        for (int id = 0; id < servers.length; id++) {
            engine.arrive(id, id, 0);
            assertThat(engine.view().server(engine.find(id)))
                    .as("request %d", id)
                    .isEqualTo(servers[id]);
        }
    }

    /**
     * Three servers with 2 each; one leaves the first: 5 need 3 servers. One leaves the second: 4 need 2, and 0 hands
     * over to 1.
     */
    @Test
    void migration() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("r")),
                List.of(),
                List.of(Site.of("a", new ServerBlock(3, Amounts.of(2)))),
                List.of(RequestType.of("one", 1).withMeanService(SECOND)));
        Engine engine = engine(cluster, "shadow", Map.of("migration", "real"));
        for (int id = 0; id < 6; id++) {
            engine.arrive(id, id, 0);
            assertThat(engine.view().server(engine.find(id))).isEqualTo(id / 2);
        }
        engine.leave(10, 0);
        assertThat(engine.view().server(engine.find(1))).isZero();
        engine.leave(11, 2);
        assertThat(engine.view().server(engine.find(1))).isEqualTo(1);
        assertThat(engine.view().running(0)).isZero();
        engine.arrive(12, 6, 0);
        assertThat(engine.view().server(engine.find(6))).isZero();
    }

    /**
     * All of site a in maintenance: its waiting requests go elsewhere; all of both: they wait, and are routed on
     * return.
     */
    @Test
    void maintenance() {
        Engine engine = engine(twoSites(), "shadow", Map.of());
        for (int server = 0; server < 6; server++) {
            engine.drainServer(0, server);
        }
        engine.arrive(1, 0, 0);
        engine.arrive(1, 1, 1);
        assertThat(engine.view().queueLength(0)).isEqualTo(2);
        engine.returnServer(2, 3);
        assertThat(engine.view().queueLength(0)).isZero();
        assertThat(engine.view().server(engine.find(0))).isEqualTo(3);
        // (3,0) holds no type 1, and no other server is up: it waits for site b, queue 1 + 1 x 2 + 1.
        assertThat(engine.view().queueLength(4)).isEqualTo(1);
        engine.returnServer(3, 0);
        assertThat(engine.view().queueLength(4)).isEqualTo(1);
        engine.drainServer(4, 3);
        assertThat(engine.view().server(engine.find(1))).isZero();
    }

    /**
     * Site a: pool 1/10 = .1 after one, r 2/8 = .25; b 0, so the next goes to b: .05 and 2/24 = .083; the third again:
     * .1 and .167. Best fit in b (servers of 6): growth 2/6 on any; the tie goes to the fullest, server 2.
     */
    @Test
    void loadBalancing() {
        Engine engine = engine(twoSites(), "load-balancing", Map.of());
        int[] servers = {0, 2, 2};
        for (int id = 0; id < servers.length; id++) {
            engine.arrive(id, id, 0);
            assertThat(engine.view().server(engine.find(id)))
                    .as("request %d", id)
                    .isEqualTo(servers[id]);
        }
        // Strict: a second of 2 would leave nothing free of 4, a third nothing of 6. Before the fifth both sites are at
        // .25.
        Engine strict = engine(twoSites(), "load-balancing", Map.of("strict-fit", "true"));
        int[] strictly = {0, 2, 2, 3, 1, 3};
        for (int id = 0; id < strictly.length; id++) {
            strict.arrive(id, id, 0);
            assertThat(strict.view().server(strict.find(id)))
                    .as("request %d", id)
                    .isEqualTo(strictly[id]);
        }
    }
}

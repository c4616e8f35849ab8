package dev.stowage.policies.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.policies.Policies;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the policies of this package tell about themselves is what is. */
class GaugesTest {
    private final KeyedRandom random = new KeyedRandom();
    private final Map<String, Long> told = new TreeMap<>();
    private final Effects effects = new Effects() {
        @Override
        public void gauged(long now, Gauge gauge, long value) {
            told.put(gauge.toString(), value);
        }
    };

    private static PolicySpec spec(String key, String... parameters) {
        Map<String, String> values = new TreeMap<>();
        for (int i = 0; i < parameters.length; i += 2) {
            values.put(parameters[i], parameters[i + 1]);
        }
        return PolicySpec.of(key, values);
    }

    static List<PolicySpec> specs() {
        return List.of(
                spec("shadow"),
                spec("shadow", "gamma", "0.5", "migration", "real"),
                spec("shadow-simplified"),
                spec("shadow-consolidating", "gamma", "0.5", "moves-per-hour", "1000000000"),
                spec("shadow-bfjs"),
                spec("priced-balancing"),
                spec("load-balancing"));
    }

    private static Cluster cluster(List<Site> sites, RequestType... types) {
        return new Cluster(List.of(Resource.of("size")), List.of(), sites, List.of(types));
    }

    private Cluster random() {
        List<Site> sites = new ArrayList<>();
        for (int s = 0; s < 3; s++) {
            sites.add(Site.of("s" + s, block(), block()));
        }
        return cluster(sites, RequestType.of("a", 1), RequestType.of("b", 2), RequestType.of("c", 5));
    }

    private ServerBlock block() {
        return new ServerBlock(1 + random.nextInt(3), Amounts.of(6 + random.nextInt(6)));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void theyAreWhatTheViewSays(PolicySpec spec) {
        for (int seed = 0; seed < 12; seed++) {
            random.key(seed, 19, 0);
            told.clear();
            boolean takesOver = seed % 2 == 0;
            Engine engine = Engine.start(
                    random(),
                    takesOver ? PolicySpec.of("first-fit") : spec,
                    new Policies(),
                    Steps.COMMANDS,
                    1,
                    0,
                    effects);
            if (takesOver) {
                somethingRuns(engine);
                engine.setPolicy(0, spec);
            }
            for (int step = 0; step < 150; step++) {
                check(engine.view(), takesOver, spec + ", seed " + seed + ", step " + step);
                command(engine, step);
            }
        }
    }

    /** Some of it of no type. */
    private void somethingRuns(Engine engine) {
        for (int id = 0; id < 8; id++) {
            if (id % 4 == 0) {
                engine.arrive(0, id, -1, new long[] {2}, new long[0], 0);
            } else {
                engine.arrive(0, id, random.nextInt(3));
            }
        }
    }

    private void command(Engine engine, int step) {
        int server = random.nextInt(engine.view().servers());
        switch (random.nextInt(16)) {
            case 0 -> engine.drainServer(step, server);
            case 1 -> engine.loseServer(step, server);
            case 2, 3 -> engine.returnServer(step, server);
            case 4 -> engine.addServer(step, engine.view().site(server), new long[] {6 + random.nextInt(6)});
            case 5, 6, 7, 8, 9 -> engine.leave(step, random.nextInt(8 + step));
            default -> engine.arrive(step, 8 + step, random.nextInt(3));
        }
    }

    private void check(View view, boolean takesOver, String where) {
        long[] up = new long[view.sites()];
        long[] occupied = new long[view.sites()];
        Map<String, Long> running = new TreeMap<>();
        for (int server = 0; server < view.servers(); server++) {
            int site = view.site(server);
            boolean isUp = view.status(server) == ServerStatus.UP;
            up[site] += isUp ? 1 : 0;
            occupied[site] += isUp && view.firstOn(server) != View.NONE ? 1 : 0;
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                if (view.type(job) != View.NONE) {
                    running.merge("running{site=" + site + ",type=" + view.type(job) + "}", 1L, Long::sum);
                }
            }
        }
        boolean designates = told.keySet().stream().anyMatch(key -> key.startsWith("designated"));
        for (int site = 0; site < up.length; site++) {
            assertThat(told("up_servers{site=" + site + "}")).as(where).isEqualTo(up[site]);
            assertThat(told("occupied_servers{site=" + site + "}")).as(where).isEqualTo(occupied[site]);
            if (designates) {
                String of = "designated_servers{site=" + site + ",";
                long sum = told.entrySet().stream()
                        .filter(entry -> entry.getKey().startsWith(of))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
                // What ran before may fit no configuration that a server could be designated with.
                assertThat(sum).as(where).isBetween(takesOver ? 0 : occupied[site], occupied[site]);
                long ideal = told("idealised_servers{site=" + site + "}");
                assertThat(ideal).as(where).isBetween(occupied[site] > 0 && !takesOver ? 1L : 0L, occupied[site]);
            }
        }
        told.forEach((key, value) -> {
            if (key.startsWith("running")) {
                assertThat(value).as(where + ": " + key).isEqualTo(running.getOrDefault(key, 0L));
            }
        });
        if (designates) {
            assertThat(told.keySet()).as(where).containsAll(running.keySet());
        }
    }

    private long told(String gauge) {
        return told.getOrDefault(gauge, 0L);
    }

    /** Of 40 shapes of servers at a site, 32 have a gauge of their own, and 8 share one. */
    @Test
    void manyConfigurations() {
        List<ServerBlock> blocks = new ArrayList<>();
        for (int size = 1; size <= 40; size++) {
            blocks.add(new ServerBlock(1, Amounts.of(size)));
        }
        Cluster cluster = cluster(List.of(new Site("site", blocks, Amounts.NONE)), RequestType.of("small", 1));
        Engine engine =
                Engine.start(cluster, PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
        Actions actions = (Actions) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Actions.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("gauge");
                    told.put(arguments[0].toString(), (Long) arguments[1]);
                    return null;
                });
        Blocks shapes = new Blocks(engine.view(), 10, 0);
        ConfigurationGauges gauges = new ConfigurationGauges();
        for (int number = 0; number < shapes.size(); number++) {
            gauges.designated(shapes.get(number), 0, 1, engine.view(), actions);
        }
        assertThat(told).hasSize(33).containsEntry("designated_servers{site=0,holds=others}", 8L);
        gauges.designated(shapes.get(39), 0, 3, engine.view(), actions);
        gauges.designated(shapes.get(38), 0, 0, engine.view(), actions);
        assertThat(told).hasSize(33).containsEntry("designated_servers{site=0,holds=others}", 9L);
        told.remove("designated_servers{site=0,holds=others}");
        assertThat(told.values()).containsOnly(1L);
        assertThat(told.keySet()).allMatch(key -> key.matches("designated_servers\\{site=0,holds=\\d+ x small}"));
    }

    /** A server of size 4 holds 4 small ones, or 2 small and a large one, or 2 large ones. */
    @Test
    void configurationsAreNamed() {
        Cluster cluster = cluster(
                List.of(Site.of("site", new ServerBlock(40, Amounts.of(4)))),
                RequestType.of("small", 1),
                RequestType.of("large", 2));
        Engine engine = Engine.start(cluster, spec("shadow"), new Policies(), Steps.COMMANDS, 1, 0, effects);
        for (int id = 0; id < 60; id++) {
            engine.arrive(id, id, id % 2);
        }
        told.keySet().removeIf(key -> !key.startsWith("designated"));
        assertThat(told.keySet())
                .isNotEmpty()
                .isSubsetOf(
                        "designated_servers{site=0,holds=4 x small}",
                        "designated_servers{site=0,holds=2 x small + 1 x large}",
                        "designated_servers{site=0,holds=2 x large}");
    }

    /** Numbers of servers of the first 64 sites, of requests by type for 512 pairs, configurations of 16 sites. */
    @Test
    void manySites() {
        List<Site> sites = new ArrayList<>();
        for (int s = 0; s < 66; s++) {
            sites.add(Site.of("s" + s, new ServerBlock(1, Amounts.of(8))));
        }
        RequestType[] types = new RequestType[8];
        for (int type = 0; type < types.length; type++) {
            types[type] = RequestType.of("t" + type, 8);
        }
        Engine engine =
                Engine.start(cluster(sites, types), spec("shadow"), new Policies(), Steps.COMMANDS, 1, 0, effects);
        for (int id = 0; id < 2_000; id++) {
            engine.arrive(id, id, id % 8);
        }
        for (int site = 0; site < sites.size(); site++) {
            String of = "{site=" + site + "}";
            assertThat(engine.view().firstOn(site)).isNotEqualTo(View.NONE);
            assertThat(told("up_servers" + of)).isEqualTo(site < 64 ? 1 : 0);
            assertThat(told("occupied_servers" + of)).isEqualTo(site < 64 ? 1 : 0);
            String pair = "running{site=" + site + ",type="
                    + engine.view().type(engine.view().firstOn(site)) + "}";
            assertThat(told(pair)).isEqualTo(site < 64 ? 1 : 0);
            String holds = "designated_servers{site=" + site + ",holds=1 x t"
                    + engine.view().type(engine.view().firstOn(site)) + "}";
            assertThat(told(holds)).isEqualTo(site < 16 ? 1 : 0);
        }
    }
}

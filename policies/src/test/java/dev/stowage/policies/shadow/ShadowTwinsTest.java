package dev.stowage.policies.shadow;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.policies.TwinEngines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The policies of this package against their slow twins, effect by effect, on random commands: several sites with one or two
 * blocks, with and without pools, servers that come and go, continuous and slotted time; the fast one is saved and restored now and then.
 */
class ShadowTwinsTest {
    private static final String REPEAT =
            "mvn -pl policies -am test -Dsurefire.failIfNoSpecifiedTests=false" + " -Dtest=ShadowTwinsTest -Dscenario=";

    private record Pair(PolicySpec fast, Supplier<Policy> slow) {
        @Override
        public String toString() {
            return fast.toString();
        }
    }

    private static Pair pair(Supplier<Policy> slow, String key, String... parameters) {
        var values = new java.util.TreeMap<String, String>();
        for (int i = 0; i < parameters.length; i += 2) {
            values.put(parameters[i], parameters[i + 1]);
        }
        return new Pair(PolicySpec.of(key, values), slow);
    }

    static List<Pair> pairs() {
        return List.of(
                pair(() -> new SlowShadow(false, false, false, 5, 0.01), "shadow"),
                pair(() -> new SlowShadow(false, false, false, 0.2, 0.1), "shadow", "gamma", "0.2", "theta", "0.1"),
                pair(() -> new SlowShadow(false, true, false, 0.5, 0.01), "shadow", "gamma", "0.5", "ratio", "literal"),
                pair(
                        () -> new SlowShadow(false, false, true, 0.5, 0.01),
                        "shadow",
                        "gamma",
                        "0.5",
                        "migration",
                        "real"),
                pair(() -> new SlowShadow(true, false, false, 5, 0.01), "shadow-simplified"),
                pair(
                        () -> new SlowShadow(true, false, true, 0.2, 0.1),
                        "shadow-simplified",
                        "gamma",
                        "0.2",
                        "theta",
                        "0.1",
                        "migration",
                        "real"),
                pair(
                        () -> SlowShadow.consolidating(7, 0.5),
                        "shadow-consolidating",
                        "gamma",
                        "0.5",
                        "moves-per-hour",
                        "7"),
                pair(
                        () -> SlowShadow.consolidating(1e9, 0.2),
                        "shadow-consolidating",
                        "gamma",
                        "0.2",
                        "moves-per-hour",
                        "1000000000"),
                pair(() -> SlowShadow.bestFit(5), "shadow-bfjs"),
                pair(() -> SlowShadow.bestFit(0.2), "shadow-bfjs", "gamma", "0.2"),
                pair(() -> new SlowLoadBalancing(false), "load-balancing"),
                pair(() -> new SlowLoadBalancing(true), "load-balancing", "strict-fit", "true"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void decideAlike(Pair pair) {
        int only = Integer.getInteger("scenario", -1);
        int first = only < 0 ? 0 : only;
        int end = only < 0 ? Integer.getInteger("scenarios", 24) : only + 1;
        for (int scenario = first; scenario < end; scenario++) {
            new Duel(pair, scenario).run(300);
        }
    }

    /** Two engines fed with the same commands. */
    private static final class Duel {
        private final KeyedRandom random = new KeyedRandom();
        private final Pair pair;
        private final int scenario;
        private final Steps steps;
        private final Cluster cluster;
        private final int leaving;
        private final List<Long> known = new ArrayList<>();
        private final TwinEngines twins;
        private long now;
        private long ids;

        Duel(Pair pair, int scenario) {
            this.pair = pair;
            this.scenario = scenario;
            random.key(scenario, 19, 0);
            steps = scenario % 5 < 2 ? Steps.SLOTS : Steps.COMMANDS;
            cluster = cluster();
            leaving = 25 + random.nextInt(20);
            twins = new TwinEngines(cluster, pair.fast, spec -> pair.slow.get(), steps);
        }

        private Cluster cluster() {
            int resources = 1 + scenario % 2;
            int pools = scenario % 3;
            List<Site> sites = new ArrayList<>();
            for (int s = 1 + random.nextInt(3); s > 0; s--) {
                List<ServerBlock> blocks = new ArrayList<>();
                for (int b = 1 + random.nextInt(2); b > 0; b--) {
                    blocks.add(new ServerBlock(1 + random.nextInt(5), amounts(resources, 6, 12)));
                }
                sites.add(new Site("s" + s, blocks, amounts(pools, 15, 40)));
            }
            List<RequestType> types = new ArrayList<>();
            for (int t = 1 + random.nextInt(4); t > 0; t--) {
                Amounts demand = amounts(resources, 1, 6);
                types.add(new RequestType(
                        "t" + t, demand, amounts(pools, 0, 3), 0, 1_000_000L * (1 + random.nextInt(4))));
            }
            List<Resource> names = new ArrayList<>();
            for (int r = 0; r < resources; r++) {
                names.add(Resource.of("r" + r));
            }
            return new Cluster(names, List.of("p0", "p1").subList(0, pools), sites, types);
        }

        private Amounts amounts(int size, int least, int most) {
            long[] amounts = new long[size];
            Arrays.setAll(amounts, r -> least + random.nextInt(most - least + 1));
            return Amounts.of(amounts);
        }

        void run(int commands) {
            for (int k = 0; k < commands; k++) {
                command();
                twins.agree("%s, command %d; to repeat: %s%d", pair, k, REPEAT, scenario);
                if (random.nextInt(40) == 0) {
                    twins.restoreFast();
                }
            }
        }

        private void arriveLimited(long id, RequestType of, int type) {
            int all = twins.view().sites();
            int[] sites = {random.nextInt(all), random.nextInt(all)};
            long[] demand = of.demand().toArray();
            long[] pooled = of.pooledDemand().toArray();
            twins.both(engine -> engine.arrive(now, id, type, demand, pooled, of.rewardMicros(), sites));
        }

        private void command() {
            now += random.nextInt(3);
            int kind = random.nextInt(100);
            if (kind < 50) {
                int type = random.nextInt(cluster.types().size());
                long id = ids++;
                if (scenario % 2 == 1 && random.nextInt(3) == 0) {
                    arriveLimited(id, cluster.types().get(type), type);
                } else {
                    twins.both(engine -> engine.arrive(now, id, type));
                }
                known.add(id);
            } else if (kind < 50 + leaving) {
                leave();
            } else if (kind < 96) {
                if (steps == Steps.SLOTS) {
                    twins.both(engine -> engine.round(now));
                }
            } else {
                change();
            }
        }

        private void leave() {
            if (known.isEmpty()) {
                return;
            }
            int at = random.nextInt(known.size());
            long id = known.get(at);
            int job = twins.find(id);
            // Those who wait mostly go on waiting.
            if (job < 0 || twins.view().state(job) == JobState.RUNNING || random.nextInt(10) == 0) {
                twins.both(engine -> engine.leave(now, id));
                known.remove(at);
            }
        }

        private void change() {
            int server = random.nextInt(twins.view().servers());
            int kind = random.nextInt(3);
            if (kind == 0 && twins.view().servers() < 20) {
                int site = random.nextInt(twins.view().sites());
                long[] capacity = new long[twins.view().resources()];
                int like = random.nextInt(twins.view().servers());
                Arrays.setAll(capacity, r -> twins.view().capacity(like, r));
                twins.both(engine -> engine.addServer(now, site, capacity));
            } else {
                twins.awayOrBack(now, server, kind == 1);
            }
        }
    }
}

package dev.stowage.policies.shadow;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.ComparedEngines;
import dev.stowage.policies.Duel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The policies of this package against their slow engines, effect by effect, on random commands: several sites with one
 * or two blocks, with and without pools, requests limited to some of them.
 */
class ShadowReferenceTest {
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
        Duel.scenarios(24, scenario -> new OfTypes(pair, scenario).run());
    }

    /** Requests of types. */
    private static final class OfTypes extends Duel {
        private final Pair pair;
        private final boolean limited;
        /** Whether some servers are away before the first request. */
        private final boolean away;

        private final Cluster cluster;

        OfTypes(Pair pair, int scenario) {
            super(ShadowReferenceTest.class, pair.toString(), scenario);
            this.pair = pair;
            limited = property(2) == 0;
            cluster = cluster(1 + property(2), property(3));
            away = property(2) == 0;
        }

        void run() {
            run(cluster, pair.fast, spec -> pair.slow.get(), 300);
        }

        @Override
        protected void first(ComparedEngines engines) {
            for (int server = 0; away && server < engines.view().servers(); server++) {
                if (random.nextInt(3) == 0) {
                    engines.awayOrBack(0, server, random.nextInt(2) == 0);
                }
            }
        }

        private Cluster cluster(int resources, int pools) {
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

        @Override
        protected void arrive(ComparedEngines engines, long at, long id) {
            int type = random.nextInt(cluster.types().size());
            if (!limited || random.nextInt(3) > 0) {
                engines.both(engine -> engine.arrive(at, id, type));
                return;
            }
            RequestType of = cluster.types().get(type);
            int[] sites = sites(engines);
            long[] demand = of.demand().toArray();
            long[] pooled = of.pooledDemand().toArray();
            engines.both(engine -> engine.arrive(at, id, type, demand, pooled, of.rewardMicros(), sites));
        }

        @Override
        protected long[] capacity(ComparedEngines engines) {
            long[] capacity = new long[engines.view().resources()];
            int like = random.nextInt(engines.view().servers());
            Arrays.setAll(capacity, r -> engines.view().capacity(like, r));
            return capacity;
        }
    }
}

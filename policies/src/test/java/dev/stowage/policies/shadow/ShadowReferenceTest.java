package dev.stowage.policies.shadow;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.Capability;
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
 * or two blocks, with and without pools, requests limited to some of them; where the policy keeps them, with other
 * constraints, and labels that change.
 */
class ShadowReferenceTest {
    private static final List<String> LABELS = List.of("", "a=1", "a=2", "b=1", "a=1,b=1", "a=2,b=2");
    private static final List<String> TERMS = List.of("", "", "a", "!a", "a=1", "a!=1", "b=1|2", "a=1;b=2", "a=2,b");
    private static final List<String> SPREADS = List.of("x:1", "x:2", "y:3", "x:1:a", "x:2:a", "y:1:b", "z:2:b");

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
                pair(SlowPricedBalancing::new, "priced-balancing"),
                pair(() -> new SlowLoadBalancing(false), "load-balancing"),
                pair(() -> new SlowLoadBalancing(true), "load-balancing", "strict-fit", "true"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void decideAlike(Pair pair) {
        Duel.scenarios(8, scenario -> new OfTypes(pair, scenario).run());
    }

    /** Requests of types. */
    private static final class OfTypes extends Duel {
        private final Pair pair;
        private final boolean limited;
        /** Whether some servers are away before the first request. */
        private final boolean away;

        private final boolean constrained;
        private final Cluster cluster;

        OfTypes(Pair pair, int scenario) {
            super(ShadowReferenceTest.class, pair.toString(), scenario);
            this.pair = pair;
            limited = property(2) == 0;
            int resources = 1 + property(2);
            int pools = property(3);
            away = property(2) == 0;
            constrained = pair.slow.get().capabilities().contains(Capability.CONSTRAINTS) && property(3) > 0;
            cluster = cluster(resources, pools);
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
                    Labels labels = constrained ? labels() : Labels.NONE;
                    blocks.add(new ServerBlock(1 + random.nextInt(5), amounts(resources, 6, 12), List.of(), labels));
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
            if (constrained && random.nextInt(3) > 0) {
                RequestType of = cluster.types().get(type);
                long[] demand = of.demand().toArray();
                long[] pooled = of.pooledDemand().toArray();
                Constraints constraints = constraints(engines);
                engines.both(engine -> engine.arrive(at, id, type, demand, pooled, of.rewardMicros(), constraints));
                return;
            }
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

        private Labels labels() {
            return Labels.parse(LABELS.get(random.nextInt(LABELS.size())));
        }

        private Constraints constraints(ComparedEngines engines) {
            List<Integer> sites = new ArrayList<>();
            if (limited && random.nextInt(3) == 0) {
                Arrays.stream(sites(engines)).forEach(sites::add);
            }
            List<Integer> avoid = new ArrayList<>();
            for (int k = random.nextInt(3); k > 0; k--) {
                avoid.add(random.nextInt(engines.view().servers()));
            }
            List<Spread> spread = random.nextInt(2) == 0
                    ? List.of()
                    : List.of(Spread.parse(SPREADS.get(random.nextInt(SPREADS.size()))));
            return new Constraints(
                    sites, Constraints.parseTerms(TERMS.get(random.nextInt(TERMS.size()))), avoid, spread);
        }

        @Override
        protected boolean changeOtherwise(ComparedEngines engines, long at, int server) {
            if (!constrained || random.nextInt(3) > 0) {
                return false;
            }
            Labels labels = labels();
            engines.both(engine -> engine.labelServer(at, server, labels));
            return true;
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

package dev.stowage.policies;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.ForwardingPolicy;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.shadow.SlowPricedBalancing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every policy against its reference implementation, effect by effect, on random commands: 1 to 4 resources, unequal
 * servers, several sites with and without pools, requests limited to some of them or with other constraints, labels and
 * capacities that change, requests that are adopted, gangs, priorities, agents, evictions and drains that move.
 */
@Tag("once")
class PolicyReferenceTest {
    private static final List<String> LABELS =
            List.of("", "a=1", "a=2", "b=1", "a=1,b=1", "a=2,b=2", "a=10,b=2", "a=x,b=");
    private static final List<String> TERMS = List.of("", "", "a", "!a", "a=1", "a!=1", "b=1|2", "a=1;b=2", "a=2,b");
    private static final List<String> SPREADS = List.of("x:1", "x:2", "y:3", "x:1:a", "x:2:a", "y:1:b", "z:2:b");

    /** Distance between the ids of the members of a gang. */
    private static final long MEMBERS = 1_000_000;

    /** So that expected ends differ, and pass. */
    private static final long LIFETIME_UNIT = 15_000_000_000L;

    private record Pair(String slow, PolicySpec fast, String score) {
        Policy slowPolicy() {
            if (slow.equals("priced-balancing")) {
                return new SlowPricedBalancing();
            }
            if (onDevices()) {
                return learning(new SlowDeviceScore(score, fast.parameters().containsValue("last")));
            }
            if (byLifetime()) {
                Object rule = fast.parameters().getOrDefault("rule", "extension");
                return new SlowlyLooking(slow, new SlowScore(score, new SlowLifetimes(rule.toString())));
            }
            if (!slow.startsWith("vqs")) {
                return new SlowPolicy(
                        slow, new SlowScore(score), fast.parameters().containsKey("stalling") ? 0.5 : 0);
            }
            int levels = Character.isDigit(score.charAt(0)) ? Integer.parseInt(score) : 0;
            return new SlowVirtualQueues(slow, levels, score.equals("stalling") ? 0.7 : 0);
        }

        boolean onDevices() {
            return List.of("fgd", "fill", "device-score").contains(fast.name());
        }

        /** What is displaced or evicted is not an arrival. */
        private Policy learning(SlowDeviceScore ofDevices) {
            Policy deciding = new SlowPolicy(slow, ofDevices, 0);
            return new ForwardingPolicy() {
                @Override
                protected Policy policy() {
                    return deciding;
                }

                @Override
                public void arrived(int job, View view, Actions actions) {
                    ofDevices.arrived(view, job);
                    deciding.arrived(job, view, actions);
                }
            };
        }

        boolean byLifetime() {
            return fast.name().equals("lifetime-classes");
        }

        /** Classes of tens of hours take longer. */
        long lifetimeUnit() {
            return fast.parameters().containsKey("rule") ? 20 * LIFETIME_UNIT : LIFETIME_UNIT;
        }

        @Override
        public String toString() {
            return fast + " / " + slow;
        }
    }

    static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        pairs.add(new Pair("first-fit", PolicySpec.of("first-fit"), "occupied"));
        pairs.add(new Pair("first-fit-queue", PolicySpec.of("first-fit", Map.of("when-full", "queue")), "occupied"));
        pairs.add(new Pair("fifo-ff", PolicySpec.of("fifo-ff"), "occupied"));
        for (String score : List.of("occupied", "available", "mix", "leftover", "even")) {
            pairs.add(new Pair("best-fit", PolicySpec.of("best-fit", Map.of("score", score)), score));
            pairs.add(new Pair(
                    "best-fit-queue", PolicySpec.of("best-fit", Map.of("when-full", "queue", "score", score)), score));
            pairs.add(new Pair("best-fit", PolicySpec.of("lifetime-classes", Map.of("score", score)), score));
            pairs.add(new Pair(
                    "best-fit-queue",
                    PolicySpec.of("lifetime-classes", Map.of("when-full", "queue", "score", score)),
                    score));
            for (String key : List.of("bf-j", "bf-s", "bf-js", "bf-due")) {
                pairs.add(new Pair(key, PolicySpec.of(key, Map.of("score", score)), score));
            }
        }
        for (String rule : List.of("nilas", "lava", "alignment", "duration", "hybrid")) {
            pairs.add(new Pair("best-fit", PolicySpec.of("lifetime-classes", Map.of("rule", rule)), "even"));
            pairs.add(new Pair(
                    "best-fit-queue",
                    PolicySpec.of("lifetime-classes", Map.of("when-full", "queue", "rule", rule)),
                    "even"));
        }
        for (String score : List.of("best-fit", "dot-product", "clustering", "packing")) {
            pairs.add(new Pair("best-fit", PolicySpec.of("device-score", Map.of("score", score)), score));
        }
        pairs.add(new Pair("best-fit", PolicySpec.of("fgd"), "fgd"));
        pairs.add(new Pair("best-fit", PolicySpec.of("fgd", Map.of("ties", "last")), "fgd"));
        pairs.add(new Pair("best-fit", PolicySpec.of("fgd", Map.of("rounded", "false")), "fgd, exact"));
        pairs.add(new Pair("best-fit", PolicySpec.of("fill"), "fill"));
        pairs.add(new Pair("best-fit", PolicySpec.of("fill", Map.of("ties", "last")), "fill"));
        for (String key : List.of("fgd", "fill")) {
            pairs.add(new Pair("best-fit-queue", PolicySpec.of(key, Map.of("when-full", "queue")), key));
        }
        pairs.add(new Pair("bf-js", PolicySpec.of("bf-js", Map.of("stalling", "0.5")), "occupied"));
        pairs.add(new Pair("priced-balancing", PolicySpec.of("priced-balancing"), "mix"));
        pairs.add(new Pair("vqs", PolicySpec.of("vqs"), "auto"));
        pairs.add(new Pair("vqs", PolicySpec.of("vqs", Map.of("levels", "2")), "2"));
        pairs.add(new Pair("vqs", PolicySpec.of("vqs", Map.of("stalling", "0.7")), "stalling"));
        pairs.add(new Pair("vqs-bf", PolicySpec.of("vqs-bf"), "auto"));
        pairs.add(new Pair("vqs-bf", PolicySpec.of("vqs-bf", Map.of("levels", "3")), "3"));
        pairs.add(new Pair("vqs-bf", PolicySpec.of("vqs-bf", Map.of("stalling", "0.7")), "stalling"));
        return pairs;
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void decideAlike(Pair pair) {
        Duel.scenarios(pair.slow.startsWith("vqs") ? 8 : 16, scenario -> new OwnAmounts(pair, scenario, false).run());
    }

    static List<Pair> pairsThatKnowDevices() {
        return pairs().stream()
                .filter(pair -> new Policies().create(pair.fast).capabilities().contains(Capability.DEVICES))
                .toList();
    }

    /** The same with a resource in devices. */
    @ParameterizedTest
    @MethodSource("pairsThatKnowDevices")
    void decideAlikeOnDevices(Pair pair) {
        Duel.scenarios(12, scenario -> new OwnAmounts(pair, scenario, true).run());
    }

    /** Requests with amounts of their own. */
    private static final class OwnAmounts extends Duel {
        private final Pair pair;
        private final int resources;
        private final boolean coarse;
        private final int pools;
        private final boolean limited;
        private final boolean constrained;
        private final boolean overcommitted;
        /** Whether requests do not like all servers alike. */
        private final boolean penalized;
        /** Whether there are gangs, priorities, agents, evictions and moves. */
        private final boolean told;
        /** The resource that comes in devices, or -1, and the amount of one. */
        private final int device;

        private final long deviceAmount;
        private final boolean trusted;

        OwnAmounts(Pair pair, int scenario, boolean devices) {
            super(PolicyReferenceTest.class, pair.toString(), scenario);
            this.pair = pair;
            int drawn = 1 + property(4);
            // The largest request of a virtual queue is defined in one resource.
            resources = pair.slow.equals("vqs-bf") ? 1 : drawn;
            coarse = property(2) == 0;
            pools = Math.max(0, property(5) - 2);
            boolean keeps = !pair.slow.startsWith("vqs");
            limited = property(2) == 0 && keeps;
            constrained = property(2) == 0 && keeps;
            overcommitted = property(3) == 0 && keeps;
            told = property(2) == 0 && keeps;
            device = devices ? property(resources) : -1;
            deviceAmount = coarse ? 4 : 3_000;
            penalized = property(2) == 0
                    && keeps
                    && !List.of("bf-s", "priced-balancing").contains(pair.slow);
            timeUnit = pair.byLifetime() ? pair.lifetimeUnit() : 1;
            trusted = property(2) == 0;
        }

        /** Expectations are trusted in half of the scenarios, because those of many small requests were right. */
        @Override
        protected void first(ComparedEngines engines) {
            for (int k = 0; k < 200 && pair.byLifetime() && trusted; k++) {
                long id = 100 * MEMBERS + k;
                engines.both(engine -> engine.arrive(
                        now,
                        new NewRequest(
                                id, -1, new long[resources], new long[pools], 0, Constraints.NONE, 0, false, 2)));
                if (engines.find(id) >= 0 && engines.view().state(engines.find(id)) != JobState.RUNNING) {
                    engines.both(engine -> engine.round(now));
                }
                now += 2;
                engines.both(engine -> engine.leave(now, id));
            }
        }

        void run() {
            run(cluster(), pair.fast, spec -> pair.slowPolicy(), 250);
        }

        private Cluster cluster() {
            List<Resource> names = new ArrayList<>();
            for (int r = 0; r < resources; r++) {
                names.add(new Resource("r" + r, false, r == device ? deviceAmount : 0));
            }
            List<String> pooled = new ArrayList<>();
            for (int p = 0; p < pools; p++) {
                pooled.add("p" + p);
            }
            List<Site> sites = new ArrayList<>();
            int count = 1 + random.nextInt(3);
            for (int s = 0; s < count; s++) {
                List<ServerBlock> blocks = new ArrayList<>();
                for (int b = 1 + random.nextInt(2); b > 0; b--) {
                    Labels labels = constrained ? labels() : Labels.NONE;
                    blocks.add(new ServerBlock(1 + random.nextInt(4), Amounts.of(usual()), List.of(), labels));
                }
                long[] pool = new long[pools];
                Arrays.fill(pool, 12 + random.nextInt(10));
                sites.add(new Site("s" + s, blocks, Amounts.of(pool)));
            }
            return new Cluster(names, pooled, sites, List.of());
        }

        private long[] usual() {
            long[] capacity = new long[resources];
            for (int r = 0; r < resources; r++) {
                capacity[r] = coarse ? 8 + 4 * random.nextInt(3) : 9_000 + random.nextInt(3) * 1_500;
            }
            return whole(capacity, true);
        }

        /** Whole devices only, or a part of one where that is allowed. */
        private long[] whole(long[] amounts, boolean always) {
            if (device >= 0 && (always || amounts[device] > deviceAmount)) {
                amounts[device] = amounts[device] / deviceAmount * deviceAmount;
            }
            return amounts;
        }

        private Labels labels() {
            return Labels.parse(LABELS.get(random.nextInt(LABELS.size())));
        }

        @Override
        protected boolean changeOtherwise(ComparedEngines engines, long at, int server) {
            if (told && random.nextInt(3) > 0) {
                long id = random.nextInt(60);
                switch (random.nextInt(6)) {
                    case 0 -> engines.both(engine -> engine.started(at, id));
                    case 1 -> engines.both(engine -> engine.startFailed(at, id));
                    case 2 -> engines.both(engine -> engine.stop(at, id));
                    case 3 -> engines.both(engine -> engine.stopped(at, id));
                    case 4 -> engines.both(engine -> engine.evict(at, id));
                    default -> engines.both(engine -> engine.drainServer(at, server, 2 * timeUnit));
                }
                return true;
            }
            int kind = random.nextInt(4);
            if (constrained && kind == 0) {
                Labels labels = labels();
                engines.both(engine -> engine.labelServer(at, server, labels));
                return true;
            }
            if (overcommitted && kind == 1) {
                long[] capacity = usual();
                capacity[0] = capacity[0] / 2 + random.nextInt(4);
                whole(capacity, true);
                engines.both(engine -> engine.resizeServer(at, server, capacity));
                return true;
            }
            return false;
        }

        /** With a priority, an agent, or as the first of a gang. */
        private void arriveWithMore(ComparedEngines engines, long at, NewRequest plain) {
            boolean keepsPriorities = pair.slow.startsWith("first-fit") || pair.slow.startsWith("best-fit");
            NewRequest one = keepsPriorities ? plain.withPriority(random.nextInt(4) - 1) : plain;
            NewRequest first = random.nextInt(3) == 0 ? one.withAgent() : one;
            List<NewRequest> members = new ArrayList<>(List.of(first));
            for (int more = random.nextInt(3) - 1; more > 0; more--) {
                long own = MEMBERS + MEMBERS * members.size() + first.id();
                long[] demand = first.demand().clone();
                demand[0] = demand[0] / 2;
                whole(demand, false);
                members.add(new NewRequest(
                        own,
                        -1,
                        demand,
                        first.pooledDemand(),
                        0,
                        first.constraints(),
                        first.priority(),
                        first.agent(),
                        expected()));
            }
            boolean gang = members.size() > 1 || random.nextInt(8) == 0;
            engines.both(engine -> {
                if (gang) {
                    engine.arriveTogether(at, members);
                } else {
                    engine.arrive(at, first);
                }
            });
        }

        private Constraints constraints(ComparedEngines engines) {
            List<Integer> sites = new ArrayList<>();
            if (limited && random.nextInt(3) == 0) {
                Arrays.stream(sites(engines)).forEach(sites::add);
            }
            if (!constrained || random.nextInt(3) == 0) {
                return new Constraints(sites, List.of(), List.of(), List.of());
            }
            List<Integer> avoid = new ArrayList<>();
            for (int k = random.nextInt(3); k > 0; k--) {
                avoid.add(random.nextInt(engines.view().servers()));
            }
            return new Constraints(
                    sites,
                    Constraints.parseTerms(TERMS.get(random.nextInt(TERMS.size()))),
                    avoid,
                    random.nextInt(2) == 0
                            ? List.of()
                            : List.of(Spread.parse(SPREADS.get(random.nextInt(SPREADS.size())))),
                    penalized ? List.of("", "a", "b").get(random.nextInt(3)) : "");
        }

        @Override
        protected long[] capacity(ComparedEngines engines) {
            long[] capacity = usual();
            capacity[0] += random.nextInt(2) == 1 ? 5 : 0;
            return whole(capacity, true);
        }

        @Override
        protected void arrive(ComparedEngines engines, long at, long id) {
            long[] demand = new long[resources];
            Arrays.setAll(demand, r -> random.nextInt(coarse ? 6 : 6_000));
            if (device >= 0 && random.nextInt(3) == 0) {
                demand[device] = deviceAmount * (1 + random.nextInt(2));
            }
            whole(demand, false);
            long[] pooled = new long[pools];
            Arrays.setAll(pooled, p -> random.nextInt(2) == 1 ? random.nextInt(7) : 0);
            Constraints constraints = constraints(engines);
            int server = overcommitted && random.nextInt(6) == 0
                    ? random.nextInt(engines.view().servers())
                    : -1;
            NewRequest plain = new NewRequest(id, -1, demand, pooled, 0, constraints, 0, false, expected());
            if (told && random.nextInt(3) > 0) {
                arriveWithMore(engines, at, plain);
                return;
            }
            engines.both(engine -> {
                if (server < 0) {
                    engine.arrive(at, plain);
                } else {
                    engine.adopt(at, plain, server);
                }
            });
        }

        /** From less than a time unit to hours, or none. */
        private long expected() {
            return !pair.byLifetime() || random.nextInt(5) == 0
                    ? 0
                    : 1 + random.nextInt(1000) * (pair.lifetimeUnit() >> random.nextInt(9));
        }
    }
}

package dev.stowage.policies.randomized;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.policies.ComparedEngines;
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Policy {@code max-weight} against its reference implementation, decision by decision, on random commands: 1 or 2
 * resources, unequal servers, types that fit only some or demand nothing, sites with and without pools, servers that
 * come and go, hand-over from another policy and back, continuous and slotted time; the fast one is saved and restored
 * now and then.
 */
class MaxWeightReferenceTest {
    private static final String REPEAT =
            "mvn -pl policies -am test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=MaxWeightReferenceTest -Dscenario=";

    @ParameterizedTest
    @CsvSource({
        "local, central, true",
        "local, central, false",
        "local, distributed, true",
        "local, distributed, false",
        "global, central, true",
        "global, central, false",
        "global, distributed, true",
        "global, distributed, false"
    })
    void decideAlike(String refresh, String queues, boolean refill) {
        PolicySpec spec = PolicySpec.of(
                "max-weight", Map.of("refresh", refresh, "queues", queues, "refill", String.valueOf(refill)));
        MaxWeightOptions options = new MaxWeightOptions(refresh.equals("global"), queues.equals("distributed"), refill);
        int only = Integer.getInteger("scenario", -1);
        int end = only < 0 ? Integer.getInteger("scenarios", 40) : only + 1;
        int ties = 0;
        int placed = 0;
        for (int scenario = Math.max(0, only); scenario < end; scenario++) {
            Duel duel = new Duel(spec, options, scenario);
            duel.run(250);
            ties += duel.references.stream()
                    .mapToInt(reference -> reference.ties)
                    .sum();
            placed += duel.placed;
        }
        assertThat(ties).as("ties").isGreaterThan(end - Math.max(0, only));
        assertThat(placed).as("placed").isGreaterThan(10 * (end - Math.max(0, only)));
    }

    /** Two engines fed with the same commands. */
    private static final class Duel {
        private final KeyedRandom random = new KeyedRandom();
        private final PolicySpec spec;
        private final int scenario;
        private final int resources;
        private final int pools;
        private final Steps steps;
        private final int leastDemand;
        private final Cluster cluster;
        private final List<SlowMaxWeight> references = new ArrayList<>();
        private final ComparedEngines engines;
        private long now;
        private long ids;
        private int placed;
        /** Whether the world is emptying: else all servers would hardly ever be empty together. */
        private boolean ebb;

        private boolean handedOver;

        Duel(PolicySpec spec, MaxWeightOptions options, int scenario) {
            this.spec = spec;
            this.scenario = scenario;
            // Each property is drawn by itself: all combinations occur.
            random.key(scenario, 29, 0);
            resources = 1 + random.nextInt(2);
            pools = random.nextInt(3) == 2 ? 1 : 0;
            steps = random.nextInt(5) < 2 ? Steps.SLOTS : Steps.COMMANDS;
            leastDemand = random.nextInt(4) == 3 ? 0 : 1;
            random.key(scenario, 23, 0);
            cluster = cluster();
            Policies policies = new Policies();
            engines = new ComparedEngines(
                    cluster,
                    spec,
                    asked -> {
                        if (!asked.name().equals(ComparedEngines.REFERENCE)) {
                            return policies.create(asked);
                        }
                        references.add(new SlowMaxWeight(options));
                        return references.get(references.size() - 1);
                    },
                    steps);
        }

        private Cluster cluster() {
            List<Resource> names = IntStream.range(0, resources)
                    .mapToObj(r -> Resource.of("r" + r))
                    .toList();
            List<String> pooled =
                    IntStream.range(0, pools).mapToObj(p -> "p" + p).toList();
            List<Site> sites = new ArrayList<>();
            for (int s = random.nextInt(2); s >= 0; s--) {
                List<ServerBlock> blocks = new ArrayList<>();
                for (int b = random.nextInt(2); b >= 0; b--) {
                    blocks.add(new ServerBlock(1 + random.nextInt(2), Amounts.of(amounts(resources, 3, 8))));
                }
                sites.add(new Site("s" + s, blocks, Amounts.of(amounts(pools, 1, 5))));
            }
            List<RequestType> types = new ArrayList<>();
            for (int j = random.nextInt(4); j >= 0; j--) {
                Amounts demand = Amounts.of(amounts(resources, leastDemand, 5));
                types.add(new RequestType("t" + j, demand, Amounts.of(amounts(pools, 0, 2)), 0));
            }
            return new Cluster(names, pooled, sites, types);
        }

        private long[] amounts(int size, int least, int most) {
            return IntStream.range(0, size)
                    .mapToLong(i -> least + random.nextInt(most - least + 1))
                    .toArray();
        }

        void run(int commands) {
            for (int k = 0; k < commands; k++) {
                command();
                placed += engines.agree("%s, command %d; to repeat: %s%d", spec, k, REPEAT, scenario);
                if (random.nextInt(25) == 0) {
                    engines.restoreFast();
                }
            }
        }

        private void command() {
            now += random.nextInt(3);
            ebb ^= random.nextInt(15) == 0;
            int kind = random.nextInt(100);
            if (kind < 10 && steps == Steps.SLOTS) {
                engines.both(engine -> engine.round(now));
            } else if (kind < 15) {
                change(kind);
            } else if (kind == 15) {
                handedOver ^= true;
                PolicySpec other = PolicySpec.of("fifo-ff");
                engines.setPolicy(
                        now, handedOver ? other : spec, handedOver ? other : PolicySpec.of(ComparedEngines.REFERENCE));
            } else if (kind < (ebb ? 25 : 70)) {
                arrive();
            } else {
                leave();
            }
        }

        private void arrive() {
            long id = ids++;
            int type = random.nextInt(cluster.types().size());
            if (random.nextInt(50) == 0) {
                long[] own = amounts(resources, 1, 3);
                int named = random.nextInt(2) == 0 ? -1 : type;
                engines.both(engine -> engine.arrive(now, id, named, own, new long[pools], 0));
            } else {
                engines.both(engine -> engine.arrive(now, id, type));
            }
        }

        /** One that runs leaves, now and then one that waits. */
        private void leave() {
            JobState wanted = random.nextInt(12) == 0 ? JobState.WAITING : JobState.RUNNING;
            long[] there = IntStream.range(0, engines.handles())
                    .filter(job -> engines.view().state(job) == wanted)
                    .mapToLong(job -> engines.view().id(job))
                    .toArray();
            if (there.length > 0) {
                long id = there[random.nextInt(there.length)];
                engines.both(engine -> engine.leave(now, id));
            }
        }

        private void change(int kind) {
            int server = random.nextInt(engines.view().servers());
            if (kind == 10 && engines.view().servers() < 7) {
                int site = random.nextInt(engines.view().sites());
                long[] capacity = amounts(resources, 3, 8);
                engines.both(engine -> engine.addServer(now, site, capacity));
            } else {
                engines.awayOrBack(now, server, kind < 13);
            }
        }
    }
}

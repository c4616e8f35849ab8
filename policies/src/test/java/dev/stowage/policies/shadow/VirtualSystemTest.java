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
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.optimize.configuration.Configurations;
import dev.stowage.policies.Policies;
import dev.stowage.policies.learn.ServiceTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Configurations that are not listed: the knapsack stands in for the list, exactly. */
class VirtualSystemTest {
    private final KeyedRandom random = new KeyedRandom();

    /** Bounds hold at any time, and meet at the weight of the heaviest configuration when settled. */
    @Test
    void boundsOfTheHeaviest() {
        for (int seed = 0; seed < 40; seed++) {
            random.key(seed, 29, 0);
            int types = 2 + random.nextInt(4);
            long[] capacity = {10 + random.nextInt(15), 10 + random.nextInt(15)};
            long[][] demand = new long[types][2];
            for (long[] each : demand) {
                Arrays.setAll(each, r -> 1 + random.nextInt(8));
            }
            List<int[]> all = Configurations.maximal(capacity, demand, 100_000);
            ConfigurationSet found = new ConfigurationSet(capacity, demand, 0, 0);
            BlockQueues searched = new BlockQueues(found, types, 1L << 40);
            ConfigurationSet list = new ConfigurationSet(capacity, demand, 100_000, 0);
            BlockQueues listed = new BlockQueues(list, types, 1L << 40);
            for (int step = 0; step < 300; step++) {
                int type = random.nextInt(types);
                long work = 1L + random.nextInt(1000);
                searched.add(type, work);
                listed.add(type, work);
                long heaviest = heaviest(all, searched.lengths());
                assertThat(heaviest).as("seed %d", seed).isBetween(searched.lower(), searched.upper());
                assertThat(listed.lower()).isEqualTo(heaviest).isEqualTo(listed.upper());
                if (random.nextInt(5) == 0) {
                    searched.settle();
                    assertThat(searched.lower()).isEqualTo(heaviest).isEqualTo(searched.upper());
                }
                if (random.nextInt(10) == 0) {
                    int configuration = searched.heaviest();
                    long weight = 0;
                    for (int i = 0; i < types; i++) {
                        weight += searched.length(i) * found.count(configuration, i);
                    }
                    assertThat(weight).as("seed %d", seed).isEqualTo(heaviest);
                    searched.serve(configuration, 300);
                    listed = new BlockQueues(list, types, 1L << 40);
                    listed.restore(searched.lengths());
                }
            }
        }
    }

    /** Where nearly the heaviest will do, what serves is no lighter than that, and never lighter than what is known. */
    @Test
    void nearlyTheHeaviest() {
        double within = 0.1;
        int lighter = 0;
        for (int seed = 0; seed < 40; seed++) {
            random.key(seed, 37, 0);
            int types = 3 + random.nextInt(4);
            long[] capacity = {30 + random.nextInt(30), 30 + random.nextInt(30)};
            long[][] demand = new long[types][2];
            for (long[] each : demand) {
                Arrays.setAll(each, r -> 2 + random.nextInt(15));
            }
            List<int[]> all = Configurations.maximal(capacity, demand, 1_000_000);
            ConfigurationSet found = new ConfigurationSet(capacity, demand, 0, within);
            BlockQueues queues = new BlockQueues(found, types, 1L << 40);
            for (int step = 0; step < 300; step++) {
                queues.add(random.nextInt(types), 1L + random.nextInt(1000));
                assertThat(queues.lower()).isEqualTo(queues.upper());
                if (random.nextInt(10) == 0) {
                    long known = queues.lower();
                    int configuration = queues.heaviest();
                    long weight = 0;
                    for (int i = 0; i < types; i++) {
                        weight += queues.length(i) * found.count(configuration, i);
                    }
                    long heaviest = heaviest(all, queues.lengths());
                    assertThat(weight).as("seed %d", seed).isGreaterThanOrEqualTo(known);
                    assertThat((double) weight * (1 + within))
                            .as("seed %d", seed)
                            .isGreaterThanOrEqualTo((double) heaviest);
                    lighter += weight < heaviest ? 1 : 0;
                    queues.serve(configuration, 300);
                }
            }
        }
        assertThat(lighter).as("searches that were content with less").isPositive();
    }

    private static long heaviest(List<int[]> all, long[] lengths) {
        long heaviest = 0;
        for (int[] each : all) {
            long weight = 0;
            for (int i = 0; i < lengths.length; i++) {
                weight += each[i] * lengths[i];
            }
            heaviest = Math.max(heaviest, weight);
        }
        return heaviest;
    }

    /**
     * Algorithm A routes alike with and without a list, as long as no two configurations are equally heavy: the demands
     * are such that all have different weights.
     */
    @Test
    void routesAlikeWithAndWithoutAList() {
        List<Site> sites = new ArrayList<>();
        List<RequestType> types = new ArrayList<>();
        random.key(1, 31, 0);
        for (int s = 0; s < 4; s++) {
            Amounts capacity = Amounts.of(40 + random.nextInt(30), 50 + random.nextInt(30));
            sites.add(Site.of("s" + s, new ServerBlock(7 + 2 * s, capacity)));
        }
        for (int t = 0; t < 5; t++) {
            types.add(RequestType.of("t" + t, 3 + random.nextInt(17), 3 + random.nextInt(17))
                    .withMeanService(1_000_000_007L * (1 + t) + random.nextInt(1000)));
        }
        Cluster cluster = new Cluster(List.of(Resource.of("a"), Resource.of("b")), List.of(), sites, types);
        View view = Engine.start(
                        cluster, PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE)
                .view();
        AlgorithmA listed = algorithm(view, 10_000);
        AlgorithmA searched = algorithm(view, 0);
        for (int arrival = 0; arrival < 5000; arrival++) {
            int type = random.nextInt(5);
            assertThat(searched.route(type, 0, view)).as("arrival %d", arrival).isEqualTo(listed.route(type, 0, view));
        }
        for (int block = 0; block < 4; block++) {
            for (int type = 0; type < 5; type++) {
                assertThat(searched.system().length(block, type))
                        .isEqualTo(listed.system().length(block, type));
            }
        }
    }

    private static AlgorithmA algorithm(View view, int list) {
        ShadowOptions options = ShadowOptions.of(2).withTheta(0.01).listing(list, 0);
        return new AlgorithmA(view, new Blocks(view, list, 0), new ServiceTimes(view), options);
    }
}

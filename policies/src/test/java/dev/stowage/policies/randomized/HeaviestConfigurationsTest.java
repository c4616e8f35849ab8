package dev.stowage.policies.randomized;

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
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The heaviest configuration against all configurations, tried one by one. */
class HeaviestConfigurationsTest {
    private static final int RESOURCES = 2;

    private final KeyedRandom random = new KeyedRandom();

    /** Enumerated: one of the heaviest maximal configurations. Not enumerated: as heavy, and maximal too. */
    @Test
    void isMaximalAndNoneIsHeavier() {
        for (int scenario = 0; scenario < 150; scenario++) {
            random.key(scenario, 31, 0);
            long[] capacity = {3 + random.nextInt(8), 3 + random.nextInt(8)};
            // Some types fit no server, one may demand nothing: they have no part in a configuration.
            long[][] demand = IntStream.range(0, 1 + random.nextInt(4))
                    .mapToObj(j -> new long[] {random.nextInt(6), random.nextInt(12)})
                    .toArray(long[][]::new);
            View view = view(capacity, demand);
            HeaviestConfigurations enumerated = new HeaviestConfigurations(view, 0);
            HeaviestConfigurations searched = new HeaviestConfigurations(view, 0, 0);
            List<int[]> feasible = feasible(capacity, demand);
            for (int k = 0; k < 20; k++) {
                int[] weights = IntStream.range(0, demand.length)
                        .map(j -> random.nextInt(3) == 0 ? 0 : random.nextInt(30))
                        .toArray();
                long most = feasible.stream()
                        .mapToLong(each -> weight(each, weights))
                        .max()
                        .orElseThrow();
                for (HeaviestConfigurations each : List.of(enumerated, searched)) {
                    int[] counts = new int[demand.length];
                    long weight = each.choose(weights, random, counts, 0);
                    String where = "scenario " + scenario + ", weights " + Arrays.toString(weights) + ": "
                            + Arrays.toString(counts);
                    assertThat(weight).as(where).isEqualTo(most).isEqualTo(weight(counts, weights));
                    assertThat(isFeasible(counts, capacity, demand)).as(where).isTrue();
                    assertThat(isMaximal(counts, capacity, demand)).as(where).isTrue();
                }
            }
        }
    }

    /**
     * Capacity 12, types of 1, 2, 3 with weights in proportion: all that fill the server tie, and each is drawn as
     * often.
     */
    @Test
    void tiesAreUniform() {
        long[] capacity = {12, 0};
        long[][] demand = {{1, 0}, {2, 0}, {3, 0}};
        int[] weights = {1, 2, 3};
        HeaviestConfigurations heaviest = new HeaviestConfigurations(view(capacity, demand), 0);
        List<int[]> tied = feasible(capacity, demand).stream()
                .filter(each -> weight(each, weights) == 12)
                .toList();
        // k_3 = 0..4, k_2 = 0..(12 - 3 k_3) / 2: 7 + 5 + 4 + 2 + 1.
        assertThat(tied).hasSize(19);
        int[] seen = new int[tied.size()];
        random.key(1, 32, 0);
        for (int k = 0; k < 4000; k++) {
            int[] counts = new int[3];
            heaviest.choose(weights, random, counts, 0);
            int at = IntStream.range(0, seen.length)
                    .filter(i -> Arrays.equals(tied.get(i), counts))
                    .findFirst()
                    .orElseThrow();
            seen[at]++;
        }
        double[] probabilities = new double[seen.length];
        Arrays.fill(probabilities, 1.0 / seen.length);
        GoodnessOfFit.checkCounts(seen, probabilities);
    }

    /**
     * Capacity 10, types of 2 and 3, not enumerated: without weight as many as fit of type 0; with Q = (0, 1) three,
     * and nothing fits.
     */
    @Test
    void beyondTheLimitWhatIsLeftIsFilledByIndex() {
        View view = view(new long[] {10, 0}, new long[][] {{2, 0}, {3, 0}, {1, 0}});
        HeaviestConfigurations searched = new HeaviestConfigurations(view, 0, 0);
        assertThat(choose(searched, 0, 0, 0)).containsExactly(5, 0, 0);
        assertThat(choose(searched, 0, 1, 0)).containsExactly(0, 3, 1);
        assertThat(choose(searched, 0, 1, 0)).containsExactly(0, 3, 1);
    }

    private int[] choose(HeaviestConfigurations among, int... weights) {
        int[] counts = new int[weights.length];
        among.choose(weights, random, counts, 0);
        return counts;
    }

    private static View view(long[] capacity, long[][] demand) {
        List<Resource> resources = IntStream.range(0, RESOURCES)
                .mapToObj(r -> Resource.of("r" + r))
                .toList();
        List<RequestType> types = IntStream.range(0, demand.length)
                .mapToObj(j -> RequestType.of("t" + j, demand[j]))
                .toList();
        Cluster cluster = new Cluster(
                resources, List.of(), List.of(Site.of("site", new ServerBlock(1, Amounts.of(capacity)))), types);
        return Engine.start(cluster, PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE)
                .view();
    }

    private static List<int[]> feasible(long[] capacity, long[][] demand) {
        List<int[]> all = new ArrayList<>();
        addFeasible(all, new int[demand.length], 0, capacity, demand);
        return all;
    }

    private static void addFeasible(List<int[]> all, int[] counts, int type, long[] capacity, long[][] demand) {
        if (type == counts.length) {
            all.add(counts.clone());
            return;
        }
        do {
            addFeasible(all, counts, type + 1, capacity, demand);
            counts[type]++;
        } while (demandsSomething(demand[type]) && isFeasible(counts, capacity, demand));
        counts[type] = 0;
    }

    private static boolean demandsSomething(long[] demand) {
        return Arrays.stream(demand).sum() > 0;
    }

    private static boolean isFeasible(int[] counts, long[] capacity, long[][] demand) {
        return IntStream.range(0, RESOURCES)
                .allMatch(r -> IntStream.range(0, counts.length)
                                .mapToLong(j -> counts[j] * demand[j][r])
                                .sum()
                        <= capacity[r]);
    }

    private static boolean isMaximal(int[] counts, long[] capacity, long[][] demand) {
        return IntStream.range(0, counts.length).noneMatch(j -> {
            int[] more = counts.clone();
            more[j]++;
            return demandsSomething(demand[j]) && isFeasible(more, capacity, demand);
        });
    }

    private static long weight(int[] counts, int[] weights) {
        return IntStream.range(0, counts.length)
                .mapToLong(j -> (long) counts[j] * weights[j])
                .sum();
    }
}

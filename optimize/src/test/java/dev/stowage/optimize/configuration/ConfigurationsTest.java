package dev.stowage.optimize.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

public class ConfigurationsTest {
    /** Table I of Ghaderi 2016: memory in tenths of a GB, CPU in half units, storage in GB. */
    private static final long[][] TABLE_I = {{150, 16, 1690}, {171, 13, 420}, {70, 40, 1690}};

    /** Mean of configurations, per type: of the maximal ones it is the vector V of Ghaderi 2016, section VII. */
    public static double[] mean(List<int[]> configurations) {
        double[] mean = new double[configurations.get(0).length];
        for (int j = 0; j < mean.length; j++) {
            long sum = 0;
            for (int[] configuration : configurations) {
                sum += configuration[j];
            }
            mean[j] = (double) sum / configurations.size();
        }
        return mean;
    }

    @Test
    void tableOne() {
        long[] small = {300, 60, 4000};
        assertThat(Configurations.feasible(small, TABLE_I, 100)).hasSize(7);
        List<int[]> maximal = Configurations.maximal(small, TABLE_I, 100);
        assertThat(maximal).containsExactly(new int[] {2, 0, 0}, new int[] {1, 0, 1}, new int[] {0, 1, 1});
        assertThat(mean(maximal)).containsExactly(new double[] {1, 1.0 / 3, 2.0 / 3}, within(1e-15));

        long[] large = {900, 180, 5000};
        assertThat(Configurations.feasible(large, TABLE_I, 100)).hasSize(28);
        List<int[]> ofLarge = Configurations.maximal(large, TABLE_I, 100);
        assertThat(ofLarge).hasSize(6);
        assertThat(mean(ofLarge)).containsExactly(new double[] {2.0 / 3, 11.0 / 3, 2.0 / 3}, within(1e-15));
    }

    @Test
    void maximalAreThoseToWhichNothingCanBeAdded() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 2000; seed++) {
            random.key(seed, 2, 0);
            int resources = 1 + random.nextInt(3);
            int types = 1 + random.nextInt(4);
            long[] capacity = new long[resources];
            Arrays.setAll(capacity, r -> random.nextInt(12));
            long[][] demand = new long[types][resources];
            for (long[] each : demand) {
                Arrays.setAll(each, r -> random.nextInt(5));
                each[random.nextInt(resources)] += 1;
            }
            List<int[]> expected = new ArrayList<>();
            for (int[] each : Configurations.feasible(capacity, demand, 1_000_000)) {
                if (isMaximal(each, capacity, demand)) {
                    expected.add(each);
                }
            }
            assertThat(Configurations.maximal(capacity, demand, 1_000_000))
                    .as("seed %d", seed)
                    .usingElementComparator(Arrays::compare)
                    .containsExactlyElementsOf(expected);
        }
    }

    /**
     * Guo, Stolyar and Walid 2013, section IV: CPU in halves of an ECU, memory in tenths of a GB; the counts are the
     * paper's.
     */
    @Test
    void sixDataCenters() {
        long[][] demand = {{67, 230}, {52, 684}, {26, 342}, {40, 70}, {13, 171}, {16, 150}, {8, 75}, {10, 17}};
        long[][] capacity = {{84, 960}, {80, 960}, {52, 720}, {64, 960}, {40, 80}, {24, 160}};
        int[] maximal = {161, 146, 42, 70, 3, 4};
        int[] reduced = {46, 31, 10, 23, 3, 3};
        for (int site = 0; site < capacity.length; site++) {
            List<int[]> all = Configurations.maximal(capacity[site], demand, 1000);
            assertThat(all).as("site %d", site).hasSize(maximal[site]);
            assertThat(Configurations.undominated(all)).as("site %d", site).hasSize(reduced[site]);
        }
    }

    /**
     * (1,1) is half of (2,0) and half of (0,2): dominated. Without (0,2) it is not: the other two reach no second type.
     */
    /** The first of the list can be dominated, too, and a type that nobody has says nothing. */
    @Test
    void dominatedByOneOther() {
        int[] more = {2, 0};
        int[] fewer = {1, 0};
        assertThat(Configurations.undominated(List.of(fewer, more))).containsExactly(more);
        assertThat(Configurations.undominated(List.of(more, fewer))).containsExactly(more);
    }

    @Test
    void undominatedByHand() {
        int[] ends = {2, 0};
        int[] middle = {1, 1};
        int[] other = {0, 2};
        assertThat(Configurations.undominated(List.of(ends, middle, other))).containsExactly(ends, other);
        assertThat(Configurations.undominated(List.of(ends, middle))).containsExactly(ends, middle);
        assertThat(Configurations.undominated(List.of(ends))).containsExactly(ends);
        // 3/5 of (5,0) and 2/5 of (0,5) is (3,2); (3,3) is beyond.
        int[] beyond = {3, 3};
        assertThat(Configurations.undominated(List.of(new int[] {5, 0}, new int[] {3, 2}, new int[] {0, 5})))
                .hasSize(2);
        assertThat(Configurations.undominated(List.of(new int[] {5, 0}, beyond, new int[] {0, 5})))
                .hasSize(3);
    }

    /** No weights tell the reduced configurations from all. */
    @Test
    void theReducedAreAsHeavyAsAll() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 300; seed++) {
            random.key(seed, 3, 0);
            long[] capacity = {5 + random.nextInt(20), 5 + random.nextInt(20)};
            long[][] demand = new long[1 + random.nextInt(5)][2];
            for (long[] each : demand) {
                Arrays.setAll(each, r -> 1 + random.nextInt(9));
            }
            List<int[]> all = Configurations.maximal(capacity, demand, 10_000);
            List<int[]> reduced = Configurations.undominated(all);
            for (int k = 0; k < 50; k++) {
                long[] weights = weights(random, demand.length);
                assertThat(heaviest(reduced, weights)).as("seed %d", seed).isEqualTo(heaviest(all, weights));
            }
        }
    }

    private static long[] weights(KeyedRandom random, int types) {
        int most = 1 + random.nextInt(30);
        long[] weights = new long[types];
        Arrays.setAll(weights, j -> random.nextInt(most));
        return weights;
    }

    private static long heaviest(List<int[]> configurations, long[] weights) {
        long heaviest = 0;
        for (int[] each : configurations) {
            long weight = 0;
            for (int j = 0; j < weights.length; j++) {
                weight += weights[j] * each[j];
            }
            heaviest = Math.max(heaviest, weight);
        }
        return heaviest;
    }

    @Test
    void tooMany() {
        assertThatExceptionOfType(TooManyConfigurationsException.class)
                .isThrownBy(() -> Configurations.maximal(new long[] {300, 60, 4000}, TABLE_I, 2))
                .withMessageContaining("more than 2 configurations of 3 types");
    }

    private static boolean isMaximal(int[] counts, long[] capacity, long[][] demand) {
        for (int more = 0; more < demand.length; more++) {
            boolean fits = true;
            for (int r = 0; r < capacity.length; r++) {
                long sum = demand[more][r];
                for (int j = 0; j < demand.length; j++) {
                    sum += counts[j] * demand[j][r];
                }
                fits &= sum <= capacity[r];
            }
            if (fits) {
                return false;
            }
        }
        return true;
    }
}

package dev.stowage.optimize.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnapsackTest {
    /** Capacity 10, sizes 2 and 3 (Ghaderi 2016, section I-A): 5 of size 2, or 2 of size 2 and 2 of size 3. */
    @Test
    void theExampleOfThePaper() {
        Knapsack knapsack = new Knapsack(new long[] {10}, new long[][] {{2}, {3}});
        assertBest(knapsack, new long[] {1, 1}, 5, 5, 0);
        assertBest(knapsack, new long[] {2, 3}, 10, 5, 0);
        assertBest(knapsack, new long[] {2, 4}, 12, 2, 2);
        assertBest(knapsack, new long[] {1, 9}, 27, 0, 3);
    }

    @Test
    void weightsOfZeroAndBelowAreNotUsed() {
        Knapsack knapsack = new Knapsack(new long[] {10}, new long[][] {{2}, {3}});
        assertBest(knapsack, new long[] {0, 1}, 3, 0, 3);
        assertBest(knapsack, new long[] {-5, 0}, 0, 0, 0);
    }

    /** 3 + 3 + 2 + 2 = 10 ties with five 2s at weight = size: the larger count of type 0 wins, whichever type is 0. */
    @Test
    void tiesGoToTheLexicographicallyLargest() {
        assertBest(new Knapsack(new long[] {10}, new long[][] {{3}, {2}}), new long[] {3, 2}, 10, 2, 2);
        assertBest(new Knapsack(new long[] {10}, new long[][] {{2}, {3}}), new long[] {2, 3}, 10, 5, 0);
    }

    /**
     * Without reward type 0 ties with nothing: the lexicographically largest has 2 of it beside the 2 of type 1, 3 + 3
     * + 2 + 2.
     */
    @Test
    void fullestUsesTypesWithoutWeight() {
        Knapsack knapsack = new Knapsack(new long[] {10}, new long[][] {{2}, {3}, {1}});
        int[] unlimited = {9, 9, 9};
        int[] counts = new int[3];
        assertThat(knapsack.fullest(new long[] {0, 1, 0}, unlimited, counts)).isEqualTo(3);
        assertThat(counts).containsExactly(0, 3, 1);
        assertThat(knapsack.fullest(new long[] {0, 1, 0}, new int[] {9, 2, 9}, counts))
                .isEqualTo(2);
        assertThat(counts).containsExactly(2, 2, 0);
        assertThat(knapsack.fullest(new long[] {0, 0, 0}, new int[] {4, 9, 9}, counts))
                .isEqualTo(0);
        assertThat(counts).containsExactly(4, 0, 2);
        assertBest(knapsack, new long[] {0, 1, 0}, 3, 0, 3, 0);
    }

    @Test
    void limits() {
        Knapsack knapsack = new Knapsack(new long[] {10}, new long[][] {{2}, {3}});
        int[] counts = new int[2];
        assertThat(knapsack.best(new long[] {1, 1}, new int[] {1, 9}, counts)).isEqualTo(3);
        assertThat(counts).containsExactly(1, 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> knapsack.best(new long[] {1, 1}, new int[] {1, -1}, counts))
                .withMessageContaining("limit -1 of type 1");
    }

    @Test
    void badInput() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Knapsack(new long[] {10}, new long[][] {{2}, {0}}))
                .withMessageStartingWith("type 1 demands nothing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Knapsack(new long[] {10}, new long[][] {{-2}}))
                .withMessage("type 0 demands -2, must be at least 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Knapsack(new long[] {-1}, new long[][] {{2}}))
                .withMessage("capacity[0] is -1, must be at least 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Knapsack(new long[] {1}, new long[][] {{2, 2}}))
                .withMessage("type 0 demands 2 resources, the server has 1");
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> new Knapsack(new long[] {10}, new long[][] {{2}})
                        .best(new long[] {Long.MAX_VALUE / 4}, new int[1]));
    }

    @Test
    void asTheReference() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 3000; seed++) {
            random.key(seed, 1, 0);
            int resources = 1 + random.nextInt(4);
            int types = 1 + random.nextInt(5);
            int size = 3 + random.nextInt(12);
            long[] capacity = random(random, resources, size);
            long[][] demand = new long[types][];
            for (int j = 0; j < types; j++) {
                demand[j] = random(random, resources, 1 + size / 2);
                demand[j][random.nextInt(resources)] += 1;
            }
            // Few different weights: many ties.
            long[] weight = random(random, types, 1 + random.nextInt(6));
            int[] counts = new int[types];
            long best = new Knapsack(capacity, demand).best(weight, counts);
            int[] slow = heaviest(Configurations.feasible(capacity, demand, 1_000_000), weight);
            assertThat(counts).as("seed %d", seed).isEqualTo(slow);
            assertThat(best).as("seed %d", seed).isEqualTo(weigh(slow, weight));
            assertThat(new Knapsack(capacity, demand).anyBest(weight, 0, counts))
                    .isEqualTo(best);
            assertThat(weigh(counts, weight)).as("seed %d", seed).isEqualTo(best);
        }
    }

    /**
     * Weights that rise one by one and fall in between, as those of virtual queues do: each time the choice is that of
     * a knapsack that has seen nothing, whatever is known to be reached.
     */
    @Test
    void anyBestDoesNotDependOnWhatWasAskedBefore() {
        KeyedRandom random = new KeyedRandom();
        int asked = 0;
        for (int seed = 0; seed < 60; seed++) {
            random.key(seed, 11, 0);
            int types = 3 + random.nextInt(5);
            long[] capacity = random(random, 1 + random.nextInt(3), 10 + random.nextInt(40));
            long[][] demand = new long[types][];
            for (int j = 0; j < types; j++) {
                demand[j] = random(random, capacity.length, 12);
                demand[j][random.nextInt(capacity.length)] += 3;
            }
            Knapsack kept = new Knapsack(capacity, demand);
            long[] weight = random(random, types, 6);
            int[] counts = new int[types];
            for (int time = 0; time < 60; time++) {
                int[] afresh = new int[types];
                long best = new Knapsack(capacity, demand).best(weight, afresh);
                assertThat(kept.greatestWeight(weight, random.nextInt(2) * best))
                        .isEqualTo(best);
                if (random.nextInt(3) == 0) {
                    asked++;
                    assertThat(kept.anyBest(weight, random.nextInt((int) best + 1), counts))
                            .isEqualTo(best);
                    new Knapsack(capacity, demand).anyBest(weight, 0, afresh);
                    assertThat(counts).as("seed %d, time %d", seed, time).isEqualTo(afresh);
                    assertThat(weigh(counts, weight)).isEqualTo(best);
                    for (int j = 0; j < types; j++) {
                        weight[j] = Math.max(0, weight[j] - 2L * counts[j]);
                    }
                }
                weight[random.nextInt(types)] += random.nextInt(4);
            }
        }
        assertThat(asked).isGreaterThan(500);
    }

    /** Larger than a table may be, and so close that a search alone takes long: both ways give the same weight. */
    @Test
    void aTableAndASearchAgree() {
        KeyedRandom random = new KeyedRandom();
        random.key(1, 12, 0);
        long[][] demand = new long[30][];
        for (int j = 0; j < demand.length; j++) {
            demand[j] = new long[] {2L + random.nextInt(30), 4L + random.nextInt(120)};
        }
        long[][] fine = new long[30][];
        Arrays.setAll(fine, j -> new long[] {demand[j][0] * 1000, demand[j][1] * 1000});
        // One type that no server holds makes the units too small for a table.
        fine[29] = new long[] {1_000_001, 1_000_001};
        demand[29] = new long[] {1_001, 1_001};
        Knapsack tabled = new Knapsack(new long[] {64, 256}, demand);
        Knapsack searched = new Knapsack(new long[] {64_000, 256_000}, fine);
        long[] weight = new long[30];
        int[] counts = new int[30];
        for (int time = 0; time < 40; time++) {
            for (int j = 0; j < weight.length; j++) {
                weight[j] = ((4 * demand[j][0] + demand[j][1]) << 10) + random.nextInt(3_000);
            }
            long best = searched.anyBest(weight, 0, counts);
            assertThat(tabled.greatestWeight(weight, 0)).isEqualTo(best);
            int[] others = new int[30];
            assertThat(tabled.anyBest(weight, best, others)).isEqualTo(best);
            assertThat(others).isEqualTo(counts);
        }
    }

    /** Nearly the heaviest: within the tolerance of the limit, and the limit above the heaviest. */
    @Test
    void nearlyBestGivesALimitThatHolds() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 500; seed++) {
            random.key(seed, 2, 0);
            long[] capacity = {50L + random.nextInt(100), 50L + random.nextInt(100)};
            long[][] demand = new long[6][];
            for (int j = 0; j < demand.length; j++) {
                demand[j] = new long[] {5L + random.nextInt(20), 5L + random.nextInt(20)};
            }
            long[] weight = new long[6];
            Arrays.setAll(weight, j -> (demand[j][0] + demand[j][1] + random.nextInt(5)) << 20);
            Knapsack knapsack = new Knapsack(capacity, demand);
            int[] counts = new int[6];
            long limit = knapsack.nearlyBest(weight, 0.01, counts);
            long found = weigh(counts, weight);
            assertThat(knapsack.best(weight, new int[6])).as("seed %d", seed).isBetween(found, limit);
            assertThat(found * 1.01).as("seed %d", seed).isGreaterThanOrEqualTo((double) limit);
        }
    }

    /**
     * 60 types nearly proportional to their sizes, 4 resources: beyond a proof to the last unit, and done all the same.
     */
    @Test
    void nearlyBestEndsOnHardOnes() {
        KeyedRandom random = new KeyedRandom();
        random.key(1, 3, 0);
        long[] capacity = {1_000, 1_100, 1_200, 1_300};
        long[][] demand = new long[60][];
        long[] weight = new long[60];
        for (int j = 0; j < demand.length; j++) {
            demand[j] = random(random, 4, 90);
            demand[j][0]++;
            weight[j] = Arrays.stream(demand[j]).sum() * 1_000_000 + random.nextInt(1000);
        }
        Knapsack knapsack = new Knapsack(capacity, demand);
        int[] counts = new int[60];
        long limit = knapsack.nearlyBest(weight, 1e-12, counts);
        assertThat(weigh(counts, weight)).isBetween(limit / 100 * 95, limit);
    }

    /** What was there is beaten if something is heavier by the tolerance, and stays otherwise; never the other way. */
    @Test
    void improvesOnWhatIsThere() {
        KeyedRandom random = new KeyedRandom();
        int improved = 0;
        for (int seed = 0; seed < 500; seed++) {
            random.key(seed, 7, 0);
            long[] capacity = random(random, 2, 15);
            long[][] demand = new long[4][];
            for (int j = 0; j < demand.length; j++) {
                demand[j] = random(random, 2, 5);
                demand[j][random.nextInt(2)]++;
            }
            long[] weight = random(random, 4, 20);
            List<int[]> feasible = Configurations.feasible(capacity, demand, 1_000_000);
            int[] counts = feasible.get(random.nextInt(feasible.size())).clone();
            int[] before = counts.clone();
            long had = weigh(before, weight);
            Knapsack knapsack = new Knapsack(capacity, demand);
            knapsack.improve(weight, 0.1, 1_000_000, counts);
            assertThat(feasible)
                    .as("seed %d", seed)
                    .usingElementComparator(Arrays::compare)
                    .contains(counts);
            long has = weigh(counts, weight);
            if (has == had) {
                assertThat(counts).as("seed %d", seed).containsExactly(before);
            } else {
                improved++;
                assertThat(has).as("seed %d", seed).isGreaterThan(had);
            }
            long heaviest = weigh(heaviest(feasible, weight), weight);
            assertThat(10 * heaviest).as("seed %d", seed).isLessThanOrEqualTo(11 * has + 10);
        }
        assertThat(improved).isBetween(100, 499);
    }

    @Test
    void improvesWithinLimits() {
        Knapsack knapsack = new Knapsack(new long[] {10}, new long[][] {{2}, {3}});
        int[] counts = new int[2];
        long[] weight = {1, 1};
        for (double tolerance : new double[] {0, 1, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> knapsack.improve(weight, tolerance, 1, counts))
                    .withMessageContaining("tolerance " + tolerance);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> knapsack.improve(weight, 0.5, 0, counts))
                .withMessageContaining("0 branches");
        knapsack.improve(weight, 0.5, 1, counts);
        assertThat(weigh(counts, weight)).isPositive();
    }

    /** The first of the heaviest in lexicographic order, largest first; types without weight left out. */
    private static int[] heaviest(List<int[]> feasible, long[] weight) {
        int[] best = new int[weight.length];
        for (int[] each : feasible) {
            boolean useful = true;
            for (int j = 0; j < weight.length; j++) {
                useful &= weight[j] > 0 || each[j] == 0;
            }
            if (useful && weigh(each, weight) > weigh(best, weight)) {
                best = each;
            }
        }
        return best;
    }

    private static long weigh(int[] counts, long[] weight) {
        long sum = 0;
        for (int j = 0; j < counts.length; j++) {
            sum += counts[j] * weight[j];
        }
        return sum;
    }

    private static long[] random(KeyedRandom random, int size, int bound) {
        long[] values = new long[size];
        Arrays.setAll(values, i -> random.nextInt(bound));
        return values;
    }

    private static void assertBest(Knapsack knapsack, long[] weight, long value, int... expected) {
        int[] counts = new int[weight.length];
        assertThat(knapsack.best(weight, counts)).isEqualTo(value);
        assertThat(counts).containsExactly(expected);
    }
}

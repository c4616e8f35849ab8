package dev.stowage.optimize.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationsTest {
    /** Table I of randomized.txt: memory in tenths of a GB, CPU in half units, storage in GB. */
    private static final long[][] TABLE_I = {{150, 16, 1690}, {171, 13, 420}, {70, 40, 1690}};

    @Test
    void tableOne() {
        long[] small = {300, 60, 4000};
        assertThat(Configurations.feasible(small, TABLE_I, 100)).hasSize(7);
        List<int[]> maximal = Configurations.maximal(small, TABLE_I, 100);
        assertThat(maximal).containsExactly(new int[] {2, 0, 0}, new int[] {1, 0, 1}, new int[] {0, 1, 1});
        assertThat(Configurations.mean(maximal)).containsExactly(new double[] {1, 1.0 / 3, 2.0 / 3}, within(1e-15));

        long[] large = {900, 180, 5000};
        assertThat(Configurations.feasible(large, TABLE_I, 100)).hasSize(28);
        List<int[]> ofLarge = Configurations.maximal(large, TABLE_I, 100);
        assertThat(ofLarge).hasSize(6);
        assertThat(Configurations.mean(ofLarge))
                .containsExactly(new double[] {2.0 / 3, 11.0 / 3, 2.0 / 3}, within(1e-15));
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

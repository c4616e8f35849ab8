package dev.stowage.optimize.greedy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.optimize.configuration.Configurations;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MaxRewardTest {
    /**
     * Capacity 4, sizes 1, 2, 3, rewards 1, 2, 4: (1,0,1) pays 5; without type 2 all fillings pay 4, (4,0,0) is
     * largest.
     */
    @Test
    void setsOfTypes() {
        MaxReward maxReward = new MaxReward(new long[] {4}, new long[][] {{1}, {2}, {3}}, new long[] {1, 2, 4});
        int all = maxReward.all();
        assertThat(maxReward.configuration(all)).containsExactly(1, 0, 1);
        int small = maxReward.without(all, 2);
        assertThat(maxReward.configuration(small)).containsExactly(4, 0, 0);
        int middle = maxReward.without(small, 0);
        assertThat(maxReward.configuration(middle)).containsExactly(0, 2, 0);
        assertThat(maxReward.types(middle)).containsExactly(1);
        assertThat(maxReward.configuration(maxReward.without(middle, 1))).containsExactly(0, 0, 0);
    }

    @Test
    void aSetIsTheSameWhicheverWayItIsReached() {
        MaxReward maxReward = new MaxReward(new long[] {4}, new long[][] {{1}, {2}, {3}}, new long[] {1, 2, 4});
        int all = maxReward.all();
        assertThat(maxReward.without(maxReward.without(all, 2), 0))
                .isEqualTo(maxReward.without(maxReward.without(all, 0), 2));
        assertThat(maxReward.sets()).isEqualTo(4);
    }

    /**
     * Sums of 0.1 + 0.2 as doubles are above 0.3; in micro-units three times 100,000 is 300,000, a tie for the first.
     */
    @Test
    void pricesTieExactly() {
        long[] rewards = {100_000, 200_000, 300_000};
        MaxReward maxReward = new MaxReward(new long[] {3}, new long[][] {{1}, {2}, {3}}, rewards);
        assertThat(maxReward.configuration(maxReward.all())).containsExactly(3, 0, 0);
    }

    @Test
    void typesThatFitNoServerOrDemandNothingAreLeftOut() {
        long[][] demand = {{5}, {0}, {2}};
        MaxReward maxReward = new MaxReward(new long[] {4}, demand, new long[] {9, 9, 1});
        assertThat(maxReward.types(maxReward.all())).containsExactly(2);
        assertThat(maxReward.configuration(maxReward.all())).containsExactly(0, 0, 2);
    }

    @Test
    void badInput() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MaxReward(new long[] {4}, new long[][] {{1}}, new long[] {-1}))
                .withMessage("reward of type 0 is -1, must be at least 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MaxReward(new long[] {4}, new long[][] {{1}}, new long[0]))
                .withMessage("0 rewards for 1 types");
    }

    /** Definition 2.2 over all feasible configurations. */
    @Test
    void asTheReference() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 400; seed++) {
            random.key(seed, 5, 0);
            int resources = 1 + random.nextInt(3);
            long[] capacity = IntStream.range(0, resources)
                    .mapToLong(r -> 3 + random.nextInt(8))
                    .toArray();
            int types = 1 + random.nextInt(4);
            long[][] demand = new long[types][resources];
            long[] rewards = new long[types];
            for (int j = 0; j < types; j++) {
                rewards[j] = random.nextInt(6);
                for (int r = 0; r < resources; r++) {
                    demand[j][r] = random.nextInt(4);
                }
                demand[j][random.nextInt(resources)] += 1;
            }
            MaxReward maxReward = new MaxReward(capacity, demand, rewards);
            int set = maxReward.all();
            while (maxReward.types(set).length > 0) {
                assertThat(maxReward.configuration(set))
                        .as("seed %d", seed)
                        .isEqualTo(slow(capacity, demand, rewards, maxReward.types(set)));
                int[] left = maxReward.types(set);
                set = maxReward.without(set, left[random.nextInt(left.length)]);
            }
        }
    }

    private static int[] slow(long[] capacity, long[][] demand, long[] rewards, int[] set) {
        int[] best = new int[demand.length];
        List<int[]> largestFirst = Configurations.feasible(capacity, demand, 1_000_000);
        long most = -1;
        for (int[] counts : largestFirst) {
            long reward = 0;
            boolean inSet = true;
            for (int j = 0; j < counts.length; j++) {
                int type = j;
                reward += rewards[j] * counts[j];
                inSet &= counts[j] == 0 || IntStream.of(set).anyMatch(each -> each == type);
            }
            if (inSet && reward > most) {
                most = reward;
                best = counts;
            }
        }
        return best;
    }
}

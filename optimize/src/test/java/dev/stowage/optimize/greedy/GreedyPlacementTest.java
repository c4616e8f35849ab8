package dev.stowage.optimize.greedy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class GreedyPlacementTest {
    /**
     * Capacity 4, sizes 1, 2, 3, rewards 1, 2, 4; requests (5, 3, 2), 10 servers.
     *
     * <p>k[1] = (1,0,1): type 0 needs ceil(5/1) = 5 servers, type 2 ceil(2/1) = 2: type 2 runs out, 2 servers, left
     * (3,3,0). k[2] = (4,0,0): ceil(3/4) = 1 server, left clamped to (0,3,0). k[3] = (0,2,0): ceil(3/2) = 2 servers.
     */
    @Test
    void byHand() {
        GreedyPlacement gpa = new GreedyPlacement(small());
        long[] left = {5, 3, 2};
        gpa.place(left, 10);
        assertIteration(gpa, 0, new int[] {1, 0, 1}, 2);
        assertIteration(gpa, 1, new int[] {4, 0, 0}, 1);
        assertIteration(gpa, 2, new int[] {0, 2, 0}, 2);
        assertThat(left).containsExactly(0, 0, 0);
        // What runs out is in no later set: types 2 and 0.
        MaxReward sets = small();
        assertThat(gpa.set(0)).isEqualTo(sets.all());
        assertThat(gpa.set(1)).isEqualTo(sets.without(sets.all(), 2));
        assertThat(gpa.set(2)).isEqualTo(sets.without(sets.without(sets.all(), 2), 0));
    }

    /** The same with 3 servers: 2, then 1, then none; of type 1 all 3 are left. The iterations go on. */
    @Test
    void serversRunOut() {
        GreedyPlacement gpa = new GreedyPlacement(small());
        long[] left = {5, 3, 2};
        gpa.place(left, 3);
        assertIteration(gpa, 1, new int[] {4, 0, 0}, 1);
        assertIteration(gpa, 2, new int[] {0, 2, 0}, 0);
        assertThat(left).containsExactly(0, 3, 0);
    }

    /**
     * k[1] = (1,0,1) with 2 requests of type 0 and of type 2: both run out at 2 servers; the lower type is taken out.
     */
    @Test
    void tiesGoToTheLowestType() {
        GreedyPlacement gpa = new GreedyPlacement(small());
        long[] left = {2, 0, 2};
        gpa.place(left, 10);
        assertIteration(gpa, 0, new int[] {1, 0, 1}, 2);
        // Without type 0: (0,2,0) pays 4 and (0,0,1) pays 4 too; the lexicographically largest is (0,2,0), 0 servers.
        assertIteration(gpa, 1, new int[] {0, 2, 0}, 0);
        assertIteration(gpa, 2, new int[] {0, 0, 1}, 0);
    }

    private static MaxReward small() {
        return new MaxReward(new long[] {4}, new long[][] {{1}, {2}, {3}}, new long[] {1, 2, 4});
    }

    private static void assertIteration(GreedyPlacement gpa, int i, int[] counts, long servers) {
        assertThat(gpa.configuration(i)).containsExactly(counts);
        assertThat(gpa.servers(i)).isEqualTo(servers);
    }

    /**
     * The family that drives greedy to 1 - 1/e. One server with B and one of each type serves the whole load, reward
     * n^n. Each n of one type pay the same as that with what is left, and the tie takes them first: 1/n of the servers
     * for each of n types, reward n^n - (n-1)^n, and none for B. The ratio is 1 - (1 - 1/n)^n.
     */
    @Test
    void worstCase() {
        for (int n = 2; n <= 8; n++) {
            MaxReward maxReward = worstCase(n);
            GreedyPlacement gpa = new GreedyPlacement(maxReward);
            long servers = 10L * n;
            long[] left = new long[n + 1];
            Arrays.fill(left, servers);
            gpa.place(left, servers);
            long greedy = 0;
            for (int i = 0; i <= n; i++) {
                assertThat(gpa.servers(i)).isEqualTo(i < n ? 10 : 0);
                greedy += gpa.servers(i) * reward(gpa.configuration(i), n);
            }
            int[] everyone = new int[n + 1];
            Arrays.fill(everyone, 1);
            long optimal = servers * reward(everyone, n);
            assertThat(optimal).isEqualTo(servers * power(n, n));
            // greedy / optimal = (n^n - (n-1)^n) / n^n, in whole numbers
            assertThat(greedy * power(n, n)).isEqualTo(optimal * (power(n, n) - power(n - 1, n)));

            double[] load = new double[n + 1];
            Arrays.fill(load, 1);
            List<GlobalGreedy.Share> shares = new GlobalGreedy(load).assign(maxReward, 1);
            double limit = shares.stream()
                    .mapToDouble(share -> share.servers() * reward(share.counts(), share.counts().length - 1))
                    .sum();
            assertThat(limit / power(n, n)).isCloseTo(1 - Math.pow(1 - 1.0 / n, n), within(1e-12));
        }
    }

    private static MaxReward worstCase(int n) {
        long[] capacity = new long[n + 1];
        Arrays.fill(capacity, n);
        long[][] demand = new long[n + 1][n + 1];
        for (int t = 0; t < n; t++) {
            demand[t][t] = 1;
            demand[t][n] = 1;
            demand[n][t] = n - 1L;
        }
        return new MaxReward(capacity, demand, rewards(n));
    }

    private static long[] rewards(int n) {
        long[] rewards = new long[n + 1];
        for (int t = 1; t <= n; t++) {
            rewards[t - 1] = power(n - 1, t - 1) * power(n, n - t);
        }
        rewards[n] = power(n - 1, n);
        return rewards;
    }

    private static long reward(int[] counts, int n) {
        long[] rewards = rewards(n);
        long sum = 0;
        for (int j = 0; j <= n; j++) {
            sum += rewards[j] * counts[j];
        }
        return sum;
    }

    private static long power(long base, int exponent) {
        long product = 1;
        for (int i = 0; i < exponent; i++) {
            product *= base;
        }
        return product;
    }

    /**
     * Load (0.5, 0.6, 0.2) per server. k^(1) = (1,0,1): type 2 runs out at z = 0.2, left (0.3, 0.6). k^(2) = (4,0,0):
     * z = 0.075. k^(3) = (0,2,0): z = 0.3. In all 0.575 servers. With 0.25 times the servers (load times 4 on one
     * server): 0.8, then 0.2 of the 0.3 wanted, then none.
     */
    @Test
    void globalGreedyByHand() {
        GlobalGreedy light = new GlobalGreedy(new double[] {0.5, 0.6, 0.2});
        assertThat(light.assign(small(), 1))
                .extracting(GlobalGreedy.Share::servers)
                .containsExactly(0.2, 0.075, 0.3);
        GlobalGreedy heavy = new GlobalGreedy(new double[] {2, 2.4, 0.8});
        List<GlobalGreedy.Share> shares = heavy.assign(small(), 1);
        assertThat(shares).extracting(GlobalGreedy.Share::servers).containsExactly(0.8, 0.2, 0.0);
        assertThat(shares).extracting(GlobalGreedy.Share::removed).containsExactly(2, 0, 1);
        // A second class of servers goes on with what is left: 0.4 of type 0 in fours, then 2.4 of type 1 in twos.
        assertThat(heavy.assign(small(), 5))
                .extracting(GlobalGreedy.Share::servers)
                .containsExactly(0.0, 0.1, 1.2);
    }

    /** 0.1 times 3 is not 0.3 in doubles; as fractions types 0 and 1 run out at once, and the lowest comes first. */
    @Test
    void loadsTieExactly() {
        MaxReward three = new MaxReward(new long[] {10, 1}, new long[][] {{3, 0}, {1, 1}}, new long[] {3, 2});
        assertThat(three.configuration(three.all())).containsExactly(3, 1);
        assertThat(new GlobalGreedy(new double[] {0.3, 0.1})
                        .assign(three, 1)
                        .get(0)
                        .removed())
                .isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GlobalGreedy(new double[] {1, -2}))
                .withMessage("load of type 1 is -2.0, must be 0 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GlobalGreedy(new double[] {1, Double.POSITIVE_INFINITY}))
                .withMessage("load of type 1 is Infinity, must be 0 or more");
    }

    /**
     * Proposition 3.3: GPA(L rho) / L tends to the global greedy assignment; the ceilings are worth at most J servers
     * each.
     */
    @Test
    void tendsToGlobalGreedy() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 200; seed++) {
            random.key(seed, 6, 0);
            int types = 1 + random.nextInt(4);
            long[][] demand = new long[types][2];
            long[] rewards = new long[types];
            double[] load = new double[types];
            for (int j = 0; j < types; j++) {
                demand[j][0] = 1L + random.nextInt(5);
                demand[j][1] = random.nextInt(5);
                rewards[j] = 1L + random.nextInt(9);
                load[j] = random.nextInt(30) / 8.0;
            }
            MaxReward maxReward = new MaxReward(new long[] {8, 8}, demand, rewards);
            long servers = 1_000_000;
            long[] left = new long[types];
            Arrays.setAll(left, j -> Math.round(load[j] * servers));
            GreedyPlacement gpa = new GreedyPlacement(maxReward);
            gpa.place(left, servers);
            List<GlobalGreedy.Share> shares = new GlobalGreedy(load).assign(maxReward, 1);
            for (int[] counts : shares.stream().map(GlobalGreedy.Share::counts).toList()) {
                double limit = shares.stream()
                        .filter(share -> Arrays.equals(share.counts(), counts))
                        .mapToDouble(GlobalGreedy.Share::servers)
                        .sum();
                double share = 0;
                for (int i = 0; i < gpa.iterations(); i++) {
                    share += Arrays.equals(gpa.configuration(i), counts) ? (double) gpa.servers(i) / servers : 0;
                }
                assertThat(share).as("seed %d", seed).isCloseTo(limit, within(1e-4));
            }
        }
    }
}

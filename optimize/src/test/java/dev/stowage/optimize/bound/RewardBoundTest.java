package dev.stowage.optimize.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.optimize.configuration.Configurations;
import dev.stowage.optimize.greedy.GlobalGreedy;
import dev.stowage.optimize.greedy.MaxReward;
import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RewardBoundTest {
    private static final ServerClass ONE = new ServerClass(1, new long[] {4});
    private static final long[][] SIZES = {{1}, {2}};

    /**
     * Capacity 4, sizes 1 and 2, rewards 1 and 3. Type 1 pays 1.5 per unit, type 0 pays 1. Load 2 of type 1 fills the
     * server: 6. Load 1 of it takes half, and 2 of type 0 the rest: 3 + 2 = 5. Load 0.5 of each: all is served, 0.5 +
     * 1.5 = 2.
     */
    @Test
    void byHand() {
        assertBound(6, ONE, SIZES, new long[] {1, 3}, 9, 2);
        assertBound(5, ONE, SIZES, new long[] {1, 3}, 9, 1);
        assertBound(2, ONE, SIZES, new long[] {1, 3}, 0.5, 0.5);
        assertBound(20, new ServerClass(4, new long[] {4}), SIZES, new long[] {1, 3}, 36, 4);
    }

    /** Size 3 in capacity 4 leaves 1 that only type 0 can use: 5 and 1. A type that fits nowhere earns nothing. */
    @Test
    void packingIsCounted() {
        assertBound(6, ONE, new long[][] {{1}, {3}, {5}}, new long[] {1, 5, 99}, 9, 9, 9);
        assertBound(5, ONE, new long[][] {{2}, {3}}, new long[] {1, 5}, 9, 9);
    }

    @Test
    void nothingToEarn() {
        assertBound(0, ONE, SIZES, new long[] {0, 0}, 1, 1);
        assertBound(0, ONE, SIZES, new long[] {1, 1}, 0, 0);
    }

    @Test
    void badInput() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bound(ONE, SIZES, new long[] {1}, 1, 1))
                .withMessage("1 rewards and 2 loads for 2 types");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bound(ONE, SIZES, new long[] {1, -1}, 1, 1))
                .withMessage("type 1 has load 1.0 and reward -1, must be numbers of at least 0");
    }

    /**
     * The linear program over all maximal configurations; greedy is between half of the optimum and the optimum
     * (Theorem 3.5).
     */
    @Test
    void asTheProgramOverAllConfigurations() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 200; seed++) {
            random.key(seed, 8, 0);
            int types = 1 + random.nextInt(4);
            long[][] demand = new long[types][2];
            long[] reward = new long[types];
            double[] load = new double[types];
            for (int j = 0; j < types; j++) {
                demand[j][0] = 1L + random.nextInt(5);
                demand[j][1] = random.nextInt(5);
                reward[j] = random.nextInt(9);
                load[j] = random.nextInt(30) / 8.0;
            }
            ServerClass server = new ServerClass(1, new long[] {8, 7});
            RewardLimit limit = bound(server, demand, reward, load);
            double optimum = overAll(server, demand, reward, load);
            assertThat(limit.lower()).as("seed %d", seed).isCloseTo(optimum, within(1e-7));
            assertThat(limit.upper()).as("seed %d", seed).isCloseTo(optimum, within(1e-7));
            assertThat(limit.lower()).isLessThanOrEqualTo(limit.upper());
            double greedy = 0;
            for (GlobalGreedy.Share share :
                    new GlobalGreedy(load).assign(new MaxReward(server.capacity(), demand, reward), 1)) {
                for (int j = 0; j < types; j++) {
                    greedy += reward[j] * share.counts()[j] * share.servers();
                }
            }
            assertThat(greedy).as("seed %d", seed).isBetween(optimum / 2 - 1e-9, optimum + 1e-9);
        }
    }

    /**
     * Nine EC2 types on servers of 48 vCPU and 192 GiB, rewards in micro-units: a million times as many servers earn as
     * much more.
     */
    @Test
    void manyServers() {
        long[][] demand = {{2, 2}, {2, 4}, {2, 4}, {2, 8}, {2, 16}, {8, 16}, {8, 32}, {8, 64}, {36, 72}};
        long[] reward = {20_800, 41_600, 85_000, 96_000, 126_000, 340_000, 384_000, 504_000, 1_530_000};
        double[] load = {2.4, 3.6, 2.4, 3.6, 2.4, 0.6, 0.6, 0.6, 0.1333333333};
        for (double factor : new double[] {0.8, 1, 1.2}) {
            double one = bound(new ServerClass(1, new long[] {48, 192}), demand, reward, times(factor, load))
                    .upper();
            for (int servers = 10; servers <= 1_000_000; servers *= 10) {
                RewardLimit many = bound(
                        new ServerClass(servers, new long[] {48, 192}), demand, reward, times(factor * servers, load));
                assertThat(many.upper() / servers).isCloseTo(one, within(1e-8 * one));
                assertThat(many.lower()).isBetween(many.upper() * (1 - 1e-8), many.upper());
            }
        }
    }

    private static double[] times(double factor, double[] load) {
        return Arrays.stream(load).map(each -> factor * each).toArray();
    }

    private static double overAll(ServerClass server, long[][] demand, long[] reward, double[] load) {
        LinearProgram program = LinearProgram.maximize();
        int[] rows = new int[load.length + 1];
        for (int j = 0; j < load.length; j++) {
            rows[j] = program.addRow(Double.NEGATIVE_INFINITY, 0);
        }
        rows[load.length] = program.addRow(Double.NEGATIVE_INFINITY, 1);
        for (int j = 0; j < load.length; j++) {
            program.addColumn((double) reward[j], 0, load[j], new int[] {j}, new double[] {1});
        }
        for (int[] counts : Configurations.maximal(server.capacity(), demand, 100_000)) {
            double[] values = new double[load.length + 1];
            Arrays.setAll(values, j -> j < load.length ? -counts[j] : 1);
            program.addColumn(0, 0, 1, rows, values);
        }
        try (LinearSolver solver = LinearSolvers.OJALGO.open(program)) {
            LinearSolution solution = solver.solve();
            return solution.objective();
        }
    }

    private static RewardLimit bound(ServerClass server, long[][] demand, long[] reward, double... load) {
        return RewardBound.of(List.of(server), demand, reward, load, 0);
    }

    private static void assertBound(
            double expected, ServerClass server, long[][] demand, long[] reward, double... load) {
        RewardLimit limit = bound(server, demand, reward, load);
        assertThat(limit.lower()).isCloseTo(expected, within(1e-9)).isLessThanOrEqualTo(limit.upper());
        assertThat(limit.upper()).isCloseTo(expected, within(1e-9));
    }
}

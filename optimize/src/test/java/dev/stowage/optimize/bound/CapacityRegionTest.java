package dev.stowage.optimize.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.optimize.configuration.Configurations;
import dev.stowage.optimize.configuration.ConfigurationsTest;
import dev.stowage.optimize.configuration.Knapsack;
import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CapacityRegionTest {
    private static final Offset<Double> EXACTLY = within(1e-9);
    /** Table of Ghaderi 2016, section VII: memory (GB), compute units, storage (GB). */
    private static final long[][] VMS = {
        {15_000, 8_000, 1_690_000}, {17_100, 6_500, 420_000}, {7_000, 20_000, 1_690_000}
    };

    /**
     * Capacity 10, sizes 2 and 3 (Ghaderi 2016, section I-A): maximal are (5, 0), (3, 1), (2, 2), (0, 3). Load (2, 2)
     * is one of them; (1, 1) lies on the edge (2, 2) too; (1, 3) lies between (2, 2) and (0, 3): t (2, 2) + (1 - t) (0,
     * 3) = s (1, 3) gives 2 t = s and 3 - t = 3 s, so s = 6/7.
     */
    @Test
    void theExampleOfThePaper() {
        CapacityRegion region = new CapacityRegion(List.of(servers(1, 10)), new long[][] {{2}, {3}});
        assertScale(region, 1, 2, 2);
        assertScale(region, 2, 1, 1);
        assertScale(region, 6.0 / 7, 1, 3);
        assertScale(region, 5, 1, 0);
        assertScale(region, 3, 0, 1);
    }

    /**
     * V, the mean of the maximal configurations: for capacity 10 and sizes 2 and 3 it is (10, 6) / 4 = (2.5, 1.5). It
     * is under the edge from (5, 0) to (2, 2), 2 x + 3 y = 10: 5 + 4.5 = 9.5, so s = 20/19. (3, 1) has 9 and is inside.
     */
    @Test
    void theMeanOfMaximalConfigurationsIsNotOnTheBoundaryInGeneral() {
        long[][] sizes = {{2}, {3}};
        double[] mean = ConfigurationsTest.mean(Configurations.maximal(new long[] {10}, sizes, 100));
        assertScale(new CapacityRegion(List.of(servers(1, 10)), sizes), 20.0 / 19, mean);
    }

    /** In the paper's cluster it is on the boundary, with 5 servers of each class as with one. */
    @Test
    void theLoadsOfThePaperAreOnTheBoundary() {
        long[] small = {30_000, 30_000, 4_000_000};
        long[] large = {90_000, 90_000, 5_000_000};
        double[] ofSmall = ConfigurationsTest.mean(Configurations.maximal(small, VMS, 100));
        double[] ofLarge = ConfigurationsTest.mean(Configurations.maximal(large, VMS, 1000));
        assertThat(ofSmall).containsExactly(new double[] {1, 1.0 / 3, 2.0 / 3}, EXACTLY);
        assertThat(ofLarge).containsExactly(new double[] {2.0 / 3, 11.0 / 3, 2.0 / 3}, EXACTLY);
        assertScale(new CapacityRegion(List.of(servers(1, small)), VMS), 1, ofSmall);
        assertScale(new CapacityRegion(List.of(servers(100, small)), VMS), 100, ofSmall);
        double[] mixed = new double[3];
        for (int j = 0; j < 3; j++) {
            mixed[j] = 5 * ofSmall[j] + 5 * ofLarge[j];
        }
        CapacityRegion both = new CapacityRegion(List.of(servers(5, small), servers(5, large)), VMS);
        SupportableLoad scale = assertBounds(both, mixed);
        assertThat(scale.estimate())
                .isCloseTo(brute(List.of(servers(5, small), servers(5, large)), VMS, mixed), EXACTLY);
    }

    /**
     * 0.4 and 0.6 of a server equally likely: one of each per server; 2 and 5 of 10 at 2 : 1, rho* = 10/3 (Psychas and
     * Ghaderi 2019).
     */
    @Test
    void factsOfTheoremOne() {
        assertScale(new CapacityRegion(List.of(servers(1, 10)), new long[][] {{4}, {6}}), 2, 0.5, 0.5);
        assertScale(new CapacityRegion(List.of(servers(1, 10)), new long[][] {{2}, {5}}), 10.0 / 3, 2.0 / 3, 1.0 / 3);
    }

    @Test
    void aTypeThatFitsNoServer() {
        CapacityRegion region = new CapacityRegion(List.of(servers(3, 10, 4)), new long[][] {{2, 1}, {3, 5}, {11, 1}});
        SupportableLoad none = region.scale(new double[] {1, 0.5, 2}, 0);
        assertThat(none.misfits()).containsExactly(1, 2);
        assertThat(none.upper()).isZero();
        // Without load it does not matter: 4 of type 0 in each of 3 servers.
        assertScale(region, 12, 1, 0, 0);
    }

    @Test
    void asTheLinearProgramOverAllMaximalConfigurations() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 400; seed++) {
            random.key(seed, 3, 0);
            int resources = 1 + random.nextInt(3);
            int types = 1 + random.nextInt(4);
            List<ServerClass> classes = new ArrayList<>();
            for (int l = random.nextInt(3); l >= 0; l--) {
                classes.add(servers(1 + random.nextInt(4), random(random, resources, 5, 20)));
            }
            long[][] demand = new long[types][];
            double[] load = new double[types];
            for (int j = 0; j < types; j++) {
                demand[j] = random(random, resources, 1, 6);
                load[j] = random.nextInt(5) / 3.0;
            }
            if (Arrays.stream(load).sum() == 0) {
                continue;
            }
            SupportableLoad scale = assertBounds(new CapacityRegion(classes, demand), load);
            double brute = scale.misfits().isEmpty() ? brute(classes, demand, load) : 0;
            assertThat(scale.estimate()).as("seed %d", seed).isCloseTo(brute, within(1e-8 * (1 + brute)));
        }
    }

    /** 50 types like those that providers sell, 4 resources, 4 classes of servers. */
    @Tag("slow")
    @Test
    void fiftyTypesFourResources() {
        KeyedRandom random = new KeyedRandom();
        random.key(1, 4, 0);
        long[][] demand = new long[50][];
        double[] load = new double[50];
        for (int j = 0; j < demand.length; j++) {
            long cores = 1L << random.nextInt(6);
            demand[j] = new long[] {
                cores, cores * (2L << random.nextInt(3)), random.nextInt(4) * 20L * cores, 1 + random.nextInt(10)
            };
            load[j] = (1.0 + random.nextInt(100)) / cores;
        }
        List<ServerClass> classes = List.of(
                servers(100, 64, 256, 4000, 100),
                servers(50, 96, 768, 2000, 100),
                servers(200, 48, 192, 8000, 50),
                servers(10, 128, 2048, 16000, 200));
        SupportableLoad scale = new CapacityRegion(classes, demand).scale(load, 1e-3);
        assertProven(classes, demand, load, scale);
        assertThat(scale.gap()).isLessThan(1e-3);
        assertThat(scale.rounds()).isGreaterThan(5);
    }

    @Test
    void fewRoundsGiveBoundsThatHold() {
        long[][] sizes = {{2}, {3}, {7}};
        double[] load = {1, 2, 0.3};
        CapacityRegion region = new CapacityRegion(List.of(servers(1, 20)), sizes);
        double exact = region.scale(load, 0).estimate();
        SupportableLoad rough = region.scale(load, 0, 1);
        assertThat(rough.rounds()).isEqualTo(1);
        assertThat(rough.lower()).isLessThan(exact);
        assertThat(rough.upper()).isGreaterThan(exact);
    }

    @Test
    void badInput() {
        CapacityRegion region = new CapacityRegion(List.of(servers(1, 10)), new long[][] {{2}, {3}});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> region.scale(new double[] {1, -1}, 0))
                .withMessage("load of type 1 is -1.0, must be 0 or more");
        assertThatIllegalArgumentException().isThrownBy(() -> region.scale(new double[] {Double.NaN, 1}, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> region.scale(new double[] {0, 0}, 0))
                .withMessageContaining("every type is 0");
        assertThatIllegalArgumentException().isThrownBy(() -> region.scale(new double[] {1}, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CapacityRegion(List.of(servers(1, 10)), new long[0][]))
                .withMessageContaining("0 types");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CapacityRegion(List.of(servers(1, 10)), new long[][] {{0}}))
                .withMessageContaining("type 0 demands nothing");
        assertThatIllegalArgumentException().isThrownBy(() -> servers(0, 10)).withMessageContaining("0 servers");
    }

    /**
     * The table of one resource agrees with the knapsack, also where sizes have a common divisor and some do not fit.
     */
    @Test
    void theTableOfOneResourceIsExact() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 500; seed++) {
            random.key(seed, 5, 0);
            int types = 1 + random.nextInt(5);
            long unit = 1L + random.nextInt(4);
            long capacity = 1L + random.nextInt(40);
            long[][] demand = new long[types][];
            long[] weight = new long[types];
            for (int j = 0; j < types; j++) {
                demand[j] = new long[] {unit * (1 + random.nextInt(15))};
                weight[j] = random.nextInt(9) - 1L;
            }
            int[] counts = new int[types];
            long best = new OneResource(capacity, demand, OneResource.unit(capacity, demand)).best(weight, counts);
            int[] expected = new int[types];
            assertThat(best)
                    .as("seed %d", seed)
                    .isEqualTo(new Knapsack(new long[] {capacity}, demand).best(weight, expected));
            long size = 0;
            long worth = 0;
            for (int j = 0; j < types; j++) {
                size += counts[j] * demand[j][0];
                worth += counts[j] * weight[j];
            }
            assertThat(worth).as("seed %d", seed).isEqualTo(best);
            assertThat(size).as("seed %d", seed).isLessThanOrEqualTo(capacity);
        }
    }

    private static void assertScale(CapacityRegion region, double expected, double... load) {
        assertThat(assertBounds(region, load).estimate()).isCloseTo(expected, within(1e-9 * expected));
    }

    private static SupportableLoad assertBounds(CapacityRegion region, double[] load) {
        SupportableLoad scale = region.scale(load, 0);
        assertThat(scale.lower()).isLessThanOrEqualTo(scale.upper());
        assertThat(scale.gap()).isLessThan(1e-8);
        return scale;
    }

    /** Both bounds follow from shares and prices: worked out again here. */
    private static void assertProven(List<ServerClass> classes, long[][] demand, double[] load, SupportableLoad scale) {
        double[] used = new double[classes.size()];
        double[] served = new double[load.length];
        for (SupportableLoad.Share share : scale.shares()) {
            used[share.serverClass()] += share.servers();
            for (int r = 0; r < demand[0].length; r++) {
                long sum = 0;
                for (int j = 0; j < load.length; j++) {
                    sum += share.counts()[j] * demand[j][r];
                }
                assertThat(sum)
                        .isLessThanOrEqualTo(classes.get(share.serverClass()).capacity()[r]);
            }
            for (int j = 0; j < load.length; j++) {
                served[j] += share.servers() * share.counts()[j];
            }
        }
        for (int l = 0; l < used.length; l++) {
            assertThat(used[l]).isLessThanOrEqualTo(classes.get(l).servers() * (1 + 1e-12));
        }
        double worth = 0;
        double total = 0;
        for (int j = 0; j < load.length; j++) {
            assertThat(served[j]).isGreaterThanOrEqualTo(scale.lower() * load[j]);
            worth += scale.prices()[j] * load[j];
        }
        for (ServerClass each : classes) {
            int[] counts = new int[load.length];
            total += each.servers()
                    * (double) new Knapsack(each.capacity(), demand).nearlyBest(scale.prices(), 1e-4, counts);
        }
        // Worked out with another tolerance than the search's own.
        assertThat(total / worth).isCloseTo(scale.upper(), within(1e-3 * scale.upper()));
    }

    /** The reference: one linear program over all maximal configurations. */
    private static double brute(List<ServerClass> classes, long[][] demand, double[] load) {
        LinearProgram program = LinearProgram.maximize();
        int[] rows = new int[load.length];
        double[] minus = new double[load.length];
        for (int j = 0; j < load.length; j++) {
            rows[j] = program.addRow(0, Double.POSITIVE_INFINITY);
            minus[j] = -load[j];
        }
        classes.forEach(each -> program.addRow(Double.NEGATIVE_INFINITY, each.servers()));
        program.addColumn(1, 0, Double.POSITIVE_INFINITY, rows, minus);
        for (int l = 0; l < classes.size(); l++) {
            for (int[] counts : Configurations.maximal(classes.get(l).capacity(), demand, 100_000)) {
                int[] in = Arrays.copyOf(rows, load.length + 1);
                double[] values = new double[load.length + 1];
                for (int j = 0; j < load.length; j++) {
                    values[j] = counts[j];
                }
                in[load.length] = load.length + l;
                values[load.length] = 1;
                program.addColumn(0, 0, Double.POSITIVE_INFINITY, in, values);
            }
        }
        try (LinearSolver solver = LinearSolvers.OJALGO.open(program)) {
            LinearSolution solution = solver.solve();
            assertThat(solution.optimal()).isTrue();
            return solution.objective();
        }
    }

    private static ServerClass servers(int servers, long... capacity) {
        return new ServerClass(servers, capacity);
    }

    private static long[] random(KeyedRandom random, int size, int least, int range) {
        long[] values = new long[size];
        Arrays.setAll(values, i -> least + random.nextInt(range));
        return values;
    }
}

package dev.stowage.optimize.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.optimize.configuration.Configurations;
import dev.stowage.optimize.lp.LinearProgram;
import dev.stowage.optimize.lp.LinearSolution;
import dev.stowage.optimize.lp.LinearSolver;
import dev.stowage.optimize.lp.LinearSolvers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoutingBoundTest {
    /**
     * Guo, Stolyar and Walid 2013, section IV: halves of an ECU and tenths of a GB; hundredths of a TB; one arrival
     * every 2 s, 20 minutes.
     */
    private static final long[][] DEMAND = {
        {67, 230}, {52, 684}, {26, 342}, {40, 70}, {13, 171}, {16, 150}, {8, 75}, {10, 17}
    };

    private static final long[][] DISK = {{169}, {169}, {85}, {169}, {42}, {169}, {85}, {35}};
    private static final long[][] SERVER = {{84, 960}, {80, 960}, {52, 720}, {64, 960}, {40, 80}, {24, 160}};
    private static final int[] SERVERS = {100, 100, 150, 150, 200, 350};
    private static final double[] DIST_I = {.15, .15, .1, .15, .1, .2, .1, .05};
    private static final double[] DIST_II = {.05, .05, .1, .05, .15, .1, .3, .2};

    /** A load that every site may run. */
    private static List<RoutingBound.RoutedLoad> anywhere(double... load) {
        return IntStream.range(0, load.length)
                .mapToObj(type -> new RoutingBound.RoutedLoad(type, List.of(), load[type]))
                .toList();
    }

    private static RoutingLimit paper(int serversOfOne, double[] mix, double meanSeconds) {
        List<RoutingBound.Block> blocks = new ArrayList<>();
        for (int site = 0; site < SERVER.length; site++) {
            int servers = site == 0 ? serversOfOne : SERVERS[site];
            blocks.add(new RoutingBound.Block(site, new ServerClass(servers, SERVER[site])));
        }
        long[][] pools = new long[6][];
        Arrays.fill(pools, new long[] {36_000});
        double[] load = Arrays.stream(mix).map(part -> part * meanSeconds / 2).toArray();
        return RoutingBound.of(blocks, pools, DEMAND, DISK, anywhere(load), 0);
    }

    /** The optimum of the paper's four settings; in the second the disks bind, too. */
    @Test
    void sixDataCenters() {
        assertRho(paper(100, DIST_I, 1200), 0.45);
        assertRho(paper(100, DIST_II, 1200), 2643.0 / 10_400);
        assertRho(paper(50, DIST_I, 1200), 0.60);
        assertRho(paper(100, DIST_I, 1800), 0.675);
    }

    private static void assertRho(RoutingLimit limit, double rho) {
        assertThat(limit.lower()).isLessThanOrEqualTo(limit.upper());
        assertThat(limit.lower()).isCloseTo(rho, within(1e-9));
        assertThat(limit.upper()).isCloseTo(rho, within(1e-9));
    }

    /** What proves the upper bound is a routing: rows sum to the loads, no VM where it does not fit, slots for all. */
    @Test
    void theRoutingServesTheLoad() {
        RoutingLimit limit = paper(100, DIST_I, 1200);
        double[][] slots = new double[6][8];
        double[] servers = new double[6];
        for (SupportableLoad.Share share : limit.shares()) {
            servers[share.serverClass()] += share.servers();
            for (int i = 0; i < 8; i++) {
                slots[share.serverClass()][i] += share.servers() * share.counts()[i];
            }
        }
        for (int i = 0; i < 8; i++) {
            assertThat(Arrays.stream(limit.table()[i]).sum()).isCloseTo(DIST_I[i] * 600, within(1e-9));
            for (int j = 0; j < 6; j++) {
                assertThat(limit.table()[i][j]).isBetween(0.0, slots[j][i] + 1e-9);
                if (DEMAND[i][0] > SERVER[j][0] || DEMAND[i][1] > SERVER[j][1]) {
                    assertThat(limit.table()[i][j]).isZero();
                }
            }
        }
        for (int j = 0; j < 6; j++) {
            assertThat(servers[j] / SERVERS[j]).isCloseTo(limit.servers()[j], within(1e-12));
            assertThat(limit.servers()[j]).isLessThanOrEqualTo(limit.upper());
            assertThat(limit.pools()[j][0]).isLessThanOrEqualTo(limit.upper());
        }
        // VM1 needs a server of its own at data center 1 or 2, and fills .45 of both.
        assertThat(limit.table()[0][0]).isCloseTo(45, within(1e-6));
        assertThat(limit.table()[0][1]).isCloseTo(45, within(1e-6));
    }

    /**
     * By hand: 10 of a type of 1, servers of 2: site a has 4, b 6 servers. Shared so that both are equally full: 10 / 2
     * of 10 servers. With a pool of 20 at b of which each takes 4: 5 at b fill it. x at a: x / 8 = 4 (10 - x) / 20
     * where x = 80 / 13.
     */
    @Test
    void byHand() {
        List<RoutingBound.Block> blocks = List.of(
                new RoutingBound.Block(0, new ServerClass(4, new long[] {2})),
                new RoutingBound.Block(1, new ServerClass(6, new long[] {2})));
        long[][] demand = {{1}};
        long[][] wide = {{1000}, {1000}};
        RoutingLimit servers = RoutingBound.of(blocks, wide, demand, new long[][] {{0}}, anywhere(10), 0);
        assertRho(servers, 0.5);
        assertThat(servers.servers()).containsExactly(new double[] {.5, .5}, within(1e-9));
        long[][] tight = {{1000}, {20}};
        RoutingLimit pool = RoutingBound.of(blocks, tight, demand, new long[][] {{4}}, anywhere(10), 0);
        assertRho(pool, 10.0 / 13);
        assertThat(pool.table()[0]).containsExactly(new double[] {80.0 / 13, 50.0 / 13}, within(1e-6));
        assertThat(pool.pools()[1][0]).isCloseTo(10.0 / 13, within(1e-9));
    }

    @Test
    void whatFitsNowhereHasNoBound() {
        List<RoutingBound.Block> blocks = List.of(new RoutingBound.Block(0, new ServerClass(4, new long[] {2})));
        long[][] demand = {{1}, {3}};
        long[][] pooled = {{0}, {0}};
        long[][] pools = {{9}};
        RoutingLimit limit = RoutingBound.of(blocks, pools, demand, pooled, anywhere(1, 1), 0);
        assertThat(limit.misfits()).containsExactly(1);
        assertThat(limit.upper()).isInfinite();
        assertRho(RoutingBound.of(blocks, pools, demand, pooled, anywhere(1, 0), 0), 1.0 / 8);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RoutingBound.of(blocks, pools, demand, pooled, anywhere(1, -1), 0))
                .withMessageContaining("load of type 1 is -1.0");
    }

    /**
     * By hand: servers of 2, a has 4 and b 6; 10 of a type of 1, of which x may run at a only. Shared 4 : 6 as long as
     * x <= 4, so rho is 10 / 20; else a has x of 8: max(10 / 20, x / 8).
     */
    @Test
    void anOriginBoundToASmallSite() {
        List<RoutingBound.Block> blocks = List.of(
                new RoutingBound.Block(0, new ServerClass(4, new long[] {2})),
                new RoutingBound.Block(1, new ServerClass(6, new long[] {2})));
        long[][] pools = {{}, {}};
        for (double bound : new double[] {0, 3, 4, 5, 8, 10}) {
            List<RoutingBound.RoutedLoad> classes = List.of(
                    new RoutingBound.RoutedLoad(0, List.of(), 10 - bound),
                    new RoutingBound.RoutedLoad(0, List.of(0), bound));
            RoutingLimit limit = RoutingBound.of(blocks, pools, new long[][] {{1}}, new long[][] {{}}, classes, 0);
            assertRho(limit, Math.max(0.5, bound / 8));
            assertThat(limit.table()[1]).containsExactly(new double[] {bound, 0}, within(1e-9));
        }
    }

    @Test
    void aDemandWhoseSitesCannotHoldItHasNoBound() {
        List<RoutingBound.Block> blocks = List.of(
                new RoutingBound.Block(0, new ServerClass(4, new long[] {2})),
                new RoutingBound.Block(1, new ServerClass(4, new long[] {9})));
        long[][] demand = {{3}};
        long[][] pools = {{}, {}, {}};
        List<RoutingBound.RoutedLoad> classes = List.of(
                new RoutingBound.RoutedLoad(0, List.of(0, 1), 6),
                new RoutingBound.RoutedLoad(0, List.of(0), 1),
                new RoutingBound.RoutedLoad(0, List.of(2), 0));
        RoutingLimit limit = RoutingBound.of(blocks, pools, demand, new long[][] {{}}, classes, 0);
        assertThat(limit.misfits()).containsExactly(1);
        assertRho(
                RoutingBound.of(blocks, pools, demand, new long[][] {{}}, List.of(classes.get(0), classes.get(2)), 0),
                0.5);
        List<RoutingBound.RoutedLoad> unknown = List.of(new RoutingBound.RoutedLoad(0, List.of(3), 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RoutingBound.of(blocks, pools, demand, new long[][] {{}}, unknown, 0))
                .withMessageContaining("limited to site 3 among others, must be 0 to 2");
    }

    /** Against the program written out over all configurations, at random. */
    @Test
    void asWithAllConfigurations() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 60; seed++) {
            random.key(seed, 23, 0);
            int types = 1 + random.nextInt(4);
            long[][] demand = new long[types][2];
            long[][] pooled = new long[types][1];
            double[] load = new double[types];
            for (int i = 0; i < types; i++) {
                demand[i] = new long[] {1 + random.nextInt(5), 1 + random.nextInt(5)};
                pooled[i][0] = random.nextInt(4);
                load[i] = random.nextInt(20);
            }
            load[0] += 1;
            List<RoutingBound.Block> blocks = new ArrayList<>();
            long[][] pools = new long[1 + random.nextInt(3)][];
            for (int site = 0; site < pools.length; site++) {
                pools[site] = new long[] {30 + random.nextInt(50)};
                for (int b = 1 + random.nextInt(2); b > 0; b--) {
                    long[] capacity = {5 + random.nextInt(8), 5 + random.nextInt(8)};
                    blocks.add(new RoutingBound.Block(site, new ServerClass(1 + random.nextInt(20), capacity)));
                }
            }
            List<RoutingBound.RoutedLoad> classes = anywhere(load);
            RoutingLimit limit = RoutingBound.of(blocks, pools, demand, pooled, classes, 0);
            double rho = written(blocks, pools, demand, pooled, classes);
            assertThat(limit.lower()).as("seed %d", seed).isCloseTo(rho, within(1e-7));
            assertThat(limit.upper()).as("seed %d", seed).isCloseTo(rho, within(1e-7));
            asWithAllConfigurations(seed, blocks, pools, demand, pooled, someLimited(random, load, pools.length), rho);
        }
    }

    /** The same loads, in parts of which some are limited to one or two sites. */
    private static List<RoutingBound.RoutedLoad> someLimited(KeyedRandom random, double[] load, int sites) {
        List<RoutingBound.RoutedLoad> classes = new ArrayList<>();
        for (int i = 0; i < load.length; i++) {
            double left = load[i];
            for (int part = random.nextInt(3); part > 0; part--) {
                List<Integer> some = List.of(random.nextInt(sites), random.nextInt(sites));
                double taken = left * random.nextInt(5) / 5;
                classes.add(new RoutingBound.RoutedLoad(i, some, taken));
                left -= taken;
            }
            classes.add(new RoutingBound.RoutedLoad(i, List.of(), left));
        }
        return classes;
    }

    /** Limits raise rho or leave it; where a demand fits at none of its sites there is no bound. */
    private static void asWithAllConfigurations(
            int seed,
            List<RoutingBound.Block> blocks,
            long[][] pools,
            long[][] demand,
            long[][] pooled,
            List<RoutingBound.RoutedLoad> classes,
            double unlimited) {
        RoutingLimit limit = RoutingBound.of(blocks, pools, demand, pooled, classes, 0);
        double rho = written(blocks, pools, demand, pooled, classes);
        assertThat(limit.misfits().isEmpty()).as("seed %d", seed).isEqualTo(!Double.isNaN(rho));
        if (limit.misfits().isEmpty()) {
            assertThat(limit.lower()).as("seed %d", seed).isCloseTo(rho, within(1e-7));
            assertThat(limit.upper()).as("seed %d", seed).isCloseTo(rho, within(1e-7));
            assertThat(rho).as("seed %d", seed).isGreaterThan(unlimited - 1e-7);
            for (int c = 0; c < classes.size(); c++) {
                for (int b = 0; b < blocks.size(); b++) {
                    List<Integer> sites = classes.get(c).sites();
                    if (!sites.isEmpty() && !sites.contains(blocks.get(b).site())) {
                        assertThat(limit.table()[c][b]).isZero();
                    }
                }
            }
        }
    }

    /** (2)-(7), all columns, by the other solver; constraint rows in the order (5), (4), (6), (7). */
    private static double written(
            List<RoutingBound.Block> blocks,
            long[][] pools,
            long[][] demand,
            long[][] pooled,
            List<RoutingBound.RoutedLoad> classes) {
        LinearProgram program = LinearProgram.minimize();
        int types = demand.length;
        int sites = pools.length;
        int four = classes.size();
        int six = four + sites;
        for (RoutingBound.RoutedLoad each : classes) {
            program.addRow(each.load(), each.load());
        }
        for (int i = 0; i < sites + blocks.size() * types; i++) {
            program.addRow(Double.NEGATIVE_INFINITY, 0);
        }
        for (int b = 0; b < blocks.size(); b++) {
            program.addRow(0, 0);
        }
        int seven = six + blocks.size() * types;
        double[] rho = new double[program.rows()];
        Arrays.fill(rho, four, six, -1);
        Arrays.fill(rho, seven, rho.length, -1);
        add(program, 1, rho);
        for (int b = 0; b < blocks.size(); b++) {
            RoutingBound.Block block = blocks.get(b);
            for (int c = 0; c < classes.size(); c++) {
                int i = classes.get(c).type();
                List<Integer> of = classes.get(c).sites();
                if (block.servers().fits(demand[i]) && (of.isEmpty() || of.contains(block.site()))) {
                    double[] route = new double[program.rows()];
                    route[c] = 1;
                    route[four + block.site()] = (double) pooled[i][0] / pools[block.site()][0];
                    route[six + b * types + i] = 1.0 / block.servers().servers();
                    add(program, 0, route);
                }
            }
            for (int[] counts : Configurations.maximal(block.servers().capacity(), demand, 100_000)) {
                double[] use = new double[program.rows()];
                for (int i = 0; i < types; i++) {
                    use[six + b * types + i] = -counts[i];
                }
                use[seven + b] = 1;
                add(program, 0, use);
            }
        }
        try (LinearSolver solver = LinearSolvers.OJALGO.open(program)) {
            LinearSolution solution = solver.solve();
            return solution.optimal() ? solution.objective() : Double.NaN;
        }
    }

    private static void add(LinearProgram program, double cost, double[] column) {
        int[] rows = new int[column.length];
        Arrays.setAll(rows, i -> i);
        program.addColumn(cost, 0, Double.POSITIVE_INFINITY, rows, column);
    }
}

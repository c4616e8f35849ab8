package dev.stowage.optimize.bound;

import static org.assertj.core.api.Assertions.assertThat;
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
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The capacity region where some classes of servers do not admit some kinds of requests. */
class LabelClassesTest {
    private final KeyedRandom random = new KeyedRandom();

    /** 10 servers of one request each, 4 of which admit kind 1: it may grow to 4, both together to 10. */
    @Test
    void byHand() {
        List<ServerClass> servers =
                List.of(new ServerClass(4, new long[] {1}), new ServerClass(6, new long[] {1}, Set.of(1)));
        long[][] demand = {{1}, {1}};
        int[] kinds = {0, 1};
        assertScale(10, servers, demand, kinds, 0.9, 0.1);
        assertScale(8, servers, demand, kinds, 0.5, 0.5);
        assertScale(4, servers, demand, kinds, 0, 1);
        // Nothing admits kind 2.
        List<ServerClass> none = List.of(new ServerClass(4, new long[] {1}, Set.of(2)));
        assertThat(new CapacityRegion(none, new long[][] {{1}}, new int[] {2})
                        .scale(new double[] {1}, 0)
                        .misfits())
                .containsExactly(0);
    }

    /**
     * Where a server holds one request, the greatest factor is that of the tightest set of kinds (max-flow min-cut):
     * servers that admit any of them, over their load.
     */
    @Test
    void asTheTightestSetOfKinds() {
        for (int seed = 0; seed < 300; seed++) {
            random.key(seed, 7, 0);
            int types = 1 + random.nextInt(4);
            List<ServerClass> servers = servers(types, new long[] {1});
            long[][] demand = new long[types][];
            Arrays.setAll(demand, j -> new long[] {1});
            double[] load = load(types);
            double least = Double.POSITIVE_INFINITY;
            for (int set = 1; set < 1 << types; set++) {
                double room = 0;
                double offered = 0;
                for (ServerClass each : servers) {
                    boolean any = false;
                    for (int j = 0; j < types; j++) {
                        any |= (set >> j & 1) == 1 && each.admits(j);
                    }
                    room += any ? each.servers() : 0;
                }
                for (int j = 0; j < types; j++) {
                    offered += (set >> j & 1) * load[j];
                }
                least = offered > 0 ? Math.min(least, room / offered) : least;
            }
            SupportableLoad scale = region(servers, demand).scale(load, 0);
            assertThat(scale.estimate()).as("seed %d", seed).isCloseTo(least, within(1e-8 * (1 + least)));
        }
    }

    /** One linear program over all configurations of each class, another solver: the reference. */
    @Test
    void asTheLinearProgramOverAllConfigurations() {
        for (int seed = 0; seed < 200; seed++) {
            random.key(seed, 8, 0);
            int types = 1 + random.nextInt(4);
            int resources = 1 + random.nextInt(2);
            List<ServerClass> servers = servers(types, amounts(resources, 5, 10));
            long[][] demand = new long[types][];
            Arrays.setAll(demand, j -> amounts(resources, 1, 5));
            double[] load = load(types);
            SupportableLoad scale = region(servers, demand).scale(load, 0);
            double brute = scale.misfits().isEmpty() ? brute(servers, demand, load) : 0;
            assertThat(scale.estimate()).as("seed %d", seed).isCloseTo(brute, within(1e-7 * (1 + brute)));
            for (SupportableLoad.Share share : scale.shares()) {
                for (int j = 0; j < types; j++) {
                    assertThat(share.counts()[j] == 0
                                    || servers.get(share.serverClass()).admits(j))
                            .as("seed %d: type %d on class %d", seed, j, share.serverClass())
                            .isTrue();
                }
            }

            List<LoadCell> cells = new ArrayList<>();
            for (int j = 0; j < types; j++) {
                cells.add(LoadCell.of(demand[j], load[j]).ofKind(j));
            }
            LoadBound bound = LoadBound.of(servers, cells, 1e-6, 64);
            assertThat(bound.lower()).as("seed %d", seed).isLessThanOrEqualTo(brute * (1 + 1e-9));
            assertThat(bound.upper()).as("seed %d", seed).isGreaterThanOrEqualTo(brute * (1 - 1e-9));
            assertThat(bound.gap()).as("seed %d", seed).isLessThan(1e-5);
        }
    }

    private static CapacityRegion region(List<ServerClass> servers, long[][] demand) {
        int[] kinds = new int[demand.length];
        Arrays.setAll(kinds, j -> j);
        return new CapacityRegion(servers, demand, kinds);
    }

    private List<ServerClass> servers(int kinds, long[] capacity) {
        List<ServerClass> servers = new ArrayList<>();
        for (int l = random.nextInt(4); l >= 0; l--) {
            Set<Integer> barred = new TreeSet<>();
            for (int kind = 0; kind < kinds; kind++) {
                if (random.nextInt(2) == 0) {
                    barred.add(kind);
                }
            }
            servers.add(new ServerClass(1 + random.nextInt(4), capacity, barred));
        }
        return servers;
    }

    private double[] load(int types) {
        double[] load = new double[types];
        Arrays.setAll(load, j -> (1 + random.nextInt(5)) / 3.0);
        return load;
    }

    private long[] amounts(int resources, int least, int most) {
        long[] amounts = new long[resources];
        Arrays.setAll(amounts, r -> least + random.nextInt(most - least + 1));
        return amounts;
    }

    private static void assertScale(
            double expected, List<ServerClass> servers, long[][] demand, int[] kinds, double... load) {
        SupportableLoad scale = new CapacityRegion(servers, demand, kinds).scale(load, 0);
        assertThat(scale.lower()).isCloseTo(expected, within(1e-9 * expected));
        assertThat(scale.upper()).isCloseTo(expected, within(1e-9 * expected));
    }

    private static double brute(List<ServerClass> servers, long[][] demand, double[] load) {
        LinearProgram program = LinearProgram.maximize();
        int types = load.length;
        int[] rows = new int[types];
        double[] minus = new double[types];
        for (int j = 0; j < types; j++) {
            rows[j] = program.addRow(0, Double.POSITIVE_INFINITY);
            minus[j] = -load[j];
        }
        int[] classRows = new int[servers.size()];
        for (int l = 0; l < classRows.length; l++) {
            classRows[l] =
                    program.addRow(Double.NEGATIVE_INFINITY, servers.get(l).servers());
        }
        program.addColumn(1, 0, Double.POSITIVE_INFINITY, rows, minus);
        for (int l = 0; l < classRows.length; l++) {
            for (int[] counts : Configurations.feasible(servers.get(l).capacity(), demand, 100_000)) {
                List<Integer> in = new ArrayList<>();
                List<Double> values = new ArrayList<>();
                boolean admitted = true;
                for (int j = 0; j < types; j++) {
                    if (counts[j] > 0) {
                        admitted &= servers.get(l).admits(j);
                        in.add(rows[j]);
                        values.add((double) counts[j]);
                    }
                }
                in.add(classRows[l]);
                values.add(1.0);
                if (admitted) {
                    program.addColumn(
                            0,
                            0,
                            Double.POSITIVE_INFINITY,
                            in.stream().mapToInt(Integer::intValue).toArray(),
                            values.stream().mapToDouble(Double::doubleValue).toArray());
                }
            }
        }
        try (LinearSolver solver = LinearSolvers.OJALGO.open(program)) {
            LinearSolution solution = solver.solve();
            return solution.objective();
        }
    }
}

package dev.stowage.study.buy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Amounts;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.study.size.PricedSizing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The least cost of servers some of which may be lost, beside the cheapest of all mixes, tried one by one. */
final class LeastWithSpareTest {
    private static final int SERVERS = 5;

    @TempDir
    private Path directory;

    /**
     * Small lists, kinds and numbers of servers to spare, drawn at random. A mix is enough if everything can be packed
     * without the spare servers of any one kind, by trying every way: so no policy does with less.
     */
    @Test
    void noMixThatIsEnoughCostsLess() throws IOException {
        int known = 0;
        int exact = 0;
        for (int seed = 1; seed <= Integer.getInteger("stowage.seeds", 40); seed++) {
            Random random = new Random(seed);
            int spare = 1 + random.nextInt(2);
            long[][] vms = amounts(random, 1 + random.nextInt(4), 1, 4);
            long[][] kinds = amounts(random, 1 + random.nextInt(3), 4, 9);
            double[] price = new double[kinds.length];
            for (int l = 0; l < price.length; l++) {
                price[l] = 2 + random.nextInt(8);
            }
            long[][] stay = amounts(random, random.nextInt(3), 2, 6);
            double cheapest = cheapest(vms, kinds, price, stay, spare);
            double least = least(vms, kinds, price, stay, spare);
            assertThat(least)
                    .as("seed " + seed + ": " + Arrays.deepToString(vms) + " on " + Arrays.deepToString(kinds) + " for "
                            + Arrays.toString(price) + " beside " + Arrays.deepToString(stay) + ", " + spare
                            + " to spare")
                    .isLessThanOrEqualTo(cheapest);
            known += cheapest < Double.POSITIVE_INFINITY && cheapest > 0 ? 1 : 0;
            exact += cheapest > 0 && least == cheapest ? 1 : 0;
        }
        assertThat(exact).isGreaterThan(known / 3);
    }

    private static long[][] amounts(Random random, int number, int from, int to) {
        long[][] all = new long[number][];
        for (int i = 0; i < number; i++) {
            all[i] = new long[] {from + random.nextInt(to - from + 1), from + random.nextInt(to - from + 1)};
        }
        return all;
    }

    private double least(long[][] vms, long[][] kinds, double[] price, long[][] stay, int spare) throws IOException {
        StringBuilder rows = new StringBuilder("VM,vCPU,RAM GB\n");
        for (int i = 0; i < vms.length; i++) {
            rows.append("v")
                    .append(i)
                    .append(',')
                    .append(vms[i][0])
                    .append(',')
                    .append(vms[i][1])
                    .append('\n');
        }
        Files.writeString(directory.resolve("vms.csv"), rows);
        List<String> blocks = new ArrayList<>();
        for (long[] each : stay) {
            blocks.add("{count: 1, cpu: " + each[0] + ", memory: " + each[1] + " GiB}");
        }
        for (long[] each : kinds) {
            blocks.add("{count: 1, cpu: " + each[0] + ", memory: " + each[1] + " GiB}");
        }
        ReadExperiment read = ExperimentReader.read(
                "test",
                "{cluster: {servers: " + blocks + "}, workload: {trace: {file: vms.csv}},"
                        + " policies: [{policy: best-fit, when-full: queue}], size: {target: waited <= 0 %, spare: "
                        + spare + "}}",
                directory,
                List.of(),
                new Policies());
        Experiment point = read.points().get(0);
        double[] prices = new double[stay.length + kinds.length];
        System.arraycopy(price, 0, prices, stay.length, kinds.length);
        return new PricedSizing(point, Objects.requireNonNull(read.size()), new Policies(), prices).leastToBuy();
    }

    /** Infinite if no mix of so few servers is enough. */
    private static double cheapest(long[][] vms, long[][] kinds, double[] price, long[][] stay, int spare) {
        double cheapest = Double.POSITIVE_INFINITY;
        int[] number = new int[kinds.length];
        while (true) {
            double cost = 0;
            List<Amounts> servers = new ArrayList<>();
            Arrays.stream(stay).map(Amounts::of).forEach(servers::add);
            for (int l = 0; l < number.length; l++) {
                cost += number[l] * price[l];
                for (int n = 0; n < number[l]; n++) {
                    servers.add(Amounts.of(kinds[l]));
                }
            }
            if (cost < cheapest
                    && servers.stream().distinct().allMatch(kind -> packs(vms, without(servers, kind, spare)))) {
                cheapest = servers.isEmpty() ? cheapest : cost;
            }
            int l = 0;
            while (l < number.length && ++number[l] > SERVERS) {
                number[l++] = 0;
            }
            if (l == number.length) {
                return cheapest;
            }
        }
    }

    private static List<Amounts> without(List<Amounts> servers, Amounts kind, int spare) {
        List<Amounts> left = new ArrayList<>(servers);
        for (int n = 0; n < spare; n++) {
            left.remove(kind);
        }
        return left;
    }

    private static boolean packs(long[][] vms, List<Amounts> servers) {
        return packs(vms, 0, servers.stream().map(Amounts::toArray).toArray(long[][]::new));
    }

    private static boolean packs(long[][] vms, int next, long[][] free) {
        if (next == vms.length) {
            return true;
        }
        for (long[] each : free) {
            if (each[0] >= vms[next][0] && each[1] >= vms[next][1]) {
                each[0] -= vms[next][0];
                each[1] -= vms[next][1];
                if (packs(vms, next + 1, free)) {
                    return true;
                }
                each[0] += vms[next][0];
                each[1] += vms[next][1];
            }
        }
        return false;
    }
}

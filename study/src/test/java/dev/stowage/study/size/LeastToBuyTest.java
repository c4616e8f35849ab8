package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ReadExperiment;
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

/** What servers to buy cost at least, beside trying all purchases and all ways to pack. */
class LeastToBuyTest {
    private static final int[] SIZES = {8, 16, 32};

    @TempDir
    private Path directory;

    private double least(int stay, double[] price, List<Integer> machines, int spare) throws IOException {
        StringBuilder rows = new StringBuilder("VM,vCPU,RAM GB\n");
        machines.forEach(size -> rows.append("v,").append(size).append(",1\n"));
        Files.writeString(directory.resolve("vms.csv"), rows);
        StringBuilder kinds = new StringBuilder("{count: " + Math.max(1, stay) + ", cpu: 8, memory: 512 GiB}");
        for (int size : SIZES) {
            kinds.append(", {count: 1, cpu: ").append(size).append(", memory: 512 GiB}");
        }
        ReadExperiment read = ExperimentReader.read(
                "test",
                "{cluster: {servers: [" + kinds + "]}, workload: {trace: {file: vms.csv}}, policies: [first-fit],"
                        + " size: {target: waited <= 0 %, spare: " + spare + "}}",
                directory,
                List.of(),
                new Policies());
        double[] prices = new double[SIZES.length + 1];
        System.arraycopy(price, 0, prices, 1, price.length);
        return new PricedSizing(read.points().get(0), Objects.requireNonNull(read.size()), new Policies(), prices)
                .leastToBuy();
    }

    /** Whether all machines find a place on so many servers of each size, the largest first. */
    private static boolean packs(int[] servers, List<Integer> machines) {
        List<Integer> room = new ArrayList<>();
        for (int k = 0; k < SIZES.length; k++) {
            for (int n = 0; n < servers[k]; n++) {
                room.add(SIZES[k]);
            }
        }
        int[] left = room.stream().mapToInt(Integer::intValue).toArray();
        int[] sizes = machines.stream()
                .mapToInt(size -> -size)
                .sorted()
                .map(size -> -size)
                .toArray();
        return packs(left, sizes, 0);
    }

    private static boolean packs(int[] left, int[] sizes, int next) {
        if (next == sizes.length) {
            return true;
        }
        for (int s = 0; s < left.length; s++) {
            if (left[s] >= sizes[next] && (s == 0 || left[s] != left[s - 1])) {
                left[s] -= sizes[next];
                boolean packed = packs(left, sizes, next + 1);
                left[s] += sizes[next];
                if (packed) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether they find a place also without so many of any one size. */
    private static boolean enough(int[] servers, List<Integer> machines, int spare) {
        for (int k = 0; k < SIZES.length; k++) {
            int[] rest = servers.clone();
            rest[k] -= Math.min(spare, rest[k]);
            if (!packs(rest, machines)) {
                return false;
            }
        }
        return packs(servers, machines);
    }

    private static double cheapest(int stay, double[] price, List<Integer> machines, int spare) {
        double least = Double.POSITIVE_INFINITY;
        for (int a = 0; a <= 7; a++) {
            for (int b = 0; b <= 7; b++) {
                for (int c = 0; c <= 7; c++) {
                    double cost = a * price[0] + b * price[1] + c * price[2];
                    if (cost < least && enough(new int[] {stay + a, b, c}, machines, spare)) {
                        least = cost;
                    }
                }
            }
        }
        return least;
    }

    /** Machines of 20 or 30 fit the largest kind only, of 12 the two larger ones. */
    @Test
    void noPurchaseCostsLess() throws IOException {
        Random random = new Random(17);
        int exact = 0;
        for (int round = 0; round < 60; round++) {
            List<Integer> machines = new ArrayList<>();
            for (int n = 2 + random.nextInt(6); n > 0; n--) {
                machines.add(new int[] {2, 4, 8, 12, 20, 30}[random.nextInt(6)]);
            }
            double[] price = {5 + random.nextInt(6), 8 + random.nextInt(10), 14 + random.nextInt(30)};
            int stay = 1 + random.nextInt(6);
            int spare = random.nextInt(3);
            double cheapest = cheapest(stay, price, machines, spare);
            double least = least(stay, price, machines, spare);
            assertThat(least)
                    .as("%s on %d and more at %s, %d spare", machines, stay, Arrays.toString(price), spare)
                    .isLessThanOrEqualTo(cheapest);
            exact += least == cheapest ? 1 : 0;
        }
        assertThat(exact).as("bounds that are the cheapest purchase").isGreaterThanOrEqualTo(20);
    }

    /** One that fits the largest kind only, and room for all others: one of these, and with a spare one more. */
    @Test
    void whatFitsOneKindIsBought() throws IOException {
        List<Integer> machines = List.of(30, 4, 4);
        double[] price = {5, 9, 70};
        assertThat(least(6, price, machines, 0)).isEqualTo(70).isEqualTo(cheapest(6, price, machines, 0));
        assertThat(least(6, price, machines, 1)).isEqualTo(140).isEqualTo(cheapest(6, price, machines, 1));
        assertThat(least(6, price, machines, 2)).isEqualTo(210).isEqualTo(cheapest(6, price, machines, 2));
    }
}

package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two kinds of servers at two or three sites of which any may be lost, beside trying all choices and placements. */
final class KindsAtSitesTest {
    private static final int CASES = Integer.getInteger("stowage.cases", 60);
    private static final SizeQuestion QUESTION =
            new SizeQuestion(SizeTarget.parse("waited <= 0 %")).movable(true).withSpareSite(true);

    @TempDir
    private Path directory;

    /**
     * A case: how many of each kind are at each site.
     *
     * @param kinds what a server of each has
     */
    private record Case(int[][] there, int[][] kinds, List<int[]> machines) {
        int have() {
            return Arrays.stream(there).mapToInt(its -> its[0] + its[1]).sum();
        }

        /** Whether all find a place whichever site is lost. */
        boolean holds(int[][] servers) {
            for (int lost = 0; lost < servers.length; lost++) {
                List<int[]> free = new ArrayList<>();
                for (int s = 0; s < servers.length; s++) {
                    for (int k = 0; k < 2; k++) {
                        for (int n = 0; s != lost && n < servers[s][k]; n++) {
                            free.add(kinds[k].clone());
                        }
                    }
                }
                if (!KindsOfAnInventoryTest.fits(machines, 0, free)) {
                    return false;
                }
            }
            return true;
        }

        /** Whether it holds with so many more, or with so many of those that are there. */
        boolean holds(int[][] servers, int cell, int number, boolean more) {
            if (cell == 2 * there.length) {
                return number == 0 && holds(servers);
            }
            int most = more ? number : Math.min(number, there[cell / 2][cell % 2]);
            boolean found = false;
            for (int n = 0; n <= most && !found; n++) {
                servers[cell / 2][cell % 2] += n;
                found = holds(servers, cell + 1, number - n, more);
                servers[cell / 2][cell % 2] -= n;
            }
            return found;
        }

        /** The fewest of those that are there or, where these are not enough, all of them and the fewest more. */
        int fewest() {
            boolean enough = holds(there);
            int number = 0;
            while (!holds(enough ? new int[there.length][2] : there, 0, number, !enough)) {
                number++;
            }
            return enough ? number : have() + number;
        }
    }

    private static Case random(Random random) {
        int[][] there = new int[2 + random.nextInt(2)][2];
        for (int[] its : there) {
            its[random.nextInt(2)] = 1;
            its[random.nextInt(2)] += random.nextInt(3);
        }
        int[][] kinds = {{5 + random.nextInt(4), 2 + random.nextInt(5)}, {2 + random.nextInt(3), 4 + random.nextInt(5)}
        };
        List<int[]> machines = new ArrayList<>();
        for (int i = 3 + random.nextInt(4); i > 0; i--) {
            machines.add(new int[] {1 + random.nextInt(4), 1 + random.nextInt(4)});
        }
        return new Case(there, kinds, machines);
    }

    private Experiment experiment(Case given) throws IOException {
        StringBuilder rows = new StringBuilder("name,cpu_milli,mem_mib\n");
        for (int[] machine : given.machines()) {
            rows.append("vm" + rows.length() + "," + machine[0] * 1000 + "," + machine[1] * 1024 + "\n");
        }
        Files.writeString(directory.resolve("vms.csv"), rows);
        List<String> sites = new ArrayList<>();
        for (int[] its : given.there()) {
            List<String> blocks = new ArrayList<>();
            for (int k = 0; k < 2; k++) {
                if (its[k] > 0) {
                    blocks.add("{count: " + its[k] + ", cpu_milli: " + given.kinds()[k][0] * 1000 + ", mem_mib: "
                            + given.kinds()[k][1] * 1024 + "}");
                }
            }
            sites.add("{name: s" + sites.size() + ", servers: " + blocks + "}");
        }
        return TestExperiments.of(
                "{cluster: {sites: " + sites + "}, workload: {trace: {file: vms.csv}},"
                        + " policies: [{policy: best-fit, when-full: queue}]}",
                directory);
    }

    @Test
    void theFewestOfThoseThereOrMore() throws IOException {
        Random random = new Random(11);
        int cases = 0;
        int exact = 0;
        int proven = 0;
        int more = 0;
        for (int round = 0; round < CASES; round++) {
            Case given = random(random);
            Experiment point = experiment(given);
            Sizing there = new Sizing(point, QUESTION, new Policies());
            if (!there.hopeless().isEmpty() || !there.choosesKinds()) {
                continue;
            }
            int fewest = given.fewest();
            Sizing sizing = there.extended();
            PolicySpec policy = point.policies().get(0).spec();
            long needed = sizing.need(policy).servers().get(0);
            String what = "round " + round + ": " + Arrays.deepToString(given.there()) + " of "
                    + Arrays.deepToString(given.kinds()) + " for "
                    + Arrays.deepToString(given.machines().toArray());
            assertThat(needed).as(what).isGreaterThanOrEqualTo(fewest);
            assertThat(sizing.least().get(0)).as(what).isLessThanOrEqualTo(fewest);
            assertThat(sizing.runs().stopsWithout(policy, needed, 0).values())
                    .as(what)
                    .hasSize(given.there().length)
                    .allMatch(stops -> stops.isEmpty());
            cases++;
            exact += needed == fewest ? 1 : 0;
            proven += sizing.least().get(0) == fewest ? 1 : 0;
            more += fewest > given.have() ? 1 : 0;
        }
        assertThat(more).isGreaterThan(cases / 4);
        assertThat(exact).as("of %d", cases).isGreaterThan(cases * 9 / 10);
        assertThat(proven).as("of %d", cases).isGreaterThan(cases / 2);
    }

    /** Machines that are alike: what is bought is enough if without each site the others have a place for each. */
    @Test
    void theCheapestForMachinesThatAreAlike() throws IOException {
        Random random = new Random(17);
        int exact = 0;
        int proven = 0;
        for (int round = 0; round < CASES; round++) {
            int[] holds = {3 + random.nextInt(6), 1 + random.nextInt(4)};
            double[] price = {holds[0] * (8 + random.nextInt(5)), holds[1] * (8 + random.nextInt(5))};
            int[][] there = new int[2 + random.nextInt(2)][2];
            for (int[] its : there) {
                its[random.nextInt(2)] = 1;
                its[random.nextInt(2)] += random.nextInt(6);
            }
            int machines = 20 + random.nextInt(60);
            Experiment point = experiment(new Case(
                    there,
                    new int[][] {{holds[0], holds[0]}, {holds[1], holds[1]}},
                    Collections.nCopies(machines, new int[] {1, 1})));
            PricedSizing.Beside beside = PricedSizing.Beside.of(
                    point,
                    point.cluster().sites(),
                    site -> IntStream.range(0, 2)
                            .mapToObj(k -> new PricedSizing.Offer(
                                    new ServerBlock(1, Amounts.of(holds[k] * 1000L, holds[k] * 1024L)), price[k])));
            PricedSizing sizing = new PricedSizing(beside, QUESTION, new Policies());
            double cost = sizing.cheapest(point.policies().get(0).spec()).cost();
            double cheapest = cheapest(there, holds, price, machines);
            String what = round + " " + Arrays.deepToString(there) + " of " + Arrays.toString(holds) + " for "
                    + Arrays.toString(price) + ", " + machines + " machines";
            assertThat(cost).as(what).isGreaterThanOrEqualTo(cheapest);
            assertThat(sizing.leastToBuy()).as(what).isLessThanOrEqualTo(cheapest);
            exact += cost == cheapest ? 1 : 0;
            proven += sizing.leastToBuy() == cheapest ? 1 : 0;
        }
        assertThat(exact).isGreaterThan(CASES * 9 / 10);
        assertThat(proven).isGreaterThan(CASES / 2);
    }

    /** Over all numbers of places at each site. */
    private static double cheapest(int[][] there, int[] holds, double[] price, int machines) {
        double[] places = new double[machines + 1];
        for (int n = 1; n <= machines; n++) {
            places[n] = Math.min(
                    price[0] + places[Math.max(0, n - holds[0])], price[1] + places[Math.max(0, n - holds[1])]);
        }
        double cheapest = Double.POSITIVE_INFINITY;
        for (int first = 0; first <= machines; first++) {
            for (int second = machines - first; second <= machines; second++) {
                int[] at = {first, second, machines - Math.min(first, second)};
                double cost = 0;
                for (int s = 0; s < there.length; s++) {
                    // Of two sites each must have a place for all.
                    int needed = there.length == 2 ? machines : at[s];
                    int has = there[s][0] * holds[0] + there[s][1] * holds[1];
                    cost += places[Math.max(0, needed - has)];
                }
                cheapest = Math.min(cheapest, cost);
            }
        }
        return cheapest;
    }
}

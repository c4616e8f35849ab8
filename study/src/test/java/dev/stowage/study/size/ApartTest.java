package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** VMs that must not share a host, beside trying every placement. */
final class ApartTest {
    private static final int CORES = 8;

    @TempDir
    private Path directory;

    /** A VM: its cores, its group (0 is none). */
    private record Vm(int cores, int group) {}

    @Test
    void noFewerAreEnough() throws IOException {
        Random random = new Random(31);
        int exact = 0;
        int apart = 0;
        for (int round = 0; round < 60; round++) {
            int[] limit = {Integer.MAX_VALUE, 1 + random.nextInt(2), 1 + random.nextInt(3)};
            List<Vm> vms = new ArrayList<>();
            for (int n = 2 + random.nextInt(6); n > 0; n--) {
                vms.add(new Vm(1 + random.nextInt(4), random.nextInt(3)));
            }
            int fewest = 1;
            while (!fits(vms, 0, hosts(Collections.nCopies(fewest, CORES)), limit)) {
                fewest++;
            }
            Experiment point = experiment("{count: 3, cpu: 8, memory: 64 GiB}", vms, limit);
            for (int spare = 0; spare < 2; spare++) {
                SizeQuestion question = new SizeQuestion(SizeTarget.parse("waited <= 0 %")).withSpare(spare);
                Sizing sizing = new Sizing(point, question, new Policies());
                assertThat(sizing.least().get(0)).as("round %d: %s", round, vms).isLessThanOrEqualTo(fewest + spare);
                assertThat(new PricedSizing(point, question, new Policies(), new double[] {5}).leastToBuy())
                        .as("round %d: %s", round, vms)
                        .isLessThanOrEqualTo(5.0 * (fewest + spare));
                // If all may be moved, so many are enough.
                Sizing planned = new Sizing(point, question.movable(true), new Policies());
                assertThat(planned.hasPlan()).isTrue();
                assertThat(planned.need(point.policies().get(0).spec()).servers())
                        .as("round %d: %s", round, vms)
                        .containsExactly((long) fewest + spare);
                exact += sizing.least().get(0) == fewest + spare ? 1 : 0;
                apart += sizing.decides().startsWith("spread") ? 1 : 0;
            }
        }
        assertThat(exact).isGreaterThan(105);
        assertThat(apart).isGreaterThan(15);
    }

    /** Whichever of the hosts of an answer are lost at once, of one kind or of both. */
    @Test
    void whateverIsLost() throws IOException {
        Random random = new Random(17);
        int mixed = 0;
        for (int round = 0; round < 40; round++) {
            int[] limit = {Integer.MAX_VALUE, 1 + random.nextInt(2), 1};
            List<Vm> vms = new ArrayList<>();
            for (int n = 3 + random.nextInt(4); n > 0; n--) {
                vms.add(new Vm(1 + random.nextInt(4), random.nextInt(3)));
            }
            int spare = 1 + random.nextInt(2);
            Experiment point = experiment(
                    "[{count: 2, cpu: 8, memory: 64 GiB}, {count: 2, cpu: " + (4 + random.nextInt(3))
                            + ", memory: 64 GiB}]",
                    vms,
                    limit);
            Sizing sizing = new Sizing(
                    point,
                    new SizeQuestion(SizeTarget.parse("waited <= 0 %"))
                            .movable(true)
                            .withSpare(spare),
                    new Policies());
            long servers = sizing.need(point.policies().get(0).spec()).servers().get(0);
            assertThat(sizing.least().get(0)).isLessThanOrEqualTo(servers);
            List<Integer> cores = new ArrayList<>();
            sizing.kinds(servers)
                    .forEach((kind, count) -> cores.addAll(Collections.nCopies(
                            Math.toIntExact(count), Integer.parseInt(kind.substring(0, kind.indexOf(' '))))));
            assertThat(cores).hasSize((int) servers);
            mixed += cores.stream().distinct().count() > 1 ? 1 : 0;
            assertThat(fitsWithout(vms, cores, spare, limit))
                    .as("round %d: %s on %s without %d", round, vms, cores, spare)
                    .isTrue();
        }
        assertThat(mixed).isGreaterThan(10);
    }

    private static boolean fitsWithout(List<Vm> vms, List<Integer> cores, int lost, int[] limit) {
        return lost == 0
                ? fits(vms, 0, hosts(cores), limit)
                : IntStream.range(0, cores.size()).allMatch(gone -> {
                    List<Integer> left = new ArrayList<>(cores);
                    left.remove(gone);
                    return fitsWithout(vms, left, lost - 1, limit);
                });
    }

    /** The least limit of those on a host is for all of them, whichever came first: of db:1, db:3 and db:3. */
    @Test
    void limitsMayDiffer() {
        PackingSearch.SpreadRules rules =
                new PackingSearch.SpreadRules(new int[][] {{0}, {0}, {}}, new int[][] {{1}, {3}, {}}, 1);
        long[][] demand = {{1}, {1}, {1}, {1}};
        long[][] one = {{8}};
        long[][] two = {{8}, {8}};
        assertThat(new PackingSearch(demand, new int[] {1, 1, 0, 2}, rules, one).found())
                .isFalse();
        assertThat(new PackingSearch(demand, new int[] {0, 1, 1, 2}, rules, one).found())
                .isFalse();
        assertThat(new PackingSearch(demand, new int[] {0, 1, 1, 2}, rules, two).found())
                .isTrue();
        assertThat(new PackingSearch(demand, new int[] {0, 0, 0, 2}, rules, two).found())
                .isFalse();
        assertThat(new PackingSearch(demand, new int[] {1, 1, 1, 2}, rules, one).found())
                .isTrue();
    }

    private Experiment experiment(String servers, List<Vm> vms, int[] limit) throws IOException {
        StringBuilder rows = new StringBuilder("VM,vCPU,RAM GB,spread\n");
        vms.forEach(vm -> rows.append("v,")
                .append(vm.cores())
                .append(",1,")
                .append(rule(vm, limit))
                .append('\n'));
        Files.writeString(directory.resolve("vms.csv"), rows);
        return experiment(servers);
    }

    private Experiment experiment(String servers) {
        return TestExperiments.of(
                "{cluster: {servers: " + servers + "}, workload: {trace: {file: vms.csv}},"
                        + " policies: [{policy: best-fit, when-full: queue}]}",
                directory);
    }

    /** Of each host its free cores, and how many of each group it has. */
    private static int[][] hosts(List<Integer> cores) {
        return cores.stream().map(free -> new int[] {free, 0, 0}).toArray(int[][]::new);
    }

    /** Of one group it is written twice. */
    private static String rule(Vm vm, int[] limit) {
        String once = "g" + vm.group() + ":" + limit[vm.group()];
        return vm.group() == 0 ? "" : vm.group() == 1 ? once + ";" + once : once;
    }

    private static boolean fits(List<Vm> vms, int next, int[][] hosts, int[] limit) {
        if (next == vms.size()) {
            return true;
        }
        Vm vm = vms.get(next);
        for (int[] host : hosts) {
            boolean alone = vm.group() == 0 || host[vm.group()] < limit[vm.group()];
            if (alone && vm.cores() <= host[0]) {
                host[0] -= vm.cores();
                host[vm.group()] += vm.group() == 0 ? 0 : 1;
                boolean all = fits(vms, next + 1, hosts, limit);
                host[0] += vm.cores();
                host[vm.group()] -= vm.group() == 0 ? 0 : 1;
                if (all) {
                    return true;
                }
            }
        }
        return false;
    }
}

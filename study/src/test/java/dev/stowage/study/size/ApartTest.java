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
import java.util.List;
import java.util.Random;
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
            while (!fits(vms, 0, new int[fewest][3], limit)) {
                fewest++;
            }
            StringBuilder rows = new StringBuilder("VM,vCPU,RAM GB,spread\n");
            vms.forEach(vm -> rows.append("v,")
                    .append(vm.cores())
                    .append(",1,")
                    .append(rule(vm, limit))
                    .append('\n'));
            Files.writeString(directory.resolve("vms.csv"), rows);
            Experiment point = TestExperiments.of(
                    "{cluster: {servers: {count: 3, cpu: 8, memory: 64 GiB}}, workload: {trace: {file: vms.csv}},"
                            + " policies: [{policy: best-fit, when-full: queue}]}",
                    directory);
            for (int spare = 0; spare < 2; spare++) {
                SizeQuestion question = new SizeQuestion(SizeTarget.parse("waited <= 0 %")).withSpare(spare);
                Sizing sizing = new Sizing(point, question, new Policies());
                assertThat(sizing.least().get(0)).as("round %d: %s", round, vms).isLessThanOrEqualTo(fewest + spare);
                assertThat(new PricedSizing(point, question, new Policies(), new double[] {5}).leastToBuy())
                        .as("round %d: %s", round, vms)
                        .isLessThanOrEqualTo(5.0 * (fewest + spare));
                exact += sizing.least().get(0) == fewest + spare ? 1 : 0;
                apart += sizing.decides().startsWith("spread") ? 1 : 0;
            }
        }
        assertThat(exact).isGreaterThan(105);
        assertThat(apart).isGreaterThan(15);
    }

    /** Of one group it is written twice. */
    private static String rule(Vm vm, int[] limit) {
        String once = "g" + vm.group() + ":" + limit[vm.group()];
        return vm.group() == 0 ? "" : vm.group() == 1 ? once + ";" + once : once;
    }

    /** Of each host what is used: cores, and how many of each group. */
    private static boolean fits(List<Vm> vms, int next, int[][] hosts, int[] limit) {
        if (next == vms.size()) {
            return true;
        }
        Vm vm = vms.get(next);
        for (int[] host : hosts) {
            boolean alone = vm.group() == 0 || host[vm.group()] < limit[vm.group()];
            if (alone && host[0] + vm.cores() <= CORES) {
                host[0] += vm.cores();
                host[vm.group()] += vm.group() == 0 ? 0 : 1;
                boolean all = fits(vms, next + 1, hosts, limit);
                host[0] -= vm.cores();
                host[vm.group()] -= vm.group() == 0 ? 0 : 1;
                if (all) {
                    return true;
                }
            }
        }
        return false;
    }
}

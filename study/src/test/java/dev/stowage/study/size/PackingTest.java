package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.experiment.Experiment;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that begin with what was found before, beside those that begin anew. */
final class PackingTest {
    private static final long[][] SERVERS = {{64_000, 256L << 10}, {32_000, 384L << 10}};

    private static final double[] ONE = {1, 1};

    @TempDir
    private Path directory;

    @Test
    void moreLoadNeedsTheSameNumber() throws IOException {
        Random random = new Random(5);
        StringBuilder rows = new StringBuilder("name,cpu_milli,mem_mib\n");
        for (int i = 0; i < 60; i++) {
            rows.append("vm" + i + "," + (1 + random.nextInt(9)) * 1000 + "," + (1 + random.nextInt(40)) * 1024 + "\n");
        }
        Files.writeString(directory.resolve("vms.csv"), rows);
        Experiment point = TestExperiments.of(
                "{cluster: {servers: {count: 1, cpu_milli: 64000, mem_mib: 262144}},"
                        + " workload: {trace: {file: vms.csv}}, policies: [best-fit]}",
                directory);
        RequestList requests = RequestList.of(point, 1);
        Packing packing = Packing.remembering();
        for (int load = 4; load < 12; load++) {
            long[] count = new long[requests.demands().length];
            for (int i = 0; i < requests.size(); i++) {
                count[requests.kind()[i]] += load;
            }
            Packing.PeakMoment at = new Packing.PeakMoment(0, count);
            Packing.PackedCost then = packing.least(requests, at, SERVERS, ONE, 0);
            Packing.PackedCost anew = Packing.ANEW.least(requests, at, SERVERS, ONE, 0);
            assertThat(Math.ceil(then.cost().atLeast()))
                    .isEqualTo(Math.ceil(anew.cost().atLeast()));
            assertThat(then.cost().atLeast()).isLessThanOrEqualTo(anew.cost().atMost());
            // The same is solved once; servers at another price are another program.
            assertThat(packing.least(requests, at, SERVERS, ONE, 0)).isSameAs(then);
            double[] dear = Arrays.stream(ONE).map(each -> 3 * each).toArray();
            assertThat(packing.least(requests, at, SERVERS, dear, 0).cost().atLeast())
                    .isGreaterThan(2.9 * then.cost().atLeast());
        }
    }
}

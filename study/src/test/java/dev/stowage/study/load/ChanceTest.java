package dev.stowage.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.PolicyInfo;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.experiment.RunObserver;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which policies draw at random. */
final class ChanceTest {
    @TempDir
    private Path directory;

    /** The same requests with two seeds: what a policy does may differ only if it is said to draw. */
    @Test
    void onlyPoliciesThatAreSaidToDrawDependOnTheSeed() throws IOException, InterruptedException {
        Random random = new Random(1);
        StringBuilder rows = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib\n");
        int at = 0;
        for (int i = 0; i < 200; i++) {
            at += random.nextInt(4);
            rows.append(at)
                    .append(',')
                    .append(10 + random.nextInt(40))
                    .append(",1000,")
                    .append(512 * (1 + random.nextInt(3)))
                    .append('\n');
        }
        Files.writeString(directory.resolve("jobs.csv"), rows);
        TreeSet<String> depend = new TreeSet<>();
        for (PolicyInfo info : Policies.all()) {
            if (!results(info.key(), 1).equals(results(info.key(), 2))) {
                depend.add(info.key());
                assertThat(info.traits()).as(info.key()).contains(PolicyInfo.Trait.DRAWS);
            }
            assertThat(Policies.drawsNothing(info.key()))
                    .isNotEqualTo(info.traits().contains(PolicyInfo.Trait.DRAWS));
        }
        assertThat(depend).contains("randomized-central", "randomized-distributed");
        assertThat(Policies.drawsNothing("of-a-plug-in")).isFalse();
    }

    private Map<?, ?> results(String policy, int seed) throws IOException, InterruptedException {
        Experiment point = ExperimentReader.read(
                        "test",
                        "{cluster: {servers: {count: 4, cpu_milli: 4000, mem_mib: 4096}}, seed: " + seed
                                + ", workload: {trace: {file: jobs.csv}}, policies: [" + policy + "]}",
                        directory,
                        List.of(),
                        new Policies())
                .points()
                .get(0);
        List<ResultRow> all = new ArrayList<>();
        new ExperimentRunner(new Policies(), "", 1, ProgressListener.NONE, (at, one, r) -> RunObserver.NONE)
                .run(List.of(point), RowAddition.NONE, all::add);
        return all.stream()
                .filter(SummaryRow.class::isInstance)
                .map(row -> ((SummaryRow) row).metrics())
                .findFirst()
                .orElseThrow();
    }
}

package dev.stowage.study.buy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Amounts;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.study.load.LoadGrowth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What to buy by year, counted by hand. */
final class PurchasePlanTest {
    @TempDir
    private Path directory;

    /**
     * Ten machines, each as large as a server, on ten servers; twice as many in a year. A server for two costs 5, one
     * for one 3: five of the former, 25. Nothing kept: ten of them, 50. Of the small kind alone ten, 30.
     */
    @Test
    void whatIsThereStaysAndTheCheaperKindIsBought() throws IOException {
        Files.writeString(directory.resolve("vms.csv"), "VM,vCPU,RAM GB\n" + "v,8,64\n".repeat(10));
        ReadExperiment read = ExperimentReader.read(
                "test",
                "{cluster: {servers: {count: 10, cpu: 8, memory: 64 GiB}}, workload: {trace: {file: vms.csv}},"
                        + " policies: [{policy: best-fit, when-full: queue}], size: {target: waited <= 0 %}}",
                directory,
                List.of(),
                new Policies());
        Experiment point = read.points().get(0);
        Offers offers = new Offers(
                List.of("one", "two", "dear"),
                List.of(Amounts.of(8000, 65_536), Amounts.of(16_000, 131_072), Amounts.of(8000, 65_536)),
                List.of(3.0, 5.0, 4.0),
                true);
        assertThat(offers.worthwhile().names()).containsExactly("one", "two");
        List<String> heard = new ArrayList<>();
        PurchasePlan plan = new PurchasePlan(
                point,
                Objects.requireNonNull(read.size()),
                new Policies(),
                offers.worthwhile(),
                LoadGrowth.of(1.0),
                1,
                heard::add);
        PurchasePlan.Purchases found = plan.of(point.policies().get(0));
        assertThat(found.steps().get(0).cost()).isZero();
        PurchasePlan.Step last = found.steps().get(1);
        assertThat(last.load()).isEqualTo(2);
        assertThat(last.buy()).containsExactly(0L, 5L);
        assertThat(last.cost()).isEqualTo(25);
        assertThat(last.least()).isEqualTo(25);
        assertThat(found.ways()).extracting(PurchasePlan.Way::cost).containsExactly(25.0, 30.0, 25.0, 50.0);
        assertThat(heard).contains("what every policy needs at least");
    }
}

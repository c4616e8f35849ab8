package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.model.Labels;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.RunObserver;
import dev.stowage.sim.measure.PricesInUse;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PricesInUseTest {
    @TempDir
    Path folder;

    /**
     * By first fit the first server holds something for 3,600 s, the second for 1,200 and for 3,000 s, of 7,200 s.
     */
    private Double cost(String servers) throws IOException, InterruptedException {
        Path trace = folder.resolve("jobs.csv");
        Files.writeString(trace, """
                arrival_s,duration_s,cpu_milli,mem_mib
                0,3600,4000,1024
                600,1200,6000,1024
                3000,3000,1000,1024
                7200,0,100,10
                """);
        Experiment experiment = TestExperiments.of("cluster: " + servers + "\nworkload:\n  trace: {file: " + trace
                + "}\npolicies: [first-fit]\nwarm-up: none\n");
        List<ResultRow> rows = new ArrayList<>();
        new ExperimentRunner(new Policies(), "", 1, ProgressListener.NONE, (at, policy, r) -> RunObserver.NONE)
                .run(List.of(experiment), rows::add);
        return rows.stream()
                .filter(RunRow.class::isInstance)
                .map(row -> ((RunRow) row).metrics().get("cost_mean"))
                .toList()
                .get(0);
    }

    private Double ofKinds(String first, String second) throws IOException, InterruptedException {
        return cost("{sites: [{name: a, servers: [{count: 1, cpu: 4, memory: 8 GiB" + first
                + "}, {count: 1, cpu: 8, memory: 8 GiB" + second + "}]}]}");
    }

    private Double ofList(String list) throws IOException, InterruptedException {
        Path file = folder.resolve("servers.csv");
        Files.writeString(file, list);
        return cost("{server-list: " + file + "}");
    }

    @Test
    void isTheMeanOfThePricesOfTheServersInUse() throws IOException, InterruptedException {
        double hand = (3600 * 0.5 + 4200 * 2) / 7200;
        assertThat(ofKinds(", labels: {price: 0.5}", ", labels: {price: 2}")).isCloseTo(hand, within(1e-9));
        assertThat(ofKinds(", labels: {price: 0.5}", "")).isCloseTo(3600 * 0.5 / 7200, within(1e-9));
        assertThat(ofKinds("", ", labels: {zone: b}")).isNull();
        assertThat(ofList("cpu_milli,mem_mib,label:price\n4000,8192,0.5\n8000,8192,2\n"))
                .isCloseTo(hand, within(1e-9));
        // The larger one is the first of such a list; the second request fits neither.
        assertThat(ofList("Host,Cores,Memory (GiB),Price\nb,8,8,$2.00\na,4,8,0.5\n"))
                .isCloseTo(6000 * 2.0 / 7200, within(1e-9));
    }

    @Test
    void isANumberOfAtLeastZero() {
        assertThat(PricesInUse.of(Labels.parse("price=1e2,zone=a"))).isEqualTo(100);
        assertThat(PricesInUse.of(Labels.parse("price=0"))).isZero();
        for (String bad : List.of("-1", "high", "", "NaN", "1e9", "1.")) {
            assertThatThrownBy(() -> PricesInUse.of(Labels.of(Map.of("price", bad))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("label price '" + bad + "' is not a number of 0 to 100,000,000");
        }
        assertThatThrownBy(() -> ofKinds(", labels: {price: -3}", ""))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining("labels: label price '-3' is not a number of 0 to 100,000,000");
        assertThatThrownBy(() -> ofList("cpu_milli,mem_mib,label:price\n4000,8192,dear\n"))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining("label price 'dear' is not a number of 0 to 100,000,000");
        assertThatThrownBy(() -> ofList("Host,Cores,Memory (GiB),Price\nb,8,8,-2\n"))
                .hasMessageContaining("is not a price");
    }
}

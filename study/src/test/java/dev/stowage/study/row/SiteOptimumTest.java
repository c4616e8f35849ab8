package dev.stowage.study.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.SeriesRow;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SiteOptimumTest {
    private static Experiment experiment(int types) {
        String all = IntStream.range(0, types)
                .mapToObj(i -> "{name: t" + i + ", rate: 1 / min, demand: {cpu: 1}, service: 1 min}")
                .collect(Collectors.joining(", "));
        String text =
                "cluster: {sites: [{name: a, servers: {count: 1, cpu: 8}}, {name: b, servers: {count: 1, cpu: 8}}]}"
                        + "\nworkload: {types: [" + all + "]}\npolicies: [first-fit]\nhorizon: 1 h\n";
        return ExperimentReader.read("test", text, Path.of(""), List.of(), new Policies())
                .points()
                .get(0);
    }

    /** Names of the rows that follow those of the servers in use. */
    private static List<String> added(Experiment experiment) {
        Origin origin = new Origin(ResultRow.SCHEMA, "test", "hash", "version", "17", "first-fit", Map.of(), Map.of());
        double[] one = {1};
        SeriesRow inUse = new SeriesRow(origin, 0, "servers_in_use{site=a}", "fraction", one, one, one, one);
        return new SiteOptimum()
                .with(experiment, List.of(inUse)).stream()
                        .skip(1)
                        .map(row -> ((SeriesRow) row).name())
                        .toList();
    }

    @Test
    void whyThereIsNoOptimumIsACode() {
        assertThat(added(experiment(17))).containsExactly("no_optimum{reason=many-types}");
        assertThat(added(experiment(2)))
                .isNotEmpty()
                .noneMatch(name -> name.startsWith("no_optimum"))
                .anyMatch(name -> name.startsWith("servers_in_use_optimum"));
    }
}

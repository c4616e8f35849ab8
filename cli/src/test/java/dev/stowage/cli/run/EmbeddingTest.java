package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.text.Version;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.ExperimentReader;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.experiment.RunObserver;
import dev.stowage.sim.result.ResultWriter;
import dev.stowage.study.row.RowAdditions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddingTest {
    /** Requests pay, and two sites have an optimum: every addition has something to add. */
    private static final String EXPERIMENT = """
            name: embedded
            cluster:
              sites:
                - {name: east, servers: {count: 4, cpu: 4}}
                - {name: west, servers: {count: 4, cpu: 4}}
            workload:
              types:
                - {name: a, rate: 24 / h, demand: {cpu: 1}, service: {exponential: 10 min}, reward: 1 / h}
            policies: [shadow, first-fit]
            horizon: 10 h
            warm-up: none
            replications: 2
            """;

    @TempDir
    private Path directory;

    @Test
    void whoEmbedsGetsTheRowsOfTheCommandLine() throws Exception {
        Path file = Files.writeString(directory.resolve("embedded.yaml"), EXPERIMENT);
        Program program = Program.run(
                "run",
                file.toString(),
                "--no-report",
                "--quiet",
                "--out",
                directory.resolve("cli").toString());
        assertThat(program.err()).isEmpty();

        ReadExperiment experiment =
                ExperimentReader.read(file.toString(), EXPERIMENT, directory, List.of(), new Policies());
        ExperimentRunner runner = new ExperimentRunner(
                new Policies(), Version.number(), 1, ProgressListener.NONE, (point, policy, run) -> RunObserver.NONE);
        Path own = directory.resolve("own.jsonl");
        try (ResultWriter writer = ResultWriter.open(own)) {
            runner.run(experiment.points(), RowAdditions.all(note -> {}), writer::write);
        }

        String rows = Files.readString(own);
        assertThat(rows).isEqualTo(Files.readString(directory.resolve("cli/results.jsonl")));
        assertThat(rows)
                .contains("load_of_bound", "reward_of_bound", "reward_bound", "servers_in_use_optimum{site=west}");
    }
}

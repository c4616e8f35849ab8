package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run prints. */
final class ResultsDisplayTest {
    @TempDir
    Path directory;

    @Test
    void whatIsNotCountedIsSaidBeforeTheAnswer() throws IOException {
        Files.writeString(directory.resolve("vms.csv"), "name,cpu,memory_gb\nweb,4,8\ndb,4,8\nTotal,8,16\n");
        Path experiment = Files.writeString(directory.resolve("e.yaml"), """
                cluster: {servers: [{count: 1, cpu: 16, memory: 64 GiB}]}
                workload: {trace: {file: vms.csv}}
                policies: [best-fit]
                size: {target: rejected <= 0}
                """);
        Path results = directory.resolve("results");
        Program run = Program.wide("run", experiment.toString(), "--no-report", "--out", results.toString());
        assertThat(run.out()).as(run.err()).containsPattern("(?s)^Of the input 1 row is not counted.*best-fit needs 1");
    }
}

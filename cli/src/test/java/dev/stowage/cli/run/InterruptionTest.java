package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import dev.stowage.report.ResultsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as a process of its own that is told to end. */
final class InterruptionTest {
    @TempDir
    private Path directory;

    @Test
    void whatIsThereIsCompleteAndTheRestIsNamed() throws IOException, InterruptedException {
        // The first point is over in no time, the second lasts for ever.
        Path experiment = Files.writeString(directory.resolve("endless.yaml"), """
                name: endless
                cluster: {servers: {count: 2, cpu: 4}}
                workload:
                  types: [{name: a, rate: 1 / s, demand: {cpu: 1}, service: {exponential: 1 s}}]
                policies: [first-fit]
                sweep: [{path: horizon, values: [1 h, 200 w]}]
                """);
        Path out = directory.resolve("out");
        Path err = directory.resolve("err.txt");
        Process process = ProgramElsewhere.process("run", experiment.toString(), "--out", out.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile())
                .start();
        Path results = out.resolve(ResultsReader.RESULTS);
        while (process.isAlive()
                && (!Files.exists(results) || !Files.readString(results).contains("\"summary\""))) {
            TimeUnit.MILLISECONDS.sleep(20);
        }

        process.destroy();

        assertThat(process.waitFor()).isEqualTo(128 + 15);
        assertThat(err).content().contains("interrupted: 1 of 2 runs are in " + out + ", 1 are missing");
        List<String> rows = Files.readAllLines(results);
        assertThat(rows).isNotEmpty().allMatch(row -> row.endsWith("}"));
        assertThat(Program.run("report", out.toString(), "--no-report").code()).isZero();
    }
}

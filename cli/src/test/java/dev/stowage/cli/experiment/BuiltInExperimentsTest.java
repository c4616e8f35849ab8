package dev.stowage.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BuiltInExperimentsTest {
    private static final Path FILES = Path.of("..", "experiments");

    @TempDir
    private Path directory;

    @Test
    void allFilesComeAlong() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString().replace(".yaml", "")))
                    .containsExactlyInAnyOrderElementsOf(BuiltInExperiments.names());
        }
        for (String name : BuiltInExperiments.names()) {
            assertThat(BuiltInExperiments.text(name)).isEqualTo(Files.readString(FILES.resolve(name + ".yaml")));
            assertThat(BuiltInExperiments.text(name)).contains("\nname: " + name + "\n");
        }
    }

    @Test
    void theyRun() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("requests.csv"), "arrival_s,duration_s,cpu_milli,mem_mib\n0,10,1000,1024\n");
        for (String name : BuiltInExperiments.names()) {
            Program run = Program.run(
                    "run",
                    name,
                    "--out",
                    directory.resolve(name).toString(),
                    "--replications",
                    "1",
                    "--set",
                    "requests=500",
                    "--set",
                    "sweep=[]",
                    "--no-report",
                    // The one that needs the user's own trace.
                    name.equals("azure-trace") ? "--trace=" + trace : "--quiet");
            assertThat(run.code()).as(name + ": " + run.err()).isZero();
        }
    }
}

package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every line of README.md's {@code sh} blocks that begins with {@code ./stowage}, in order and in one directory, where
 * {@code ./stowage} is this build, {@code experiments} are the real ones, and {@code requests.csv} and {@code servers.csv} are
 * small samples.
 */
final class ReadmeTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\R(.*?)^```");

    @TempDir
    private static Path directory;

    @BeforeAll
    static void prepare() throws IOException {
        assumeTrue(File.separatorChar == '/', "needs a POSIX shell");
        Path script = Files.writeString(
                directory.resolve("stowage"),
                "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -cp '"
                        + System.getProperty("java.class.path") + "' dev.stowage.cli.StowageCommand \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Files.createSymbolicLink(
                directory.resolve("experiments"), Path.of("..", "experiments").toRealPath());
        StringBuilder requests = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib\n");
        for (int i = 0; i < 200; i++) {
            requests.append(30 * i)
                    .append(",3600,")
                    .append(1000 << (i % 4))
                    .append(',')
                    .append(2048 << (i % 4))
                    .append('\n');
        }
        Files.writeString(directory.resolve("requests.csv"), requests);
        Files.writeString(directory.resolve("servers.csv"), "site,count,cpu_milli,mem_mib\neast,10,48000,131072\n");
    }

    static Stream<String> commands() throws IOException {
        List<String> commands = BLOCK.matcher(Files.readString(Path.of("..", "README.md")))
                .results()
                .flatMap(block -> block.group(1).lines())
                .filter(line -> line.startsWith("./stowage"))
                .toList();
        assertThat(commands).as("commands in README.md").isNotEmpty();
        return commands.stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theCommandWorks(String command) throws IOException, InterruptedException {
        Path out = directory.resolve("output.txt");
        Process process = new ProcessBuilder("sh", "-c", command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();

        assertThat(process.waitFor())
                .as("%s%n%s", command, Files.readString(out))
                .isZero();
    }
}

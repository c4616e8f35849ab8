package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs README's commands that need no service, in order and in one directory, where {@code experiments} are the real
 * ones, and {@code requests.csv} is a small sample.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "makes a symbolic link")
final class ReadmeTest {
    /** Half a day of a twentieth of the requests: of the quickstart all but its size. */
    private static final List<String> SHORT = List.of(
            "--replications",
            "2",
            "--set",
            "workload.azure-like.days=0.5",
            "--set",
            "workload.azure-like.scale=0.05",
            "--set",
            "cluster.servers.count=30");

    /** RecommendCommandTest has all policies. */
    private static final List<String> FEW = List.of("--policy", "first-fit,best-fit,bf-js");

    private static Readme readme;
    private static ProgramElsewhere programs;

    @BeforeAll
    static void prepare(@TempDir Path directory) throws IOException {
        readme = new Readme();
        Readme.files(directory);
        programs = new ProgramElsewhere(directory, Map.of());
    }

    @AfterAll
    static void end() throws IOException, InterruptedException {
        programs.close();
    }

    static Stream<String> commands() throws IOException {
        return new Readme().withoutService().stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theCommandWorks(String command) throws IOException {
        List<String> arguments = new ArrayList<>(Readme.arguments(command));
        if (command.equals(Readme.QUICKSTART)) {
            arguments.addAll(SHORT);
        } else if (command.startsWith("./stowage recommend ")) {
            arguments.addAll(FEW);
        }
        run(command, arguments);
    }

    private static Program run(String command, List<String> arguments) throws IOException {
        Program program = programs.run(arguments);
        assertThat(program.code())
                .as("%s%n%s%s", command, program.out(), program.err())
                .isZero();
        String shown = readme.shown(command);
        if (shown != null && !command.equals(Readme.QUICKSTART)) {
            assertThat(Readme.masked(program.out()))
                    .as("what README shows of %s", command)
                    .contains(shown);
        }
        return program;
    }

    /** A minute and more: the words that README shows depend on all eight pairs of days. */
    @Test
    @Tag("nightly")
    void theQuickstartPrintsWhatReadmeShows() throws IOException {
        Program program = run(Readme.QUICKSTART, List.of("run", "--out", "quickstart"));
        assertThat(Readme.masked(program.out())).contains(readme.shown(Readme.QUICKSTART));
    }
}

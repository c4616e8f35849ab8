package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples of docs/planning.md: its commands on the files that it shows. */
final class PlanningDocTest {
    private static final Pattern FILE = Pattern.compile("(?ms)^`([\\w.]+)`:\\R\\R```csv\\R(.*?)^```");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\R(.*?)^```");

    @TempDir
    private Path directory;

    @Test
    void theExamplesWork() throws IOException {
        String text = Files.readString(Path.of("..", "docs", "planning.md"));
        List<String> files = FILE.matcher(text)
                .results()
                .map(file -> write(file.group(1), file.group(2)))
                .toList();
        assertThat(files).contains("job.csv", "servers.csv", "limits.csv");
        List<String> commands = BLOCK.matcher(text)
                .results()
                .flatMap(block -> block.group(1).lines())
                .filter(line -> line.startsWith("./stowage plan "))
                .toList();
        assertThat(commands).hasSizeGreaterThan(3);
        for (String command : commands) {
            String[] words = command.split(" ", -1);
            String[] arguments = new String[words.length - 1];
            for (int i = 0; i < arguments.length; i++) {
                String word = words[i + 1];
                arguments[i] =
                        word.matches(".*\\.(csv|svg)") ? directory.resolve(word).toString() : word;
            }
            Program program = Program.run(arguments);
            assertThat(program.code()).as("%s%n%s", command, program.err()).isZero();
            assertThat(program.out()).containsAnyOf("Completion time", "completion_s");
        }
        assertThat(directory.resolve("plan.svg")).isNotEmptyFile();
    }

    private String write(String name, String text) {
        try {
            Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return name;
    }
}

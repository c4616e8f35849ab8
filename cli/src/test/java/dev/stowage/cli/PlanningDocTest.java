package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples of docs/planning.md: its commands on the files that it shows. */
final class PlanningDocTest {
    private static final Pattern FILE = Pattern.compile("(?ms)^`([\\w.-]+)`:\\R\\R```(?:csv|yaml)\\R(.*?)^```");
    private static final Pattern MEAN = Pattern.compile("\"job_completion_mean_s\":([0-9.]+)");
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
        assertThat(files).contains("job.csv", "servers.csv", "limits.csv", "own-jobs.yaml");
        List<String> commands = BLOCK.matcher(text)
                .results()
                .flatMap(block -> block.group(1).lines())
                .filter(line -> line.startsWith("./stowage "))
                .toList();
        assertThat(commands).hasSizeGreaterThan(3);
        for (String command : commands) {
            String[] words = command.split(" ", -1);
            String[] arguments = new String[words.length - 1];
            for (int i = 0; i < arguments.length; i++) {
                String word = words[i + 1];
                arguments[i] = word.matches(".*\\.(csv|svg|yaml)|results")
                        ? directory.resolve(word).toString()
                        : word;
            }
            Program program = Program.run(arguments);
            assertThat(program.code()).as("%s%n%s", command, program.err()).isZero();
            assertThat(program.out()).containsAnyOf("Completion time", "completion_s", "mean completion of jobs");
        }
        assertThat(directory.resolve("plan.svg")).isNotEmptyFile();
        ownJobs(text);
    }

    /** Three jobs, two of which arrive together; their mean completion time is the one on the page. */
    private void ownJobs(String text) throws IOException {
        String rows = Files.readString(directory.resolve("results").resolve("results.jsonl"));
        assertThat(rows).contains("\"jobs_completed\":3.0").contains("\"jobs_unfinished\":0.0");
        List<String> means = MEAN.matcher(rows)
                .results()
                .map(mean -> String.format(Locale.ROOT, "%.2f", Double.parseDouble(mean.group(1)) / 60))
                .distinct()
                .toList();
        assertThat(text).contains("on average after " + String.join(" min, and ", means) + " min without lending");
        assertThat(directory.resolve("decisions-ontapra.csv")).content().contains("as planned");
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

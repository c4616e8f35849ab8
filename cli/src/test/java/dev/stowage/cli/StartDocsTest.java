package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the commands of docs/start-*.md on the files that they show: each line of output shown below one is printed. */
final class StartDocsTest {
    private static final Pattern FILE = Pattern.compile("(?ms)^`([\\w.-]+)`:\\R\\R```(?:csv|yaml)\\R(.*?)^```");
    private static final Pattern SHOWN =
            Pattern.compile("(?ms)^```sh\\R\\./stowage ([^\\n]*)\\R```\\R\\R```text\\R(.*?)^```");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"start-planner.md", "start-researcher.md"})
    void theExamplesPrintWhatIsShown(String page) throws IOException {
        String text = Files.readString(Path.of("..", "docs", page));
        for (MatchResult file : FILE.matcher(text).results().toList()) {
            Files.writeString(directory.resolve(file.group(1)), file.group(2));
        }
        List<MatchResult> examples = SHOWN.matcher(text).results().toList();
        assertThat(examples).isNotEmpty();
        for (MatchResult example : examples) {
            String[] words = WORD.matcher(example.group(1))
                    .results()
                    .map(word -> word.group(1) == null ? file(word.group(2)) : word.group(1))
                    .toArray(String[]::new);
            Program program = Program.run(words);
            assertThat(program.code())
                    .as("%s%n%s", example.group(1), program.err())
                    .isZero();
            List<String> printed =
                    program.out().lines().map(String::stripTrailing).toList();
            assertThat(example.group(2).lines().map(String::stripTrailing))
                    .as(example.group(1))
                    .allSatisfy(line -> assertThat(printed).contains(line));
        }
    }

    private String file(String word) {
        return word.matches("[\\w-]+\\.(csv|yaml|html)|lab")
                ? directory.resolve(word).toString()
                : word;
    }
}

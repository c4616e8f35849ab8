package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every line of the corpus of cases: inputs that were once read wrongly, and what is right. */
final class CasesTest {
    private static final Path CASES = Path.of("../.ci/cases");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    @TempDir
    private Path directory;

    private int outputs;

    @TestFactory
    Stream<DynamicTest> cases() throws IOException {
        List<String> lines = Files.readAllLines(CASES.resolve("cases.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
        assertThat(lines).isNotEmpty();
        return lines.stream().map(line -> DynamicTest.dynamicTest(line.split(" => ", 2)[0], () -> check(line)));
    }

    /** With a file of each format, of the name that stands there; what is written goes elsewhere. */
    @Test
    void theExamplesOfThePageOfTracesAreCases() throws IOException {
        List<String> cases = Files.readAllLines(CASES.resolve("cases.txt")).stream()
                .map(line -> line.split(" => ", 2)[0].replaceAll("docs/([a-z0-9]+/)?(?=[\\w.]+)", ""))
                .toList();
        List<String> examples = Files.readAllLines(Path.of("..", "docs", "traces.md")).stream()
                .filter(line -> line.startsWith("./stowage ") && !line.contains(" FILE"))
                .map(line ->
                        line.substring("./stowage ".length()).replaceFirst("(trace convert \\S+) \\S+", "$1 OUT.csv"))
                .toList();
        assertThat(examples).hasSizeGreaterThan(10);
        assertThat(examples).allSatisfy(example -> assertThat(cases).anyMatch(one -> one.startsWith(example)));
    }

    private void check(String line) throws IOException {
        String[] parts = line.split(" => ", -1);
        assertThat(parts).as("a command and what is right").hasSizeGreaterThan(1);
        Path out = directory.resolve("out" + outputs++ + ".csv");
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(parts[0]);
        while (word.find()) {
            String text = word.group(1) == null ? word.group(2) : word.group(1);
            boolean file = text.matches("(tables|kube|docs)/.*");
            words.add(
                    text.equals("OUT.csv")
                            ? out.toString()
                            : text.equals("OUT")
                                    ? directory.resolve("results" + outputs).toString()
                                    : file ? CASES.resolve(text).toString() : text);
        }
        Program program = Program.run(words.toArray(String[]::new));
        if (!words.contains("--format")) {
            // As wide as a terminal is taken to be where there is none; a single word may be longer.
            assertThat(program.out().lines().filter(each -> each.strip().contains(" ")))
                    .as("no line is wider than 100 columns")
                    .allSatisfy(each -> assertThat(each).hasSizeLessThanOrEqualTo(100));
        }
        String said = program.out() + program.err() + (Files.exists(out) ? Files.readString(out) : "");
        // Lines are broken where the terminal ends.
        String all = said + said.replaceAll("\\s+", " ");
        int code = 0;
        for (String right : List.of(parts).subList(1, parts.length)) {
            if (right.startsWith("exit ")) {
                code = Integer.parseInt(right.substring(5));
            } else if (right.startsWith("!")) {
                assertThat(all).doesNotContain(right.substring(1));
            } else {
                assertThat(all).contains(right);
            }
        }
        assertThat(program.code()).as(said).isEqualTo(code);
    }
}

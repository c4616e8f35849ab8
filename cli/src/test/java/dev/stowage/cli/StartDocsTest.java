package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.console.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the commands of docs/start-*.md on the files that they show: they print the blocks below them, without gaps but
 * for lines of three points.
 * {@code -Dstowage.pictures=write} takes the picture of the planner's page anew; look at it before it is committed.
 */
final class StartDocsTest {
    private static final Pattern FILE = Pattern.compile("(?ms)^`([\\w.-]+)`:\\R\\R```(?:csv|yaml)\\R(.*?)^```");
    private static final Pattern SHOWN =
            Pattern.compile("(?ms)^```sh\\R\\./stowage ([^\\n]*)\\R```\\R\\R```text\\R(.*?)^```");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(sh|text)\\R(.*?)^```");
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
            ShownOutput.isOf(example.group(2), program.out(), program.err(), example.group(1));
        }
        Path growth = directory.resolve("growth.html");
        if ("write".equals(System.getProperty("stowage.pictures")) && Files.exists(growth)) {
            try (Browser browser = Browser.open()) {
                browser.size(1000, 910);
                browser.go(growth.toUri().toString());
                browser.until("curve", "return document.querySelector('canvas') !== null");
                browser.picture(Path.of("..", "docs", "images", "start-planner.png"));
            }
        }
    }

    /**
     * The service that the page begins with, and then what it asks of it. A moment, a number of the log and a checksum
     * differ from run to run.
     */
    @Test
    void theOperatorsExamplesPrintWhatIsShown() throws Exception {
        String text = Files.readString(Path.of("..", "docs", "start-operator.md"));
        List<MatchResult> blocks = BLOCK.matcher(text).results().toList();
        List<String> serve =
                new ArrayList<>(Readme.arguments(blocks.get(0).group(2).strip()));
        serve.addAll(List.of("--port", "0"));
        Path out = directory.resolve("out.txt");
        Process service = ProgramElsewhere.process(serve.toArray(String[]::new))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            Program printed = null;
            for (MatchResult block : blocks.subList(1, blocks.size())) {
                if (block.group(1).equals("text")) {
                    assertThat(printed).isNotNull();
                    ShownOutput.isOf(
                            varying(block.group(2)), varying(printed.out()), varying(printed.err()), block.group(2));
                    continue;
                }
                for (String command : block.group(2).lines().toList()) {
                    printed = printed(command, address(service, out));
                }
            }
        } finally {
            service.destroyForcibly().waitFor();
        }
    }

    private static Program printed(String command, String address) throws InterruptedException {
        List<String> words = new ArrayList<>(Readme.arguments(command.replaceFirst(" +# .*", "")));
        words.addAll(List.of("--at", address));
        Program program = Program.run(words.toArray(String[]::new));
        assertThat(program.code()).as("%s%n%s", command, program.err()).isZero();
        if (words.contains("--move-every")) {
            // Until the interval has passed.
            Thread.sleep(3000);
        }
        return program;
    }

    private static String address(Process service, Path out) throws IOException, InterruptedException {
        while (true) {
            Matcher serves = Pattern.compile(" serves at http://(\\S+)").matcher(Files.readString(out));
            if (serves.find()) {
                return serves.group(1);
            }
            assertThat(service.isAlive()).as(Files.readString(out)).isTrue();
            Thread.sleep(20);
        }
    }

    private static String varying(String text) {
        return text.lines()
                .map(line -> line.replaceAll("\\d{4}-\\S+Z", "TIME")
                        .replaceAll("(yes) +\\d+ +0  [0-9a-f]{8}", "$1 ENTRY")
                        .stripTrailing())
                .collect(Collectors.joining("\n"));
    }

    private String file(String word) {
        return word.matches("[\\w-]+\\.(csv|yaml|html)|lab")
                ? directory.resolve(word).toString()
                : word;
    }
}

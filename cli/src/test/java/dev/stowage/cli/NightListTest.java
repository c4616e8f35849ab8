package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list of what the build leaves for the night: whatever it names is there. */
final class NightListTest {
    private static final Pattern TEST = Pattern.compile("-Dtest=([\\w*,]+)");
    private static final Path ROOT = Path.of("..");

    @Test
    void namesWhatIsThere() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve(".ci/night.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertThat(lines).hasSizeGreaterThan(5);
        for (String line : lines) {
            String[] parts = line.split(" \\| ", -1);
            assertThat(parts).as(line).hasSize(3);
            String command = parts[2];
            assertThat(command).as(line).matches("(mvn|\\.ci/|bench/).*");
            if (!command.startsWith("mvn")) {
                assertThat(ROOT.resolve(command.split(" ", -1)[0])).isExecutable();
            }
            Matcher test = TEST.matcher(command);
            if (test.find()) {
                assertThat(test.group(1).split(",", -1)).as(line).allMatch(NightListTest::isTest);
            }
        }
        assertThat(lines).as("tests with the label nightly").anyMatch(line -> line.contains("-Dgroups=nightly"));
    }

    private static boolean isTest(String name) {
        String end = name.startsWith("*") ? name.substring(1) : "/" + name;
        return StructureTest.sources("test").stream()
                .anyMatch(file -> file.toString().endsWith(end + ".java"));
    }
}

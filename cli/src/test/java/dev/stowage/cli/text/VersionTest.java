package dev.stowage.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class VersionTest {
    @Test
    void namesTheCommitAndWhetherItIsAll() {
        assertThat(commit(Map.of("commit", "0123456789ab", "committed", "2026-11-23T12:00:00Z", "changed", "false")))
                .isEqualTo(" (commit 0123456789ab of 2026-11-23T12:00:00Z)");
        assertThat(commit(Map.of("commit", "0123456789ab", "committed", "2026-11-23T12:00:00Z", "changed", "true")))
                .isEqualTo(" (commit 0123456789ab of 2026-11-23T12:00:00Z, with changes)");
    }

    @Test
    void saysNothingOfACommitItDoesNotKnow() {
        assertThat(commit(Map.of("commit", "${stowage.commit}", "changed", "${stowage.changed}")))
                .isEmpty();
        assertThat(commit(Map.of("commit", "", "committed", "", "changed", "true")))
                .isEmpty();
        assertThat(commit(Map.of())).isEmpty();
    }

    /** Poms of examples and packages have no parent to take it from, manifests and pages say it in a file's name. */
    @Test
    void whatIsWrittenOutIsTheVersionOfTheBuild() throws IOException {
        Path root = Path.of("..");
        List<Path> files = new ArrayList<>(List.of(root.resolve("docs/installing.md")));
        for (String directory : List.of("bom", "deploy", "examples", "packaging", "spark")) {
            try (Stream<Path> below = Files.walk(root.resolve(directory))) {
                below.filter(file -> file.toString().matches(".*(/pom\\.xml|\\.yaml|/Dockerfile|\\.md)"))
                        .filter(file -> !file.toString().contains("/target/"))
                        .forEach(files::add);
            }
        }
        Pattern written = Pattern.compile("(?:stowage[-_:]|<stowage\\.version>|<artifactId>stowage[-\\w]*</artifactId>"
                + "\\s*<version>)(\\d+\\.\\d+\\.\\d+[-\\w]*?)(?=[_<\\s.`-])");
        int found = 0;
        for (Path file : files) {
            Matcher version = written.matcher(Files.readString(file));
            while (version.find()) {
                assertThat(version.group(1)).as("%s", file).isEqualTo(ofTheBuild());
                found++;
            }
        }
        assertThat(found).isGreaterThan(10);
    }

    private static String ofTheBuild() throws IOException {
        return Files.readString(Path.of("..", "pom.xml")).replaceAll("(?s).*?\n  <version>(.*?)</version>.*", "$1");
    }

    private static String commit(Map<String, String> values) {
        Properties properties = new Properties();
        properties.putAll(values);
        return Version.commit(properties);
    }
}

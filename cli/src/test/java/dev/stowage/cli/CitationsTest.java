package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.study.reproduce.Paper;
import dev.stowage.study.reproduce.Papers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Papers are cited by authors, title and year, as docs/papers.md lists them, and never by a file that is not in the
 * project.
 */
class CitationsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern FILE_OF_A_PAPER = Pattern.compile("^\\s*(\\*|//|/\\*|#).*\\.(txt|pdf)\\b");

    @Test
    void noCommentCitesAFileThatIsNotHere() throws IOException {
        Stream<Path> sources = Stream.of("main", "test", "peers").flatMap(kind -> StructureTest.sources(kind).stream());
        try (Stream<Path> experiments = Files.walk(ROOT.resolve("experiments"))) {
            List<Path> files = Stream.concat(sources, experiments.filter(Files::isRegularFile))
                    .toList();
            assertThat(files).hasSizeGreaterThan(900);
            assertThat(files.stream().flatMap(CitationsTest::cited))
                    .as("comments that cite a file of a paper")
                    .isEmpty();
        }
    }

    @Test
    void thePageOfThePapersHasEveryPaperThatIsReproduced() throws IOException {
        String page = Files.readString(ROOT.resolve("docs").resolve("papers.md"));
        for (Paper paper : Papers.ALL) {
            // J. Ghaderi: Randomized Algorithms ..., IEEE INFOCOM 2016
            String[] parts = paper.citation().split(": ", 2);
            String title = parts[1].replaceFirst(", (IEEE .*|20\\d\\d)$", "");
            assertThat(page)
                    .contains("| `" + paper.key() + "` | " + parts[0] + ": *" + title + "*")
                    .contains(title);
        }
    }

    private static Stream<String> cited(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            return IntStream.range(0, lines.size())
                    .filter(k -> FILE_OF_A_PAPER.matcher(lines.get(k)).find())
                    .mapToObj(k -> file.normalize() + ":" + (k + 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

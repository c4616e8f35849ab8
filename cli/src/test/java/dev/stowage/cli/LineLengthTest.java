package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
 * No line of Java is wider than 120 columns, for the formatter leaves comments as they are. A line with a string may
 * be.
 */
class LineLengthTest {
    private static final int WIDEST = 120;

    private static final Pattern COMMENT = Pattern.compile("^\\s*(\\*|//|/\\*)");
    /** A table of numbers, a row per line. */
    private static final String TABLE = "AzureLikeDurations.java";

    @Test
    void codeAndComments() {
        List<Path> sources = Stream.of("main", "test", "peers")
                .flatMap(kind -> StructureTest.sources(kind).stream())
                .filter(file -> !file.endsWith(TABLE))
                .toList();
        assertThat(sources).hasSizeGreaterThan(900);
        assertThat(sources.stream().flatMap(LineLengthTest::tooWide))
                .as("lines wider than %d columns", WIDEST)
                .isEmpty();
    }

    private static Stream<String> tooWide(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            return IntStream.range(0, lines.size())
                    .filter(k -> lines.get(k).codePointCount(0, lines.get(k).length()) > WIDEST)
                    .filter(k -> COMMENT.matcher(lines.get(k)).find()
                            || !lines.get(k).contains("\""))
                    .mapToObj(k -> file.normalize() + ":" + (k + 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

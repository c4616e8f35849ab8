package dev.stowage.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.study.reproduce.Paper;
import dev.stowage.study.reproduce.PaperFigure;
import dev.stowage.study.reproduce.Papers;
import dev.stowage.study.reproduce.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pages in docs/reproduction are as the command writes them: every figure, its claim, one verdict, its pictures.
 */
class PagesTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path PAGES = DOCS.resolve("reproduction");
    /** The figure whose trace is not public in the form that the experiment needs. */
    private static final String NO_TRACE = "trace-google";

    /** Sections that have not been run again since judges and rows changed, and say so. */
    private static final Set<String> EARLIER = Set.of();

    private static final Pattern EARLIER_VERDICT =
            Pattern.compile(" \\((?:by the judge of before; not run again|rows of 0\\.1\\.0-SNAPSHOT)\\)");
    private static final Pattern SECTION = Pattern.compile(
            "(?ms)^## ([a-z0-9-]+): ([^\n]+)\n\nVerdict: \\*\\*([^*\n]+)\\*\\*( [^\n]+)?\n(.*?)(?=^## |\\z)");
    private static final Pattern TABLE = Pattern.compile("(?m)^\\|.*\n\\|( --- \\|)+\n(\\|.*\n)+");
    private static final Pattern PICTURE = Pattern.compile("\\]\\(pictures/([a-z0-9-]+\\.svg)\\)");
    private static final Pattern SOURCE =
            Pattern.compile("(?m)^`\\./stowage reproduce (\\w+ [a-z0-9-]+)`: .* version \\d+\\.\\d+\\.\\d+\\.(?: |$)");

    @Test
    void everyFigureHasItsClaimAndOneVerdict() {
        Set<String> verdicts = Arrays.stream(Verdict.values())
                .filter(verdict -> verdict != Verdict.NOT_JUDGED)
                .map(Verdict::toString)
                .collect(Collectors.toSet());
        for (Paper paper : Papers.ALL) {
            String page = page(paper);
            List<PaperFigure> figures = paper.figures().stream()
                    .filter(figure -> !figure.key().equals(NO_TRACE))
                    .toList();
            List<MatchResult> sections = SECTION.matcher(page).results().toList();
            assertThat(sections.stream().map(section -> section.group(1)))
                    .as(paper.key())
                    .containsExactlyElementsOf(
                            figures.stream().map(PaperFigure::key).toList());
            for (int i = 0; i < figures.size(); i++) {
                PaperFigure figure = figures.get(i);
                MatchResult section = sections.get(i);
                assertThat(section.group(2)).isEqualTo(figure.title());
                assertThat(section.group(3)).isIn(verdicts);
                String told = Objects.requireNonNullElse(section.group(4), "");
                assertThat(page)
                        .contains("\n| " + figure.key() + " | " + figure.claim() + " | " + section.group(3) + told
                                + " |\n");
                String name = paper.key() + " " + figure.key();
                if (EARLIER.contains(name)) {
                    assertThat(told).as(name).matches(EARLIER_VERDICT);
                } else {
                    assertThat(told).as(name).isEmpty();
                    assertThat(SOURCE.matcher(section.group(5)).results().map(source -> source.group(1)))
                            .as("rows of %s are of a release", name)
                            .containsExactly(name);
                }
            }
        }
    }

    @Test
    void aTableHasAtMostEightColumnsAndNoneThatIsTheSameInAllRows() {
        for (Paper paper : Papers.ALL) {
            List<MatchResult> tables = TABLE.matcher(page(paper)).results().toList();
            assertThat(tables).as(paper.key()).isNotEmpty();
            for (MatchResult table : tables) {
                List<String[]> rows = table.group()
                        .lines()
                        .map(row -> row.split(" \\| |\\| | \\|", -1))
                        .toList();
                String[] heading = rows.get(0);
                // The first and the last part are empty.
                assertThat(heading.length - 2).as(table.group()).isBetween(1, 8);
                for (int column = 1; column < heading.length - 1; column++) {
                    int at = column;
                    assertThat(rows.stream().skip(2).map(row -> row[at]).distinct())
                            .as("%s %s", paper.key(), heading[column])
                            .hasSizeGreaterThan(1);
                }
            }
        }
    }

    @Test
    void everyPictureIsOfAPage() throws IOException {
        Set<String> shown = new TreeSet<>();
        for (Paper paper : Papers.ALL) {
            PICTURE.matcher(page(paper)).results().forEach(picture -> shown.add(picture.group(1)));
        }
        try (Stream<Path> files = Files.list(PAGES.resolve("pictures"))) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(shown);
        }
    }

    /** As docs/reproduction.md says of half-widths. */
    @Test
    void figuresOfThreePapersHaveHalfWidthsOf99PerCent() throws IOException {
        assertThat(Files.readString(DOCS.resolve("reproduction.md")))
                .contains("Half-widths are those of 99 % confidence for the figures of randomized, bestfit and shadow");
        try (Stream<Path> files = Files.list(Path.of("..", "experiments", "paper"))) {
            for (Path file : files.toList()) {
                boolean many = file.getFileName().toString().matches("(randomized|bestfit-fig|shadow-fig).*");
                assertThat(Files.readString(file).contains("\nconfidence: 99 %"))
                        .as(file.toString())
                        .isEqualTo(many);
            }
        }
    }

    private static String page(Paper paper) {
        try {
            return Files.readString(PAGES.resolve(paper.key() + ".md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

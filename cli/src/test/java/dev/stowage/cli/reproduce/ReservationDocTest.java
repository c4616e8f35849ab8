package dev.stowage.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of docs/reservation.md have the numbers and half-widths of the page that the command wrote. */
class ReservationDocTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final List<String> SIZES = List.of("l10", "l100", "l1000", "l10000");
    private static final Pattern TABLE = Pattern.compile(
            "(?m)^\\| load ([0-9.]+); [^\n]+\\| L = 10 \\| 100 \\| 1,000 \\| 10,000 \\|\n\\|-.*\n((?:\\|.*\n)+)");
    private static final Pattern SHARE = Pattern.compile("([0-9.]+) ± ([0-9.]+) %");
    private static final BigDecimal LEAST = new BigDecimal("0.001");
    /** Names of the document that are not those of the page. */
    private static final Map<String, String> LABELS = Map.of(
            "gpa-static, load known",
            "gpa-static for 1.2",
            "static-partition, load known",
            "static-partition for 1.2",
            "best-fit, score=leftover",
            "best-fit leftover");

    @Test
    void theTablesAreThoseOfThePage() throws IOException {
        String page = Files.readString(DOCS.resolve("reproduction").resolve("reservation.md"));
        List<MatchResult> tables = TABLE.matcher(Files.readString(DOCS.resolve("reservation.md")))
                .results()
                .toList();
        assertThat(tables.stream().map(table -> table.group(1))).containsExactly("1.2", "1", "0.8");
        for (MatchResult table : tables) {
            for (String row : table.group(2).split("\n", -1)) {
                List<String> cells = cells(row);
                if (cells.size() > 1) {
                    String name = cells.get(0).replace("`", "");
                    for (int size = 0; size < SIZES.size(); size++) {
                        assertThat(cells.get(size + 1))
                                .as("%s at load %s, %s", name, table.group(1), SIZES.get(size))
                                .isEqualTo(
                                        found(page, SIZES.get(size), table.group(1), LABELS.getOrDefault(name, name)));
                    }
                }
            }
        }
    }

    /** {@code 66.76 ± 0.59 %} of the page as {@code 0.668 ± 0.006}; no half-width is shown as 0. */
    private static String found(String page, String figure, String load, String policy) {
        int start = page.indexOf("\n## " + figure + ": ");
        int end = page.indexOf("\n## ", start + 1);
        List<String> rows = page.substring(start, end).lines().toList();
        List<String> heading = cells(rows.stream()
                .filter(row -> row.startsWith("| load | policy |"))
                .findFirst()
                .orElseThrow());
        String share = rows.stream()
                .filter(row -> row.startsWith("| " + load + " | " + policy + " |"))
                .map(row -> cells(row).get(heading.indexOf("reward / greatest")))
                .findFirst()
                .orElseThrow();
        MatchResult parts = SHARE.matcher(share).results().findFirst().orElseThrow();
        return rounded(parts.group(1)) + " ± " + rounded(parts.group(2)).max(LEAST);
    }

    private static BigDecimal rounded(String percent) {
        return new BigDecimal(percent).movePointLeft(2).setScale(3, RoundingMode.HALF_UP);
    }

    private static List<String> cells(String row) {
        return Arrays.stream(row.split("\\|", -1))
                .map(String::strip)
                .filter(cell -> !cell.isEmpty())
                .toList();
    }
}

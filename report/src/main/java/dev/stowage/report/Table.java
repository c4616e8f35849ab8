package dev.stowage.report;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table before it is written as text or HTML.
 *
 * @param columns headings; the first {@code keys} columns name the row and stay in place when a wide table is broken
 * @param keys how many columns name the row, at least 1
 * @param rows cells of each row, as many as there are columns
 */
record Table(List<String> columns, int keys, List<List<Cell>> rows) {

    /** Whether a column has numbers, aligned to the right. */
    boolean isOfNumbers(int column) {
        return !rows.isEmpty() && rows.stream().allMatch(row -> row.get(column).right());
    }

    /** Columns that have one text in all rows, if there are several rows. */
    Set<Integer> constants() {
        return rows.size() < 2
                ? Set.of()
                : IntStream.range(0, columns.size())
                        .filter(c -> rows.stream().allMatch(row -> text(row, c).equals(text(rows.get(0), c))))
                        .boxed()
                        .collect(Collectors.toUnmodifiableSet());
    }

    private static String text(List<Cell> row, int column) {
        return row.get(column).text();
    }

    enum Tone {
        PLAIN,
        BEST,
        BAD
    }

    /**
     * One cell.
     *
     * @param sort number to sort by; NaN to sort by the text
     * @param right whether it may be aligned to the right
     */
    record Cell(String text, double sort, Tone tone, boolean right) {
        static Cell name(String text) {
            double number = Double.NaN;
            try {
                number = Double.parseDouble(text);
            } catch (NumberFormatException e) {
                // A name: sorted as text.
            }
            return new Cell(text, number, Tone.PLAIN, false);
        }

        static Cell number(String text, double value) {
            return new Cell(text, value, Tone.PLAIN, true);
        }

        static Cell none() {
            return number("–", Double.NaN);
        }

        Cell toned(Tone other) {
            return new Cell(text, sort, other, right);
        }
    }
}

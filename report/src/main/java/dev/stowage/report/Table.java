package dev.stowage.report;

import java.util.List;

/**
 * A table before it is written as text or HTML.
 *
 * @param columns headings; the first {@code keys} columns name the row and stay in place when a wide table is broken
 * @param keys how many columns name the row, at least 1
 * @param rows cells of each row, as many as there are columns
 */
record Table(List<String> columns, int keys, List<List<Cell>> rows) {

    enum Tone {
        PLAIN,
        BEST,
        BAD
    }

    /**
     * One cell.
     *
     * @param sort number to sort by; NaN to sort by the text
     */
    record Cell(String text, double sort, Tone tone) {
        static Cell name(String text) {
            double number = Double.NaN;
            try {
                number = Double.parseDouble(text);
            } catch (NumberFormatException e) {
                // A name: sorted as text.
            }
            return new Cell(text, number, Tone.PLAIN);
        }

        static Cell number(String text, double value) {
            return new Cell(text, value, Tone.PLAIN);
        }

        static Cell none() {
            return new Cell("–", Double.NaN, Tone.PLAIN);
        }

        Cell toned(Tone other) {
            return new Cell(text, sort, other);
        }
    }
}

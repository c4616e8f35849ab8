package dev.stowage.cli;

import dev.stowage.report.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A small table of text: columns of numbers are aligned to the right, and a long last column is wrapped on a terminal. */
final class Columns {
    private static final int LEAST_LAST_WIDTH = 24;
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    private final List<String> header;
    private final List<List<String>> rows = new ArrayList<>();

    Columns(String... header) {
        this.header = List.of(header);
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    /** The table, every line ended by a newline. */
    String text(TextStyle style) {
        int[] widths = IntStream.range(0, header.size()).map(this::width).toArray();
        int last = widths.length - 1;
        int before = IntStream.of(widths).limit(last).map(width -> width + 2).sum();
        widths[last] = Math.min(widths[last], Math.max(LEAST_LAST_WIDTH, style.width() - before));
        StringBuilder out = new StringBuilder();
        StringBuilder heading = new StringBuilder();
        line(heading, header, widths);
        out.append(style.colour() ? BOLD + heading.toString().stripTrailing() + PLAIN + "\n" : heading);
        line(
                out,
                IntStream.of(widths)
                        .mapToObj(width -> (style.unicode() ? "─" : "-").repeat(width))
                        .toList(),
                widths);
        for (List<String> row : rows) {
            List<String> parts = wrapped(row.get(last), widths[last]);
            for (int i = 0; i < parts.size(); i++) {
                List<String> cells = new ArrayList<>(row);
                if (i > 0) {
                    cells.replaceAll(cell -> "");
                }
                cells.set(last, parts.get(i));
                line(out, cells, widths);
            }
        }
        return out.toString();
    }

    private int width(int column) {
        return rows.stream()
                .mapToInt(row -> row.get(column).length())
                .reduce(header.get(column).length(), Math::max);
    }

    private void line(StringBuilder out, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String blanks =
                    " ".repeat(Math.max(0, widths[column] - cells.get(column).length()));
            String gap = column == 0 ? "" : "  ";
            line.append(gap).append(numbers(column) ? blanks + cells.get(column) : cells.get(column) + blanks);
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }

    private boolean numbers(int column) {
        return rows.stream().allMatch(row -> row.get(column).matches("[-+]?[\\d.,]+( ?%)?|–|-|"));
    }

    private static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}

package dev.stowage.cli.text;

import dev.stowage.report.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table of text: columns of numbers are aligned to the right, and long cells are wrapped on a terminal. In time
 * linear in its size.
 */
public final class Columns {
    private static final int GAP = 2;
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    private static final Pattern NUMBER = Pattern.compile("[-+]?[\\d.,]+(e[-+]\\d+)?( ?%)?|–|-|");

    private final List<String> header;
    private final List<List<String>> rows = new ArrayList<>();

    public Columns(String... header) {
        this.header = List.of(header);
    }

    public void row(String... cells) {
        rows.add(List.of(cells));
    }

    /** The table, every line ended by a newline. */
    public String text(TextStyle style) {
        boolean[] numbers = numbers();
        int[] widths = widths(style.width(), numbers);
        StringBuilder out = new StringBuilder();
        StringBuilder heading = new StringBuilder();
        line(heading, header, widths, numbers);
        out.append(style.colour() ? BOLD + heading.toString().stripTrailing() + PLAIN + "\n" : heading);
        line(
                out,
                IntStream.of(widths)
                        .mapToObj(width -> (style.unicode() ? "─" : "-").repeat(width))
                        .toList(),
                widths,
                numbers);
        for (List<String> row : rows) {
            List<List<String>> parts = IntStream.range(0, row.size())
                    .mapToObj(column -> wrapped(row.get(column), widths[column]))
                    .toList();
            int height = parts.stream().mapToInt(List::size).reduce(1, Math::max);
            for (int part = 0; part < height; part++) {
                int at = part;
                line(
                        out,
                        parts.stream().map(p -> at < p.size() ? p.get(at) : "").toList(),
                        widths,
                        numbers);
            }
        }
        return out.toString();
    }

    /**
     * As wide as the cells; if a line is too long, the widest columns are narrowed, as far as their longest word
     * allows.
     */
    private int[] widths(int room, boolean[] numbers) {
        int[] widths = IntStream.range(0, header.size())
                .map(column -> widest(column, false))
                .toArray();
        int[] least = IntStream.range(0, header.size())
                .map(column -> widest(column, !numbers[column]))
                .toArray();
        int excess = IntStream.of(widths).sum() + GAP * (widths.length - 1) - room;
        for (; excess > 0; excess--) {
            int widest = -1;
            for (int column = 0; column < widths.length; column++) {
                if (widths[column] > least[column] && (widest < 0 || widths[column] >= widths[widest])) {
                    widest = column;
                }
            }
            if (widest < 0) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    /** The length of the longest cell, or of the longest word in a cell if it may break at spaces. */
    private int widest(int column, boolean breaking) {
        return Stream.concat(Stream.of(header), rows.stream())
                .map(row -> row.get(column))
                .flatMap(cell -> breaking ? Stream.of(cell.split(" ", -1)) : Stream.of(cell))
                .mapToInt(String::length)
                .reduce(0, Math::max);
    }

    private void line(StringBuilder out, List<String> cells, int[] widths, boolean[] numbers) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String blanks =
                    " ".repeat(Math.max(0, widths[column] - cells.get(column).length()));
            String gap = column == 0 ? "" : " ".repeat(GAP);
            line.append(gap).append(numbers[column] ? blanks + cells.get(column) : cells.get(column) + blanks);
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }

    /** Which columns have only numbers. */
    private boolean[] numbers() {
        boolean[] numbers = new boolean[header.size()];
        for (int column = 0; column < numbers.length; column++) {
            int at = column;
            numbers[column] =
                    rows.stream().allMatch(row -> NUMBER.matcher(row.get(at)).matches());
        }
        return numbers;
    }

    static List<String> wrapped(String text, int width) {
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

package dev.stowage.report;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes a {@link Table} as Markdown, without the columns that have one text in all rows. */
final class MarkdownTable {
    private MarkdownTable() {}

    static String write(Table table) {
        List<Integer> shown = varying(table);
        StringBuilder out = new StringBuilder();
        line(shown.stream().map(table.columns()::get).toList(), out);
        line(shown.stream().map(column -> "---").toList(), out);
        table.rows()
                .forEach(row -> line(
                        shown.stream().map(column -> row.get(column).text()).toList(), out));
        return out.toString();
    }

    /** The columns that are written. */
    static List<Integer> varying(Table table) {
        Set<Integer> constants = table.constants();
        return IntStream.range(0, table.columns().size())
                .boxed()
                .filter(column -> !constants.contains(column))
                .toList();
    }

    /** The columns that are not written, as a line and a blank one; empty without any. */
    static String constants(Table table) {
        String same = table.constants().stream()
                .sorted()
                .map(column -> named(
                        table.columns().get(column),
                        table.rows().get(0).get(column).text()))
                .collect(Collectors.joining("; "));
        return same.isEmpty() ? "" : "The same in all rows: " + same + ".\n\n";
    }

    /** {@code mean wait 0 s}, but {@code no queue}. */
    private static String named(String heading, String text) {
        return text.contains(heading) ? text : heading + " " + text;
    }

    private static void line(List<String> cells, StringBuilder out) {
        cells.forEach(cell -> out.append("| ").append(cell.replace("|", "\\|")).append(' '));
        out.append("|\n");
    }
}

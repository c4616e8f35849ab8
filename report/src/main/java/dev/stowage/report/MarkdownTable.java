package dev.stowage.report;

import java.util.List;

/** Writes a {@link Table} as Markdown. */
final class MarkdownTable {
    private MarkdownTable() {}

    static String write(Table table) {
        StringBuilder out = new StringBuilder();
        line(table.columns(), out);
        line(table.columns().stream().map(column -> "---").toList(), out);
        table.rows().forEach(row -> line(row.stream().map(Table.Cell::text).toList(), out));
        return out.toString();
    }

    private static void line(List<String> cells, StringBuilder out) {
        cells.forEach(cell -> out.append("| ").append(cell.replace("|", "\\|")).append(' '));
        out.append("|\n");
    }
}

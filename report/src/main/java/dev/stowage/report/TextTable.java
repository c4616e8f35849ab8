package dev.stowage.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Writes a {@link Table} as aligned text. */
final class TextTable {
    private static final String RESET = "\u001b[0m";

    private final Table table;
    private final TextStyle style;
    private final int[] widths;

    private TextTable(Table table, TextStyle style) {
        this.table = table;
        this.style = style;
        widths = IntStream.range(0, table.columns().size()).map(this::widthOf).toArray();
    }

    static String write(Table table, TextStyle style) {
        TextTable writer = new TextTable(table, style);
        StringBuilder out = new StringBuilder();
        for (List<Integer> block : writer.blocks()) {
            if (out.length() > 0) {
                out.append('\n');
            }
            writer.block(block, out);
        }
        return out.toString();
    }

    /** Columns of the widest line if nothing is broken. */
    static int width(Table table, TextStyle style) {
        TextTable writer = new TextTable(table, style);
        return writer.lineWidth(IntStream.range(0, writer.widths.length).boxed().toList());
    }

    private int widthOf(int column) {
        int cells = table.rows().stream()
                .mapToInt(row -> length(ascii(row.get(column).text())))
                .max()
                .orElse(0);
        return Math.max(cells, length(ascii(table.columns().get(column))));
    }

    /** Columns side by side, as many as fit into the terminal; each block begins with the key columns. */
    private List<List<Integer>> blocks() {
        List<Integer> keys = IntStream.range(0, table.keys()).boxed().toList();
        List<List<Integer>> blocks = new ArrayList<>();
        List<Integer> block = new ArrayList<>(keys);
        for (int column = table.keys(); column < widths.length; column++) {
            if (block.size() > keys.size() && lineWidth(block) + widths[column] + 2 > style.width()) {
                blocks.add(block);
                block = new ArrayList<>(keys);
            }
            block.add(column);
        }
        blocks.add(block);
        return blocks;
    }

    private int lineWidth(List<Integer> block) {
        return block.stream().mapToInt(column -> widths[column] + 2).sum() - 2;
    }

    private void block(List<Integer> block, StringBuilder out) {
        List<String> heading = new ArrayList<>();
        for (int column : block) {
            heading.add(paint(pad(ascii(table.columns().get(column)), column), "\u001b[1m"));
        }
        line(heading, out);
        line(
                block.stream()
                        .map(c -> (style.unicode() ? "─" : "-").repeat(widths[c]))
                        .toList(),
                out);
        for (List<Table.Cell> row : table.rows()) {
            List<String> cells = new ArrayList<>();
            for (int column : block) {
                cells.add(cell(row.get(column), column));
            }
            line(cells, out);
        }
    }

    private String cell(Table.Cell cell, int column) {
        String text = pad(ascii(cell.text()), column);
        return switch (cell.tone()) {
            case PLAIN -> text;
            case BEST -> paint(text, "\u001b[32m");
            case BAD -> paint(text, "\u001b[31m");
        };
    }

    private String paint(String text, String colour) {
        return style.colour() ? colour + text + RESET : text;
    }

    private static void line(List<String> cells, StringBuilder out) {
        out.append(String.join("  ", cells).stripTrailing()).append('\n');
    }

    private String pad(String text, int column) {
        String blanks = " ".repeat(widths[column] - length(text));
        return column < table.keys() ? text + blanks : blanks + text;
    }

    private String ascii(String text) {
        return style.unicode()
                ? text
                : text.replace("±", "+-").replace("–", "-").replace("µ", "u").replace("…", "~");
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}

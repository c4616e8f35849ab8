package dev.stowage.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Writes a {@link Table} as aligned text that is no wider than the terminal: long texts break into lines, and columns
 * that do not fit even so follow below, each block with the columns that name the row, without rows that have nothing
 * there. In time linear in its size.
 */
final class TextTable {
    private static final int GAP = 2;
    /** Texts up to this length are not broken: 0.25 s, 40 x R650. */
    private static final int SHORT = 12;

    private static final String BOLD = "\u001b[1m";
    private static final String GREEN = "\u001b[32m";
    private static final String RED = "\u001b[31m";
    private static final String RESET = "\u001b[0m";

    private final Table table;
    private final TextStyle style;
    private final boolean[] numbers;
    /** As wide as the cells. */
    private final int[] widths;
    /** As wide as the cells of numbers and short texts, or as the longest word, or amount with its unit, of others. */
    private final int[] least;

    private TextTable(Table table, TextStyle style) {
        this.table = table;
        this.style = style;
        int columns = table.columns().size();
        numbers = new boolean[columns];
        widths = new int[columns];
        least = new int[columns];
        for (int c = 0; c < columns; c++) {
            numbers[c] = table.isOfNumbers(c);
            String heading = table.columns().get(c);
            widths[c] = length(heading);
            least[c] = longestWord(heading);
            for (List<Table.Cell> row : table.rows()) {
                String text = row.get(c).text();
                widths[c] = Math.max(widths[c], length(text));
                least[c] = Math.max(least[c], numbers[c] ? length(text) : longestWord(text));
            }
        }
    }

    static String write(Table table, TextStyle style) {
        TextTable writer = new TextTable(table, style);
        StringBuilder out = new StringBuilder();
        for (List<Integer> block : writer.blocks()) {
            out.append(out.isEmpty() ? "" : "\n");
            writer.block(block, out);
        }
        return out.toString();
    }

    /** Columns of the widest line if nothing is broken. */
    static int width(Table table, TextStyle style) {
        return sum(new TextTable(table, style).widths);
    }

    private static int sum(int[] widths) {
        return IntStream.of(widths).map(width -> width + GAP).sum() - GAP;
    }

    /** Columns side by side, as many as fit; each block begins with the key columns. */
    private List<List<Integer>> blocks() {
        List<Integer> keys = IntStream.range(0, table.keys()).boxed().toList();
        List<List<Integer>> blocks = new ArrayList<>();
        List<Integer> block = new ArrayList<>(keys);
        for (int column = table.keys(); column < widths.length; column++) {
            int room = style.width() - least[column];
            if (block.size() > keys.size()
                    && block.stream().mapToInt(c -> least[c] + GAP).sum() > room) {
                blocks.add(block);
                block = new ArrayList<>(keys);
            }
            block.add(column);
        }
        blocks.add(block);
        return blocks;
    }

    private void block(List<Integer> block, StringBuilder out) {
        int[] narrow = narrowed(block);
        line(block, narrow, block.stream().map(table.columns()::get).toList(), i -> BOLD, out);
        List<String> rule = IntStream.of(narrow)
                .mapToObj(width -> (style.unicode() ? "─" : "-").repeat(width))
                .toList();
        out.append(String.join(" ".repeat(GAP), rule)).append('\n');
        for (List<Table.Cell> row : table.rows()) {
            List<String> texts = block.stream().map(c -> row.get(c).text()).toList();
            if (block.size() < widths.length
                    && texts.stream().skip(table.keys()).allMatch(String::isEmpty)) {
                continue;
            }
            line(block, narrow, texts, i -> colour(row.get(block.get(i)).tone()), out);
        }
    }

    /** The widest columns are narrowed until a line fits, or each is as narrow as it can be. */
    private int[] narrowed(List<Integer> block) {
        int[] narrow = block.stream().mapToInt(c -> widths[c]).toArray();
        for (int excess = sum(narrow) - style.width(); excess > 0; excess--) {
            int widest = -1;
            for (int i = 0; i < narrow.length; i++) {
                if (narrow[i] > least[block.get(i)] && (widest < 0 || narrow[i] >= narrow[widest])) {
                    widest = i;
                }
            }
            if (widest < 0) {
                break;
            }
            narrow[widest]--;
        }
        return narrow;
    }

    private static String colour(Table.Tone tone) {
        return switch (tone) {
            case PLAIN -> "";
            case BEST -> GREEN;
            case BAD -> RED;
        };
    }

    /** A row: as many lines as its highest cell needs. */
    private void line(
            List<Integer> block, int[] narrow, List<String> texts, IntFunction<String> colours, StringBuilder out) {
        List<List<String>> lines = IntStream.range(0, texts.size())
                .mapToObj(i -> TextStyle.wrapped(ascii(texts.get(i)), narrow[i]))
                .toList();
        int height = lines.stream().mapToInt(List::size).reduce(1, Math::max);
        for (int at = 0; at < height; at++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < lines.size(); i++) {
                String text = at < lines.get(i).size() ? lines.get(i).get(at) : "";
                String blanks = " ".repeat(Math.max(0, narrow[i] - length(text)));
                String padded = numbers[block.get(i)] ? blanks + text : text + blanks;
                String colour = style.colour() ? colours.apply(i) : "";
                line.append(i == 0 ? "" : " ".repeat(GAP)).append(colour.isEmpty() ? padded : colour + padded + RESET);
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private String ascii(String text) {
        return style.unicode()
                ? text
                : text.replace("±", "+-").replace("–", "-").replace("µ", "u").replace("…", "~");
    }

    private int longestWord(String text) {
        return length(text) <= SHORT
                ? length(text)
                : TextStyle.wrapped(text, 1).stream().mapToInt(this::length).reduce(0, Math::max);
    }

    private int length(String text) {
        String shown = ascii(text);
        return shown.codePointCount(0, shown.length());
    }
}

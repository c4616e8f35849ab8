package dev.stowage.cli.text;

import dev.stowage.report.AnswerPage;
import dev.stowage.report.TextStyle;
import java.util.ArrayList;
import java.util.List;

/** A table that grows by rows, for the console and for a page. */
public final class Columns {
    private final List<String> header;
    private final List<List<String>> rows = new ArrayList<>();

    public Columns(String... header) {
        this(List.of(header));
    }

    public Columns(List<String> header) {
        this.header = List.copyOf(header);
    }

    public void row(String... cells) {
        row(List.of(cells));
    }

    /** A row of cells, as many as there are columns. */
    public void row(List<String> cells) {
        rows.add(List.copyOf(cells));
    }

    /** The table, every line ended by a newline. */
    public String text(TextStyle style) {
        return part(rows.size()).text(style);
    }

    /** Number of rows. */
    public int size() {
        return rows.size();
    }

    /** Its first rows. */
    public AnswerPage.CellRows part(int most) {
        return new AnswerPage.CellRows(header, List.copyOf(rows.subList(0, Math.min(most, rows.size()))));
    }
}

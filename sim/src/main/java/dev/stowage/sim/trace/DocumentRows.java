package dev.stowage.sim.trace;

import java.nio.file.Path;
import java.util.List;

/** Rows of a table in a document. */
final class DocumentRows implements Rows {
    private final Path file;
    private final DocumentTable table;
    private int row = -1;

    DocumentRows(Path file, DocumentTable table) {
        this.file = file;
        this.table = table;
    }

    @Override
    public List<String> header() {
        return table.columns();
    }

    @Override
    public boolean next() {
        row++;
        return row < table.rows().size();
    }

    @Override
    public int fieldCount() {
        return table.rows().get(row).size();
    }

    @Override
    public String field(int column) {
        return table.rows().get(row).get(column);
    }

    @Override
    public String file() {
        return file + (table.name().isEmpty() ? "" : ", " + table.name());
    }

    @Override
    public long line() {
        return row < 0 ? 1 : table.lines().get(Math.min(row, table.rows().size() - 1));
    }

    @Override
    public void close() {}
}

package dev.stowage.sim.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A table in a document that is read whole.
 *
 * @param name name of the sheet, or of the list; empty for the only one
 * @param columns names of the columns
 * @param rows a text for each column, empty where there is no value
 * @param lines line or number of each row, from 1
 * @param more what says that these are not all rows there are; empty if nothing does
 */
record DocumentTable(String name, List<String> columns, List<List<String>> rows, List<Long> lines, String more) {
    DocumentTable(String name, List<String> columns, List<List<String>> rows, List<Long> lines) {
        this(name, columns, rows, lines, "");
    }

    DocumentTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        lines = List.copyOf(lines);
    }

    /** Rows of named values become a table; its columns are in order of their first appearance. */
    static final class Builder {
        private final String name;
        private final Set<String> columns = new LinkedHashSet<>();
        private final List<Map<String, String>> rows = new ArrayList<>();
        private final List<Long> lines = new ArrayList<>();

        Builder(String name) {
            this.name = name;
        }

        void add(Map<String, String> row, long line) {
            columns.addAll(row.keySet());
            rows.add(new HashMap<>(row));
            lines.add(line);
        }

        DocumentTable build() {
            return build("");
        }

        DocumentTable build(String more) {
            List<String> names = List.copyOf(columns);
            List<List<String>> all = new ArrayList<>(rows.size());
            for (Map<String, String> row : rows) {
                all.add(names.stream().map(each -> row.getOrDefault(each, "")).toList());
            }
            return new DocumentTable(name, names, all, lines, more);
        }
    }
}

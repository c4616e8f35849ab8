package dev.stowage.sim.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which column of a source stands where, and which of them a format asked for. */
final class Layout {
    private final List<String> columns;
    private final Map<String, Integer> places = new HashMap<>();
    private final Set<String> asked = new HashSet<>();

    private Layout(List<String> columns) {
        this.columns = columns;
        for (int i = 0; i < columns.size(); i++) {
            places.put(columns.get(i), i);
        }
    }

    /** The layout of a source with this header (empty: the format's own columns in their order). */
    static Layout of(String file, List<String> header, TableFormat format) {
        List<String> expected =
                format.columns().stream().map(TableFormat.Column::name).toList();
        Layout layout = new Layout(header.isEmpty() ? expected : header);
        if (layout.places.size() != layout.columns.size()) {
            throw new TraceException(file + ":1: a column name occurs twice; found: " + layout.columns);
        }
        List<String> missing = format.columns().stream()
                .filter(TableFormat.Column::required)
                .map(TableFormat.Column::name)
                .filter(name -> !layout.places.containsKey(name))
                .toList();
        if (!missing.isEmpty()) {
            throw new TraceException(file + ":1: missing column" + (missing.size() == 1 ? " " : "s ")
                    + String.join(", ", missing) + " of format '" + format.key() + "'; expected: "
                    + String.join(", ", expected) + "; found: " + String.join(", ", layout.columns)
                    + ". If this is another format, name it (formats: docs/traces.md)");
        }
        return layout;
    }

    List<String> columns() {
        return columns;
    }

    /** Place of a column, or -1 where an optional one is absent. */
    int column(String name) {
        asked.add(name);
        return places.getOrDefault(name, -1);
    }

    /** Columns nobody asked for. */
    List<String> unused() {
        List<String> unused = new ArrayList<>(columns);
        unused.removeAll(asked);
        return unused;
    }
}

package dev.stowage.sim.trace;

import dev.stowage.core.model.Spelling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The positions of a source's columns, and which of them a format asked for. */
final class Layout {
    /** Many shorter names differ by one letter: {@code cpu} and {@code gpu}. */
    private static final int SHORTEST = 4;

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
        if (layout.places.size() != layout.columns.size() && format.key().equals(OwnFormat.KEY)) {
            return of(file, numbered(header), format);
        }
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

    /** In a table of one's own the first of several columns of one name is meant; the others are not used. */
    private static List<String> numbered(List<String> header) {
        List<String> names = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String name : header) {
            int times = seen.merge(name, 1, Integer::sum);
            String other = times == 1 ? name : name + " (" + times + ")";
            names.add(header.contains(other) && times > 1 ? other + "'" : other);
        }
        return names;
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

    /**
     * Refuses a column that nobody asked for and that is probably a misspelling of an absent one: ignoring it would
     * silently change what is read.
     */
    void refuseMisspelt(String file, TableFormat format) {
        for (String column : unused()) {
            for (TableFormat.Column known : format.columns()) {
                if (!places.containsKey(known.name())
                        && !format.guessed().contains(known.name())
                        && isMisspelt(column, known.name())) {
                    throw new TraceException(file + ":1: column '" + column + "' is not one of format '" + format.key()
                            + "'; did you mean '" + known.name() + "'? Otherwise call it something else");
                }
            }
        }
    }

    /** A name with a part that the user chooses, as {@code label:<key>}, is compared up to that part. */
    private static boolean isMisspelt(String column, String known) {
        int own = known.indexOf('<');
        if (own < 0) {
            return known.length() >= SHORTEST && Spelling.isNear(column, known);
        }
        int end = own == 0 ? 0 : column.indexOf(known.charAt(own - 1)) + 1;
        return end > 0 && Spelling.isNear(column.substring(0, end), known.substring(0, own));
    }
}

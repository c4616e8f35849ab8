package dev.stowage.sim.trace;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which rows of a table of one's own are read: those with a value in a column, as the meaning {@code only} says.
 *
 * @param column its place; -1 if all rows are read
 * @param name of the column
 * @param value what it must have; empty where it must have nothing
 * @param others by what other rows have there, how many they are
 */
record RowChoice(int column, String name, String value, Map<String, Long> others) {
    /** The meaning of a column by which rows are chosen. */
    static final String ONLY = "only";

    private static final int FIRST = 20;

    /** Of a table with these columns, as the user says them. */
    static RowChoice of(Map<String, OwnColumns.Column> said, Layout layout) {
        OwnColumns.Column only = said.get(ONLY);
        return only == null || only.name().isEmpty()
                ? new RowChoice(-1, "", "", Map.of())
                : new RowChoice(layout.column(only.name()), only.name(), only.unit(), new TreeMap<>());
    }

    /** Whether the present row is read. */
    boolean has(Rows rows) {
        String its = column < 0 || column >= rows.fieldCount()
                ? ""
                : rows.field(column).strip();
        boolean has = column < 0 || its.equals(value);
        if (!has) {
            others.merge(its, 1L, Long::sum);
        }
        return has;
    }

    /** {@code only prod in Cluster}. */
    static String words(OwnColumns.Column column) {
        return ONLY + " " + (column.unit().isEmpty() ? "nothing" : column.unit()) + " in " + column.name();
    }

    /** Why no row is left; empty if all were to be read. */
    String whyNone() {
        return column < 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "no row has '%s' in %s; there are: %s",
                        value,
                        name,
                        String.join(", ", others.keySet().stream().limit(FIRST).toList()));
    }
}

package dev.stowage.sim.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which rows of a table of one's own are read: those with a value in a column, as the meaning {@code only} or the
 * settings {@code rows-in} and {@code rows-with} say.
 *
 * @param column its place
 * @param name of the column
 * @param value what it must have; empty where it must have nothing
 * @param others by what other rows have there, how many they are
 */
record RowChoice(int column, String name, String value, Map<String, Long> others) {
    /** The meaning of a column by which rows are chosen. */
    static final String ONLY = "only";

    static final TableFormat.FormatSetting IN = new TableFormat.FormatSetting(
            "rows-in", "", "name of a column: only the rows are read that have there what rows-with says");
    static final TableFormat.FormatSetting WITH =
            new TableFormat.FormatSetting("rows-with", "", "what these rows have there; by default nothing");

    private static final int FIRST = 20;

    /** Of a table with these columns, as the user and the settings say them: a row must fit all. */
    static List<RowChoice> of(Map<String, OwnColumns.Column> said, Settings settings, Layout layout) {
        List<RowChoice> all = new ArrayList<>();
        OwnColumns.Column only = said.get(ONLY);
        if (only != null && !only.name().isEmpty()) {
            all.add(new RowChoice(layout.column(only.name()), only.name(), only.unit(), new TreeMap<>()));
        }
        String in = settings.get(IN.name());
        if (!in.isEmpty()) {
            all.add(new RowChoice(layout.column(in), in, settings.get(WITH.name()), new TreeMap<>()));
        }
        return all;
    }

    /** Whether the present row is read. */
    boolean has(Rows rows) {
        String its = column < 0 || column >= rows.fieldCount()
                ? ""
                : rows.field(column).strip();
        boolean has = its.equals(value);
        if (!has) {
            others.merge(its, 1L, Long::sum);
        }
        return has;
    }

    /** {@code only prod in Cluster}. */
    static String words(OwnColumns.Column column) {
        return ONLY + " " + (column.unit().isEmpty() ? "nothing" : column.unit()) + " in " + column.name();
    }

    /** Why no row is left. */
    String whyNone() {
        return String.format(
                Locale.ROOT,
                "no row has '%s' in %s; there are: %s",
                value,
                name,
                String.join(", ", others.keySet().stream().limit(FIRST).toList()));
    }
}

package dev.stowage.sim.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What a user says about the columns of a table, {@code cpu=cores,mem=ram_gb:GiB}. */
public final class SaidColumns {
    private SaidColumns() {}

    /** Its parts, {@code cpu=cores} and so on; a comma may be in the name of a column. */
    public static List<String> items(String said) {
        return said.isBlank() ? List.of() : List.of(said.split(",(?=[^,=]*=)", -1));
    }

    /**
     * What {@code MEANING=COLUMN:UNIT,...} says, by meaning; a column without a name where there is none.
     *
     * @param option where it is said
     * @param more what is known beside {@code meanings}, for a message; empty if nothing is
     * @param readAs how a message says which columns of a table are recognized without this
     */
    static Map<String, OwnColumns.Column> of(
            String option,
            String said,
            List<String> header,
            List<String> meanings,
            String more,
            Function<List<String>, String> readAs) {
        Map<String, OwnColumns.Column> found = new LinkedHashMap<>();
        for (String item : items(said)) {
            int equals = item.indexOf('=');
            if (equals < 1) {
                throw new TraceException(option + " '" + said + "': '" + item.strip()
                        + "' must be MEANING=COLUMN or MEANING=COLUMN:UNIT, as in cpu=cores,mem=ram_gb:GiB");
            }
            String meaning = item.substring(0, equals).strip();
            if (!meanings.contains(meaning) && (more.isEmpty() || !ResourceColumns.isResource(meaning))) {
                throw new TraceException(option + " '" + said + "': '" + meaning + "' is not a known meaning"
                        + ColumnNames.near(meaning, meanings) + "; known: " + String.join(", ", meanings) + more);
            }
            String column = item.substring(equals + 1).strip();
            OwnColumns.Column its = column.isEmpty()
                    ? new OwnColumns.Column("", "", false)
                    : named(option, said, meaning, column, header, readAs);
            if (found.put(meaning, its) != null) {
                throw new TraceException(option + " '" + said + "': '" + meaning + "' is given twice"
                        + (meaning.equals(RowChoice.ONLY)
                                ? ": the rows with one value are read, so ask for each value alone"
                                : ""));
            }
        }
        return found;
    }

    private static OwnColumns.Column named(
            String option,
            String said,
            String meaning,
            String given,
            List<String> header,
            Function<List<String>, String> readAs) {
        // A terminal breaks the line that is copied from it.
        String text = header.contains(given) ? given : given.replaceAll("\\s+", " ");
        if (header.contains(text)) {
            return new OwnColumns.Column(text, OwnUnits.ofName(meaning, text), false);
        }
        int pattern = OwnColumns.TIMES.contains(meaning) ? text.indexOf(':') : -1;
        while (pattern > 0 && !header.contains(text.substring(0, pattern))) {
            pattern = text.indexOf(':', pattern + 1);
        }
        if (pattern > 0 && OwnUnits.isPattern(text.substring(pattern + 1))) {
            return new OwnColumns.Column(text.substring(0, pattern), text.substring(pattern + 1), false);
        }
        int colon = text.lastIndexOf(':');
        while (meaning.equals(RowChoice.ONLY) && colon > 0 && !header.contains(text.substring(0, colon))) {
            colon = text.lastIndexOf(':', colon - 1);
        }
        String name = colon < 0 ? text : text.substring(0, colon);
        if (!header.contains(name)) {
            throw new TraceException(option + " '" + said + "': there is no column '" + name + "'"
                    + ColumnNames.near(name, header) + "; "
                    + readAs.apply(header).replaceFirst("^the", "without this option the")
                    + "found: " + String.join(", ", header));
        }
        String unit = text.substring(colon + 1);
        if (!meaning.equals(RowChoice.ONLY) && !OwnUnits.known(meaning, unit)) {
            throw new TraceException(option + " '" + said + "': '" + unit + "' is not a unit of " + meaning
                    + "; known: " + OwnUnits.list(meaning));
        }
        return new OwnColumns.Column(name, unit, false);
    }
}

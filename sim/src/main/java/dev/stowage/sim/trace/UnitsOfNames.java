package dev.stowage.sim.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Columns of a user's own table that are read in another unit than the end of their names says. */
final class UnitsOfNames {
    private record Against(String unit, String example, long values) {}

    /** By name of the column. */
    private final Map<String, Against> against = new LinkedHashMap<>();
    /** By meaning and name, the unit in the name; empty for none. */
    private final Map<String, String> named = new LinkedHashMap<>();

    /** A value was read in this unit; of all values together, if the text is empty. */
    void read(String meaning, String column, String unit, String text) {
        String its = named.computeIfAbsent(meaning + " " + column, unused -> OwnColumns.unitOf(meaning, column));
        if (!its.isEmpty() && !OwnUnits.unit(meaning, its).equals(OwnUnits.unit(meaning, unit))) {
            Against before = against.get(column);
            against.put(
                    column,
                    before == null
                            ? new Against(unit, text.strip(), 1)
                            : new Against(before.unit(), before.example(), before.values() + 1));
        }
    }

    /** A sentence for each such column. */
    List<String> warnings() {
        return against.entrySet().stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "warning: column %s: %s read in %s, not in the unit that its name says",
                        each.getKey(),
                        each.getValue().example().isEmpty()
                                ? "values are"
                                : each.getValue().values() == 1
                                        ? "1 value (" + each.getValue().example() + ") is"
                                        : String.format(
                                                Locale.ROOT,
                                                "%,d values (first %s) are",
                                                each.getValue().values(),
                                                each.getValue().example()),
                        each.getValue().unit()))
                .toList();
    }
}

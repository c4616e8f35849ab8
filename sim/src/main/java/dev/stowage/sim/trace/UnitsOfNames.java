package dev.stowage.sim.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Columns of a user's own table that are read in another unit than the end of their names says. */
final class UnitsOfNames {
    private record Against(String unit, String example, long values) {}

    /** By name of the column. */
    private final Map<String, Against> against = new LinkedHashMap<>();

    /** The unit that the name of a column ends with; null if it names none. */
    static OwnUnits.@Nullable Unit named(String meaning, String column) {
        String unit = OwnUnits.ofName(meaning, column);
        return unit.isEmpty() ? null : OwnUnits.unit(meaning, unit);
    }

    /** A value was read in this unit; of all values together, if the text is empty. */
    void read(String meaning, String column, String unit, String text) {
        OwnUnits.Unit its = named(meaning, column);
        if (its != null && !its.equals(OwnUnits.unit(meaning, unit))) {
            readAgainst(column, unit, text);
        }
    }

    /** The same where it is known that the name says another. */
    void readAgainst(String column, String unit, String text) {
        Against before = against.get(column);
        against.put(
                column,
                before == null
                        ? new Against(unit, text.strip(), 1)
                        : new Against(before.unit(), before.example(), before.values() + 1));
    }

    /** A sentence for each such column. */
    List<String> warnings() {
        return against.entrySet().stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "column %s: %s read in %s, not in the unit that its name says",
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

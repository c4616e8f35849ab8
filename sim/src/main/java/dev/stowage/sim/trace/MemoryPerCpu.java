package dev.stowage.sim.trace;

import dev.stowage.core.model.ResourceWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What memory in a wrong unit looks like: hardly any, or far too much, for each processor. The limits are those between
 * which units are guessed ({@link OwnUnits#isPlausible}).
 */
final class MemoryPerCpu {
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

    private final Kind little = new Kind();
    private final Kind much = new Kind();
    private long all;

    private static final class Kind {
        private long rows;
        private long milli;
        private long mib;
        private String name = "";
    }

    /** A request or a server, and how it is called; empty if it has no name. */
    void add(String name, long milli, long mib) {
        if (milli <= 0 || mib <= 0) {
            return;
        }
        all++;
        double cores = milli / 1000.0;
        if (!OwnUnits.isPlausible(cores, (double) mib, "MiB")) {
            Kind kind = mib < cores * OwnUnits.MOST_MIB_PER_CPU ? little : much;
            if (kind.rows++ == 0) {
                kind.milli = milli;
                kind.mib = mib;
                kind.name = name;
            }
        }
    }

    /**
     * Warnings, at most one for each direction.
     *
     * @param what things are called that were added
     * @param seldom whether so little is a mistake even where not most have it
     * @param option that names columns
     * @param column of the memory
     * @param unit in which it was read; one after a value takes precedence
     */
    List<String> warnings(String what, boolean seldom, String option, String column, String unit) {
        List<String> found = new ArrayList<>();
        if (little.rows > 0 && (seldom || 2 * little.rows > all)) {
            found.add(text(little, "less than 64 MiB", what, option, column, unit));
        }
        if (much.rows > 0) {
            found.add(text(much, "more than 256 GiB", what, option, column, unit));
        }
        return found;
    }

    private String text(Kind kind, String amount, String what, String option, String column, String unit) {
        String meant = UNITS.stream()
                .filter(each -> OwnUnits.isPlausible(kind.milli / 1000.0, asRead(kind.mib, unit), each))
                .reduce((one, other) -> kind == little ? one : other)
                .orElse("");
        return String.format(
                Locale.ROOT,
                "%,d of %,d %s %s %s of memory for each CPU, the first %s%s / %s: %s",
                kind.rows,
                all,
                what,
                kind.rows == 1 ? "has" : "have",
                amount,
                kind.name.isEmpty() ? "" : kind.name + ", ",
                ResourceWords.amount("cpu_milli", kind.milli),
                ResourceWords.amount("mem_mib", kind.mib),
                meant.isEmpty() || 2 * kind.rows < all
                        ? "is the unit right there? One after the value takes precedence, as in 16 GiB"
                        : "if column " + column + " is in " + meant + ", say so with " + option + " \"mem=" + column
                                + ":" + meant + "\"");
    }

    private static double asRead(long mib, String unit) {
        OwnUnits.Unit its = OwnUnits.unit("mem", unit.isEmpty() ? "MiB" : unit);
        return (double) mib * its.divisor() / its.factor();
    }
}

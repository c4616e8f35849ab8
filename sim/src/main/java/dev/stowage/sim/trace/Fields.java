package dev.stowage.sim.trace;

import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Typed access to the fields of the current row; a field that cannot be read throws {@link BadRow}. Columns are numbers
 * from {@link Layout}.
 */
final class Fields {
    private static final String ALLOWED = "a finite number of at least 0";
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Rows rows;
    private final Layout layout;
    private final ReportBuilder report;
    private final DecimalParser parser = new DecimalParser();
    private final double[] worstRounding;

    Fields(Rows rows, Layout layout, ReportBuilder report) {
        this.rows = rows;
        this.layout = layout;
        this.report = report;
        this.worstRounding = new double[layout.columns().size()];
    }

    void checkFieldCount() {
        int expected = layout.columns().size();
        if (rows.fieldCount() != expected) {
            throw new BadRow(
                    "",
                    "a row of " + rows.fieldCount() + " fields",
                    "has too " + (rows.fieldCount() > expected ? "many" : "few") + " fields",
                    expected + " fields");
        }
    }

    /** Leaves the current row out by a rule of the format; the caller must not use it afterwards. */
    void setAside(String reason) {
        report.setAside(reason, 1, 1);
    }

    /** Whether nothing is there; so it is in a column that the source does not have, whose number is negative. */
    boolean blank(int column) {
        return column < 0 || rows.blank(column);
    }

    /** The text of a column; null if it is blank. */
    @Nullable
    String textIfAny(int column) {
        return blank(column) ? null : text(column);
    }

    /** Whether there are columns, and nothing in any of them. */
    boolean areBlank(List<Integer> columns) {
        for (int column : columns) {
            if (!rows.blank(column)) {
                return false;
            }
        }
        return !columns.isEmpty();
    }

    String text(int column) {
        return rows.field(column);
    }

    /** Whether a field has nothing but a number of at least 0, whatever marks in other fields mean. */
    boolean isNumber(int column) {
        return rows.decimals(column) != Rows.TEXT && rows.digits() >= 0;
    }

    /** Seconds as nanoseconds; digits below a nanosecond are cut off. */
    long seconds(int column) {
        return parse(column, NANOS_PER_SECOND, RoundingMode.FLOOR);
    }

    /** A time in units of {@code nanosPerUnit} as nanoseconds. */
    long time(int column, long nanosPerUnit) {
        return parse(column, nanosPerUnit, RoundingMode.FLOOR);
    }

    /** A time in units of {@code nanosPerUnit}, written as {@code text}, as nanoseconds. */
    long time(int column, String text, long nanosPerUnit) {
        return parse(column, text, nanosPerUnit, RoundingMode.FLOOR);
    }

    /** A demand, written as {@code text}, times a factor over a divisor, rounded up to a whole number. */
    long demand(int column, String text, long factor, long divisor) {
        return over(column, parse(column, text, factor, RoundingMode.CEILING), divisor);
    }

    /** A demand times a factor over a divisor, rounded up to a whole number. */
    long demand(int column, long factor, long divisor) {
        return over(column, parse(column, factor, RoundingMode.CEILING), divisor);
    }

    private long over(int column, long times, long divisor) {
        if (divisor == 1) {
            noteRounding(column);
            return times;
        }
        long value = times / divisor + (times % divisor == 0 ? 0 : 1);
        double error = times == 0 ? 0 : ((double) value * divisor - times) / times;
        if (error > worstRounding[column]) {
            worstRounding[column] = error;
            report.rounded(layout.columns().get(column), error);
        }
        return value;
    }

    /** A demand times a factor, rounded up to a whole number. */
    long demand(int column, long factor) {
        return rounded(column, factor, RoundingMode.CEILING);
    }

    /** A capacity, written as {@code text}, times a factor over a divisor, rounded down to a whole number. */
    long capacity(int column, String text, long factor, long divisor) {
        long times = parse(column, text, factor, RoundingMode.FLOOR);
        noteRounding(column);
        return times / divisor;
    }

    /** A capacity times a factor, rounded down to a whole number. */
    long capacity(int column, long factor) {
        return rounded(column, factor, RoundingMode.FLOOR);
    }

    private long rounded(int column, long factor, RoundingMode mode) {
        long value = parse(column, factor, mode);
        noteRounding(column);
        return value;
    }

    private void noteRounding(int column) {
        if (parser.relativeError() > worstRounding[column]) {
            worstRounding[column] = parser.relativeError();
            report.rounded(layout.columns().get(column), parser.relativeError());
        }
    }

    /** A whole number. */
    long whole(int column) {
        long value = parse(column, 1, RoundingMode.FLOOR);
        if (parser.relativeError() != 0) {
            throw bad(column, "is not whole", "a whole number of at least 0");
        }
        return value;
    }

    private long parse(int column, long factor, RoundingMode mode) {
        int decimals = rows.decimals(column);
        return decimals != Rows.TEXT && parser.scaled(rows.digits(), decimals, factor, mode)
                ? parser.value()
                : parse(column, text(column), factor, mode);
    }

    private long parse(int column, String text, long factor, RoundingMode mode) {
        String problem = parser.parse(text, factor, mode);
        if (problem != null) {
            throw bad(column, text.isBlank() ? "is missing" : problem, ALLOWED);
        }
        return parser.value();
    }

    /** The time from {@code from} to {@code to}; both nanoseconds, {@code column} holds the end. */
    long span(long from, long to, int column) {
        if (to < from) {
            throw bad(column, "is before the start", "an end at or after the start");
        }
        return to - from;
    }

    /** The problem of a field, to be thrown. */
    BadRow bad(int column, String reason, String allowed) {
        return new BadRow(layout.columns().get(column), text(column), reason, allowed);
    }

    /** Product of whole numbers that must stay in range; {@code column} is named if it does not. */
    long times(long a, long b, int column) {
        if (a != 0 && (Math.multiplyHigh(a, b) != 0 || a * b < 0)) {
            throw bad(column, DecimalParser.TOO_LARGE, "a product below 2^63");
        }
        return a * b;
    }

    List<String> columns() {
        return layout.columns();
    }
}

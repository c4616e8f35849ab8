package dev.stowage.sim.trace;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Dates with day and month before the year, in the order that the values of all columns tell: a number above 12 is a
 * day, and between points the day comes first. And dates in a pattern that the user gives.
 */
final class OwnDates {
    private static final Pattern YEAR_LAST = Pattern.compile("(\\d{1,2})([./-])(\\d{1,2})\\2(\\d{4}|\\d{2})"
            + "(?:[ ,T]+(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d+)?)?(?:\\s*([AaPp])\\.?[Mm]\\.?)?)?");
    private static final int MONTHS = 12;

    private enum Order {
        DAY_FIRST,
        MONTH_FIRST,
        /** Every value may be read either way. */
        OPEN
    }

    private final Order order;

    /** As the values in these columns tell, and the patterns that the user gives for others of them. */
    OwnDates(OwnValues values, List<Integer> columns, List<String> patterns) {
        boolean first = patterns.stream().anyMatch(pattern -> pattern.startsWith("d"));
        boolean second = patterns.stream().anyMatch(pattern -> pattern.startsWith("M"));
        for (int column : columns) {
            for (String text : values.texts(column)) {
                Matcher parts = YEAR_LAST.matcher(text);
                if (parts.matches()) {
                    first |= ".".equals(parts.group(2)) || number(parts, 1) > MONTHS;
                    second |= number(parts, 3) > MONTHS;
                }
            }
        }
        order = first ? Order.DAY_FIRST : second ? Order.MONTH_FIRST : Order.OPEN;
    }

    private static int number(Matcher parts, int group) {
        return Integer.parseInt(String.valueOf(parts.group(group)));
    }

    /** The date in the current row, if it is one of these; null if it is not. */
    @Nullable
    LocalDateTime of(Fields row, int column, String text) {
        Matcher parts = YEAR_LAST.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        if (order == Order.OPEN && number(parts, 1) != number(parts, 3)) {
            String name = row.columns().get(column);
            String mark = String.valueOf(parts.group(2));
            String time = parts.group(5) == null ? "" : " HH:mm" + (parts.group(7) == null ? "" : ":ss");
            throw new TraceException("column '" + name + "': '" + text + "' may be " + date(parts, true) + " or "
                    + date(parts, false) + " (year-month-day), and no value shows which: give --columns \"MEANING="
                    + name
                    + ":dd" + mark + "MM" + mark + "yyyy" + time + "\" or \"...:MM" + mark + "dd" + mark + "yyyy" + time
                    + "\", where MEANING is what the column holds, such as arrival");
        }
        try {
            int hour = parts.group(5) == null ? 0 : number(parts, 5);
            String half = parts.group(8);
            if (half != null) {
                hour = hour % MONTHS + (half.equalsIgnoreCase("p") ? MONTHS : 0);
            }
            return date(parts, order == Order.DAY_FIRST)
                    .atTime(
                            hour,
                            parts.group(6) == null ? 0 : number(parts, 6),
                            parts.group(7) == null ? 0 : number(parts, 7));
        } catch (DateTimeException e) {
            throw row.bad(
                    column,
                    "is not a date",
                    order == Order.DAY_FIRST
                            ? "day, month, year, as other values are"
                            : "month, day, year, as other values are");
        }
    }

    private static LocalDate date(Matcher parts, boolean dayFirst) {
        int year = number(parts, 4);
        return LocalDate.of(
                year < 100 ? 2000 + year : year, number(parts, dayFirst ? 3 : 1), number(parts, dayFirst ? 1 : 3));
    }

    /** The formatter of a pattern such as {@code dd.MM.yyyy HH:mm}; digits may be fewer than its letters. */
    static DateTimeFormatter formatter(String pattern) {
        try {
            return new DateTimeFormatterBuilder()
                    .parseCaseInsensitive()
                    .parseLenient()
                    .appendPattern(pattern.replace("yy", "uu"))
                    .toFormatter(Locale.ENGLISH)
                    .withResolverStyle(ResolverStyle.SMART);
        } catch (IllegalArgumentException e) {
            throw new TraceException(
                    "'" + pattern + "' is not a date pattern such as dd.MM.yyyy HH:mm: " + e.getMessage(), e);
        }
    }

    /** The date that a formatter reads, without a zone taken as UTC. */
    static OffsetDateTime read(DateTimeFormatter formatter, String text) {
        TemporalAccessor read = formatter.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
        return read instanceof OffsetDateTime whole
                ? whole
                : (read instanceof LocalDateTime time ? time : ((LocalDate) read).atStartOfDay())
                        .atOffset(ZoneOffset.UTC);
    }
}

package dev.stowage.sim.trace;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Dates with day and month before the year, in the order that the values of all columns tell: a number above 12 is a
 * day, and between points the day comes first. And dates in a pattern that the user gives, or in one of many forms that
 * can be read in one way only.
 */
final class OwnDates {
    private static final Pattern YEAR_LAST = Pattern.compile("(\\d{1,2})([./-])(\\d{1,2})\\2(\\d{4}|\\d{2})"
            + "(?:[ ,T]+(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d+)?)?(?:\\s*([AaPp])\\.?[Mm]\\.?)?)?");
    private static final String CLOCK = "(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2}(?:\\.\\d{1,9})?))?";
    private static final String TIME = "(?:[ ,T-]+" + CLOCK + "(?: ?(?<half>[AaPp])\\.?[Mm]\\.?)?"
            + "(?: ?(?<zone>Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?)(?: [A-Z]{3,4})?)?)?";
    /** Forms that can be read in one way only: with the year first, or with the month's name in English. */
    private static final List<Pattern> CLEAR = List.of(
            Pattern.compile("(?<year>\\d{4})([-/])(?<month>\\d{1,2})\\2(?<day>\\d{1,2})" + TIME),
            Pattern.compile(
                    "(?:[A-Za-z]{3,9}, )?(?<day>\\d{1,2})[ -](?<month>[A-Za-z]{3,9})[ -](?<year>\\d{4})" + TIME),
            Pattern.compile("(?:[A-Za-z]{3,9},? )?(?<month>[A-Za-z]{3,9}) +(?<day>\\d{1,2}),? (?<year>\\d{4})" + TIME),
            Pattern.compile("[A-Z][a-z]{2} (?<month>[A-Za-z]{3}) +(?<day>\\d{1,2}) " + CLOCK
                    + "(?<half>)(?: (?<zone>UTC|GMT))? (?<year>\\d{4})"));

    private static final Pattern YEAR_FIRST = Pattern.compile("\\d{4}-\\d{2}-\\d{2}.*");
    private static final Pattern COMPACT = Pattern.compile(
            "(\\d{4})(\\d{2})(\\d{2})T(\\d{2})(\\d{2})(\\d{2}(?:\\.\\d{1,9})?)(Z|[+-]\\d{2}(?::?\\d{2})?)?");
    private static final String NAMES = "janfebmaraprmayjunjulaugsepoctnovdec";
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

    /** The same date in the form of ISO 8601, if it can be read in one way only; null if it cannot. */
    static @Nullable String iso(String text) {
        String plain = COMPACT.matcher(text).replaceFirst("$1-$2-$3T$4:$5:$6$7");
        for (Pattern form : CLEAR) {
            Matcher its = form.matcher(plain);
            int month = its.matches() ? month(String.valueOf(its.group("month"))) : 0;
            if (month > 0) {
                String date = String.format(
                        Locale.ROOT, "%s-%02d-%02d", its.group("year"), month, Integer.parseInt(its.group("day")));
                return its.group("hour") == null ? date : date + time(its);
            }
        }
        return null;
    }

    /** Whether these are other dates, one for each and none before it, year first or with the month's name. */
    static boolean areLater(List<String> texts, List<String> others) {
        return texts.size() == others.size()
                && !texts.equals(others)
                && IntStream.range(0, texts.size()).allMatch(i -> {
                    String later = sortable(texts.get(i));
                    String earlier = sortable(others.get(i));
                    return !later.isEmpty() && !earlier.isEmpty() && later.compareTo(earlier) >= 0;
                });
    }

    /** Whether this is such a date. */
    static boolean isClear(String text) {
        return !sortable(text).isEmpty();
    }

    private static String sortable(String text) {
        String iso =
                Objects.requireNonNullElse(iso(text), text).replace(' ', 'T').replace('/', '-');
        return YEAR_FIRST.matcher(iso).matches() ? iso : "";
    }

    private static String time(Matcher its) {
        int hour = Integer.parseInt(its.group("hour"));
        String half = String.valueOf(its.group("half")).toLowerCase(Locale.ROOT);
        if (half.equals("a") || half.equals("p")) {
            hour = hour % MONTHS + (half.equals("p") ? MONTHS : 0);
        }
        String second = its.group("second");
        String zone = its.group("zone");
        return String.format(
                Locale.ROOT, "T%02d:%s:%s%s", hour, its.group("minute"), second == null ? "00" : second, offset(zone));
    }

    private static String offset(@Nullable String zone) {
        return zone == null ? "" : zone.matches("[A-Z]+") ? "Z" : zone.replaceFirst("(\\d{2})(\\d{2})$", "$1:$2");
    }

    /** A month's number, from its number or its English name, whole or three letters; 0 if it is none. */
    private static int month(String text) {
        if (Character.isDigit(text.charAt(0))) {
            return Integer.parseInt(text);
        }
        String name = text.toLowerCase(Locale.ROOT);
        int at = NAMES.indexOf(name.substring(0, 3));
        int month = at % 3 == 0 ? at / 3 + 1 : 0;
        return month > 0
                        && (name.length() == 3
                                || name.equals("sept")
                                || fullName(month).equals(name))
                ? month
                : 0;
    }

    private static String fullName(int month) {
        return Month.of(month).name().toLowerCase(Locale.ROOT);
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

package dev.stowage.sim.trace;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the points in time, or the durations, of a column: numbers in a unit, dates, days since 1900 as spreadsheets
 * count them, {@code 1-03:03:04}. The first rows show which.
 */
final class OwnClock {
    /** In place of a unit: no value was read. */
    static final String UNREAD = "not read";
    /** Digits on both sides of what stands between the parts of a date or a time. */
    private static final Pattern OTHER_DATE = Pattern.compile(".*\\d[-/: ].*\\d.*");

    private static final Pattern HOURS =
            Pattern.compile("(?:(\\d{1,6})(?:-|\\.| days?,? ))?(\\d{1,6}):(\\d{2}):(\\d{2}(?:\\.\\d+)?)");
    private static final Pattern TWO_PARTS = Pattern.compile("(\\d{1,6}):(\\d{2})");
    /** Part of a length of time: of ISO 8601's {@code P1DT2H} without P and T, of {@code 1 day, 2 hours}. */
    private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?) ?([A-Za-zµ]+),? ?(?:and )?");

    private static final Pattern PARTS = Pattern.compile("(?:" + PART.pattern() + "){1,5}");
    private static final Pattern YEAR_FIRST = Pattern.compile("\\d{4}([-/])\\d{1,2}\\1\\d{1,2}.*");
    private static final Pattern NAMED_ZONE = Pattern.compile(".*\\d:\\d{2}(\\.\\d+)? ?(?!AM|PM)[A-Z]{2,5}( \\d{4})?");
    /** With a time of day to the minute: seconds have no four decimals. */
    private static final Pattern FINE = Pattern.compile("\\d+[.,]\\d{4,}");

    private static final DateTimeFormatter DATE = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart()
            .appendLiteral('T')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .optionalStart()
            .parseLenient()
            .appendOffset("+HH:mm", "Z")
            .optionalEnd()
            .optionalEnd()
            .toFormatter(Locale.ROOT);
    private static final String ALLOWED = "a number of at least 0, or a date such as 2026-05-01T12:00:00Z";
    private static final String LENGTHS = "a number of at least 0, with or without a unit, as 90 min, or a length"
            + " such as 1 h 30 min, 01:30:00, PT1H30M, or a date such as 2026-05-01T12:00:00Z";
    private static final long NANOS = 1_000_000_000L;
    private static final long DAY = 86_400 * NANOS;
    /** From 1899-12-30 to 1970, and the days of 2000 and 2100. */
    private static final long DAYS_TO_1970 = 25_569;

    private static final double FIRST_DAY = 36_526;
    private static final double LAST_DAY = 73_050;

    private final OwnValues values;
    private final OwnDates ordered;
    private final @Nullable DateTimeFormatter pattern;
    private final String meaning;
    private final int column;
    private final boolean lasts;
    private final boolean serial;
    private final String unit;
    private boolean dates;
    private boolean hours;
    private boolean inParts;
    /** Whether a number was seen, with or without a unit. */
    private boolean isNumber;

    private boolean zoneAssumed;
    /** Whether dates were seen that are only nearly ISO 8601's. */
    private boolean otherForm;

    /** Nanoseconds of one where a plain number is of the column's unit; 0 where each value must be looked at. */
    private final long nanosOfOne;

    OwnClock(String meaning, int column, String unit, OwnValues values, OwnDates ordered) {
        this.ordered = ordered;
        pattern = OwnUnits.isPattern(unit) ? OwnDates.formatter(unit) : null;
        this.values = values;
        this.meaning = meaning;
        this.column = column;
        lasts = meaning.equals("duration") || meaning.equals("max_wait") || meaning.equals("expected");
        double usual = values.usual(column);
        serial = !lasts && isSerial(unit, column, values);
        this.unit = unit.isEmpty() ? OwnUnits.usual(meaning, usual) : unit;
        nanosOfOne = !serial && OwnUnits.known(meaning, this.unit)
                ? OwnUnits.unit(meaning, this.unit).factor()
                : 0;
    }

    /** Whether the numbers are days as spreadsheets count them, with a time of day. */
    static boolean isSerial(String unit, int column, OwnValues values) {
        return mayBeSerial(unit, column, values)
                && values.texts(column).stream()
                        .anyMatch(text -> FINE.matcher(text).matches());
    }

    /** Whether the numbers may be such days: they are of this century. */
    static boolean mayBeSerial(String unit, int column, OwnValues values) {
        double usual = values.usual(column);
        return unit.isEmpty() && usual >= FIRST_DAY && usual <= LAST_DAY;
    }

    /** The time in the current row, nanoseconds: since 1970, or since whatever the numbers count from. */
    long nanos(Fields row) {
        if (nanosOfOne > 0 && !dates && values.isPlain(row, column)) {
            long nanos = row.time(column, nanosOfOne);
            isNumber = true;
            return nanos;
        }
        String text = row.text(column).strip();
        if (pattern != null) {
            return patterned(row, text, pattern);
        }
        if (!OwnValues.isNumber(text)) {
            LocalDateTime yearLast = lasts ? null : ordered.of(row, column, text);
            if (yearLast != null) {
                zoneAssumed = true;
                return since1970(row, yearLast.atOffset(ZoneOffset.UTC));
            }
            Matcher parts = HOURS.matcher(text);
            if (dates || !(hours || inParts || isNumber)) {
                String iso = lasts || YEAR_FIRST.matcher(text).matches() ? text : OwnDates.iso(text);
                if (iso != null && YEAR_FIRST.matcher(iso).matches()) {
                    return date(row, iso);
                }
            }
            if (parts.matches()) {
                return hours(row, parts);
            }
            if (lasts) {
                long whole = inParts(row, text);
                if (whole >= 0) {
                    return whole;
                }
            }
            if (NAMED_ZONE.matcher(text).matches()) {
                throw zone(row);
            }
            if (OTHER_DATE.matcher(text).matches()) {
                throw row.bad(column, "is neither a number nor a date in the expected form", lasts ? LENGTHS : ALLOWED);
            }
        }
        if (dates && !serial) {
            throw row.bad(column, "is not a date", ALLOWED);
        }
        OwnValues.Value value = values.of(row, column);
        if (serial) {
            dates = true;
            long since = row.time(column, value.number(), DAY) - DAYS_TO_1970 * DAY;
            if (since < 0) {
                throw row.bad(column, "is before 1970", "days since 1899-12-30, as spreadsheets count them");
            }
            return since;
        }
        String its = value.unit().isEmpty() ? unit : OwnUnits.after(meaning, value.unit());
        if (its.isEmpty()) {
            throw values.unknownUnit(row, column);
        }
        long nanos =
                row.time(column, value.number(), OwnUnits.unit(meaning, its).factor());
        isNumber = true;
        return nanos;
    }

    private long hours(Fields row, Matcher parts) {
        if (!lasts) {
            throw row.bad(column, "is neither a number nor a date in the expected form: a time of day", ALLOWED);
        }
        hours = true;
        String days = parts.group(1);
        long whole = (days == null ? 0 : 24 * Long.parseLong(days)) + Long.parseLong(parts.group(2));
        long minutes = 60 * whole + Long.parseLong(parts.group(3));
        return Math.addExact(
                Math.multiplyExact(minutes, 60 * NANOS), row.time(column, String.valueOf(parts.group(4)), NANOS));
    }

    /** A length of time whose parts have units, the largest first; -1 if it is none. */
    private long inParts(Fields row, String text) {
        Matcher two = TWO_PARTS.matcher(text);
        if (two.matches() && ColumnNames.words(row.columns().get(column), "_").matches(".*_h+_m+")) {
            hours = true;
            return row.time(column, String.valueOf(two.group(1)), 3600 * NANOS)
                    + row.time(column, String.valueOf(two.group(2)), 60 * NANOS);
        }
        if (two.matches()) {
            throw row.bad(column, "may be hours:minutes or minutes:seconds", "hours:minutes:seconds, as 00:02:30");
        }
        String plain = withoutMarks(text);
        // One number with a unit may have marks between thousands, which those who read numbers know.
        boolean isNumber = plain.equals(text) && PART.matcher(plain).matches();
        if (isNumber || !PARTS.matcher(plain).matches()) {
            return -1;
        }
        Matcher part = PART.matcher(plain);
        long sum = 0;
        long before = Long.MAX_VALUE;
        while (part.find()) {
            String its = OwnUnits.after(meaning, unitAsWritten(part));
            long factor = its.isEmpty() ? before : OwnUnits.unit(meaning, its).factor();
            if (factor >= before) {
                return -1;
            }
            before = factor;
            sum = Math.addExact(sum, row.time(column, String.valueOf(part.group(1)), factor));
        }
        inParts = true;
        return sum;
    }

    /** ISO 8601 puts P before a length of time, and T before its hours, minutes and seconds. */
    private static String withoutMarks(String text) {
        return text.matches("P(?=.)[0-9.]*D?(T(?=.)[0-9.HMS]+)?")
                ? text.substring(1).replace("T", "")
                : text;
    }

    /** ISO 8601's letters are capitals. */
    private static String unitAsWritten(Matcher part) {
        return String.valueOf(part.group(2)).toLowerCase(Locale.ROOT);
    }

    /** Whether a text says how long something lasts: {@code 1-03:03:04}, {@code PT1H5M}, {@code 1 h 5 min}. */
    static boolean isLength(String text) {
        return HOURS.matcher(text).matches()
                || (PARTS.matcher(withoutMarks(text)).matches()
                        && PART.matcher(withoutMarks(text))
                                .results()
                                .noneMatch(part -> OwnUnits.after(
                                                "duration", part.group(2).toLowerCase(Locale.ROOT))
                                        .isEmpty()));
    }

    private long date(Fields row, String text) {
        dates = true;
        String other = otherForm ? OwnDates.iso(text) : null;
        String iso = other == null ? text.replace(" UTC", "Z").replace(' ', 'T').replace('/', '-') : other;
        try {
            TemporalAccessor read = DATE.parseBest(iso, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
            OffsetDateTime at;
            if (read instanceof OffsetDateTime whole) {
                at = whole;
            } else {
                zoneAssumed = true;
                LocalDateTime local = read instanceof LocalDateTime time ? time : ((LocalDate) read).atStartOfDay();
                at = local.atOffset(ZoneOffset.UTC);
            }
            return since1970(row, at);
        } catch (DateTimeException e) {
            if (!otherForm && OwnDates.iso(text) != null) {
                otherForm = true;
                return date(row, text);
            }
            throw NAMED_ZONE.matcher(text).matches() ? zone(row) : row.bad(column, "is not a date", ALLOWED);
        }
    }

    private BadRow zone(Fields row) {
        return row.bad(
                column, "has a time zone that is not known", "an offset in its place, such as +02:00, or UTC or GMT");
    }

    private long patterned(Fields row, String text, DateTimeFormatter its) {
        try {
            zoneAssumed = true;
            return since1970(row, OwnDates.read(its, text));
        } catch (DateTimeException e) {
            throw row.bad(column, "is not a date", "dates as " + unit);
        }
    }

    private long since1970(Fields row, OffsetDateTime at) {
        dates = true;
        long seconds = at.toEpochSecond();
        if (seconds < 0 || seconds > Long.MAX_VALUE / NANOS) {
            throw row.bad(column, "is before 1970 or after 2262", ALLOWED);
        }
        return seconds * NANOS + at.getNano();
    }

    /** How it reads: {@code dates, taken as UTC}. */
    String how() {
        if (serial || dates) {
            String form = serial ? "days since 1899-12-30" : "dates";
            return form + (serial || zoneAssumed ? ", taken as UTC" : "");
        }
        if (!hours && !inParts) {
            return isNumber ? unit : UNREAD;
        }
        return (isNumber ? unit + " or " : "") + (hours ? "[days-]hours:minutes:seconds" : "parts with units");
    }

    boolean readsDates() {
        return dates;
    }
}

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
import java.util.regex.Pattern;

/** Reads the points in time of a column: numbers in a unit, or dates. The first value shows which. */
final class OwnClock {
    /** In place of a unit: no value was read. */
    static final String UNREAD = "not read";
    /** Digits on both sides of what stands between the parts of a date or a time. */
    private static final Pattern OTHER_DATE = Pattern.compile(".*\\d[-/: ].*\\d.*");

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
    private static final long NANOS = 1_000_000_000L;

    private final String meaning;
    private final int column;
    private String unit;
    private boolean dates;
    private boolean zoneAssumed;

    OwnClock(String meaning, int column, String unit) {
        this.meaning = meaning;
        this.column = column;
        this.unit = unit;
    }

    /** The time in the current row, nanoseconds: since 1970, or since whatever the numbers count from. */
    long nanos(Fields row) {
        String text = row.text(column).strip();
        if (dates || (unit.isEmpty() && looksLikeDate(text))) {
            dates = true;
            return date(row, text);
        }
        if (unit.isEmpty()) {
            if (OTHER_DATE.matcher(text).matches()) {
                throw row.bad(column, "is no number, nor a date in the form that is read", ALLOWED);
            }
            unit = OwnUnits.usual(meaning, row.number(column));
        }
        return row.time(column, OwnUnits.unit(meaning, unit).factor());
    }

    private static boolean looksLikeDate(String text) {
        return text.length() >= 8 && text.indexOf('-') == 4;
    }

    private long date(Fields row, String text) {
        String iso = text.replace(" UTC", "Z").replace(' ', 'T');
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
            long seconds = at.toEpochSecond();
            if (seconds < 0 || seconds > Long.MAX_VALUE / NANOS) {
                throw row.bad(column, "is before 1970 or after 2262", ALLOWED);
            }
            return seconds * NANOS + at.getNano();
        } catch (DateTimeException e) {
            throw row.bad(column, "is not a date", ALLOWED);
        }
    }

    /** How it reads: {@code dates, taken as UTC}. */
    String how() {
        return dates ? zoneAssumed ? "dates, taken as UTC" : "dates" : unit.isEmpty() ? UNREAD : unit;
    }

    boolean readsDates() {
        return dates;
    }
}

package dev.stowage.kube.consolidate;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Hours of some days of the week, as in {@code "Mon-Fri 22:00-06:00 Europe/Berlin"}. Hours that pass midnight belong to
 * the day on which they begin.
 */
public final class OffPeak {
    private static final Pattern FORM =
            Pattern.compile("(?:([A-Za-z,-]+) +)?(\\d\\d?:\\d\\d)-(\\d\\d?:\\d\\d)(?: +([A-Za-z0-9_+/:-]+))?");
    private static final int WEEK = 7;

    private final Set<DayOfWeek> days;
    private final LocalTime from;
    private final LocalTime until;
    private final ZoneId zone;

    private OffPeak(Set<DayOfWeek> days, LocalTime from, LocalTime until, ZoneId zone) {
        this.days = days;
        this.from = from;
        this.until = until;
        this.zone = zone;
    }

    /**
     * Reads hours: days (all if left out), from, until (24:00 or the same as from: a whole day), time zone (UTC if left
     * out).
     *
     * @throws IllegalArgumentException if the text is not such
     */
    public static OffPeak parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "must be hours such as \"22:00-06:00\" or" + " \"Mon-Fri 22:00-06:00 Europe/Berlin\"");
        }
        try {
            return new OffPeak(
                    days(parts.group(1)),
                    time(parts.group(2)),
                    time(parts.group(3)),
                    parts.group(4) == null ? ZoneId.of("UTC") : ZoneId.of(parts.group(4)));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("has the time '" + e.getParsedString() + "', must be 0:00 to 24:00", e);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "has the zone '" + parts.group(4) + "', must be one such as Europe/Berlin or UTC", e);
        }
    }

    private static LocalTime time(String text) {
        return text.equals("24:00") ? LocalTime.MIDNIGHT : LocalTime.parse(text.length() == 4 ? "0" + text : text);
    }

    private static Set<DayOfWeek> days(String text) {
        EnumSet<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        if (text == null) {
            return EnumSet.allOf(DayOfWeek.class);
        }
        for (String part : text.split(",", -1)) {
            String[] ends = part.split("-", -1);
            DayOfWeek day = day(ends[0]);
            DayOfWeek last = day(ends[ends.length - 1]);
            days.add(day);
            while (day != last) {
                day = day.plus(1);
                days.add(day);
            }
        }
        return days;
    }

    private static DayOfWeek day(String text) {
        for (DayOfWeek day : DayOfWeek.values()) {
            if (text.length() >= 3 && day.name().startsWith(text.toUpperCase(Locale.ROOT))) {
                return day;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not a day: Mon, Tue, Wed, Thu, Fri, Sat or Sun");
    }

    /** Whether a moment is within these hours. */
    public boolean contains(Instant now) {
        LocalDate today = now.atZone(zone).toLocalDate();
        return IntStream.rangeClosed(0, 1)
                .mapToObj(today::minusDays)
                .filter(day -> days.contains(day.getDayOfWeek()))
                .anyMatch(day -> !now.isBefore(start(day).toInstant()) && now.isBefore(end(day).toInstant()));
    }

    /** When these hours begin next, after a moment. */
    public ZonedDateTime next(Instant now) {
        LocalDate today = now.atZone(zone).toLocalDate();
        return IntStream.rangeClosed(0, WEEK)
                .mapToObj(today::plusDays)
                .filter(day -> days.contains(day.getDayOfWeek()))
                .map(this::start)
                .filter(start -> start.toInstant().isAfter(now))
                .findFirst()
                .orElseThrow();
    }

    private ZonedDateTime start(LocalDate day) {
        return day.atTime(from).atZone(zone);
    }

    private ZonedDateTime end(LocalDate day) {
        return (until.isAfter(from) ? day : day.plusDays(1)).atTime(until).atZone(zone);
    }
}

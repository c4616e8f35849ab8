package dev.stowage.kube.consolidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Hours of the week, by the calendar of 2026: 1 June is a Monday, clocks change on 29 March and 25 October. */
final class OffPeakTest {
    private static boolean in(String hours, String instant) {
        return OffPeak.parse(hours).contains(Instant.parse(instant));
    }

    @Test
    void theBeginBelongsToItAndTheEndDoesNot() {
        assertThat(in("1:00-02:30", "2026-06-01T01:00:00Z")).isTrue();
        assertThat(in("1:00-02:30", "2026-06-01T02:29:59Z")).isTrue();
        assertThat(in("1:00-02:30", "2026-06-01T02:30:00Z")).isFalse();
        assertThat(in("1:00-02:30", "2026-06-01T00:59:59Z")).isFalse();
        assertThat(in("00:00-24:00", "2026-06-01T23:59:59Z")).isTrue();
        assertThat(in("06:00-06:00", "2026-06-01T05:00:00Z")).isTrue();
    }

    @Test
    void pastMidnightIsOfTheDayBefore() {
        String hours = "Mon-Fri 22:00-06:00 Europe/Berlin";
        // Two hours behind in summer.
        assertThat(in(hours, "2026-06-01T19:59:00Z")).isFalse();
        assertThat(in(hours, "2026-06-01T20:00:00Z")).isTrue();
        assertThat(in(hours, "2026-06-06T03:59:00Z")).as("Saturday morning").isTrue();
        assertThat(in(hours, "2026-06-06T21:00:00Z")).as("Saturday night").isFalse();
        assertThat(in(hours, "2026-06-01T03:00:00Z")).as("Monday morning").isFalse();
        assertThat(in("Sat,Sun 00:00-24:00", "2026-06-07T23:59:00Z")).isTrue();
        assertThat(in("Sat-Mon 10:00-11:00", "2026-06-01T10:30:00Z")).isTrue();
        assertThat(in("Sat-Mon 10:00-11:00", "2026-06-02T10:30:00Z")).isFalse();
    }

    @Test
    void clocksThatChangeAreFollowed() {
        // One hour behind in winter: 22:00 is 21:00 UTC, 6:00 after the night of the change 4:00 UTC.
        assertThat(in("22:00-06:00 Europe/Berlin", "2026-03-28T21:00:00Z")).isTrue();
        assertThat(in("22:00-06:00 Europe/Berlin", "2026-03-29T03:59:00Z")).isTrue();
        assertThat(in("22:00-06:00 Europe/Berlin", "2026-03-29T04:00:00Z")).isFalse();
    }

    @Test
    void theNextBegin() {
        assertThat(OffPeak.parse("Mon-Fri 22:00-06:00 Europe/Berlin").next(Instant.parse("2026-06-05T21:00:00Z")))
                .hasToString("2026-06-08T22:00+02:00[Europe/Berlin]");
        assertThat(OffPeak.parse("Mon 01:00-02:00").next(Instant.parse("2026-06-01T01:00:00Z")))
                .hasToString("2026-06-08T01:00Z[UTC]");
    }

    @Test
    void whatIsNotHoursIsRefused() {
        assertThatThrownBy(() -> OffPeak.parse("at night")).hasMessageContaining("must be hours such as");
        assertThatThrownBy(() -> OffPeak.parse("Xyz 01:00-02:00")).hasMessageContaining("'Xyz' is not a day");
        assertThatThrownBy(() -> OffPeak.parse("25:00-26:00")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> OffPeak.parse("01:00-02:00 Mars/Olympus")).hasMessageContaining("Mars/Olympus");
    }
}

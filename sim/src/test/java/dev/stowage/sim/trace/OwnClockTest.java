package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.sim.result.Remark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long requests ran, as their lists write it. */
class OwnClockTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private LoadedTrace read(String text) throws IOException {
        return TraceReader.read(Files.writeString(directory.resolve("own.csv"), text), ReadOptions.defaults());
    }

    /** ISO 8601, Python, .NET, Go, and as people write them. */
    @Test
    void lengthsInParts() throws IOException {
        Map<String, Double> seconds = Map.ofEntries(
                Map.entry("PT1H5M", 3900.0),
                Map.entry("P2DT0.5S", 172_800.5),
                Map.entry("PT90M", 5400.0),
                Map.entry("1 h 5 min", 3900.0),
                Map.entry("2 days, 3:04:05", 183_845.0),
                Map.entry("1.03:04:05", 97_445.0),
                Map.entry("1h30m2.5s", 5402.5),
                Map.entry("1 day, 2 hours and 3 minutes", 93_780.0),
                Map.entry("3D 4H", 273_600.0),
                Map.entry("45 min", 2700.0));
        for (Map.Entry<String, Double> each : seconds.entrySet()) {
            Trace trace = read("arrival;took;cpu\n0;" + each.getKey() + ";1\n").trace();
            assertThat(trace.durationNanos(0)).as(each.getKey()).isEqualTo(Math.round(each.getValue() * SECOND));
        }
        for (String wrong : List.of("2:30", "5 min 1 h", "1 h 2 h", "P1M", "PT", "1 h 5 parsecs", "PT1H-5M")) {
            assertThatThrownBy(() -> read("arrival;took;cpu\n0;" + wrong + ";1\n"))
                    .as(wrong)
                    .hasMessageContaining(wrong)
                    .hasMessageContaining(wrong.equals("2:30") ? "may be hours:minutes" : "allowed:");
        }
    }

    @Test
    void namesMaySayHowTheirValuesAreWritten() throws IOException {
        for (String name : List.of(
                "Walltime (hh:mm:ss)", "Laufzeit in h", "Duration hh:mm:ss", "Run time (D-HH:MM:SS)", "elapsed [h]")) {
            assertThat(read("arrival;" + name + ";cpu\n0;01:30:00;1\n").trace().durationNanos(0))
                    .as(name)
                    .isEqualTo(5400 * SECOND);
        }
        assertThat(read("arrival;Walltime (hh:mm);cpu\n0;01:30;1\n").trace().durationNanos(0))
                .isEqualTo(5400 * SECOND);
        assertThat(read("arrival;took;cpu\n0;90;1\n1;1 h 30 min;1\n").report().notes())
                .extracting(Remark::toString)
                .anyMatch(note -> note.contains("duration = took in s or parts with units"));
    }

    /** All are 2026-03-01 13:15 in UTC, and none can be another day. */
    @Test
    void datesThatCanBeReadInOneWayOnly() throws IOException {
        for (String date : List.of(
                "2026-03-01T13:15:00Z",
                "2026/3/1 13:15",
                "2026-03-01-13:15:00",
                "2026-03-01T14:15:00.000+0100",
                "2026-03-01 14:15:00.000 +01:00",
                "2026-03-01 14:15:00 +0100 CET",
                "20260301T131500Z",
                "20260301T141500+01",
                "1-Mar-2026 13:15",
                "01 March 2026 1:15 PM",
                "Mar 1, 2026 13:15:00",
                "Sunday, March 1, 2026 1:15:00 p.m.",
                "Sun Mar  1 13:15:00 2026",
                "Sun Mar  1 13:15:00 UTC 2026",
                "Sun, 01 Mar 2026 13:15:00 GMT")) {
            LoadedTrace read = read("id;submitted;duration;cpu\na;" + date + ";60;1\nb;" + date + ";60;1\n");
            assertThat(read.report().notes())
                    .extracting(Remark::toString)
                    .as(date)
                    .contains("rebased: the first arrival, 2026-03-01T13:15:00Z, is time 0");
        }
        Map<String, String> wrong = Map.of(
                "2026-03-01 13:15:00 CET", "has a time zone that is not known",
                "Mar 1, 2026 13:15 CET", "has a time zone that is not known",
                "Sun Mar  1 13:15:00 CET 2026", "has a time zone that is not known",
                "2026-13-01 13:15", "is not a date",
                "32-Mar-2026", "is not a date",
                "Mai 1, 2026 13:15", "is neither a number nor a date");
        wrong.forEach((date, why) -> assertThatThrownBy(() -> read("id;submitted;duration;cpu\na;" + date + ";60;1\n"))
                .as(date)
                .hasMessageContaining(why));
    }

    @Test
    void aColumnThatMayTellAnEndIsNamed() throws IOException {
        String rows = "name;queued at;%s;cpu;mem\na;2026-05-01;1 h 5 min;1;4 GiB\nb;2026-05-02;PT20M;1;4 GiB\n";
        assertThatThrownBy(() -> read(rows.formatted("busy")))
                .hasMessageContaining("column queued at says when each row came, but no column is recognized that says"
                        + " how long it runs or when it ends. Column busy may say how long each row ran, such as 1 h 5 min;"
                        + " then each ends: --columns \"duration=busy\". If all of them run now and none ends (an"
                        + " inventory): --columns \"duration=\"");
        String missing = "ends. Name one: --columns \"duration=COLUMN\", or end=COLUMN. If";
        assertThatThrownBy(() -> read(rows.formatted("Uptime"))).hasMessageContaining(missing);
        // A machine is created once, and runs: no warning.
        LoadedTrace machines = read(rows.formatted("Uptime").replace("queued at", "created"));
        assertThat(warnings(machines)).isEmpty();
        assertThat(machines.report().lines())
                .anyMatch(line -> line.startsWith("column created is not used, because no column is recognized"));
        assertThat(warnings(read(rows.formatted("busy").replace("queued at", "created"))))
                .containsExactly(
                        "warning: column busy may say how long each row ran, such as 1 h 5 min; then each ends:"
                                + " --columns \"duration=busy\"");
        assertThatThrownBy(() -> read(rows.formatted("Storage time"))).hasMessageContaining("Column Storage time");
        String dates = rows.replace("1 h 5 min", "2026-05-01 02:00").replace("PT20M", "2026-05-03");
        assertThatThrownBy(() -> read(dates.formatted("gone")))
                .hasMessageContaining(
                        "Column gone may say when each row ended, such as 2026-05-01 02:00; then each ends:"
                                + " --columns \"end=gone\"");
        assertThatThrownBy(() -> read(dates.replace("2026-05-03", "2026-05-01").formatted("gone")))
                .hasMessageContaining(missing);
        assertThat(warnings(read(dates.replace("queued at", "created").formatted("changed"))))
                .isEmpty();
        assertThatThrownBy(() -> read(rows.formatted("busy").replace("PT20M", "20")))
                .hasMessageContaining(missing);
    }

    @Test
    void anEndIsKnownByTheEndOfItsName() throws IOException {
        String row = "name;queued at;%s;cpu;mem\na;2026-05-01;2026-05-02;1;4 GiB\n";
        for (String name : List.of("finish_ts", "finishedTime", "ended ts", "released_at", "stop_timestamp")) {
            assertThat(read(row.formatted(name)).report().lines())
                    .as(name)
                    .anyMatch(line -> line.contains("end = " + name));
        }
    }

    private static List<String> warnings(LoadedTrace loaded) {
        return loaded.report().lines().stream()
                .filter(line -> line.startsWith("warning"))
                .toList();
    }

    /** A few without a duration were more likely not recorded than still running. */
    @Test
    void someRowsWithoutADurationAreAWarning() throws IOException {
        LoadReport some = read("job,submitted_at,runtime,cpu\na,0,10,1\nb,5,,1\nc,6,10,1\n")
                .report();
        assertThat(LoadReport.warnings(some.notes()))
                .extracting(Remark::toString)
                .contains(
                        "warning: 1 request has no runtime (33.3 %) and is taken to run to the end of the run, which makes about 14 % of the load"
                                + " (CPU until the last arrival). Where one has ended, fill in its runtime or remove its row");
        assertThat(some.notes()).noneMatch(note -> note.toString().contains("still running"));
        assertThat(LoadReport.warnings(
                        read("job,submitted_at,runtime,cpu\na,0,10,1\nb,5,,1\nc,6,,1\nd,7,10,1\ne,8,1,1\n")
                                .report()
                                .notes()))
                .extracting(Remark::toString)
                .contains(
                        "warning: 2 requests have no runtime (40.0 %) and are taken to run to the end of the run, which makes about 36 % of the load"
                                + " (CPU until the last arrival). Where one has ended, fill in its runtime or remove its row");
    }
}

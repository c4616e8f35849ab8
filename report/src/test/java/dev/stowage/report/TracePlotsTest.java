package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceBuilder;
import dev.stowage.sim.trace.TraceStatistics;
import dev.stowage.sim.trace.TraceStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracePlotsTest {
    @TempDir
    Path directory;

    @Test
    void writesEveryPictureTwice() throws IOException {
        List<Path> files = TracePlots.write(TraceSample.stats(), "my trace", directory.resolve("plots"));
        assertThat(files).hasSize(7).allMatch(Files::isRegularFile);
        for (Path svg : files) {
            assertThat(Files.readString(svg)).contains("aria-label=\"my trace: ");
            assertThat(Path.of(svg.toString().replace(".svg", ".png"))).isRegularFile();
        }
    }

    /** The mean of 24,000,000 milli-cores times 0.8 is 19,200 cores. */
    @Test
    void showsResourcesInTheUnitsOfPeople() {
        Figure figure = figure("trace-concurrent-cpu-milli");
        assertThat(figure.title()).isEqualTo("my trace: concurrent cores");
        assertThat(figure.caption()).contains("19,200 on average, 24,000 at the peak");
    }

    @Test
    void durationsOfZeroAreDrawnAtTheLeftEdge() {
        LineFigure figure = (LineFigure) figure("trace-durations");
        assertThat(figure.lines()).hasSize(4);
        double[] x = figure.lines().get(0).x();
        assertThat(x).isSorted();
        assertThat(x[0]).isGreaterThanOrEqualTo(figure.x().min());
        assertThat(figure.caption()).contains("8,000 with unknown end are left out");
    }

    @Test
    void anEmptyTraceHasNoPictures() {
        TraceStats full = TraceSample.stats();
        TraceStats empty = new TraceStats(
                0,
                0,
                0,
                full.arrivals(),
                0,
                List.of(),
                List.of(),
                full.durations(),
                List.of(),
                full.batches(),
                full.bursts());
        assertThat(TracePlots.figures(empty, "empty")).isEmpty();
    }

    /** Twenty minutes have no whole hour; the picture of hours ended in an internal error. */
    @Test
    void aTraceWithoutAWholeHourHasNoPictureOfHours() {
        Trace trace = new TraceBuilder(List.of("slots"))
                .add(0, Trace.UNKNOWN, 1)
                .add(1_200_000_000_000L, Trace.UNKNOWN, 1)
                .add(1_230_000_000_000L, Trace.UNKNOWN, 1)
                .build();
        assertThat(TracePlots.figures(TraceStatistics.of(trace), "short"))
                .extracting(Figure::name)
                .contains("trace-requests-per-hour")
                .doesNotContain("trace-hour-of-day");
    }

    private static Figure figure(String name) {
        return TracePlots.figures(TraceSample.stats(), "my trace").stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}

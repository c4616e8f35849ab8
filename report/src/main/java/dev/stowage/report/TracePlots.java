package dev.stowage.report;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.sim.trace.TraceStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Pictures of a trace: requests per hour, their daily profile, durations of requests, the demand present over time, and
 * the most frequent shapes.
 */
public final class TracePlots {
    private static final int SHAPES_WITH_DURATIONS = 3;
    private static final int MOST_BARS = 10;

    private TracePlots() {}

    /**
     * Draws the trace into the directory, which is created if it is missing: one SVG and one PNG file per picture.
     *
     * @param title name of the trace, shown in every picture
     * @return the SVG files, in the order above
     * @throws java.io.UncheckedIOException if a file cannot be written; the message names it
     * @throws IllegalStateException if this Java runtime has no fonts to draw with
     */
    public static List<Path> write(TraceStats stats, String title, Path directory) {
        String problem = FigureRenderer.problem();
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
        List<Path> files = new ArrayList<>();
        for (Figure figure : figures(stats, title)) {
            ReportWriter.writePicture(figure, directory);
            files.add(directory.resolve(figure.name() + ".svg"));
        }
        return files;
    }

    static List<Figure> figures(TraceStats stats, String title) {
        List<Figure> figures = new ArrayList<>();
        if (stats.requests() == 0) {
            return figures;
        }
        figures.add(perHour(stats, title));
        if (stats.arrivals().hourOfDay().stream().anyMatch(Objects::nonNull)) {
            figures.add(hourOfDay(stats, title));
        }
        Figure durations = durations(stats, title);
        if (durations != null) {
            figures.add(durations);
        }
        FigureNames names = new FigureNames();
        for (TraceStats.Concurrent concurrent : stats.concurrent()) {
            if (!concurrent.points().isEmpty()) {
                figures.add(concurrent(concurrent, title, stats.lastArrivalS(), names));
            }
        }
        if (!stats.shapes().isEmpty()) {
            figures.add(shapes(stats, title));
        }
        return figures;
    }

    private static Figure perHour(TraceStats stats, String title) {
        List<Long> counts = stats.arrivals().perHour();
        TimeAxis time = TimeAxis.covering(counts.size() * 3600.0);
        double[] x = new double[counts.size()];
        double[] y = new double[counts.size()];
        for (int i = 0; i < x.length; i++) {
            x[i] = (i + 0.5) * 3600 / time.secondsPerUnit();
            y[i] = counts.get(i);
        }
        return new LineFigure(
                "trace-requests-per-hour",
                title + ": requests per hour",
                "Arrivals in each hour; " + Numbers.plain(stats.arrivals().meanPerHour()) + " per hour on average.",
                traceTime(time, counts.size() * 3600.0),
                Axis.fromZero("requests per hour", largest(y), Numbers::plain),
                List.of(Line.plain("requests", 0, x, y)),
                List.of(),
                counts.size() == 1);
    }

    private static Figure hourOfDay(TraceStats stats, String title) {
        List<@Nullable Double> means = stats.arrivals().hourOfDay();
        int[] known = IntStream.range(0, means.size())
                .filter(hour -> means.get(hour) != null)
                .toArray();
        double[] x = Arrays.stream(known).asDoubleStream().toArray();
        double[] y = Arrays.stream(known)
                .mapToDouble(hour -> Objects.requireNonNull(means.get(hour)))
                .toArray();
        return new LineFigure(
                "trace-hour-of-day",
                title + ": requests by hour of day",
                "Mean arrivals in each hour of the day, counted from time 0.",
                new Axis("hour of the day, from time 0", false, 0, 23.5, Numbers::plain),
                Axis.fromZero("requests per hour", largest(y), Numbers::plain),
                List.of(Line.plain("requests", 0, x, y)),
                List.of(),
                true);
    }

    private static @Nullable Figure durations(TraceStats stats, String title) {
        List<String> labels = new ArrayList<>();
        List<TraceStats.DurationQuantiles> quantiles = new ArrayList<>();
        addDurations("all requests", stats.durations(), labels, quantiles);
        if (stats.distinctShapes() > 1) {
            stats.shapes().stream()
                    .limit(SHAPES_WITH_DURATIONS)
                    .forEach(shape -> addDurations(shape.name(), shape.durations(), labels, quantiles));
        }
        double longest = quantiles.stream()
                .mapToDouble(TraceStats.DurationQuantiles::maxS)
                .max()
                .orElse(0);
        if (longest <= 0) {
            return null;
        }
        TimeAxis time = TimeAxis.covering(longest);
        // A trace may hold durations of 0, which a logarithmic axis cannot show: six decades are enough.
        double shortest = Math.max(
                longest / 1e6,
                quantiles.stream()
                        .flatMapToDouble(q -> Arrays.stream(seconds(q)))
                        .filter(s -> s > 0)
                        .min()
                        .orElse(longest));
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            lines.add(durationLine(labels.get(i), i, quantiles.get(i), shortest, time));
        }
        long unknown = stats.durations().unknown();
        return new LineFigure(
                "trace-durations",
                title + ": how long requests last",
                "Share of requests that last longer than the time below, at the minimum, the 10th to 99th percentiles"
                        + " and"
                        + " the maximum"
                        + (unknown == 0
                                ? "."
                                : "; " + Numbers.fixed((double) unknown, 0) + " with unknown end are left out."),
                new Axis(
                        "duration (" + time.unit() + ")",
                        true,
                        shortest / 1.5 / time.secondsPerUnit(),
                        longest * 1.5 / time.secondsPerUnit(),
                        Numbers::plain),
                Axis.share("share that lasts longer"),
                lines,
                List.of(),
                true);
    }

    private static void addDurations(
            String label,
            TraceStats.Durations durations,
            List<String> labels,
            List<TraceStats.DurationQuantiles> quantiles) {
        TraceStats.DurationQuantiles known = durations.quantiles();
        if (known != null && !labels.contains(label)) {
            labels.add(label);
            quantiles.add(known);
        }
    }

    private static double[] seconds(TraceStats.DurationQuantiles q) {
        return new double[] {q.minS(), q.p10S(), q.p25S(), q.p50S(), q.p75S(), q.p90S(), q.p95S(), q.p99S(), q.maxS()};
    }

    private static Line durationLine(
            String label, int colour, TraceStats.DurationQuantiles q, double shortest, TimeAxis time) {
        double[] longer = {1, 0.9, 0.75, 0.5, 0.25, 0.1, 0.05, 0.01, 0};
        double[] x = Arrays.stream(seconds(q))
                .map(s -> Math.max(s, shortest) / time.secondsPerUnit())
                .toArray();
        return Line.plain(label, colour, x, longer);
    }

    private static Figure concurrent(
            TraceStats.Concurrent concurrent, String title, double endSeconds, FigureNames names) {
        ResourceWords.Unit unit = ResourceWords.Unit.of(concurrent.name());
        TimeAxis time = TimeAxis.covering(endSeconds);
        List<TraceStats.Point> points = concurrent.points();
        double[] x = new double[points.size()];
        double[] y = new double[points.size()];
        for (int i = 0; i < x.length; i++) {
            double next = i + 1 < x.length ? points.get(i + 1).fromS() : endSeconds;
            x[i] = (points.get(i).fromS() + next) / 2 / time.secondsPerUnit();
            y[i] = points.get(i).mean() / unit.perUnit();
        }
        return new LineFigure(
                names.of("trace concurrent " + concurrent.name()),
                title + ": concurrent " + unit.title(),
                "What would be present if every request started at its arrival; "
                        + Numbers.plain(concurrent.mean() / unit.perUnit()) + " on average, "
                        + Numbers.plain((double) concurrent.peak() / unit.perUnit()) + " at the peak.",
                traceTime(time, endSeconds),
                Axis.fromZero(unit.title(), largest(y), Numbers::plain),
                List.of(Line.plain(unit.title(), 0, x, y)),
                List.of(),
                false);
    }

    private static Figure shapes(TraceStats stats, String title) {
        List<TraceStats.ShapeStats> top =
                stats.shapes().stream().limit(MOST_BARS).toList();
        double[] shares = top.stream().mapToDouble(TraceStats.ShapeStats::share).toArray();
        return new BarFigure(
                "trace-shapes",
                title + ": most frequent shapes",
                "Share of the " + top.size() + " most frequent of "
                        + String.format(Locale.ROOT, "%,d", stats.distinctShapes()) + " distinct shapes.",
                top.stream().map(TraceStats.ShapeStats::name).toList(),
                shares,
                Axis.fromZero("share of requests", largest(shares), Axis::percent));
    }

    private static Axis traceTime(TimeAxis time, double endSeconds) {
        return new Axis(
                "time in the trace (" + time.unit() + ")",
                false,
                0,
                Math.max(endSeconds, 1) / time.secondsPerUnit(),
                Numbers::plain);
    }

    private static double largest(double[] values) {
        return Arrays.stream(values).max().orElse(0);
    }
}

package dev.stowage.cli.trace;

import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.report.TracePlots;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceStatistics;
import dev.stowage.sim.trace.TraceStats;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Carries out {@code stowage trace stats}. */
record TraceOverview(TraceInput input, Console console) {
    private static final double DAY_SECONDS = 86_400;
    private static final int MOST_DEMANDS = 6;

    void show(List<Path> files, boolean json, @Nullable Path pictures) {
        Trace trace = input.read();
        TraceStats stats = TraceStatistics.of(trace);
        console.out()
                .print(json ? Data.json(stats, input.warnings()) : table(stats) + console.warnings(input.warnings()));
        if (pictures != null) {
            String title = String.valueOf(files.get(0).getFileName());
            TracePlots.write(stats, title, pictures).forEach(file -> console.note("picture: " + file));
        }
    }

    private String table(TraceStats stats) {
        return String.join("\n", overview(stats), shapes(stats), demands(stats), durations(stats), present(stats));
    }

    private String overview(TraceStats stats) {
        TraceStats.ArrivalStats arrivals = stats.arrivals();
        List<Long> hours = arrivals.perHour();
        StringBuilder text = new StringBuilder();
        text.append(format(
                "%,d requests over %.2f days: %,.1f per hour on average, %,d in the busiest hour%n",
                stats.requests(),
                (stats.lastArrivalS() - stats.firstArrivalS()) / DAY_SECONDS,
                arrivals.meanPerHour(),
                hours.stream().mapToLong(Long::longValue).max().orElse(0)));
        if (arrivals.indexOfDispersion() != null) {
            text.append(format(
                    "Hourly counts: variance / mean = %,.1f (1 for a Poisson process)%n",
                    arrivals.indexOfDispersion()));
        }
        text.append(console.wrapped(
                "",
                arrivals.hourOfDay().stream().allMatch(Objects::isNull)
                        ? "No whole hour: no mean per hour of the day"
                        : "Mean per hour of the day (0 to 23, counted from time 0): "
                                + arrivals.hourOfDay().stream()
                                        .map(x -> x == null ? "-" : format("%.0f", x))
                                        .collect(Collectors.joining(" "))));
        groups(text, "Batches", stats.batches());
        groups(text, "Groups with the same arrival time", stats.bursts());
        return text.toString();
    }

    private static void groups(StringBuilder text, String name, TraceStats.GroupStats groups) {
        if (groups.groups() > 0) {
            text.append(format(
                    "%s: %,d, with %.2f requests each on average, at most %,d%n",
                    name, groups.groups(), groups.meanSize(), groups.maxSize()));
        }
    }

    private String shapes(TraceStats stats) {
        Columns columns = new Columns("shape", "requests", "share", "p50 duration", "p90 duration");
        for (TraceStats.ShapeStats shape : stats.shapes()) {
            TraceStats.DurationQuantiles known = shape.durations().quantiles();
            columns.row(
                    shape.name(),
                    format("%,d", shape.count()),
                    format("%.1f %%", 100 * shape.share()),
                    known == null ? "-" : duration(known.p50S()),
                    known == null ? "-" : duration(known.p90S()));
        }
        return format("%,d distinct shapes; the most frequent:%n", stats.distinctShapes())
                + columns.text(console.style());
    }

    private String demands(TraceStats stats) {
        Columns columns = new Columns("resource", "distinct", "mean", "largest", "most frequent (share)");
        for (TraceStats.ResourceDemands resource : stats.resources()) {
            ResourceWords.Unit unit = ResourceWords.Unit.of(resource.resource());
            columns.row(
                    unit.title(),
                    format("%,d", resource.distinct()),
                    amount(resource.mean(), unit),
                    amount((double) resource.max(), unit),
                    resource.top().stream()
                            .limit(MOST_DEMANDS)
                            .map(top -> amount((double) top.demand(), unit) + format(" (%.0f %%)", 100 * top.share()))
                            .collect(Collectors.joining(", ")));
        }
        return "Demands of one request:\n" + columns.text(console.style());
    }

    private String durations(TraceStats stats) {
        TraceStats.Durations durations = stats.durations();
        TraceStats.DurationQuantiles q = durations.quantiles();
        String title = format("Durations: %,d known, %,d unknown%n", durations.known(), durations.unknown());
        if (q == null) {
            return title;
        }
        Columns columns = new Columns("mean", "min", "p10", "p25", "p50", "p75", "p90", "p95", "p99", "max");
        double[] values = {
            q.meanS(), q.minS(), q.p10S(), q.p25S(), q.p50S(), q.p75S(), q.p90S(), q.p95S(), q.p99S(), q.maxS()
        };
        columns.row(IntStream.range(0, values.length)
                .mapToObj(i -> duration(values[i]))
                .toArray(String[]::new));
        return title + columns.text(console.style());
    }

    private String present(TraceStats stats) {
        Columns columns = new Columns("concurrent", "mean", "peak", "peak at");
        for (TraceStats.Concurrent concurrent : stats.concurrent()) {
            ResourceWords.Unit unit = ResourceWords.Unit.of(concurrent.name());
            columns.row(
                    unit.title(),
                    format("%,.1f", concurrent.mean() / unit.perUnit()),
                    amount((double) concurrent.peak(), unit),
                    duration(concurrent.peakAtS()));
        }
        return "If every request started at its arrival:\n" + columns.text(console.style());
    }

    /** An amount in a unit: whole where it is, else with up to three decimals. */
    private static String amount(double amount, ResourceWords.Unit unit) {
        return format("%,.3f", amount / unit.perUnit()).replaceFirst("\\.?0+$", "");
    }

    /** Seconds for people. */
    static String duration(double seconds) {
        return seconds < 120
                ? format("%.4g s", seconds)
                : seconds < 7200
                        ? format("%.1f min", seconds / 60)
                        : seconds < 2 * DAY_SECONDS
                                ? format("%.1f h", seconds / 3600)
                                : format("%.1f d", seconds / DAY_SECONDS);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

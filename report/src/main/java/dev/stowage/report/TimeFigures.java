package dev.stowage.report;

import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * What happened over time at one sweep point: a figure per quantity, a line per policy, from the first replication (a
 * mean over replications would hide the bursts that every single run has).
 */
final class TimeFigures {
    /** Quantities that get no figure if they are always 0. */
    private static final List<String> EVENTFUL = List.of("queue_length", "rejection_rate");

    /** Quantities that {@link SiteFigures} shows, and gauges with the same content. */
    private static final Set<String> IN_SITE_FIGURES = Set.of(
            "servers_in_use",
            "servers_in_use_optimum",
            "configuration_use",
            "configuration_use_optimum",
            "occupied_servers",
            "up_servers");

    /** Axes of shares of servers begin and end at multiples of a twentieth. */
    private static final int STEPS = 20;

    private final Results results;
    private final Map<String, String> point;
    private final FigureNames names;
    private final boolean inventory;
    private final Map<MetricName, List<SeriesRow>> series = new LinkedHashMap<>();

    TimeFigures(Results results, Map<String, String> point, FigureNames names) {
        this.results = results;
        this.point = point;
        this.names = names;
        inventory = PolicyOutcome.inventory(results.outcomes());
        for (String policy : results.policies()) {
            firstReplication(policy)
                    .forEach((name, row) -> series.computeIfAbsent(name, key -> new ArrayList<>())
                            .add(row));
        }
    }

    Map<MetricName, SeriesRow> firstReplication(String policy) {
        Map<MetricName, SeriesRow> first = new LinkedHashMap<>();
        for (SeriesRow row : results.series()) {
            if (PolicyOutcome.matches(row.origin(), policy, point) && isDrawn(row)) {
                first.merge(MetricName.parse(row.name()), row, (a, b) -> b.replication() < a.replication() ? b : a);
            }
        }
        return first;
    }

    /** A row without values says why there are none. Of an inventory only what changes is drawn over time. */
    private boolean isDrawn(SeriesRow row) {
        return (row.timeSeconds().length > 0
                        && !(inventory && Arrays.stream(row.mean()).distinct().count() <= 1))
                || MetricName.parse(row.name()).base().equals("no_optimum");
    }

    List<Figure> queue() {
        return select(name -> name.toString().equals("queue_length"));
    }

    /** What of the free part of a resource the largest request could use. */
    List<Figure> usable(String resource) {
        return select(name -> name.base().equals("usable_capacity")
                && resource.equals(name.label("resource"))
                && "largest".equals(name.label("request")));
    }

    /** Reward over time, and its bound for any policy. */
    List<Figure> reward() {
        return select(name -> name.base().equals("reward_rate"));
    }

    List<Figure> ofTheWhole() {
        List<Figure> figures = new ArrayList<>();
        Set<String> sites = sites();
        for (String base : List.of("utilization", "occupied_servers", "running", "reward_rate", "rejection_rate")) {
            // With one site, its utilization equals the total and is shown once.
            figures.addAll(select(name -> name.base().equals(base)
                    && name.label("type") == null
                    && (name.label("site") == null || (sites.size() == 1 && !hasWhole(name)))));
        }
        return figures;
    }

    List<Figure> ofEachSite() {
        return sites().size() < 2
                ? List.of()
                : select(name -> name.label("site") != null
                        && name.label("type") == null
                        && !IN_SITE_FIGURES.contains(name.base()));
    }

    /**
     * A figure per policy: the fraction of each site's servers that is occupied or, if the policy reports it, would be
     * occupied if requests moved freely between servers of one configuration; and the optimum.
     *
     * @param optimum hours after the warm-up from which an optimum holds, and the optimum
     */
    List<Figure> serversBySite(double[][] optimum) {
        Map<String, List<Line>> all = new LinkedHashMap<>();
        Map<String, Double> ends = new LinkedHashMap<>();
        for (String policy : results.policies()) {
            Map<MetricName, SeriesRow> first = firstReplication(policy);
            List<Line> lines = new ArrayList<>();
            double end = 0;
            for (String site : sites()) {
                SeriesRow up = first.get(MetricName.parse("up_servers{site=" + site + "}"));
                SeriesRow used = first.getOrDefault(
                        MetricName.parse("idealised_servers{site=" + site + "}"),
                        first.get(MetricName.parse("occupied_servers{site=" + site + "}")));
                if (up != null && used != null) {
                    end = Math.max(end, end(used));
                    lines.add(part(site, lines.size(), used, up));
                }
            }
            if (!lines.isEmpty()) {
                lines.add(optimum(optimum, lines.size(), end));
                all.put(policy, lines);
                ends.put(policy, end);
            }
        }
        Axis y = sharesAfterWarmUp(all, ends);
        List<Figure> figures = new ArrayList<>();
        all.forEach((policy, lines) -> {
            double end = ends.getOrDefault(policy, 0.0);
            figures.add(new LineFigure(
                    names.of("servers-" + policy),
                    capital(policy) + ": servers in use by site",
                    "Part of each site's servers in use under " + policy + results.first(" in") + ", and the optimum."
                            + y.note(),
                    TimeAxis.covering(end).axis(end),
                    y,
                    lines.stream().map(line -> line.from(y.min())).toList(),
                    marks(end),
                    false));
        });
        return figures;
    }

    /** The same axis for all policies, from the values after the warm-up, in steps of 5 %. */
    private Axis sharesAfterWarmUp(Map<String, List<Line>> all, Map<String, Double> ends) {
        double least = 1;
        double most = 0;
        for (Map.Entry<String, List<Line>> each : all.entrySet()) {
            double unit =
                    TimeAxis.covering(ends.getOrDefault(each.getKey(), 0.0)).secondsPerUnit();
            for (Line line : each.getValue()) {
                for (int i = 0; i < line.x().length; i++) {
                    if (line.x()[i] * unit >= warmUpSeconds() && Double.isFinite(line.y()[i])) {
                        least = Math.min(least, line.y()[i]);
                        most = Math.max(most, line.y()[i]);
                    }
                }
            }
        }
        double from = Math.floor(least * STEPS) / STEPS;
        double to = Math.ceil(most * STEPS) / STEPS;
        return from < to ? new Axis("servers in use", false, from, to, Axis::percent) : Axis.share("servers in use");
    }

    private Line part(String site, int colour, SeriesRow used, SeriesRow up) {
        Line line = line(used, TimeAxis.covering(end(used)));
        double[] part = new double[used.mean().length];
        Arrays.setAll(part, i -> used.mean()[i] / up.mean()[i]);
        return Line.plain(results.siteName(site), colour, line.x(), part);
    }

    private Line optimum(double[][] steps, int colour, double end) {
        double warmup = warmups().stream().findFirst().orElse(0.0);
        double unit = TimeAxis.covering(end).secondsPerUnit();
        double[] x = new double[2 * steps.length];
        double[] y = new double[x.length];
        for (int i = 0; i < steps.length; i++) {
            double until = i + 1 < steps.length ? warmup + steps[i + 1][0] * 3600 : end;
            x[2 * i] = (warmup + steps[i][0] * 3600) / unit;
            x[2 * i + 1] = until / unit;
            y[2 * i] = steps[i][1];
            y[2 * i + 1] = steps[i][1];
        }
        return Line.plain("optimum", colour, x, y);
    }

    private Set<String> sites() {
        Set<String> sites = new LinkedHashSet<>();
        series.keySet().forEach(name -> sites.add(name.labels().getOrDefault("site", "")));
        sites.remove("");
        return sites;
    }

    private boolean hasWhole(MetricName name) {
        Map<String, String> labels = new LinkedHashMap<>(name.labels());
        labels.remove("site");
        return series.containsKey(new MetricName(name.base(), labels));
    }

    private List<Figure> select(Predicate<MetricName> wanted) {
        List<Figure> figures = new ArrayList<>();
        series.forEach((name, rows) -> {
            boolean empty = EVENTFUL.contains(name.base()) && largest(rows) == 0;
            if (wanted.test(name) && !empty) {
                figures.add(figure(name, rows));
            }
        });
        return figures;
    }

    private Figure figure(MetricName name, List<SeriesRow> rows) {
        double end = rows.stream().mapToDouble(TimeFigures::end).max().orElse(0);
        TimeAxis time = TimeAxis.covering(end);
        List<Line> lines =
                new ArrayList<>(rows.stream().map(row -> line(row, time)).toList());
        List<SeriesRow> drawn = new ArrayList<>(rows);
        if (name.base().equals("reward_rate")) {
            // The same for every policy.
            series.getOrDefault(MetricName.parse("reward_bound"), List.of()).stream()
                    .findFirst()
                    .ifPresent(bound -> {
                        drawn.add(bound);
                        lines.add(Line.plain(
                                "greatest of any",
                                results.policies().size(),
                                line(bound, time).x(),
                                bound.mean()));
                    });
        }
        Axis y = axis(name, rows, drawn, lines, time);
        String at = point.isEmpty() ? "" : " at " + PolicyOutcome.describe(point);
        String title = capital(title(name)) + at;
        return new LineFigure(
                names.of(name + at),
                title,
                caption(name, rows) + y.note(),
                time.axis(end),
                y,
                lines.stream().map(line -> line.from(y.min())).toList(),
                marks(end),
                false);
    }

    /** Rewards differ little, so their axis shows the differences after the warm-up. */
    private Axis axis(MetricName name, List<SeriesRow> rows, List<SeriesRow> drawn, List<Line> lines, TimeAxis time) {
        if (rows.get(0).unit().equals("fraction")) {
            return Axis.share(what(name));
        }
        double least = 0;
        if (name.base().equals("reward_rate")) {
            double from = warmUpSeconds() / time.secondsPerUnit();
            least = lines.stream()
                    .flatMapToDouble(line -> IntStream.range(0, line.x().length)
                            .filter(i -> line.x()[i] >= from)
                            .mapToDouble(i -> line.y()[i]))
                    .filter(Double::isFinite)
                    .min()
                    .orElse(0);
        }
        return Axis.showing(what(name), least, largest(drawn), Numbers::plain);
    }

    /** End of the warm-up; 0 without one, or if runs differ. */
    double warmUpSeconds() {
        return warmups().stream().findFirst().orElse(0.0);
    }

    /** The end of the warm-up on the axis of a figure that ends at {@code end}. */
    List<Double> marks(double end) {
        double unit = TimeAxis.covering(end).secondsPerUnit();
        return warmups().stream().map(s -> s / unit).toList();
    }

    /** A line with a label of its own, on the time axis that covers it. */
    Line line(SeriesRow row, String label, int colour) {
        return Line.plain(label, colour, line(row, TimeAxis.covering(end(row))).x(), row.mean());
    }

    private Line line(SeriesRow row, TimeAxis time) {
        double[] start = row.timeSeconds();
        double[] x = new double[start.length];
        for (int i = 0; i < x.length; i++) {
            double width = width(start, i);
            x[i] = (start[i] + width / 2) / time.secondsPerUnit();
        }
        String policy = row.origin().policy();
        return Line.plain(policy, results.policies().indexOf(policy), x, row.mean());
    }

    /** Length of an interval; the last is as long as the one before it. */
    private static double width(double[] start, int i) {
        if (start.length == 1) {
            return 0;
        }
        return i + 1 < start.length ? start[i + 1] - start[i] : start[i] - start[i - 1];
    }

    static double end(SeriesRow row) {
        double[] start = row.timeSeconds();
        int last = start.length - 1;
        return start[last] + width(start, last);
    }

    static double largest(List<SeriesRow> rows) {
        return rows.stream()
                .flatMapToDouble(row -> Arrays.stream(row.mean()))
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    /** The warm-up, if it is the same for all runs of the figure and not 0; else empty. */
    private Set<Double> warmups() {
        Set<Double> warmups = new TreeSet<>();
        for (RunRow run : results.runs()) {
            if (run.origin().point().equals(point)) {
                warmups.add(run.warmupSeconds());
            }
        }
        return warmups.size() == 1 && !warmups.contains(0.0) ? warmups : Set.of();
    }

    /** The results that are drawn. */
    Results results() {
        return results;
    }

    private String caption(MetricName name, List<SeriesRow> rows) {
        long points =
                rows.stream().mapToInt(row -> row.timeSeconds().length).max().orElse(0);
        String text = capital(what(name)) + results.first(" in")
                + (name.base().equals("usable_capacity") ? ", sampled in each of " : ", averaged over each of ")
                + points + " intervals";
        boolean bounded =
                name.base().equals("reward_rate") && series.containsKey(new MetricName("reward_bound", Map.of()));
        return text
                + (bounded ? "; no policy earns more than the greatest" : "")
                + (warmups().isEmpty() ? "." : "; left of the dashed line is the warm-up, which the tables leave out.");
    }

    private static String title(MetricName name) {
        String site = name.label("site") == null ? "" : " of site " + name.label("site");
        return switch (name.base()) {
            case "queue_length" -> "queue length over time";
            case "utilization" -> name.resource() + " utilization" + site + " over time";
            case "occupied_servers" -> "occupied servers over time";
            case "running" -> "running requests over time";
            case "reward_rate" -> "reward over time";
            case "rejection_rate" -> "rejected requests over time";
            case "usable_capacity" -> "free " + name.resource() + " of use to the largest request";
            default -> name + " over time";
        };
    }

    private static String what(MetricName name) {
        return switch (name.base()) {
            case "queue_length" -> "waiting requests";
            case "utilization" -> name.resource() + " in use";
            case "occupied_servers" -> "servers with at least one request";
            case "running" -> "running requests";
            case "reward_rate" -> "reward per second";
            case "rejection_rate" -> "rejected requests per second";
            case "usable_capacity" -> "free " + name.resource() + " of use to the largest request so far";
            default -> name.toString();
        };
    }

    static String capital(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}

package dev.stowage.report;

import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.SeriesRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How each policy uses the sites at one sweep point: the fraction of each site's servers in use over time, the
 * configurations that they are designated with, and the routing table; beside each the optimum of the linear program,
 * if the results have it.
 */
final class SiteFigures {
    /** With more sites the lines of the optimum are not in the legend, which they would fill. */
    private static final int MOST_NAMED = 4;
    /** Limit on heat maps of one policy, or of several together. */
    private static final int MOST_HEAT_MAPS = 24;
    /** With more columns each would be narrower than a dot. */
    private static final int MOST_COLUMNS = 100;

    private static final int MOST_TYPES = 32;
    private static final int MOST_OPTIMAL_CONFIGURATIONS = 8;
    private static final String REST = "others";
    private static final int OPTIMUM_COLOUR = Theme.LINES.indexOf(Theme.BLACK);

    private static final String OVERLOAD =
            " Where it is above 100 %, no routing can run the load on the servers that are up then.";
    /** What an optimum may be above the whole by adding. */
    private static final double ROUNDING = 1e-9;

    private final Results results;
    private final Map<String, String> point;
    private final TimeFigures time;
    private final String at;
    private final FigureNames names;
    private int heatMaps;

    SiteFigures(Results results, Map<String, String> point, TimeFigures time, String at, FigureNames names) {
        this.results = results;
        this.point = point;
        this.time = time;
        this.at = at;
        this.names = names;
    }

    /** The figures; empty with a single site. */
    List<Figure> of() {
        List<Figure> figures = new ArrayList<>();
        for (String policy : results.policies()) {
            Map<MetricName, SeriesRow> series = time.firstReplication(policy);
            Set<String> sites = sites(series);
            if (sites.size() > 1) {
                figures.add(inUse(policy, series, sites));
                addRouting(figures, policy, series, sites);
                for (String site : sites) {
                    addConfigurations(figures, policy, site, series);
                }
            }
        }
        return figures;
    }

    private static Set<String> sites(Map<MetricName, SeriesRow> series) {
        Set<String> sites = new LinkedHashSet<>();
        series.keySet().forEach(name -> {
            if (name.base().equals("servers_in_use")) {
                sites.add(name.labels().getOrDefault("site", ""));
            }
        });
        return sites;
    }

    private static MetricName of(String base, String site) {
        return new MetricName(base, Map.of("site", site));
    }

    private Figure inUse(String policy, Map<MetricName, SeriesRow> series, Set<String> sites) {
        List<Line> lines = new ArrayList<>();
        List<SeriesRow> rows = new ArrayList<>();
        List<SeriesRow> optima = new ArrayList<>();
        for (String site : sites) {
            SeriesRow row = series.get(of("servers_in_use", site));
            SeriesRow optimum = series.get(of("servers_in_use_optimum", site));
            if (row != null) {
                lines.add(time.line(row, site, lines.size()));
                rows.add(row);
            }
            if (optimum != null) {
                optima.add(optimum);
            }
        }
        double end = rows.stream().mapToDouble(TimeFigures::end).max().orElse(0);
        boolean same = optima.stream().allMatch(each -> isNearly(each, optima.get(0)));
        for (int k = 0; k < optima.size(); k++) {
            String site = MetricName.parse(optima.get(k).name()).labels().getOrDefault("site", "");
            if (same && k == 0) {
                lines.add(steps("optimum", OPTIMUM_COLOUR, optima.get(k), end));
            } else if (!same) {
                String label = optima.size() > MOST_NAMED ? "" : site + ", optimum";
                lines.add(steps(label, k, optima.get(k), end));
            }
        }
        List<SeriesRow> all = new ArrayList<>(rows);
        all.addAll(optima);
        double largest = TimeFigures.largest(all);
        String what = "servers in use";
        return new LineFigure(
                names.of(policy + " servers in use" + at),
                policy + ": servers in use by site" + at,
                "Part of each site's servers that are up and in use under " + policy + results.first(" in") + "; "
                        + optimum(
                                series,
                                same
                                        ? "dashed: the optimum, the same for all sites"
                                        : "dashed: the optimum of each site; of equal ones only the last is visible")
                        + (TimeFigures.largest(optima) > 1 + ROUNDING ? OVERLOAD : ""),
                TimeAxis.covering(end).axis(end),
                largest > 1 ? Axis.fromZero(what, largest, Axis::percent) : Axis.share(what),
                lines,
                time.marks(end),
                false);
    }

    /** The end of a caption: the optimum, or why there is none. */
    private static String optimum(Map<MetricName, SeriesRow> series, String shown) {
        if (series.keySet().stream().anyMatch(name -> name.base().equals("servers_in_use_optimum"))) {
            return shown + " (least largest utilization of any routing, one optimum of many).";
        }
        return series.keySet().stream()
                .filter(name -> name.base().equals("no_optimum"))
                .map(name -> "there is no optimum: " + why(name.labels().getOrDefault("reason", "")) + ".")
                .findFirst()
                .orElse("the results have no optimum.");
    }

    /** A code as a sentence; rows from before 0.2 contain the sentence. */
    private static String why(String code) {
        return switch (code) {
            case "many-types" -> "there are more than 16 types (see 'stowage bound')";
            case "many-blocks" -> "there are more than 64 blocks of servers (see 'stowage bound')";
            case "many-origins" -> "requests come from many sets of sites, or change too often (see 'stowage bound')";
            case "many-changes" -> "servers change more than 50 times (see 'stowage bound')";
            case "not-routed" -> "a type has no single demand, the run has no end, or a resource is divisible";
            case "fits-no-server" -> "there are requests that no server that is up could hold";
            case "no-server-up" -> "no server is up for a time";
            case "solver" -> "the solver of its linear program gave up";
            default -> code;
        };
    }

    private static boolean isNearly(SeriesRow one, SeriesRow other) {
        boolean nearly = Arrays.equals(one.timeSeconds(), other.timeSeconds());
        for (int i = 0; nearly && i < one.mean().length; i++) {
            nearly = Math.abs(one.mean()[i] - other.mean()[i]) < 1e-3;
        }
        return nearly;
    }

    /** A step line: each value holds until the next; the last until the end. */
    private static Line steps(String label, int colour, SeriesRow row, double end) {
        int size = row.mean().length;
        double unit = TimeAxis.covering(end).secondsPerUnit();
        double[] x = new double[2 * size];
        double[] y = new double[2 * size];
        for (int i = 0; i < size; i++) {
            x[2 * i] = Math.min(end, row.timeSeconds()[i]) / unit;
            x[2 * i + 1] = until(row, i, end) / unit;
            y[2 * i] = row.mean()[i];
            y[2 * i + 1] = row.mean()[i];
        }
        return Line.dashed(label, colour, x, y);
    }

    private static double until(SeriesRow row, int i, double end) {
        return Math.min(end, i + 1 < row.timeSeconds().length ? row.timeSeconds()[i + 1] : end);
    }

    /** Time average of a row of steps after the warm-up. */
    private static double mean(SeriesRow row, double from, double end) {
        double sum = 0;
        for (int i = 0; i < row.mean().length; i++) {
            double start = Math.max(from, row.timeSeconds()[i]);
            sum += row.mean()[i] * Math.max(0, until(row, i, end) - start);
        }
        return sum / (end - from);
    }

    private void addRouting(List<Figure> figures, String policy, Map<MetricName, SeriesRow> series, Set<String> sites) {
        PolicyOutcome outcome = results.outcomes().stream()
                .filter(each -> each.policy().equals(policy) && each.point().equals(point))
                .findFirst()
                .orElse(null);
        Set<String> types = outcome == null ? Set.of() : types(outcome, series);
        if (outcome == null || types.isEmpty()) {
            return;
        }
        List<String> rows = types.stream().limit(MOST_TYPES).toList();
        List<String> columns = List.copyOf(sites);
        double[][] values = new double[rows.size()][columns.size()];
        for (int row = 0; row < values.length; row++) {
            for (int column = 0; column < columns.size(); column++) {
                var estimate = outcome.metrics()
                        .get(new MetricName(
                                "placed_fraction", Map.of("site", columns.get(column), "type", rows.get(row))));
                values[row][column] = estimate == null ? Double.NaN : estimate.mean();
            }
        }
        String left = types.size() > rows.size() ? " The first " + rows.size() + " of " + types.size() + " types." : "";
        double[][] optimal = optimal(rows, columns, series);
        figures.add(new MatrixFigure(
                names.of(policy + " routing" + at),
                policy + ": where the requests went" + at,
                "Part of each type's requests placed at each site after the warm-up, all replications, " + policy + "; "
                        + optimum(series, "below it, small, the part in an optimum") + left,
                rows,
                columns,
                values,
                optimal));
    }

    /** The types; in the workload's order if the optimum gives it. */
    private static Set<String> types(PolicyOutcome outcome, Map<MetricName, SeriesRow> series) {
        Set<String> types = new LinkedHashSet<>();
        series.keySet().forEach(name -> {
            if (name.base().equals("running_optimum")) {
                types.add(name.labels().getOrDefault("type", ""));
            }
        });
        outcome.metrics().keySet().forEach(name -> {
            if (name.base().equals("placed_fraction")) {
                types.add(name.labels().getOrDefault("type", ""));
            }
        });
        return types;
    }

    /**
     * In the optimum, the requests that run at a site over those that run at all sites, as time averages after the
     * warm-up; no rows without an optimum.
     */
    private double[][] optimal(List<String> types, List<String> sites, Map<MetricName, SeriesRow> series) {
        double end = end(series);
        double[][] parts = new double[types.size()][sites.size()];
        boolean any = false;
        for (int row = 0; row < parts.length; row++) {
            double sum = 0;
            for (int column = 0; column < sites.size(); column++) {
                SeriesRow running = series.get(
                        new MetricName("running_optimum", Map.of("site", sites.get(column), "type", types.get(row))));
                any |= running != null;
                parts[row][column] = running == null ? 0 : mean(running, time.warmUpSeconds(), end);
                sum += parts[row][column];
            }
            for (int column = 0; column < sites.size(); column++) {
                parts[row][column] = sum > 0 ? parts[row][column] / sum : Double.NaN;
            }
        }
        return any ? parts : new double[0][0];
    }

    private static double end(Map<MetricName, SeriesRow> series) {
        return series.entrySet().stream()
                .filter(entry -> entry.getKey().base().equals("servers_in_use"))
                .mapToDouble(entry -> TimeFigures.end(entry.getValue()))
                .max()
                .orElse(0);
    }

    private void addConfigurations(
            List<Figure> figures, String policy, String site, Map<MetricName, SeriesRow> series) {
        Map<String, SeriesRow> used = configurations("configuration_use", site, series);
        if (used.isEmpty()) {
            return;
        }
        if (heatMaps == MOST_HEAT_MAPS) {
            return;
        }
        heatMaps++;
        double end = end(series);
        Map<String, Double> optimal = new LinkedHashMap<>();
        configurations("configuration_use_optimum", site, series)
                .forEach((holds, row) -> optimal.put(holds, mean(row, time.warmUpSeconds(), end)));
        List<String> rows = rows(used, optimal);
        SeriesRow first = used.values().iterator().next();
        double[] edges = edges(first, end);
        double[][] values = new double[rows.size()][];
        double[] expected = new double[optimal.isEmpty() ? 0 : rows.size()];
        for (int row = 0; row < values.length; row++) {
            values[row] = merged(used.get(rows.get(row)), first.mean().length);
            if (expected.length > 0) {
                expected[row] = optimal.getOrDefault(rows.get(row), 0.0);
            }
        }
        String last = heatMaps == MOST_HEAT_MAPS
                ? " No more figures of this kind follow: there would be more than " + heatMaps + "."
                : "";
        figures.add(new HeatFigure(
                names.of(policy + " configurations " + site + at),
                policy + ": configurations of " + site + at,
                "Part of the servers of " + site + " assigned to each configuration under " + policy
                        + results.first(" in") + "; " + optimum(series, "at the right the time average in an optimum")
                        + last,
                rows,
                values,
                edges,
                TimeAxis.covering(end).axis(end),
                0,
                "of the servers",
                "an optimum",
                expected));
    }

    private static Map<String, SeriesRow> configurations(String base, String site, Map<MetricName, SeriesRow> series) {
        Map<String, SeriesRow> rows = new LinkedHashMap<>();
        series.forEach((name, row) -> {
            String holds = name.label("holds");
            if (name.base().equals(base) && holds != null && site.equals(name.label("site"))) {
                rows.put(holds, row);
            }
        });
        return rows;
    }

    /** Configurations of the policy, then those that only the optimum uses, then the others. */
    private static List<String> rows(Map<String, SeriesRow> used, Map<String, Double> optimal) {
        Set<String> rows = new LinkedHashSet<>(used.keySet());
        optimal.entrySet().stream()
                .filter(each -> each.getValue() > 0 && !used.containsKey(each.getKey()))
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(MOST_OPTIMAL_CONFIGURATIONS)
                .forEach(each -> rows.add(each.getKey()));
        boolean rest = rows.remove(REST);
        if (rest) {
            rows.add(REST);
        }
        return List.copyOf(rows);
    }

    private static int perColumn(int intervals) {
        return (intervals - 1) / MOST_COLUMNS + 1;
    }

    private static double[] edges(SeriesRow row, double end) {
        double unit = TimeAxis.covering(end).secondsPerUnit();
        int each = perColumn(row.mean().length);
        int columns = (row.mean().length - 1) / each + 1;
        double[] edges = new double[columns + 1];
        for (int i = 0; i < columns; i++) {
            edges[i] = row.timeSeconds()[i * each] / unit;
        }
        edges[columns] = end / unit;
        return edges;
    }

    /** Means of neighbouring intervals; zeros without a row. */
    private static double[] merged(@Nullable SeriesRow row, int intervals) {
        int each = perColumn(intervals);
        double[] merged = new double[(intervals - 1) / each + 1];
        for (int i = 0; row != null && i < merged.length; i++) {
            int until = Math.min(intervals, (i + 1) * each);
            merged[i] = Arrays.stream(row.mean(), i * each, until).average().orElse(0);
        }
        return merged;
    }
}

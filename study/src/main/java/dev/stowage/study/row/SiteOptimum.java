package dev.stowage.study.row;

import dev.stowage.core.model.Site;
import dev.stowage.optimize.lp.SolverException;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.study.bound.PointBound;
import dev.stowage.study.bound.RoutingPeriod;
import dev.stowage.study.bound.RoutingPeriods;
import dev.stowage.study.load.SiteGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Adds the optimum of routing, LP (2)-(7), after the rows of the sites: a value for each period in which load and
 * servers stay the same, or for a trace in each of {@value #WINDOWS} windows. If it would take long, a row says so with
 * a code that docs/results.md lists.
 */
final class SiteOptimum implements RowAddition {
    private static final String MISSING = "no_optimum";
    private static final String REST = "others";
    private static final double TOLERANCE = 1e-3;
    private static final int WINDOWS = 24;
    private static final int MOST_SITES = 16;
    /** With more types a period may take seconds if servers are large. */
    private static final int MOST_TYPES = 16;

    private static final int MOST_SHAPES = 64;
    /** Each has its own load of every type. */
    private static final int MOST_ORIGINS = 16;

    private static final int MOST_CHANGES = 50;
    /** Configurations per site with rows of their own; the others are summed. */
    private static final int MOST_CONFIGURATIONS = 20;

    private final Map<String, Optimum> known = new TreeMap<>();

    /** Starts of the periods, and the values by name; or a code that says why there are none. */
    private record Optimum(double[] times, Map<MetricName, double[]> values, String code) {
        static Optimum without(String code) {
            return new Optimum(new double[0], Map.of(), code);
        }
    }

    /**
     * The rows, with those of the optimum after the last row of servers in use; once only, as the optimum is that of
     * the experiment.
     */
    @Override
    public List<ResultRow> with(Experiment point, List<ResultRow> rows) {
        int last = -1;
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i) instanceof SeriesRow series
                    && series.replication() == 0
                    && MetricName.parse(series.name()).base().equals("servers_in_use")) {
                last = i;
            }
        }
        if (last < 0) {
            return rows;
        }
        List<ResultRow> all = new ArrayList<>(rows.subList(0, last + 1));
        add((SeriesRow) rows.get(last), point, all);
        all.addAll(rows.subList(last + 1, rows.size()));
        return all;
    }

    private void add(SeriesRow after, Experiment point, List<ResultRow> rows) {
        Optimum optimum = known.computeIfAbsent(point.point().toString(), key -> solve(point));
        optimum.values().forEach((name, values) -> rows.add(row(after, name, optimum.times(), values)));
        if (!optimum.code().isEmpty()) {
            MetricName missing = MetricName.of(MISSING).with("reason", optimum.code());
            rows.add(row(after, missing, optimum.times(), optimum.times()));
        }
    }

    private static SeriesRow row(SeriesRow after, MetricName name, double[] times, double[] values) {
        String unit = name.base().equals("running_optimum") ? "requests" : "fraction";
        return new SeriesRow(after.origin(), after.replication(), name.toString(), unit, times, values, values, values);
    }

    private static Optimum solve(Experiment experiment) {
        String obstacle = obstacle(experiment);
        if (!obstacle.isEmpty()) {
            return Optimum.without(obstacle);
        }
        try {
            int windows = experiment.workload() instanceof SyntheticWorkload ? 0 : WINDOWS;
            List<RoutingPeriod> periods = RoutingPeriods.of(experiment, TOLERANCE, windows);
            if (periods.isEmpty()) {
                return Optimum.without("not-routed");
            }
            return periods.stream()
                    .filter(period -> !period.bounded())
                    .findFirst()
                    .map(period -> Optimum.without(period.code()))
                    .orElseGet(() -> of(experiment, periods));
        } catch (SolverException e) {
            return Optimum.without("solver");
        }
    }

    /** Code of what would make it take long; empty if nothing does. */
    private static String obstacle(Experiment experiment) {
        int types = experiment.workload().types().size();
        long shapes = experiment.cluster().sites().stream()
                .mapToLong(site -> site.servers().size())
                .sum();
        long changes = experiment.changes().stream()
                .map(ScheduledChange::atNanos)
                .distinct()
                .count();
        if (types > MOST_TYPES) {
            return "many-types";
        }
        if (shapes > MOST_SHAPES) {
            return "many-blocks";
        }
        if (SiteGroup.of(experiment.origins()).size() > MOST_ORIGINS) {
            return "many-origins";
        }
        return changes > MOST_CHANGES ? "many-changes" : "";
    }

    private static Optimum of(Experiment experiment, List<RoutingPeriod> periods) {
        Map<MetricName, double[]> values = new LinkedHashMap<>();
        List<Site> sites = experiment.cluster().sites();
        List<String> names = sites.stream().map(Site::name).limit(MOST_SITES).toList();
        for (String site : names) {
            for (int k = 0; k < periods.size(); k++) {
                put(
                        values,
                        MetricName.of("servers_in_use_optimum").with("site", site),
                        k,
                        periods,
                        inUse(periods.get(k), site));
            }
        }
        for (String site : names) {
            addConfigurations(values, site, periods);
        }
        for (String site : names) {
            for (String type : experiment.workload().types()) {
                for (int k = 0; k < periods.size(); k++) {
                    MetricName name =
                            MetricName.of("running_optimum").with("site", site).with("type", type);
                    put(values, name, k, periods, running(periods.get(k), site, type));
                }
            }
        }
        double[] times =
                periods.stream().mapToDouble(RoutingPeriod::fromSeconds).toArray();
        return new Optimum(times, values, "");
    }

    private static <K> void put(
            Map<K, double[]> values, K name, int period, List<RoutingPeriod> periods, double value) {
        values.computeIfAbsent(name, key -> new double[periods.size()])[period] += value;
    }

    private static List<RoutingPeriod.BlockUse> blocks(RoutingPeriod period, String site) {
        return period.blocks().stream().filter(each -> each.site().equals(site)).toList();
    }

    private static int up(RoutingPeriod period, String site) {
        return blocks(period, site).stream()
                .mapToInt(RoutingPeriod.BlockUse::up)
                .sum();
    }

    private static double inUse(RoutingPeriod period, String site) {
        double servers = 0;
        for (RoutingPeriod.BlockUse block : blocks(period, site)) {
            servers += block.ofServers() * block.up() / up(period, site);
        }
        return servers;
    }

    private static double running(RoutingPeriod period, String site, String type) {
        double running = 0;
        for (RoutingPeriod.BlockUse block : blocks(period, site)) {
            running += block.routed().getOrDefault(type, 0.0);
        }
        return running;
    }

    /** Adds the configurations that are used most over all periods one by one, the others as a sum. */
    private static void addConfigurations(Map<MetricName, double[]> values, String site, List<RoutingPeriod> periods) {
        Map<String, double[]> used = new LinkedHashMap<>();
        for (int k = 0; k < periods.size(); k++) {
            for (RoutingPeriod.BlockUse block : blocks(periods.get(k), site)) {
                double part = (double) block.up() / up(periods.get(k), site);
                for (PointBound.MixPart mix : block.mixes()) {
                    put(used, text(mix), k, periods, mix.ofServers() * part);
                }
            }
        }
        List<String> byUse = used.entrySet().stream()
                .sorted(Comparator.comparingDouble(each -> -sum(each.getValue())))
                .map(Map.Entry::getKey)
                .toList();
        for (int rank = 0; rank < byUse.size(); rank++) {
            String holds = rank < MOST_CONFIGURATIONS ? byUse.get(rank) : REST;
            double[] parts = Objects.requireNonNull(used.get(byUse.get(rank)));
            for (int k = 0; k < periods.size(); k++) {
                MetricName name = MetricName.of("configuration_use_optimum")
                        .with("site", site)
                        .with("holds", holds);
                put(values, name, k, periods, parts[k]);
            }
        }
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double each : values) {
            sum += each;
        }
        return sum;
    }

    private static String text(PointBound.MixPart mix) {
        return mix.holds().entrySet().stream()
                .map(each -> each.getValue() + " x " + each.getKey())
                .collect(Collectors.joining(" + "));
    }
}

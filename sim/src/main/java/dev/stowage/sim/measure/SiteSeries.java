package dev.stowage.sim.measure;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.Gauge;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.statistics.Trajectory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Fractions of a site's servers over time: of those that are up, how many are in use and, where the policy reports it
 * by the gauge {@code designated_servers} with the labels {@code site} (its number) and {@code holds}, how many are
 * designated with each configuration.
 */
record SiteSeries(Measurements run, SiteTimes use, Cluster cluster) {
    private static final String DESIGNATED = "designated_servers";
    private static final String REST = "others";
    /** Configurations per site that have rows of their own; the others are summed. */
    private static final int MOST_CONFIGURATIONS = 20;

    /** Whether a gauge is shown here, as a fraction of the servers, and nowhere else. */
    static boolean tells(Gauge gauge) {
        return gauge.name().equals(DESIGNATED);
    }

    /** The fractions for the first sites, by the names of their rows. */
    Map<String, double[]> parts(int mostSites) {
        Map<String, double[]> parts = new LinkedHashMap<>();
        int sites = Math.min(use.up().size(), mostSites);
        for (int site = 0; site < sites; site++) {
            String metric =
                    MetricName.of("servers_in_use").with("site", name(site)).toString();
            parts.put(metric, part(List.of(use.inUse().get(site)), site));
        }
        for (int site = 0; site < sites; site++) {
            addConfigurations(site, parts);
        }
        return parts;
    }

    private String name(int site) {
        return RunMetrics.siteName(cluster, site);
    }

    private void addConfigurations(int site, Map<String, double[]> parts) {
        Map<String, Trajectory> told = new LinkedHashMap<>();
        String number = Integer.toString(site);
        run.gauges.forEach((gauge, values) -> {
            if (tells(gauge) && gauge.label("site").equals(Optional.of(number))) {
                gauge.label("holds").ifPresent(holds -> told.put(holds, values));
            }
        });
        List<Trajectory> rest = new ArrayList<>();
        Trajectory others = told.remove(REST);
        if (others != null) {
            rest.add(others);
        }
        List<Map.Entry<String, Trajectory>> byUse = told.entrySet().stream()
                .sorted(Comparator.comparingDouble(each -> -each.getValue().meanFrom(run.grid.startNanos())))
                .toList();
        for (int rank = 0; rank < byUse.size(); rank++) {
            Trajectory servers = byUse.get(rank).getValue();
            if (rank < MOST_CONFIGURATIONS) {
                parts.put(row(site, byUse.get(rank).getKey()), part(List.of(servers), site));
            } else {
                rest.add(servers);
            }
        }
        if (!rest.isEmpty()) {
            parts.put(row(site, REST), part(rest, site));
        }
    }

    private String row(int site, String holds) {
        return MetricName.of("configuration_use")
                .with("site", name(site))
                .with("holds", holds)
                .toString();
    }

    /** In each interval the mean of the sum divided by the mean number of servers that are up. */
    private double[] part(List<Trajectory> servers, int site) {
        Trajectory up = use.up().get(site);
        double[] part = new double[up.size()];
        for (int i = 0; i < part.length; i++) {
            double sum = 0;
            for (Trajectory each : servers) {
                sum += each.mean(i);
            }
            part[i] = up.mean(i) > 0 ? sum / up.mean(i) : 0;
        }
        return part;
    }
}

package dev.stowage.sim.measure;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Reward;
import dev.stowage.sim.result.DistributionRow;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.statistics.Trajectory;
import dev.stowage.sim.statistics.WaitStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** The rows of one run that are plotted: quantities over time, and distributions. */
public final class RunSeries {
    private static final double NANOS = 1e9;
    /** With more sites only the sum is recorded over time. */
    private static final int MOST_SITES = 16;
    /** With more types all rejections are recorded together. */
    private static final int MOST_TYPES = 16;

    private static final double[] PROBABILITIES = ServerOccupancy.PROBABILITIES;

    private final Measurements run;
    private final Cluster cluster;
    private final List<String> typeNames;
    private final Origin origin;
    private final int replication;

    /** The rows of a finished run. */
    public RunSeries(Measurements run, Cluster cluster, List<String> typeNames, Origin origin, int replication) {
        this.run = run;
        this.cluster = cluster;
        this.typeNames = typeNames;
        this.origin = origin;
        this.replication = replication;
    }

    /** Quantities over the whole run, warm-up included. */
    public List<SeriesRow> overTime() {
        List<SeriesRow> rows = new ArrayList<>();
        rows.add(plain("queue_length", "requests", run.waiting, 1));
        rows.add(plain("running", "requests", run.running, 1));
        rows.add(plain("occupied_servers", "servers", run.occupied, 1));
        if (run.reward.maxFrom(run.grid.startNanos()) > 0) {
            rows.add(plain("reward_rate", "reward / s", run.reward, Reward.ONE_PER_SECOND));
        }
        addRejections(rows);
        for (int r : RunMetrics.limited(cluster)) {
            String resource = cluster.resources().get(r).name();
            rows.add(utilization("utilization{resource=" + resource + "}", r, 0, run.used.length));
            for (int site = 0; run.used.length > 1 && site < Math.min(run.used.length, MOST_SITES); site++) {
                String name = "utilization{site=" + RunMetrics.siteName(cluster, site) + ",resource=" + resource + "}";
                rows.add(utilization(name, r, site, site + 1));
            }
        }
        addUsable(rows);
        addDevices(rows);
        if (run.siteUse != null) {
            new SiteSeries(run, run.siteUse, cluster)
                    .parts(MOST_SITES)
                    .forEach((name, part) -> rows.add(means(name, "fraction", part)));
        }
        run.gauges.forEach((gauge, values) -> {
            if (!SiteSeries.tells(gauge)) {
                rows.add(plain(gauge.toString(), gauge.unit(), values, 1));
            }
        });
        return rows;
    }

    /** The free capacity, and how much of it requests of one size could use. */
    private void addUsable(List<SeriesRow> rows) {
        if (run.usable.length == 0) {
            return;
        }
        for (int r : RunMetrics.limited(cluster)) {
            String resource = cluster.resources().get(r).name();
            int resourceNumber = r;
            rows.add(partOfCapacity("free_capacity{resource=" + resource + "}", r, i -> free(resourceNumber, i)));
            List<String> requests = Unusable.requests(run, typeNames);
            for (int request = 0; request < requests.size(); request++) {
                String name = "usable_capacity{" + requests.get(request) + ",resource=" + resource + "}";
                rows.add(partOfCapacity(name, r, run.usable[request][r]::mean));
            }
        }
    }

    /** Devices that requests hold, and that they hold or wait for. */
    private void addDevices(List<SeriesRow> rows) {
        for (int r = 0; r < cluster.resources().size(); r++) {
            Resource resource = cluster.resources().get(r);
            if (resource.comesInDevices()) {
                double[] held = new double[run.inSystem.size()];
                double[] asked = new double[held.length];
                for (int i = 0; i < held.length; i++) {
                    double used = 0;
                    for (Trajectory[] site : run.used) {
                        used += site[r].mean(i);
                    }
                    held[i] = used / resource.deviceAmount();
                    asked[i] = (used + run.queuedDemand[r].mean(i)) / resource.deviceAmount();
                }
                rows.add(means("devices_in_use{resource=" + resource.name() + "}", "devices", held));
                rows.add(means("devices_asked_for{resource=" + resource.name() + "}", "devices", asked));
            }
        }
    }

    private double free(int resource, int interval) {
        double free = 0;
        for (int site = 0; site < run.used.length; site++) {
            free += run.capacity[site][resource].mean(interval) - run.used[site][resource].mean(interval);
        }
        return free;
    }

    private SeriesRow partOfCapacity(String name, int resource, IntToDoubleFunction amount) {
        double[] part = new double[run.inSystem.size()];
        for (int i = 0; i < part.length; i++) {
            double capacity = 0;
            for (Trajectory[] site : run.capacity) {
                capacity += site[resource].mean(i);
            }
            part[i] = capacity > 0 ? amount.applyAsDouble(i) / capacity : 0;
        }
        return means(name, "fraction", part);
    }

    /**
     * How many requests are turned away per second; by type if there are few types, for those types of which some were.
     */
    private void addRejections(List<SeriesRow> rows) {
        boolean byType = run.byType && run.types <= MOST_TYPES;
        double[] all = new double[run.inSystem.size()];
        for (int type = 0; type < run.types; type++) {
            double[] rate = rejectionRate(type);
            Arrays.setAll(all, i -> all[i] + rate[i]);
            if (byType && Arrays.stream(rate).sum() > 0) {
                rows.add(means("rejection_rate{type=" + typeNames.get(type) + "}", "requests / s", rate));
            }
        }
        if (!byType && Arrays.stream(all).sum() > 0) {
            rows.add(means("rejection_rate", "requests / s", all));
        }
    }

    private SeriesRow means(String name, String unit, double[] values) {
        double[] shortened = Arrays.stream(values).map(RunSeries::shortened).toArray();
        return new SeriesRow(origin, replication, name, unit, times(values.length), shortened, shortened, shortened);
    }

    private double[] rejectionRate(int type) {
        int size = run.inSystem.size();
        int kind = RunCollector.FIRST_TYPE + run.types + type;
        double[] rate = run.counts.pieces(kind, 0, size, run.inSystem.widthNanos());
        for (int i = 0; i < size; i++) {
            long end = Math.min(run.inSystem.startNanos(i + 1), run.inSystem.endNanos());
            rate[i] *= NANOS / (end - run.inSystem.startNanos(i));
        }
        return rate;
    }

    /** The wait of requests after warm-up, and how full the servers are at the end. */
    public List<DistributionRow> distributions(long warmUpNanos) {
        List<DistributionRow> rows = new ArrayList<>();
        WaitStatistics waits = run.waits.allFrom(run.waits.windowFrom(warmUpNanos));
        if (waits.count() > 0) {
            double[] quantiles = new double[PROBABILITIES.length];
            Arrays.setAll(quantiles, i -> waits.quantileNanos(PROBABILITIES[i]) / NANOS);
            rows.add(new DistributionRow(origin, replication, "wait_s", "s", waits.count(), PROBABILITIES, quantiles));
        }
        for (int r : RunMetrics.limited(cluster)) {
            ServerOccupancy full = run.occupancy[r];
            if (full.servers() > 0) {
                String name = "server_occupancy{resource="
                        + cluster.resources().get(r).name() + "}";
                rows.add(new DistributionRow(
                        origin, replication, name, "fraction", full.servers(), PROBABILITIES, full.quantiles()));
            }
        }
        for (int r = 0; r < cluster.resources().size(); r++) {
            ServerOccupancy full = run.occupancy[run.occupancy.length - 1];
            if (cluster.resources().get(r).comesInDevices() && full.servers() > 0) {
                String name = "device_occupancy{resource="
                        + cluster.resources().get(r).name() + "}";
                rows.add(new DistributionRow(
                        origin, replication, name, "fraction", full.servers(), PROBABILITIES, full.quantiles()));
            }
        }
        return rows;
    }

    private SeriesRow plain(String name, String unit, Trajectory trajectory, double divisor) {
        int size = trajectory.size();
        double[] mean = new double[size];
        double[] min = new double[size];
        double[] max = new double[size];
        for (int i = 0; i < size; i++) {
            mean[i] = shortened(trajectory.mean(i) / divisor);
            min[i] = trajectory.min(i) / divisor;
            max[i] = trajectory.max(i) / divisor;
        }
        return new SeriesRow(origin, replication, name, unit, times(size), mean, min, max);
    }

    private SeriesRow utilization(String name, int resource, int firstSite, int endSite) {
        int size = run.inSystem.size();
        double[] mean = new double[size];
        double[] min = new double[size];
        double[] max = new double[size];
        for (int i = 0; i < size; i++) {
            double used = 0;
            double least = 0;
            double most = 0;
            double capacity = 0;
            for (int site = firstSite; site < endSite; site++) {
                used += run.used[site][resource].mean(i);
                least += run.used[site][resource].min(i);
                most += run.used[site][resource].max(i);
                capacity += run.capacity[site][resource].mean(i);
            }
            mean[i] = capacity > 0 ? shortened(used / capacity) : 0;
            min[i] = capacity > 0 ? shortened(least / capacity) : 0;
            max[i] = capacity > 0 ? shortened(most / capacity) : 0;
        }
        return new SeriesRow(origin, replication, name, "fraction", times(size), mean, min, max);
    }

    private double[] times(int size) {
        double[] seconds = new double[size];
        Arrays.setAll(seconds, i -> run.inSystem.startNanos(i) / NANOS);
        return seconds;
    }

    /** Six significant digits: what a plot can show, in a third of the bytes. */
    private static double shortened(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return value;
        }
        double scale = StrictMath.pow(10, 5 - StrictMath.floor(StrictMath.log10(Math.abs(value))));
        return StrictMath.rint(value * scale) / scale;
    }
}

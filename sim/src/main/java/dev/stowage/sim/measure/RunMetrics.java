package dev.stowage.sim.measure;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Reward;
import dev.stowage.core.policy.Declared;
import dev.stowage.core.policy.Gauge;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import dev.stowage.sim.statistics.WaitStatistics;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The metrics of one finished run after its warm-up; names and units in docs/results.md. */
public final class RunMetrics {
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;

    private static final List<String> WHOLE = List.of(
            "wait_mean_s",
            "wait_p50_s",
            "wait_p90_s",
            "wait_p99_s",
            "wait_max_s",
            "waited_fraction",
            "queue_length_mean",
            "queue_length_max",
            "queue_length_final",
            "without_place",
            "running_mean",
            "in_system_mean",
            "occupied_servers_mean",
            "occupied_servers_max",
            "idle_servers_mean",
            "cost_mean",
            "reward_rate",
            "arrived",
            "placed",
            "left",
            "rejected",
            "rejection_fraction",
            "fits_no_server_fraction",
            "expired",
            "expired_fraction",
            "migrations",
            "migrations_per_arrival",
            "displaced",
            "evicted",
            "failed_starts",
            "lost_run_s",
            "servers_gone",
            "gangs_arrived",
            "gangs_placed",
            "refused",
            "server_changes_refused",
            "jobs_completed",
            "jobs_rejected",
            "jobs_unfinished",
            "job_completion_mean_s",
            "job_completion_p50_s",
            "job_completion_max_s");
    private static final List<String> BY_RESOURCE = List.of(
            "present_capacity",
            "utilization",
            "stranded",
            "devices_in_use_mean",
            "queued_demand_mean",
            "queued_demand_max",
            "queued_demand_final",
            "dummy_share");
    private static final List<String> BY_TYPE = List.of(
            "arrived", "rejection_fraction", "wait_mean_s", "wait_p50_s", "wait_p90_s", "wait_p99_s", "wait_max_s");

    private final Measurements run;
    private final Cluster cluster;
    private final List<String> typeNames;
    /** The first interval that lies wholly after the warm-up. */
    private final int first;

    private final long firstNanos;
    private final int complete;
    private final Map<String, RunMetric> metrics = new LinkedHashMap<>();

    private RunMetrics(Measurements run, Cluster cluster, List<String> typeNames, long warmUpNanos) {
        this.run = run;
        this.cluster = cluster;
        this.typeNames = typeNames;
        first = run.inSystem.intervalFrom(warmUpNanos);
        firstNanos = Math.min(warmUpNanos, run.inSystem.endNanos());
        complete = Math.max(0, run.inSystem.complete() - first);
    }

    /** Names of the metrics that runs on a cluster may have, except gauges of policies and placements by site. */
    public static Set<String> names(Cluster cluster, List<String> types) {
        Set<String> names = new LinkedHashSet<>(WHOLE);
        for (Resource resource : cluster.resources()) {
            String label = "resource=" + resource.name() + "}";
            BY_RESOURCE.forEach(name -> names.add(name + "{" + label));
            if (cluster.sites().size() > 1) {
                cluster.sites().forEach(site -> names.add("utilization{site=" + site.name() + "," + label));
            }
            if (resource.comesInDevices()) {
                UsableCapacity.requests(types.size() > 1 ? types : List.of())
                        .forEach(request ->
                                names.add("fragments_mean{" + request + ",resource=" + resource.name() + "}"));
            }
        }
        if (types.size() > 1) {
            types.forEach(type -> BY_TYPE.forEach(name -> names.add(name + "{type=" + type + "}")));
        }
        return names;
    }

    /**
     * All metrics of a run, in the order of docs/results.md.
     *
     * @param warmUpNanos what is cut: that of the run's grid, or whole windows of {@link TimeGrid#WINDOW} intervals
     * @param parts parts whose metrics are in it, too
     */
    public static Map<String, RunMetric> of(
            Measurements run, Cluster cluster, List<String> typeNames, long warmUpNanos, Set<MeasuredPart> parts) {
        RunMetrics all = new RunMetrics(run, cluster, typeNames, warmUpNanos);
        all.addCounts();
        all.addFaults(parts);
        all.addWaits();
        all.addQueue();
        all.addUse();
        run.gauges.forEach((gauge, values) -> {
            if (!SiteSeries.tells(gauge)) {
                all.putMean(meanName(gauge), values, 1);
            }
        });
        if (run.siteUse != null && run.siteUse.countsPlacements() && run.types == typeNames.size()) {
            all.addPlacements(run.siteUse);
        }
        all.addJobs();
        if (run.byType) {
            all.addTypes();
        }
        return all.metrics;
    }

    private void addCounts() {
        long fitsNoServer = run.counts.from(firstNanos, RunCollector.FITS_NO_SERVER);
        long arrived = fitsNoServer + sumOverTypes(RunCollector.FIRST_TYPE);
        long rejected = fitsNoServer + sumOverTypes(RunCollector.FIRST_TYPE + run.types);
        putCount("arrived", arrived);
        putCount("placed", run.counts.from(firstNanos, RunCollector.PLACED));
        putCount("left", run.counts.from(firstNanos, RunCollector.LEFT));
        putCount("rejected", rejected);
        if (arrived > 0) {
            double[] offered = withRefused(piecesOverTypes(RunCollector.FIRST_TYPE));
            double[] turnedAway = withRefused(piecesOverTypes(RunCollector.FIRST_TYPE + run.types));
            metrics.put("rejection_fraction", new RunMetric((double) rejected / arrived, turnedAway, offered));
            if (run.counts.from(run.grid.startNanos(), RunCollector.FITS_NO_SERVER) > 0) {
                put("fits_no_server_fraction", (double) fitsNoServer / arrived);
            }
        }
        long migrations = run.counts.from(firstNanos, RunCollector.MIGRATED);
        putCount("migrations", migrations);
        if (arrived > 0) {
            put("migrations_per_arrival", (double) migrations / arrived);
        }
        putCount("displaced", run.counts.from(firstNanos, RunCollector.DISPLACED));
        putCount("refused", run.counts.from(firstNanos, RunCollector.REFUSED));
        if (anyOf(RunCollector.SERVER_CHANGES_REFUSED)) {
            long all = run.counts.from(run.grid.startNanos(), RunCollector.SERVER_CHANGES_REFUSED);
            putCount("server_changes_refused", all);
        }
    }

    private void addFaults(Set<MeasuredPart> parts) {
        boolean fail = parts.contains(MeasuredPart.FAILURES);
        boolean preempt = parts.contains(MeasuredPart.PRIORITIES);
        if (preempt || anyOf(RunCollector.EVICTED)) {
            putCount("evicted", run.counts.from(firstNanos, RunCollector.EVICTED));
        }
        if (parts.contains(MeasuredPart.STARTS) || anyOf(RunCollector.FAILED_STARTS)) {
            putCount("failed_starts", run.counts.from(firstNanos, RunCollector.FAILED_STARTS));
        }
        if (parts.contains(MeasuredPart.LONGEST_WAITS) || anyOf(RunCollector.EXPIRED)) {
            addExpired();
        }
        if (fail || preempt) {
            put("lost_run_s", run.counts.from(firstNanos, RunCollector.LOST_MILLIS) / MILLIS);
        }
        if (fail) {
            putCount("servers_gone", run.counts.from(firstNanos, RunCollector.SERVERS_GONE));
            addPresentCapacity();
        }
        if (parts.contains(MeasuredPart.GANGS)) {
            putCount("gangs_arrived", run.counts.from(firstNanos, RunCollector.GANGS_ARRIVED));
            putCount("gangs_placed", run.counts.from(firstNanos, RunCollector.GANGS_PLACED));
        }
    }

    private void addExpired() {
        long expired = run.counts.from(firstNanos, RunCollector.EXPIRED);
        long arrived = run.counts.from(firstNanos, RunCollector.FITS_NO_SERVER) + sumOverTypes(RunCollector.FIRST_TYPE);
        putCount("expired", expired);
        if (arrived > 0) {
            double[] pieces = run.counts.pieces(RunCollector.EXPIRED, first, complete, run.inSystem.widthNanos());
            double[] offered = withRefused(piecesOverTypes(RunCollector.FIRST_TYPE));
            metrics.put("expired_fraction", new RunMetric((double) expired / arrived, pieces, offered));
        }
    }

    /** Relative to the capacity at the start. */
    private void addPresentCapacity() {
        for (int r : limited(cluster)) {
            int resource = r;
            double whole = cluster.sites().stream()
                    .flatMap(site -> site.servers().stream())
                    .mapToDouble(
                            block -> (double) block.count() * block.capacity().get(resource))
                    .sum();
            if (whole > 0) {
                double[] pieces = sumOfPieces(sites(run.capacity, r));
                Arrays.setAll(pieces, i -> pieces[i] / whole);
                double mean = sumOfMeans(sites(run.capacity, r)) / whole;
                metrics.put("present_capacity{resource=" + resource(r) + "}", RunMetric.mean(mean, pieces));
            }
        }
    }

    /** Whether such an event happened at all, even during the warm-up. */
    private boolean anyOf(int kind) {
        return run.counts.from(run.grid.startNanos(), kind) > 0;
    }

    private double[] withRefused(double[] pieces) {
        double[] refused = run.counts.pieces(RunCollector.FITS_NO_SERVER, first, complete, run.inSystem.widthNanos());
        Arrays.setAll(pieces, i -> pieces[i] + refused[i]);
        return pieces;
    }

    /**
     * The longest wait; requests that still wait at the end count with their wait so far. Nothing if no request was
     * placed or waits.
     */
    private void putLongest(String label, WaitStatistics waits, WaitStatistics still) {
        if (waits.count() + still.count() > 0) {
            put("wait_max_s" + label, Math.max(waits.maxNanos(), still.maxNanos()) / NANOS);
        }
    }

    private void addWaits() {
        int window = run.waits.windowFrom(firstNanos);
        WaitStatistics waits = run.waits.allFrom(window);
        putLongest("", waits, run.stillWaiting.allFrom(window));
        if (waits.count() == 0) {
            return;
        }
        int windows = (int) (complete * run.inSystem.widthNanos() / run.waits.widthNanos());
        double[] sums = new double[windows];
        double[] counts = new double[windows];
        for (int i = 0; i < windows; i++) {
            WaitStatistics part = run.waits.window(window + i);
            sums[i] = part.sumNanos() / NANOS;
            counts[i] = part.count();
        }
        metrics.put("wait_mean_s", new RunMetric(waits.meanNanos() / NANOS, sums, counts));
        put("wait_p50_s", waits.quantileNanos(0.5) / NANOS);
        put("wait_p90_s", waits.quantileNanos(0.9) / NANOS);
        put("wait_p99_s", waits.quantileNanos(0.99) / NANOS);
        put("waited_fraction", (double) waits.positiveCount() / waits.count());
    }

    private void addQueue() {
        putMean("queue_length_mean", run.waiting, 1);
        putCount("queue_length_max", run.waiting.maxFrom(firstNanos));
        putCount("queue_length_final", run.waiting.value());
        for (int r : limited(cluster)) {
            String label = "{resource=" + resource(r) + "}";
            putMean("queued_demand_mean" + label, run.queuedDemand[r], 1);
            putCount("queued_demand_max" + label, run.queuedDemand[r].maxFrom(firstNanos));
            putCount("queued_demand_final" + label, run.queuedDemand[r].value());
        }
        putMean("running_mean", run.running, 1);
        putMean("in_system_mean", run.inSystem, 1);
    }

    /** The resources that are limited on some server: not those that tasks only declare. */
    static int[] limited(Cluster cluster) {
        return IntStream.range(0, cluster.resources().size())
                .filter(r -> !Declared.isDeclared(cluster.resources().get(r).name())
                        || cluster.sites().stream()
                                .flatMap(site -> site.servers().stream())
                                .anyMatch(block -> block.capacity().get(r) != Declared.PLENTY))
                .toArray();
    }

    private void addUse() {
        int[] resources = limited(cluster);
        for (int r : resources) {
            putRatio("utilization{resource=" + resource(r) + "}", sites(run.used, r), sites(run.capacity, r));
        }
        if (run.used.length > 1) {
            for (int site = 0; site < run.used.length; site++) {
                for (int r : resources) {
                    putRatio(
                            "utilization{site=" + siteName(cluster, site) + ",resource=" + resource(r) + "}",
                            new Trajectory[] {run.used[site][r]},
                            new Trajectory[] {run.capacity[site][r]});
                }
            }
        }
        Unusable unusable = new Unusable(run, typeNames, first, firstNanos);
        for (int r : resources) {
            addStranded(unusable, r);
        }
        for (int r : resources) {
            if (cluster.resources().get(r).comesInDevices()) {
                double device = cluster.resources().get(r).deviceAmount();
                double[] pieces = sumOfPieces(sites(run.used, r));
                Arrays.setAll(pieces, i -> pieces[i] / device);
                metrics.put(
                        "devices_in_use_mean{resource=" + resource(r) + "}",
                        RunMetric.mean(sumOfMeans(sites(run.used, r)) / device, pieces));
                unusable.addFragments(metrics, resource(r), r, device);
            }
        }
        putMean("occupied_servers_mean", run.occupied, 1);
        putCount("occupied_servers_max", run.occupied.maxFrom(firstNanos));
        if (run.inSystem.endNanos() - firstNanos >= IdleServers.LEAST_NANOS) {
            metrics.put("idle_servers_mean", IdleServers.mean(run, firstNanos, first, complete));
        }
        if (run.cost.maxFrom(run.grid.startNanos()) > 0) {
            putMean("cost_mean", run.cost, PricesInUse.ONE);
        }
        if (run.reward.maxFrom(run.grid.startNanos()) > 0) {
            putMean("reward_rate", run.reward, Reward.ONE_PER_SECOND);
        }
        for (int r : resources) {
            if (run.dummyHeld[r].maxFrom(run.grid.startNanos()) > 0) {
                Trajectory[] held = {run.dummyHeld[r]};
                putRatio("dummy_share{resource=" + resource(r) + "}", held, sites(run.capacity, r));
            }
        }
    }

    private void addStranded(Unusable unusable, int r) {
        Trajectory[] capacity = sites(run.capacity, r);
        double whole = sumOfMeans(capacity);
        if (run.usable.length > 0 && whole > 0) {
            metrics.put(
                    "stranded{resource=" + resource(r) + "}",
                    new RunMetric(
                            unusable.mean(UsableCapacity.MEDIAN, r) / whole,
                            unusable.pieces(UsableCapacity.MEDIAN, r),
                            sumOfPieces(capacity)));
        }
    }

    private void addJobs() {
        if (run.jobs == null) {
            return;
        }
        long[] counts = run.jobs.counts(firstNanos);
        putCount("jobs_completed", counts[0]);
        putCount("jobs_rejected", counts[1]);
        putCount("jobs_unfinished", counts[2]);
        double[] seconds = run.jobs.seconds(firstNanos);
        if (seconds.length > 0) {
            put("job_completion_mean_s", DoubleStream.of(seconds).sum() / seconds.length);
            put("job_completion_p50_s", seconds[(seconds.length - 1) / 2]);
            put("job_completion_max_s", seconds[seconds.length - 1]);
        }
    }

    private void addTypes() {
        int window = run.waits.windowFrom(firstNanos);
        for (int type = 0; type < run.types; type++) {
            String label = "{type=" + typeNames.get(type) + "}";
            long arrived = run.counts.from(firstNanos, RunCollector.FIRST_TYPE + type);
            if (arrived == 0) {
                continue;
            }
            putCount("arrived" + label, arrived);
            long rejected = run.counts.from(firstNanos, RunCollector.FIRST_TYPE + run.types + type);
            put("rejection_fraction" + label, (double) rejected / arrived);
            WaitStatistics waits = run.waits.typeFrom(type, window);
            putLongest(label, waits, run.stillWaiting.typeFrom(type, window));
            if (waits.count() > 0) {
                put("wait_mean_s" + label, waits.meanNanos() / NANOS);
                put("wait_p50_s" + label, waits.quantileNanos(0.5) / NANOS);
                put("wait_p90_s" + label, waits.quantileNanos(0.9) / NANOS);
                put("wait_p99_s" + label, waits.quantileNanos(0.99) / NANOS);
            }
        }
    }

    /** Where the requests of each type went: a row of the routing table. */
    private void addPlacements(SiteTimes use) {
        for (int type = 0; type < run.types; type++) {
            long placed = 0;
            double[] pieces = new double[complete];
            for (int site = 0; site <= use.firstSites(); site++) {
                placed += use.placements().from(firstNanos, use.kind(type, site));
                double[] there = placementsAt(use, type, site);
                Arrays.setAll(pieces, i -> pieces[i] + there[i]);
            }
            for (int site = 0; site < use.firstSites() && placed > 0; site++) {
                long there = use.placements().from(firstNanos, use.kind(type, site));
                metrics.put(
                        "placed_fraction{site=" + siteName(cluster, site) + ",type=" + typeNames.get(type) + "}",
                        new RunMetric((double) there / placed, placementsAt(use, type, site), pieces));
            }
        }
    }

    private double[] placementsAt(SiteTimes use, int type, int site) {
        return use.placements().pieces(use.kind(type, site), first, complete, run.inSystem.widthNanos());
    }

    /** {@code reserved_slots_mean{type=small}} of {@code reserved_slots{type=small}}. */
    private static String meanName(Gauge gauge) {
        MetricName name = MetricName.of(gauge.name() + "_mean");
        for (Gauge.Label label : gauge.labels()) {
            name = name.with(label.key(), label.value());
        }
        return name.toString();
    }

    /** Name of a site; sites that joined during the run have none in the cluster. */
    static String siteName(Cluster cluster, int site) {
        return site < cluster.sites().size() ? cluster.sites().get(site).name() : "site-" + site;
    }

    private String resource(int r) {
        return cluster.resources().get(r).name();
    }

    private void put(String name, double value) {
        metrics.put(name, RunMetric.plain(value));
    }

    private void putCount(String name, long count) {
        put(name, (double) count);
    }

    private void putMean(String name, Trajectory trajectory, double unit) {
        double[] pieces = trajectory.completeMeansFrom(first);
        Arrays.setAll(pieces, i -> pieces[i] / unit);
        metrics.put(name, RunMetric.mean(trajectory.meanFrom(firstNanos) / unit, pieces));
    }

    private void putRatio(String name, Trajectory[] above, Trajectory[] below) {
        double capacity = sumOfMeans(below);
        if (capacity > 0) {
            metrics.put(name, new RunMetric(sumOfMeans(above) / capacity, sumOfPieces(above), sumOfPieces(below)));
        }
    }

    private double sumOfMeans(Trajectory[] trajectories) {
        return Arrays.stream(trajectories)
                .mapToDouble(t -> t.meanFrom(firstNanos))
                .sum();
    }

    private double[] sumOfPieces(Trajectory[] trajectories) {
        double[] sum = new double[complete];
        for (Trajectory each : trajectories) {
            double[] pieces = each.completeMeansFrom(first);
            Arrays.setAll(sum, i -> sum[i] + pieces[i]);
        }
        return sum;
    }

    private static Trajectory[] sites(Trajectory[][] bySite, int resource) {
        return Arrays.stream(bySite).map(row -> row[resource]).toArray(Trajectory[]::new);
    }

    private long sumOverTypes(int firstKind) {
        return IntStream.range(0, run.types)
                .mapToLong(type -> run.counts.from(firstNanos, firstKind + type))
                .sum();
    }

    private double[] piecesOverTypes(int firstKind) {
        double[] sum = new double[complete];
        for (int type = 0; type < run.types; type++) {
            double[] pieces = run.counts.pieces(firstKind + type, first, complete, run.inSystem.widthNanos());
            Arrays.setAll(sum, i -> sum[i] + pieces[i]);
        }
        return sum;
    }
}

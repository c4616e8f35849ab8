package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.sim.measure.RunMetric;
import dev.stowage.sim.measure.RunMetrics;
import dev.stowage.sim.measure.RunSeries;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.result.TimeBlocks;
import dev.stowage.sim.statistics.GrowthTest;
import dev.stowage.sim.statistics.Intervals;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import dev.stowage.sim.statistics.TwoStage;
import dev.stowage.sim.statistics.WarmUp;
import dev.stowage.sim.unit.FinishedRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/** The rows of all replications of one policy at one point. */
final class GroupRows {
    private static final double NANOS = 1e9;
    /** Means that do not exist when the queue grows for ever. */
    private static final List<String> MEANINGLESS_IF_UNSTABLE =
            List.of("wait_", "queue_length_mean", "queued_demand_mean", "in_system_mean");

    /** The metrics that have blocks in a run on given requests. */
    private static final List<String> COMPARED = List.of(
            "wait_mean_s", "queue_length_mean", "rejection_fraction", "utilization{resource", "occupied_servers_mean");

    private final Experiment point;
    private final Cluster cluster;
    private final List<FinishedRun> runs;
    private final Origin origin;
    private final Cut cut;
    private final List<Map<String, RunMetric>> measured = new ArrayList<>();
    private final Stability stability;

    GroupRows(Experiment point, LabelledPolicy policy, String version, List<FinishedRun> runs) {
        this.point = point;
        this.cluster = point.cluster();
        this.runs = runs;
        Map<String, Object> parameters = new LinkedHashMap<>(policy.spec().parameters());
        origin = new Origin(
                ResultRow.SCHEMA,
                point.name(),
                point.hash(),
                version,
                Runtime.version().toString(),
                policy.label(),
                parameters,
                point.point());
        cut = cut();
        for (FinishedRun run : runs) {
            Map<String, RunMetric> all =
                    RunMetrics.of(run.measured(), cluster, point.workload().types(), warmUp(run), point.parts());
            measured.add(point.standsStill() ? ofInventory(all) : all);
        }
        List<Trajectory> queues = ofEqualWidth(run -> run.measured().waiting());
        int intervals = queues.get(0).intervalFrom(warmUp(runs.get(0)));
        stability = point.standsStill()
                ? new Stability(Stability.INVENTORY, 0, null)
                : point.workload().isGiven()
                        ? GrowthTest.judgeOneTrace(queues, intervals, arrivalsPerHour(), point.confidence())
                        : GrowthTest.judge(queues, intervals, arrivalsPerHour());
    }

    /** Of an inventory: without waits, of which it has none, and with how many of its requests find no place. */
    private static Map<String, RunMetric> ofInventory(Map<String, RunMetric> all) {
        Map<String, RunMetric> metrics = new LinkedHashMap<>();
        double without = 0;
        for (Map.Entry<String, RunMetric> each : all.entrySet()) {
            String name = each.getKey();
            if (name.equals("queue_length_final") || name.equals("rejected")) {
                without += each.getValue().value();
            }
            if (!name.startsWith("wait") && !name.equals("queue_length_mean")) {
                metrics.put(name, each.getValue());
            }
        }
        metrics.put("without_place", new RunMetric(without, new double[0], new double[0]));
        return metrics;
    }

    int replications() {
        return runs.size();
    }

    /** Label of the policy. */
    String policy() {
        return origin.policy();
    }

    /** A metric in every replication; NaN where it does not exist. */
    double[] values(String metric) {
        return measured.stream()
                .mapToDouble(run -> {
                    RunMetric value = run.get(metric);
                    return value == null ? Double.NaN : value.value();
                })
                .toArray();
    }

    /** Whether the queue grows and the metric is a mean that does not exist then. */
    boolean hasNoMean(String metric) {
        return GrowthTest.UNSTABLE.equals(stability.verdict())
                && MEANINGLESS_IF_UNSTABLE.stream().anyMatch(metric::startsWith);
    }

    void emit(Consumer<ResultRow> rows) {
        for (int r = 0; r < measured.size(); r++) {
            rows.accept(runRow(runs.get(r), measured.get(r)));
        }
        rows.accept(summary());
        for (FinishedRun run : point.allSeries() ? runs : runs.subList(0, 1)) {
            series(run).overTime().forEach(rows);
        }
        series(runs.get(0)).distributions(warmUp(runs.get(0))).stream()
                .filter(row -> !(point.standsStill() && row.name().startsWith("wait")))
                .forEach(rows);
    }

    private RunSeries series(FinishedRun run) {
        return new RunSeries(run.measured(), cluster, point.workload().types(), origin, run.replication());
    }

    private RunRow runRow(FinishedRun run, Map<String, RunMetric> metrics) {
        Map<String, Double> values = new LinkedHashMap<>();
        metrics.forEach((name, metric) -> values.put(name, metric.value()));
        return new RunRow(
                origin,
                run.replication(),
                run.seed(),
                String.format(Locale.ROOT, "%016x", run.outcome().digest()),
                warmUp(run) / NANOS,
                run.outcome().endNanos() / NANOS,
                values,
                exact() && run.replication() == runs.get(0).replication() ? blocks(run, metrics) : Map.of());
    }

    /** Whether this is one run on given requests, or copies of it because nothing is drawn. */
    boolean exact() {
        return point.workload().isGiven()
                && !point.drawsOrigins()
                && (runs.size() == 1
                        || (point.hazards().failures().isEmpty()
                                && runs.stream()
                                                .map(run -> run.outcome().digest())
                                                .distinct()
                                                .count()
                                        == 1));
    }

    private static Map<String, TimeBlocks> blocks(FinishedRun run, Map<String, RunMetric> metrics) {
        Map<String, TimeBlocks> blocks = new LinkedHashMap<>();
        metrics.forEach((name, metric) -> {
            if (COMPARED.stream().anyMatch(name::startsWith) && metric.numerators().length > 0) {
                int intervals = name.startsWith("wait_") ? TimeGrid.WINDOW : 1;
                double width = run.measured().inSystem().widthNanos() * intervals / NANOS;
                blocks.put(name, new TimeBlocks(width, metric.numerators(), metric.denominators()));
            }
        });
        return blocks;
    }

    private SummaryRow summary() {
        Map<String, Estimate> estimates = new LinkedHashMap<>();
        for (String name : measured.get(0).keySet()) {
            if (!hasNoMean(name)) {
                estimates.put(name, estimate(name));
            }
        }
        return new SummaryRow(origin, runs.size(), cut.how(), stability, estimates);
    }

    /** After the warm-up, over all replications. */
    private double arrivalsPerHour() {
        double arrived = 0;
        double nanos = 0;
        for (int r = 0; r < measured.size(); r++) {
            FinishedRun run = runs.get(r);
            arrived += Objects.requireNonNull(measured.get(r).get("arrived")).value();
            nanos += run.outcome().endNanos() - warmUp(run);
        }
        return nanos > 0 ? arrived / nanos * NANOS * 3600 : 0;
    }

    private Estimate estimate(String name) {
        if (exact()) {
            double value = Objects.requireNonNull(measured.get(0).get(name)).value();
            return new Estimate(value, null, point.confidence(), Intervals.EXACT, 1);
        }
        Precision precision = point.precision();
        if (precision != null
                && precision.metric().equals(name)
                && point.policies().size() != 2) {
            double[] all = values(name);
            if (Arrays.stream(all).noneMatch(Double::isNaN)) {
                return TwoStage.estimate(all, point.replications(), point.confidence());
            }
        }
        List<RunMetric> values = measured.stream()
                .map(run -> run.get(name))
                .filter(v -> v != null)
                .toList();
        double[] numbers = values.stream().mapToDouble(RunMetric::value).toArray();
        if (point.workload().isGiven()) {
            return Intervals.ofOneTrace(numbers, point.confidence());
        }
        return values.size() == 1
                ? values.get(0).estimate(point.confidence())
                : Intervals.replications(numbers, point.confidence());
    }

    /** Nothing is cut from an inventory: all of it is there, placed or not, from the first instant on. */
    private Cut cut() {
        if (point.standsStill()) {
            return new Cut(0, "none");
        }
        if (!point.warmUp().automatic()) {
            long nanos = point.warmUp().nanos();
            return new Cut(nanos, nanos == 0 ? "none" : "given");
        }
        List<Trajectory> inSystem = ofEqualWidth(run -> run.measured().inSystem());
        WarmUp chosen = WarmUp.choose(point.workload().isGiven() ? inSystem.subList(0, 1) : inSystem);
        return new Cut(
                inSystem.get(0).widthNanos() * chosen.intervals(),
                chosen.reached() ? "automatic" : "automatic-not-reached");
    }

    /** What is cut from the start, and how it was chosen ({@link SummaryRow#warmUp}). */
    private record Cut(long nanos, String how) {}

    /**
     * Length of the warm-up of a run: as given, to the nanosecond; else whole windows of waits of this run, rounded up.
     */
    private long warmUp(FinishedRun run) {
        long cutNanos = cut.nanos();
        if (cutNanos == 0 || !point.warmUp().automatic()) {
            return cutNanos;
        }
        long window = run.measured().inSystem().widthNanos() * TimeGrid.WINDOW;
        return (cutNanos + window - 1) / window * window;
    }

    /**
     * The trajectories at equal width: in runs that end after a number of requests, intervals may have doubled once
     * more or less.
     */
    private List<Trajectory> ofEqualWidth(Function<FinishedRun, Trajectory> quantity) {
        long width = quantity.apply(runs.get(0)).widthNanos();
        return runs.stream()
                .map(quantity)
                .filter(trajectory -> trajectory.widthNanos() == width)
                .toList();
    }
}

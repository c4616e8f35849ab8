package dev.stowage.study.reproduce;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.result.TimeBlocks;
import dev.stowage.sim.statistics.Intervals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Made-up rows of an experiment, with intervals at 99 %. */
final class MadeUp {
    static final double CONFIDENCE = 0.99;
    private static final Stability NO_QUEUE = new Stability("no-queue", 0, null);

    private final List<SummaryRow> summaries = new ArrayList<>();
    private final List<RunRow> runs = new ArrayList<>();
    private final List<SeriesRow> series = new ArrayList<>();

    /**
     * Five replications of a mean, 1 % apart: policies differ by the same factor in each, so their ratios are exact.
     */
    static double[] about(double mean) {
        return new double[] {0.98 * mean, 0.99 * mean, mean, 1.01 * mean, 1.02 * mean};
    }

    private static Origin origin(String policy, Map<String, String> point) {
        return new Origin("stowage.results/1", "made-up", "0", "0", "17", policy, Map.of(), point);
    }

    /** A point with axes in order. */
    static Map<String, String> point(String... axesAndValues) {
        Map<String, String> point = new LinkedHashMap<>();
        for (int i = 0; i < axesAndValues.length; i += 2) {
            point.put(axesAndValues[i], axesAndValues[i + 1]);
        }
        return point;
    }

    /** Replications of a policy, whose summary also has metrics that are in summaries only. */
    MadeUp add(
            String policy,
            Map<String, String> point,
            Stability stability,
            Map<String, double[]> metrics,
            Map<String, Estimate> besides) {
        int count = metrics.values().iterator().next().length;
        for (int replication = 0; replication < count; replication++) {
            Map<String, Double> values = new TreeMap<>();
            int number = replication;
            metrics.forEach((name, all) -> values.put(name, all[number]));
            runs.add(new RunRow(origin(policy, point), replication, 100 + replication, "0", 0, 1, values));
        }
        Map<String, Estimate> estimates = new TreeMap<>(besides);
        // As in results, there are no means of a growing queue.
        metrics.forEach((name, all) -> {
            if (!stability.verdict().equals("unstable")) {
                estimates.put(name, Intervals.replications(all, CONFIDENCE));
            }
        });
        summaries.add(new SummaryRow(origin(policy, point), count, "none", stability, estimates));
        return this;
    }

    MadeUp add(String policy, Map<String, String> point, Map<String, double[]> metrics) {
        return add(policy, point, NO_QUEUE, metrics, Map.of());
    }

    /** The one run of a trace: exact, with blocks of a minute. */
    MadeUp trace(String policy, Map<String, String> point, String verdict, String metric, double[] blocks) {
        double mean = Arrays.stream(blocks).average().orElseThrow();
        Map<String, TimeBlocks> all = Map.of(metric, new TimeBlocks(60, blocks, new double[0]));
        runs.add(new RunRow(origin(policy, point), 0, 100, "0", 0, 1, Map.of(metric, mean), all));
        summaries.add(new SummaryRow(
                origin(policy, point),
                1,
                "none",
                new Stability(verdict, 0, null),
                Map.of(metric, new Estimate(mean, null, CONFIDENCE, "exact", 1))));
        return this;
    }

    /** A value from a time on, in a replication; times come in order. */
    MadeUp from(String policy, int replication, String name, double startSeconds, double value) {
        SeriesRow row = series.stream()
                .filter(each -> each.origin().policy().equals(policy)
                        && each.replication() == replication
                        && each.name().equals(name))
                .findFirst()
                .orElseGet(() -> row(policy, replication, name, new double[0], new double[0]));
        series.remove(row);
        series.add(row(policy, replication, name, with(row.timeSeconds(), startSeconds), with(row.mean(), value)));
        return this;
    }

    private static double[] with(double[] values, double last) {
        double[] more = Arrays.copyOf(values, values.length + 1);
        more[values.length] = last;
        return more;
    }

    private static SeriesRow row(String policy, int replication, String name, double[] times, double[] values) {
        return new SeriesRow(origin(policy, Map.of()), replication, name, "", times, values, values, values);
    }

    Measured measured() {
        return new Measured(summaries, runs, series);
    }

    Finding judge(String paper, String figure) {
        return Papers.find(paper)
                .orElseThrow()
                .figure(figure)
                .orElseThrow()
                .judge()
                .judge(measured());
    }

    Verdict verdict(String paper, String figure) {
        return judge(paper, figure).verdict();
    }
}

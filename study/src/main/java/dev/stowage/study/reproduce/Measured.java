package dev.stowage.study.reproduce;

import dev.stowage.report.PairedBlocks;
import dev.stowage.report.Results;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.statistics.Intervals;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one experiment, asked by policy and by the value of its sweep axis. In a replication all policies see the
 * same requests, so policies are compared replication by replication (paired t-intervals).
 */
public final class Measured {
    /** An interval smaller than this part of the mean is rounding error of adding equal numbers. */
    private static final double ROUNDING = 1e-12;

    private static final Pattern ZERO = Pattern.compile("[0.]+");

    private final List<SummaryRow> summaries;
    private final List<RunRow> runs;
    private final List<SeriesRow> series;

    /** Takes the summaries, the replications behind them, and what happened over time. */
    public Measured(List<SummaryRow> summaries, List<RunRow> runs, List<SeriesRow> series) {
        this.summaries = List.copyOf(summaries);
        this.runs = List.copyOf(runs);
        this.series = List.copyOf(series);
    }

    /** Takes the rows of results. */
    public static Measured of(Results results) {
        return new Measured(
                only(SummaryRow.class, results), only(RunRow.class, results), only(SeriesRow.class, results));
    }

    private static <R extends ResultRow> List<R> only(Class<R> kind, Results results) {
        return results.rows().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The rows at one value of a sweep axis, without this axis. */
    Measured at(String axis, String value) {
        return new Measured(
                summaries.stream()
                        .filter(row -> value.equals(row.origin().point().get(axis)))
                        .map(row -> new SummaryRow(
                                without(row.origin(), axis),
                                row.replications(),
                                row.warmUp(),
                                row.stability(),
                                row.metrics()))
                        .toList(),
                runs.stream()
                        .filter(row -> value.equals(row.origin().point().get(axis)))
                        .map(row -> new RunRow(
                                without(row.origin(), axis),
                                row.replication(),
                                row.seed(),
                                row.digest(),
                                row.warmupSeconds(),
                                row.horizonSeconds(),
                                row.metrics(),
                                row.blocks()))
                        .toList(),
                series.stream()
                        .filter(row -> value.equals(row.origin().point().get(axis)))
                        .map(row -> new SeriesRow(
                                without(row.origin(), axis),
                                row.replication(),
                                row.name(),
                                row.unit(),
                                row.timeSeconds(),
                                row.mean(),
                                row.min(),
                                row.max()))
                        .toList());
    }

    private static Origin without(Origin origin, String axis) {
        Map<String, String> point = new LinkedHashMap<>(origin.point());
        point.remove(axis);
        return origin.withPoint(point);
    }

    /** Values of a sweep axis in order. */
    List<String> values(String axis) {
        return summaries.stream()
                .map(row -> row.origin().point().getOrDefault(axis, ""))
                .distinct()
                .toList();
    }

    /** Values of the sweep axis in order; one empty value without a sweep. */
    List<String> values() {
        return summaries.stream().map(row -> value(row.origin())).distinct().toList();
    }

    private static String value(Origin origin) {
        return origin.point().values().stream().findFirst().orElse("");
    }

    private static boolean is(Origin origin, String policy, String value) {
        return origin.policy().equals(policy) && value(origin).equals(value);
    }

    private SummaryRow row(String policy, String value) {
        Optional<SummaryRow> found = summaries.stream()
                .filter(row -> is(row.origin(), policy, value))
                .findFirst();
        return found.orElseThrow(() -> new IllegalArgumentException(
                "no summary of policy " + policy + (value.isEmpty() ? "" : " at " + value) + " in the results"));
    }

    /** Labels of the policies in order. */
    List<String> policies() {
        return summaries.stream().map(row -> row.origin().policy()).distinct().toList();
    }

    /** Whether a metric was measured. */
    boolean has(String policy, String metric) {
        return row(policy, "").metrics().get(metric) != null;
    }

    /** The metrics of a policy whose names have a prefix. */
    Map<String, Estimate> metrics(String policy, String value, String prefix) {
        Map<String, Estimate> found = new TreeMap<>();
        row(policy, value).metrics().forEach((name, estimate) -> {
            if (name.startsWith(prefix)) {
                found.put(name, estimate);
            }
        });
        return found;
    }

    Estimate estimate(String policy, String value, String metric) {
        return Objects.requireNonNull(
                row(policy, value).metrics().get(metric), () -> metric + " is missing in the results of " + policy);
    }

    /** The metric in each replication that has it, by seed, in order of replications. */
    private Map<Long, Double> bySeed(String policy, String value, String metric) {
        Map<Long, Double> found = new LinkedHashMap<>();
        runs.stream()
                .filter(run -> is(run.origin(), policy, value))
                .sorted(Comparator.comparingInt(RunRow::replication))
                .forEach(run -> {
                    Double measured = run.metrics().get(metric);
                    if (measured != null) {
                        found.put(run.seed(), measured);
                    }
                });
        return found;
    }

    /** The metric in each replication, in order; NaN where it does not exist. */
    double[] replications(String policy, String value, String metric) {
        return runs.stream()
                .filter(run -> is(run.origin(), policy, value))
                .sorted(Comparator.comparingInt(RunRow::replication))
                .mapToDouble(run -> run.metrics().getOrDefault(metric, Double.NaN))
                .toArray();
    }

    /** Mean over replications, at the level of the experiment. */
    Estimate mean(double[] replications) {
        return Intervals.replications(replications, confidence());
    }

    /** Ratio of means over replications, paired, at the level of the experiment. */
    Estimate ratio(double[] replications, double[] others) {
        return Intervals.ratio(replications, others, confidence());
    }

    /** Level of the intervals. */
    private double confidence() {
        return summaries.stream()
                .flatMap(row -> row.metrics().values().stream())
                .filter(estimate -> estimate.halfWidth() != null && estimate.confidence() < 1)
                .mapToDouble(Estimate::confidence)
                .findFirst()
                .orElse(0.95);
    }

    /** The metric of two policies in the same replications; empty if there are no pairs. */
    private Optional<double[][]> pairs(String policy, String other, String value, String metric) {
        Map<Long, Double> one = bySeed(policy, value, metric);
        Map<Long, Double> two = bySeed(other, value, metric);
        return one.size() < 2 || !List.copyOf(one.keySet()).equals(List.copyOf(two.keySet()))
                ? Optional.empty()
                : Optional.of(new double[][] {array(one), array(two)});
    }

    private static double[] array(Map<Long, Double> values) {
        return values.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** The metric of two policies on one trace, block by block; empty if there are no blocks of it. */
    private Optional<Estimate> byBlocks(String policy, String other, String value, String metric) {
        Optional<RunRow> one = onlyRun(policy, value);
        Optional<RunRow> two = onlyRun(other, value);
        return one.isEmpty() || two.isEmpty()
                ? Optional.empty()
                : PairedBlocks.difference(one.get(), two.get(), metric, confidence());
    }

    private Optional<RunRow> onlyRun(String policy, String value) {
        List<RunRow> found =
                runs.stream().filter(run -> is(run.origin(), policy, value)).toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    /**
     * The metric of one policy minus that of another: replication by replication, on one trace block by block, or, if
     * there are no pairs, from their own intervals, which is conservative.
     */
    Estimate difference(String policy, String other, String value, String metric) {
        return pairs(policy, other, value, metric)
                .map(pair -> Intervals.difference(pair[0], pair[1], confidence()))
                .or(() -> byBlocks(policy, other, value, metric))
                .orElseGet(() -> apart(estimate(policy, value, metric), estimate(other, value, metric)));
    }

    /** The difference of two quantities that were estimated from the same requests: the half-widths are added. */
    static Estimate apart(Estimate one, Estimate two) {
        return together(one, times(two, -1));
    }

    /** The sum of two quantities that were estimated from the same requests: the half-widths are added. */
    static Estimate together(Estimate one, Estimate two) {
        Double first = one.halfWidth();
        Double second = two.halfWidth();
        Double half = first == null || second == null ? null : Double.valueOf(first + second);
        return new Estimate(one.mean() + two.mean(), half, one.confidence(), one.method(), one.count());
    }

    /** The difference of two quantities that were estimated independently of each other. */
    static Estimate independent(Estimate one, Estimate two) {
        Double first = one.halfWidth();
        Double second = two.halfWidth();
        Double half = first == null || second == null ? null : Double.valueOf(Math.hypot(first, second));
        return new Estimate(one.mean() - two.mean(), half, one.confidence(), one.method(), one.count());
    }

    /** The metric of one policy over that of another, paired as {@link #difference}. */
    Estimate ratio(String policy, String other, String value, String metric) {
        return pairs(policy, other, value, metric)
                .map(pair -> ratio(pair[0], pair[1]))
                .orElseGet(() -> over(estimate(policy, value, metric), estimate(other, value, metric)));
    }

    private static Estimate over(Estimate one, Estimate two) {
        double ratio = one.mean() / two.mean();
        Double first = one.halfWidth();
        Double second = two.halfWidth();
        Double half = first == null || second == null
                ? null
                : Double.valueOf(ratio * (first / one.mean() + second / two.mean()));
        return new Estimate(ratio, half, one.confidence(), one.method(), one.count());
    }

    /** Mean of a quantity from one time to another, seconds, in each replication that reported it. */
    double[] between(String policy, String name, double from, double to) {
        return series.stream()
                .filter(row ->
                        row.origin().policy().equals(policy) && row.name().equals(name))
                .sorted(Comparator.comparingInt(SeriesRow::replication))
                .mapToDouble(row -> between(row, from, to))
                .toArray();
    }

    private static double between(SeriesRow row, double from, double to) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < row.mean().length; i++) {
            boolean inside = row.timeSeconds()[i] >= from && row.timeSeconds()[i] < to;
            sum += inside ? row.mean()[i] : 0;
            count += inside ? 1 : 0;
        }
        return sum / count;
    }

    private Stability stability(String policy, String value) {
        return row(policy, value).stability();
    }

    /** Whether the queue grows. */
    Truth unstable(String policy, String value) {
        return stable(policy, value).not();
    }

    /** Whether the queue does not grow, or nothing ever waited. */
    Truth stable(String policy, String value) {
        return switch (stability(policy, value).verdict()) {
            case "stable", "no-queue" -> Truth.YES;
            case "unstable" -> Truth.NO;
            default -> Truth.OPEN;
        };
    }

    /**
     * Whether a metric that grows with the queue is larger with one policy than with another. Of two queues that grow,
     * the faster is the longer. A queue whose stability is undecided is never shown to be shorter.
     */
    Truth isLonger(String policy, String other, String value, String metric) {
        Truth stable = stable(policy, value);
        Truth otherStable = stable(other, value);
        if (stable == Truth.NO && otherStable == Truth.NO) {
            return Truth.above(apart(growth(policy, value), growth(other, value)), 0);
        }
        return isLonger(stable, otherStable, () -> difference(policy, other, value, metric));
    }

    /** The same for any two queues, unless both grow. */
    static Truth isLonger(Truth stable, Truth otherStable, Supplier<Estimate> difference) {
        if (stable == Truth.NO || otherStable == Truth.NO) {
            return stable == Truth.OPEN || otherStable == Truth.OPEN ? Truth.OPEN : otherStable;
        }
        Truth longer = Truth.above(difference.get(), 0);
        Truth shorter = longer == Truth.YES ? otherStable : stable;
        return shorter == Truth.YES ? longer : Truth.OPEN;
    }

    private Estimate growth(String policy, String value) {
        Stability queue = stability(policy, value);
        return new Estimate(queue.growthPerHour(), queue.halfWidth(), confidence(), "growth", 1);
    }

    /** Half-width; 0 without one, or if it is only rounding error. */
    static double half(Estimate estimate) {
        Double half = estimate.halfWidth();
        if (half == null || !Double.isFinite(half)) {
            return 0;
        }
        return half > ROUNDING * Math.max(1, Math.abs(estimate.mean())) ? half : 0;
    }

    /** {@code vqs unstable, +12.3 ± 0.8 requests/h} or {@code vqs 1.284 ± 0.022 waiting (stable)}. */
    String tell(String policy, String value, String metric) {
        Stability queue = stability(policy, value);
        if (stable(policy, value) == Truth.NO) {
            return policy + " " + queue.verdict() + ", " + (queue.growthPerHour() < 0 ? "" : "+")
                    + tell(growth(policy, value)) + " requests/h"
                    + finals(queue.finalQueues());
        }
        return policy + " " + tell(estimate(policy, value, metric)) + unit(metric) + " (" + queue.verdict() + ")";
    }

    private static String unit(String metric) {
        return metric.endsWith("_s") ? " s" : metric.startsWith("queue_length") ? " waiting" : "";
    }

    /** {@code , final queues 239, 5,937} if some replications grow and others do not. */
    private static String finals(@Nullable List<Long> queues) {
        return queues == null
                ? ""
                : ", final queues "
                        + queues.stream()
                                .map(queue -> String.format(Locale.ROOT, "%,d", queue))
                                .collect(Collectors.joining(", "));
    }

    /** {@code 1.284 ± 0.022}; {@code 1.284} without an interval, or with one of no width. */
    static String tell(Estimate estimate) {
        return number(estimate.mean()) + (half(estimate) == 0 ? "" : " ± " + number(half(estimate)));
    }

    /** {@code +12.3 ± 0.4 %}, of a fraction; {@code +12.3 %} without an interval. */
    static String percent(Estimate fraction) {
        return tell(times(fraction, 100), "%+.1f", "%.1f") + " %";
    }

    /**
     * Mean and half-width in formats of their own; the mean alone without an interval, or with one of no width. A
     * half-width that its format would round to 0 is rounded up to the last digit that is shown.
     */
    static String tell(Estimate estimate, String mean, String half) {
        double width = half(estimate);
        String text = String.format(Locale.ROOT, half, width);
        String least = text.substring(0, text.length() - 1) + "1";
        return String.format(Locale.ROOT, mean, estimate.mean())
                + (width == 0 ? "" : " ± " + (ZERO.matcher(text).matches() ? least : text));
    }

    /** An estimate with something added to its mean, such as -1 to make "more" of a ratio. */
    static Estimate plus(Estimate estimate, double more) {
        return new Estimate(
                estimate.mean() + more,
                estimate.halfWidth(),
                estimate.confidence(),
                estimate.method(),
                estimate.count());
    }

    /** An estimate times a number. */
    static Estimate times(Estimate estimate, double factor) {
        Double half = estimate.halfWidth();
        return new Estimate(
                factor * estimate.mean(),
                half == null ? null : Double.valueOf(Math.abs(factor) * half),
                estimate.confidence(),
                estimate.method(),
                estimate.count());
    }

    /** The sums of two arrays of the same replications. */
    static double[] sum(List<double[]> parts) {
        double[] sum = new double[parts.get(0).length];
        for (double[] part : parts) {
            for (int i = 0; i < sum.length; i++) {
                sum[i] += part[i];
            }
        }
        return sum;
    }

    static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 1000 ? "%,.0f" : "%.3g", value);
    }

    /** Of several quantities in the same replications the one with the largest mean. */
    static double[] largestMean(List<double[]> parts) {
        return parts.stream()
                .max(Comparator.comparingDouble(
                        part -> Arrays.stream(part).average().orElse(Double.NEGATIVE_INFINITY)))
                .orElseThrow();
    }
}

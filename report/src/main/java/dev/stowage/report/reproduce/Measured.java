package dev.stowage.report.reproduce;

import dev.stowage.report.Results;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The summaries of one experiment, asked by policy and by the value of its sweep axis. */
public final class Measured {
    private final List<SummaryRow> rows;
    private final List<SeriesRow> series;

    /** Takes the summary rows. */
    public Measured(List<SummaryRow> rows) {
        this(rows, List.of());
    }

    /** Takes the summary rows and what happened over time. */
    public Measured(List<SummaryRow> rows, List<SeriesRow> series) {
        this.rows = List.copyOf(rows);
        this.series = List.copyOf(series);
    }

    /** Takes the summary rows of results. */
    public static Measured of(Results results) {
        return new Measured(
                results.rows().stream()
                        .filter(SummaryRow.class::isInstance)
                        .map(SummaryRow.class::cast)
                        .toList(),
                results.rows().stream()
                        .filter(SeriesRow.class::isInstance)
                        .map(SeriesRow.class::cast)
                        .toList());
    }

    /** Mean of a quantity from one time to another, seconds, in the first replication; NaN if it was not told. */
    double between(String policy, String name, double from, double to) {
        double sum = 0;
        int count = 0;
        for (SeriesRow row : series) {
            if (row.replication() == 0
                    && row.origin().policy().equals(policy)
                    && row.name().equals(name)) {
                for (int i = 0; i < row.mean().length; i++) {
                    boolean inside = row.timeSeconds()[i] >= from && row.timeSeconds()[i] < to;
                    sum += inside ? row.mean()[i] : 0;
                    count += inside ? 1 : 0;
                }
            }
        }
        return sum / count;
    }

    /** What was measured where the sweep axis has a value. */
    Measured at(String axis, String value) {
        return new Measured(
                rows.stream()
                        .filter(row -> value.equals(row.origin().point().get(axis)))
                        .toList(),
                series.stream()
                        .filter(row -> value.equals(row.origin().point().get(axis)))
                        .toList());
    }

    /** Values of a sweep axis in order. */
    List<String> values(String axis) {
        return rows.stream()
                .map(row -> row.origin().point().getOrDefault(axis, ""))
                .distinct()
                .toList();
    }

    /** The metrics of a policy whose names begin so. */
    Map<String, Estimate> metrics(String policy, String value, String prefix) {
        Map<String, Estimate> found = new TreeMap<>();
        row(policy, value).metrics().forEach((name, estimate) -> {
            if (name.startsWith(prefix)) {
                found.put(name, estimate);
            }
        });
        return found;
    }

    /** Whether a metric was measured. */
    boolean has(String policy, String metric) {
        return row(policy, "").metrics().get(metric) != null;
    }

    /** Values of the sweep axis in order; one empty value without a sweep. */
    List<String> values() {
        return rows.stream().map(Measured::value).distinct().toList();
    }

    private static String value(SummaryRow row) {
        return row.origin().point().values().stream().findFirst().orElse("");
    }

    private SummaryRow row(String policy, String value) {
        Optional<SummaryRow> found = rows.stream()
                .filter(row ->
                        row.origin().policy().equals(policy) && value(row).equals(value))
                .findFirst();
        return found.orElseThrow(() -> new IllegalArgumentException(
                "no summary of policy " + policy + (value.isEmpty() ? "" : " at " + value) + " in the results"));
    }

    private Stability stability(String policy, String value) {
        return row(policy, value).stability();
    }

    boolean unstable(String policy, String value) {
        return stability(policy, value).verdict().equals("unstable");
    }

    /** Stable, or nothing ever waited. */
    boolean stable(String policy, String value) {
        String verdict = stability(policy, value).verdict();
        return verdict.equals("stable") || verdict.equals("no-queue");
    }

    Estimate estimate(String policy, String value, String metric) {
        return Objects.requireNonNull(
                row(policy, value).metrics().get(metric), () -> metric + " is missing in the results of " + policy);
    }

    /** Whether the first is larger than the second, the confidence intervals apart; an unstable queue is larger than a stable one. */
    boolean isLarger(String policy, String other, String value, String metric) {
        if (unstable(policy, value) || unstable(other, value)) {
            return unstable(policy, value) && !unstable(other, value);
        }
        Estimate one = estimate(policy, value, metric);
        Estimate two = estimate(other, value, metric);
        return one.mean() - half(one) > two.mean() + half(two);
    }

    /** Mean of the first over mean of the second. */
    double ratio(String policy, String other, String value, String metric) {
        return mean(policy, value, metric) / mean(other, value, metric);
    }

    /** Mean of a metric that grows with the queue: infinite where the queue is unstable. */
    double mean(String policy, String value, String metric) {
        return unstable(policy, value)
                ? Double.POSITIVE_INFINITY
                : estimate(policy, value, metric).mean();
    }

    /** Growth of the queue, requests per hour. */
    double growth(String policy, String value) {
        return stability(policy, value).growthPerHour();
    }

    static double half(Estimate estimate) {
        Double half = estimate.halfWidth();
        return half == null || !Double.isFinite(half) ? 0 : half;
    }

    /** {@code vqs unstable, +12.3 ± 0.8 requests/h} or {@code vqs 1.284 ± 0.022 (stable)}. */
    String tell(String policy, String value, String metric) {
        Stability queue = stability(policy, value);
        if (unstable(policy, value)) {
            Double half = queue.halfWidth();
            return policy + " " + queue.verdict() + ", +" + number(queue.growthPerHour())
                    + (half == null ? "" : " ± " + number(half)) + " requests/h";
        }
        Estimate estimate = estimate(policy, value, metric);
        String interval = half(estimate) == 0 ? "" : " ± " + number(half(estimate));
        return policy + " " + number(estimate.mean()) + interval + " (" + queue.verdict() + ")";
    }

    static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 1000 ? "%,.0f" : "%.3g", value);
    }
}

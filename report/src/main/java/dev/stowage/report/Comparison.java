package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Policies compared in one metric at one sweep point. The best estimate leads; every policy whose confidence interval
 * overlaps the leader's is not distinguishable from it. Overlap is a cautious test: intervals that overlap a little may
 * still differ.
 *
 * @param metric what is compared
 * @param ranked outcomes that have the metric, best first, ties in the order of the experiment
 * @param leaders how many of the first are not distinguishable from the best; 1 is a clear best
 * @param intervals whether every compared estimate has an interval
 */
record Comparison(MetricName metric, List<Outcome> ranked, int leaders, boolean intervals) {

    /** Compares in a metric that has a better direction; null where fewer than two policies have it. */
    static @Nullable Comparison of(MetricName metric, List<Outcome> outcomes) {
        boolean more = Metric.of(metric).better() == Metric.Better.MORE;
        Comparator<Outcome> order = Comparator.comparingDouble(o -> mean(o, metric));
        List<Outcome> ranked = outcomes.stream()
                .filter(o -> o.complete() && o.trusted(metric) != null)
                .sorted(more ? order.reversed() : order)
                .toList();
        if (ranked.size() < 2) {
            return null;
        }
        Outcome best = ranked.get(0);
        // Ranked by mean, overlapping policies need not be neighbours: the last one that overlaps bounds the group.
        int leaders = 1;
        for (int i = 1; i < ranked.size(); i++) {
            if (overlaps(best, ranked.get(i), metric)) {
                leaders = i + 1;
            }
        }
        boolean intervals = ranked.stream().allMatch(o -> estimate(o, metric).halfWidth() != null);
        return new Comparison(metric, ranked, leaders, intervals);
    }

    Outcome best() {
        return ranked.get(0);
    }

    boolean leads(Outcome outcome) {
        return ranked.subList(0, leaders).contains(outcome);
    }

    boolean allAlike() {
        return leaders == ranked.size();
    }

    /** Whether all policies have the same estimate as far as it is written. */
    boolean sameValue() {
        return ranked.stream().map(this::value).distinct().count() == 1;
    }

    /** The estimate of the outcome as text. */
    String value(Outcome outcome) {
        Estimate estimate = estimate(outcome, metric);
        return Metric.of(metric).quantity().format(estimate.mean(), estimate.halfWidth());
    }

    private static boolean overlaps(Outcome a, Outcome b, MetricName metric) {
        Estimate first = estimate(a, metric);
        Estimate second = estimate(b, metric);
        return Math.abs(first.mean() - second.mean()) <= half(first) + half(second);
    }

    private static double half(Estimate estimate) {
        Double half = estimate.halfWidth();
        return half == null || !Double.isFinite(half) ? 0 : half;
    }

    private static double mean(Outcome outcome, MetricName metric) {
        return estimate(outcome, metric).mean();
    }

    private static Estimate estimate(Outcome outcome, MetricName metric) {
        Estimate estimate = outcome.metrics().get(metric);
        if (estimate == null) {
            throw new IllegalArgumentException(outcome.policy() + " has no " + metric);
        }
        return estimate;
    }
}

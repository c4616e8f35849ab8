package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Policies at one point ranked in one metric, and which of them differ significantly from the best, as judged by
 * {@link Comparison}.
 *
 * @param metric name as in {@link dev.stowage.sim.result.SummaryRow#metrics}
 * @param ranked best first
 */
public record Ranking(String metric, List<Ranked> ranked) {
    /** Takes a copy. */
    public Ranking {
        ranked = List.copyOf(ranked);
    }

    /**
     * A policy.
     *
     * @param value its own
     * @param shown the same in words, as tables show it
     * @param difference to that of the best, on the same requests; null if unknown
     * @param alike whether it is the best, or does not differ significantly from the best
     */
    public record Ranked(
            String policy,
            Estimate value,
            String shown,
            @Nullable Estimate difference,
            boolean alike) {}

    /**
     * Ranks those that have the metric: waits of policies that turn nothing away. Empty if fewer than two have it.
     */
    public static Optional<Ranking> of(Results results, String metric) {
        return of(results.outcomes(), metric);
    }

    /** Ranks those that turn away requests that a server could hold. Empty if fewer than two do. */
    public static Optional<Ranking> ofLoss(Results results, String metric) {
        return of(results.outcomes().stream().filter(Comparison::turnsAway).toList(), metric);
    }

    /** Ranks those that turn away no request that a server could hold. Empty if fewer than two have the metric. */
    public static Optional<Ranking> ofPatient(Results results, String metric) {
        return of(
                results.outcomes().stream()
                        .filter(each -> !Comparison.turnsAway(each))
                        .toList(),
                metric);
    }

    /** The same of those that also let none of these wait. */
    public static Optional<Ranking> ofComplete(Results results, String metric) {
        return of(
                results.outcomes().stream().filter(Comparison::servesAllAtOnce).toList(), metric);
    }

    private static Optional<Ranking> of(List<PolicyOutcome> outcomes, String metric) {
        return Comparison.of(MetricName.parse(metric), outcomes)
                .map(comparison -> new Ranking(
                        metric,
                        comparison.ranked().stream()
                                .map(rival -> new Ranked(
                                        rival.policy(),
                                        rival.estimate(),
                                        rival.outcome().text(comparison.metric(), rival.estimate()),
                                        rival.difference(),
                                        rival.alike()))
                                .toList()));
    }

    /** What no mean wait of these policies has, in a sentence; empty if that is nothing. */
    public static String leftWaiting(Results results, Collection<String> policies) {
        String waiting = Verdicts.leftWaiting(policies.stream()
                .flatMap(policy ->
                        results.outcomes().stream().filter(each -> each.policy().equals(policy)))
                .toList());
        return waiting.isEmpty() ? "" : waiting + ".";
    }

    /** A value in words, with its unit and interval. */
    public static String text(String metric, Estimate value) {
        return Metric.of(MetricName.parse(metric)).quantity().format(value.mean(), value.halfWidth());
    }

    /** The size of a difference in words, with its unit and interval. */
    public static String difference(String metric, Estimate difference) {
        return Metric.of(MetricName.parse(metric))
                .quantity()
                .formatDifference(Math.abs(difference.mean()), difference.halfWidth());
    }
}

package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.TimeBlocks;
import dev.stowage.sim.statistics.Intervals;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Policies compared in one metric at one sweep point, each with the one of the best mean.
 *
 * <p>In a replication all policies see the same requests, so the difference to the best is judged, replication by
 * replication: a policy is not distinguishable from the best if the paired t-interval of the difference contains 0.
 * Each of k differences is taken at confidence 1 - (1 - c) / k (Bonferroni), c being the level of the summary; where
 * replications were added until two policies were told apart, each look is one of so many differences. If runs
 * cannot be paired (a single one, or other seeds), overlap of the policies' own intervals decides, which is
 * conservative.
 *
 * <p>On one trace all figures are exact. Then it is judged whether the difference would appear on other requests like
 * these, by its interval from {@link TimeBlocks} of the same requests.
 *
 * <p>Waits are compared among the policies that turn nothing away: those of the others are over fewer requests. Of an
 * inventory, all but the number without a place is compared among those that find one for all that fits a server.
 *
 * @param metric what is compared
 * @param ranked outcomes that have the metric, best first, ties in the order of the experiment
 * @param basis how differences were judged
 */
record Comparison(MetricName metric, List<Rival> ranked, Basis basis) {
    /** Smaller than one request in any run; of a mean: rounding of sums that are equal. */
    private static final double NONE = 1e-12;

    /** The half-width of an interval from blocks, as a part of the mean, above which it is not to be trusted. */
    private static final double WIDE = 0.25;

    /** How a difference is judged. */
    enum Basis {
        /** Differences replication by replication. */
        REPLICATIONS,
        /** Exact figures of one trace, and differences block by block to judge what holds on other requests. */
        BLOCKS,
        /** The policies' own intervals. */
        OVERLAP
    }

    /**
     * One of the compared.
     *
     * @param estimate of this policy alone
     * @param difference this policy's metric minus that of the best, over paired replications; null if there are no
     *     pairs
     * @param alike whether it is the best or not distinguishable from it
     */
    record Rival(
            PolicyOutcome outcome,
            Estimate estimate,
            @Nullable Estimate difference,
            boolean alike) {
        String policy() {
            return outcome.policy();
        }

        /** Whether it has the value of the best in every paired replication, up to rounding. */
        boolean same() {
            return difference != null && nothing(difference, estimate);
        }
    }

    /** Compares in a metric that has a better direction; empty if fewer than two policies have it. */
    static Optional<Comparison> of(MetricName metric, List<PolicyOutcome> outcomes) {
        Comparator<PolicyOutcome> order =
                Comparator.comparingDouble(o -> estimate(o, metric).mean());
        List<PolicyOutcome> ranked = outcomes.stream()
                .filter(o -> o.complete() && o.trusted(metric) != null)
                .filter(o -> Double.isFinite(estimate(o, metric).mean()))
                .filter(o -> !(wait(metric) && turnsAway(o)))
                .filter(o ->
                        !o.inventory() || servesAllAtOnce(o) || metric.base().equals(Metric.WITHOUT_PLACE))
                .sorted(more(metric) ? order.reversed() : order)
                .toList();
        if (ranked.size() < 2 || Metric.of(metric).better() == Metric.Better.NEITHER) {
            return Optional.empty();
        }
        Basis basis = basis(ranked, metric);
        List<Rival> rivals = ranked.stream()
                .map(o -> switch (basis) {
                    case REPLICATIONS -> paired(o, ranked, metric);
                    case BLOCKS -> byBlocks(o, ranked, metric);
                    case OVERLAP -> unpaired(o, ranked, metric);
                })
                .toList();
        return Optional.of(new Comparison(metric, rivals, basis));
    }

    private static Basis basis(List<PolicyOutcome> ranked, MetricName metric) {
        if (ranked.stream().allMatch(o -> estimate(o, metric).method().equals(Intervals.EXACT))) {
            return Basis.BLOCKS;
        }
        boolean paired = ranked.stream().map(o -> seeds(o, metric)).distinct().count() == 1
                && seeds(ranked.get(0), metric).size() > 1;
        return paired ? Basis.REPLICATIONS : Basis.OVERLAP;
    }

    /** Whether a policy rejects requests that a server could hold. */
    static boolean turnsAway(PolicyOutcome outcome) {
        return rejected(outcome) > NONE;
    }

    /** Part of all requests that it rejects although a server could hold them. */
    static double rejected(PolicyOutcome outcome) {
        return mean(outcome, "rejection_fraction") - mean(outcome, "fits_no_server_fraction");
    }

    /** How much is rejected, where some policies reject and others do not; empty if it is all or none. */
    static String rejections(List<PolicyOutcome> outcomes) {
        Map<String, DoubleSummaryStatistics> parts = new LinkedHashMap<>();
        outcomes.stream()
                .filter(each -> !each.inventory())
                .forEach(each -> parts.computeIfAbsent(each.policy(), policy -> new DoubleSummaryStatistics())
                        .accept(rejected(each)));
        int policies = parts.size();
        DoubleSummaryStatistics fitNone = outcomes.stream()
                .mapToDouble(each -> mean(each, "fits_no_server_fraction"))
                .summaryStatistics();
        parts.values().removeIf(part -> part.getMax() <= NONE);
        return parts.isEmpty() || parts.size() == policies
                ? ""
                : "Rejected"
                        + (fitNone.getMax() > NONE ? ", beside the " + percent(fitNone) + " that fit no server" : "")
                        + ": "
                        + parts.entrySet().stream()
                                .map(each -> each.getKey() + " " + percent(each.getValue()))
                                .collect(Collectors.joining(", "))
                        + (parts.size() == 1 ? ". Its" : ". Their")
                        + " waits are over fewer requests than those of the others.";
    }

    private static String percent(DoubleSummaryStatistics parts) {
        String least = Quantity.FRACTION.format(parts.getMin(), null);
        String most = Quantity.FRACTION.format(parts.getMax(), null);
        return least.equals(most) ? most : least.replaceFirst(" %$", "") + " to " + most;
    }

    /** Whether every request that a server could hold was placed when it arrived. */
    static boolean servesAllAtOnce(PolicyOutcome outcome) {
        return !turnsAway(outcome) && mean(outcome, "queue_length_max") == 0;
    }

    private static double mean(PolicyOutcome outcome, String metric) {
        Estimate estimate = outcome.metrics().get(MetricName.parse(metric));
        return estimate == null ? 0 : estimate.mean();
    }

    boolean paired() {
        return basis != Basis.OVERLAP;
    }

    boolean exact() {
        return basis == Basis.BLOCKS;
    }

    Rival best() {
        return ranked.get(0);
    }

    /** The best and those that are not distinguishable from it. */
    List<Rival> leaders() {
        return ranked.stream().filter(Rival::alike).toList();
    }

    boolean leads(PolicyOutcome outcome) {
        return ranked.stream().anyMatch(r -> r.alike() && r.outcome().equals(outcome));
    }

    /**
     * Whether some policies are shown to be worse than the best, and all of these have worse means than the rest. Else
     * the best and those not distinguishable from it are not a group of their own.
     */
    boolean splits() {
        return ranked.subList(leaders().size(), ranked.size()).stream().noneMatch(Rival::alike) && !allAlike();
    }

    boolean allAlike() {
        return ranked.stream().allMatch(Rival::alike);
    }

    /** Whether more is better. */
    boolean more() {
        return more(metric);
    }

    /** Whether every judgement is based on intervals. */
    boolean intervals() {
        return exact() || ranked.stream().allMatch(r -> r.estimate().halfWidth() != null);
    }

    /**
     * Whether all policies have the same value: in every replication, or, without pairs, at the precision that is
     * shown.
     */
    boolean sameValue() {
        return paired()
                ? ranked.stream().allMatch(Rival::same)
                : ranked.stream().map(this::value).distinct().count() == 1;
    }

    /** The estimate of a policy alone, as text. */
    String value(Rival rival) {
        return rival.outcome().text(metric, rival.estimate());
    }

    /**
     * Whether the one trace is too short to judge a policy: it is not shown to differ from the best, and there is no
     * interval, or one whose half-width is more than a quarter of the greater mean.
     */
    boolean tooShort(Rival rival) {
        if (!exact() || rival.difference() == null || !rival.alike() || rival.same()) {
            return false;
        }
        Double half = rival.difference().halfWidth();
        return half == null
                || half
                        > WIDE
                                * Math.max(
                                        Math.abs(best().estimate().mean()),
                                        Math.abs(rival.estimate().mean()));
    }

    /** {@code 58 min longer}, as measured on this trace; {@code the same}. */
    String exactDifference(Rival rival) {
        Estimate difference = rival.difference();
        return difference == null
                ? ""
                : difference(rival, new Estimate(difference.mean(), null, 1, Intervals.EXACT, 1));
    }

    /** {@code 58 ± 21 min longer} than under the best, or {@code the same}; empty without pairs. */
    String difference(Rival rival) {
        Estimate difference = rival.difference();
        return difference == null ? "" : difference(rival, difference);
    }

    private String difference(Rival rival, Estimate difference) {
        if (rival.same()) {
            return "the same";
        }
        boolean above = difference.mean() >= 0;
        String size =
                Metric.of(metric).quantity().formatDifference(Math.abs(difference.mean()), difference.halfWidth());
        return size + (wait(metric) ? above ? " longer" : " shorter" : above ? " higher" : " lower");
    }

    static boolean wait(MetricName metric) {
        return metric.base().startsWith("wait_");
    }

    private static boolean more(MetricName metric) {
        return Metric.of(metric).better() == Metric.Better.MORE;
    }

    private static boolean nothing(Estimate difference, Estimate of) {
        return Math.max(Math.abs(difference.mean()), half(difference)) <= NONE * Math.abs(of.mean());
    }

    private static Rival paired(PolicyOutcome outcome, List<PolicyOutcome> ranked, MetricName metric) {
        Estimate alone = estimate(outcome, metric);
        double confidence = outcome.ofDifference(alone.confidence(), ranked.size() - 1);
        Estimate difference = Intervals.difference(values(outcome, metric), values(ranked.get(0), metric), confidence);
        boolean alike = Math.abs(difference.mean()) <= half(difference) || nothing(difference, alone);
        return new Rival(outcome, alone, difference, alike);
    }

    private static Rival byBlocks(PolicyOutcome outcome, List<PolicyOutcome> ranked, MetricName metric) {
        Estimate alone = estimate(outcome, metric);
        Estimate best = estimate(ranked.get(0), metric);
        double difference = alone.mean() - best.mean();
        double confidence = outcome.ofDifference(alone.confidence(), ranked.size() - 1);
        // If the best policy turns nothing away, the difference can have one sign only, so it exists or not.
        boolean oneSided = metric.base().equals("rejection_fraction") && !turnsAway(ranked.get(0));
        Estimate blocks = oneSided ? null : blocks(outcome, ranked.get(0), metric, confidence);
        Double half = blocks == null ? null : blocks.halfWidth();
        Estimate judged = blocks == null || half == null
                ? new Estimate(difference, null, confidence, Intervals.EXACT, 1)
                : new Estimate(difference, half, confidence, blocks.method(), blocks.count());
        boolean apart = !nothing(judged, alone) && (oneSided || (half != null && Math.abs(difference) > half));
        return new Rival(outcome, alone, judged, !apart);
    }

    /** The difference on other requests like these; null without blocks. */
    private static @Nullable Estimate blocks(
            PolicyOutcome outcome, PolicyOutcome best, MetricName metric, double confidence) {
        return outcome.runs().isEmpty() || best.runs().isEmpty()
                ? null
                : PairedBlocks.difference(outcome.runs().get(0), best.runs().get(0), metric.toString(), confidence)
                        .orElse(null);
    }

    private static Rival unpaired(PolicyOutcome outcome, List<PolicyOutcome> ranked, MetricName metric) {
        Estimate alone = estimate(outcome, metric);
        Estimate best = estimate(ranked.get(0), metric);
        boolean overlaps = Math.abs(alone.mean() - best.mean()) <= half(alone) + half(best);
        return new Rival(outcome, alone, null, overlaps);
    }

    /** Seeds of the replications that have the metric, by number: runs of policies pair if these are equal. */
    private static Map<Integer, Long> seeds(PolicyOutcome outcome, MetricName metric) {
        Map<Integer, Long> seeds = new LinkedHashMap<>();
        outcome.runsWith(metric).forEach(run -> seeds.put(run.replication(), run.seed()));
        return seeds;
    }

    private static double[] values(PolicyOutcome outcome, MetricName metric) {
        return outcome.runsWith(metric).stream()
                .map(RunRow::metrics)
                .mapToDouble(metrics -> metrics.getOrDefault(metric.toString(), Double.NaN))
                .toArray();
    }

    private static double half(Estimate estimate) {
        Double half = estimate.halfWidth();
        return half == null || !Double.isFinite(half) ? 0 : half;
    }

    private static Estimate estimate(PolicyOutcome outcome, MetricName metric) {
        Estimate estimate = outcome.metrics().get(metric);
        if (estimate == null) {
            throw new IllegalArgumentException(outcome.policy() + " has no " + metric);
        }
        return estimate;
    }
}

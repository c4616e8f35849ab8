package dev.stowage.report;

import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.statistics.Intervals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * How many servers each policy needs, how far that is from the least possible, and which differences are significant,
 * in words.
 */
public final class SizeAnswer {
    private static final MetricName SERVERS = MetricName.parse("size_servers");
    private static final MetricName BOUND = MetricName.parse(Metric.SIZE_BOUND);

    private SizeAnswer() {}

    /** Two sentences; empty if servers were not counted, or a sweep has several answers. */
    public static String of(Results results) {
        SizeQuestion question = results.size();
        if (question == null || results.points().size() != 1) {
            return "";
        }
        List<PolicyOutcome> known = results.outcomes().stream()
                .filter(outcome -> outcome.metrics().get(SERVERS) != null)
                .sorted(Comparator.comparingDouble(outcome -> need(outcome).mean()))
                .toList();
        if (known.isEmpty()) {
            return "";
        }
        return needs(question, known) + bound(question, known.get(0)) + "." + differences(known);
    }

    private static Estimate need(PolicyOutcome outcome) {
        return Objects.requireNonNull(outcome.metrics().get(SERVERS));
    }

    /** {@code For every request to start within 10 min, best-fit needs 243 ± 2 servers, fifo-ff 280 ± 9}. */
    private static String needs(SizeQuestion question, List<PolicyOutcome> known) {
        List<String> parts = new ArrayList<>();
        for (PolicyOutcome outcome : known) {
            Estimate need = need(outcome);
            String number = Quantity.COUNT.format(need.mean(), need.halfWidth());
            parts.add(outcome.policy() + (parts.isEmpty() ? " needs " + number + " servers" : " " + number));
        }
        return "For " + question.phrase() + ", " + String.join(", ", parts);
    }

    private static String bound(SizeQuestion question, PolicyOutcome any) {
        Estimate bound = any.metrics().get(BOUND);
        if (bound == null || bound.mean() == 0) {
            return "";
        }
        return "; no policy" + (question.target().waitsForEver() ? " that decides at once" : "")
                + " can do with fewer than " + Quantity.COUNT.format(bound.mean(), bound.halfWidth());
    }

    /**
     * Differences on the same requests to the policy that needs least; all hold together with the stated confidence.
     */
    private static String differences(List<PolicyOutcome> known) {
        PolicyOutcome best = known.get(0);
        int pairs = known.size() - 1;
        if (pairs == 0 || best.runs().size() < 2) {
            return "";
        }
        double confidence = need(best).confidence();
        List<String> more = new ArrayList<>();
        List<String> alike = new ArrayList<>();
        for (PolicyOutcome other : known.subList(1, known.size())) {
            Estimate difference = Intervals.difference(values(other), values(best), 1 - (1 - confidence) / pairs);
            Double half = difference.halfWidth();
            if (half != null && difference.mean() > half) {
                more.add(other.policy() + (more.isEmpty() ? " needs " : " ")
                        + Quantity.COUNT.format(difference.mean(), half) + " more");
            } else {
                alike.add(other.policy());
            }
        }
        return (more.isEmpty() ? "" : " On the same requests " + String.join(", ", more))
                + (alike.isEmpty()
                        ? ""
                        : (more.isEmpty() ? " On the same requests " : "; ") + String.join(" and ", alike)
                                + (alike.size() == 1 ? " does" : " do") + " not differ significantly from "
                                + best.policy())
                + " (paired, " + Quantity.FRACTION.plain(confidence) + (pairs > 1 ? " together" : "") + ").";
    }

    private static double[] values(PolicyOutcome outcome) {
        return outcome.runs().stream()
                .map(RunRow::metrics)
                .mapToDouble(metrics -> metrics.getOrDefault(SERVERS.toString(), Double.NaN))
                .toArray();
    }
}

package dev.stowage.report;

import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.statistics.Intervals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How many servers each policy needs, how far that is from the least possible, and which differences are significant,
 * in words.
 */
public final class SizeAnswer {
    private static final MetricName SERVERS = MetricName.parse("size_servers");
    private static final MetricName BOUND = MetricName.parse(Metric.SIZE_BOUND);

    /** A half-width above this share of the mean says that runs are too unlike for an interval of it. */
    public static final double SKEWED = PolicyOutcome.SKEWED;

    /** What replications on the same given requests are. */
    public static final String DRAW = "draw on these requests";

    /** The probability with which a plan should suffice. */
    private static final double PLANNED = 0.95;
    /** Of so many runs and one more, the last needs most with a probability of at most 5 %. */
    private static final int ENOUGH = 19;

    private SizeAnswer() {}

    /** Some sentences; empty if servers were not counted, or a sweep has several answers. */
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
        return needs(question, known) + "." + next(known) + bound(question, known.get(0)) + differences(known);
    }

    private static Estimate need(PolicyOutcome outcome) {
        return Objects.requireNonNull(outcome.metrics().get(SERVERS));
    }

    /**
     * {@code For every request to start within 10 min, best-fit needed 210 to 292 servers in 8 runs (260 ± 23 on
     * average), fifo-ff 221 to 300 (271 ± 22)}.
     */
    private static String needs(SizeQuestion question, List<PolicyOutcome> known) {
        List<String> parts = new ArrayList<>();
        for (PolicyOutcome outcome : known) {
            Estimate need = need(outcome);
            String number = Quantity.COUNT.format(need.mean(), outcome.skewed(SERVERS) ? null : need.halfWidth());
            double[] range = outcome.range(SERVERS);
            boolean first = parts.isEmpty();
            if (range == null) {
                parts.add(outcome.policy() + (first ? " needs " + number + " servers" : " " + number));
            } else {
                parts.add(outcome.policy()
                        + (first ? " needed " : " ")
                        + Quantity.COUNT.formatRange(range[0], range[1])
                        + (first
                                ? " servers in " + outcome.runs().size() + " runs (" + number + " on average)"
                                : " (" + number + ")"));
            }
        }
        return "For " + question.phrase() + ", " + String.join(", ", parts);
    }

    private static String next(List<PolicyOutcome> known) {
        PolicyOutcome best = known.get(0);
        if (best.runs().size() < 2) {
            return "";
        }
        boolean oneTrace = need(best).method().equals(Intervals.ONE_TRACE);
        String one = oneTrace ? DRAW : "run";
        return " " + another(one, oneTrace ? "draws" : "runs", needed(known));
    }

    /**
     * What suffices for another run, which a mean does not say, as a sentence: of n + 1 runs in a row that are drawn
     * alike, the last needs most with probability 1 / (n + 1) at most.
     *
     * @param one what is drawn
     * @param several the same in the plural
     * @param all what each policy needed in each, at least two; the first is the one to plan with, and others of which
     *     the same is to be said are named with it
     */
    public static String another(String one, String several, Map<String, double[]> all) {
        double[] needed = all.values().iterator().next();
        List<String> same = all.entrySet().stream()
                .filter(each -> most(each.getValue()) == most(needed))
                .filter(each -> likely(each.getValue()).equals(likely(needed)))
                .map(Map.Entry::getKey)
                .toList();
        int last = same.size() - 1;
        int runs = needed.length;
        return "For another such " + one + " plan " + Quantity.COUNT.plain(most(needed)) + " with "
                + (last == 0 ? "" : String.join(", ", same.subList(0, last)) + " or ") + same.get(last)
                + ": the most that it needed in " + runs + " " + several
                + ", enough for one more with a probability of at least " + 100 * runs / (runs + 1) + " %"
                + likely(needed) + ".";
    }

    private static Map<String, double[]> needed(List<PolicyOutcome> known) {
        Map<String, double[]> needed = new LinkedHashMap<>();
        known.forEach(each -> needed.put(each.policy(), values(each, SERVERS)));
        return needed;
    }

    /** What the order of few runs cannot tell, for a price: an assumption. */
    private static String likely(double[] needed) {
        double bound = Math.ceil(Intervals.another(needed, PLANNED));
        return needed.length < 3 || needed.length >= ENOUGH || bound <= most(needed)
                ? ""
                : "; or " + Quantity.COUNT.plain(bound) + " for " + Quantity.FRACTION.plain(PLANNED)
                        + ", if needs are log-normally distributed";
    }

    private static String bound(SizeQuestion question, PolicyOutcome any) {
        Estimate bound = any.metrics().get(BOUND);
        if (bound == null || bound.mean() == 0) {
            return "";
        }
        String nobody = " no policy" + (question.target().waitsForEver() ? " that decides at once" : "")
                + " can do with fewer than ";
        double[] bounds = values(any, BOUND);
        double least = Arrays.stream(bounds).min().orElse(Double.NaN);
        if (bounds.length < 2 || Double.isNaN(least)) {
            return " On these requests" + nobody + Quantity.COUNT.plain(bound.mean()) + ".";
        }
        return " Proven run by run:" + nobody + Quantity.COUNT.plain(least) + " to "
                + Quantity.COUNT.plain(most(bounds)) + ".";
    }

    private static double most(double[] values) {
        return Arrays.stream(values).max().orElse(Double.NaN);
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
            Estimate difference = Intervals.difference(
                    values(other, SERVERS), values(best, SERVERS), best.ofDifference(confidence, pairs));
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

    private static double[] values(PolicyOutcome outcome, MetricName metric) {
        return outcome.runs().stream()
                .map(RunRow::metrics)
                .mapToDouble(metrics -> metrics.getOrDefault(metric.toString(), Double.NaN))
                .toArray();
    }
}

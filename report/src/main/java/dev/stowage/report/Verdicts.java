package dev.stowage.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which policy does best, in sentences; "not distinguishable" where confidence intervals overlap. */
final class Verdicts {
    private static final List<String> JUDGED =
            List.of("wait_mean_s", "utilization", "occupied_servers_mean", "rejection_fraction");

    private Verdicts() {}

    static List<String> of(Results results) {
        List<Outcome> outcomes = results.outcomes();
        List<String> sentences = new ArrayList<>(unstable(outcomes));
        for (MetricName metric : SummaryTable.of(results).columns()) {
            if (JUDGED.contains(metric.base())) {
                sentences.addAll(judge(metric, results.points(), outcomes));
            }
        }
        return sentences;
    }

    private static List<String> unstable(List<Outcome> outcomes) {
        Map<String, List<String>> growth = new LinkedHashMap<>();
        for (Outcome outcome : outcomes) {
            if (outcome.unstable()) {
                String point = Outcome.describe(outcome.point());
                growth.computeIfAbsent(outcome.policy(), key -> new ArrayList<>())
                        .add(outcome.growth() + (point.isEmpty() ? "" : " at " + point));
            }
        }
        List<String> sentences = new ArrayList<>();
        growth.forEach((policy, by) ->
                sentences.add("Unstable: the queue of " + policy + " grows, " + String.join("; ", by) + "."));
        return sentences;
    }

    private static List<String> judge(MetricName metric, List<Map<String, String>> points, List<Outcome> outcomes) {
        Map<String, List<Map<String, String>>> findings = new LinkedHashMap<>();
        for (Map<String, String> point : points) {
            List<Outcome> rivals =
                    outcomes.stream().filter(o -> o.point().equals(point)).toList();
            Comparison comparison = Comparison.of(metric, rivals);
            if (comparison != null) {
                String finding = points.size() == 1 ? detailed(comparison) : brief(comparison);
                findings.computeIfAbsent(finding, key -> new ArrayList<>()).add(point);
            }
        }
        String title = TimeFigures.capital(Metric.of(metric).title());
        List<String> sentences = new ArrayList<>();
        findings.forEach((finding, at) -> sentences.add(title + ": " + finding + where(at, points) + "."));
        return sentences;
    }

    /** Nothing without a sweep; {@code at load = 0.5, 0.6 and 0.7} where one axis was swept. */
    private static String where(List<Map<String, String>> at, List<Map<String, String>> all) {
        if (all.size() == 1) {
            return "";
        }
        if (at.size() == all.size()) {
            return " at every point of the sweep";
        }
        Map<String, String> first = at.get(0);
        if (first.size() > 1) {
            return " at " + String.join("; ", at.stream().map(Outcome::describe).toList());
        }
        String axis = String.join("", first.keySet());
        return " at " + axis + " = "
                + list(at.stream().flatMap(p -> p.values().stream()).toList());
    }

    private static String detailed(Comparison comparison) {
        List<String> values = comparison.ranked().stream()
                .limit(comparison.leaders())
                .map(o -> o.policy() + " " + comparison.value(o))
                .toList();
        if (comparison.sameValue()) {
            return "the same under all policies, " + comparison.value(comparison.best());
        }
        if (!comparison.intervals()) {
            return brief(comparison) + " (" + comparison.value(comparison.best())
                    + "); a single run gives no confidence interval, so this may be chance";
        }
        if (comparison.leaders() == 1) {
            Outcome next = comparison.ranked().get(1);
            return brief(comparison) + ", " + comparison.value(comparison.best()) + "; next is " + next.policy() + ", "
                    + comparison.value(next);
        }
        return brief(comparison) + ": " + String.join(", ", values);
    }

    private static String brief(Comparison comparison) {
        List<String> names = comparison.ranked().stream()
                .limit(comparison.leaders())
                .map(Outcome::policy)
                .toList();
        boolean more = Metric.of(comparison.metric()).better() == Metric.Better.MORE;
        if (comparison.sameValue()) {
            return "the same under all policies";
        }
        if (comparison.leaders() == 1) {
            return names.get(0) + " is " + (more ? "highest" : "lowest");
        }
        if (comparison.allAlike()) {
            return "the policies are not distinguishable";
        }
        return list(names) + " are " + (more ? "highest" : "lowest") + " and not distinguishable from each other";
    }

    private static String list(List<String> items) {
        int last = items.size() - 1;
        return last == 0 ? items.get(0) : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
    }
}

package dev.stowage.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which policy does best, in sentences; "not distinguishable" as {@link Comparison} judges. */
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

    /** How policies were compared: what makes a cell of the summary green. Empty where there are no two to compare. */
    static String rule(Results results) {
        List<Outcome> outcomes = results.outcomes();
        List<Boolean> paired = SummaryTable.of(results).columns().stream()
                .flatMap(metric ->
                        results.points().stream().flatMap(point -> Comparison.of(metric, at(point, outcomes)).stream()))
                .map(Comparison::paired)
                .toList();
        if (paired.isEmpty()) {
            return "";
        }
        return paired.contains(true)
                ? " Green: best, or not distinguishable from the best. Each policy is compared with the best one by the"
                        + " differences on the same requests, replication by replication (paired t, widened for the number of"
                        + " policies by Bonferroni), which shows more than whether the ± overlap."
                : " Green: best, or its interval overlaps that of the best.";
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
            Comparison.of(metric, at(point, outcomes)).ifPresent(comparison -> {
                String finding = points.size() == 1 ? detailed(comparison) : brief(comparison);
                findings.computeIfAbsent(finding, key -> new ArrayList<>()).add(point);
            });
        }
        String title = TimeFigures.capital(Metric.of(metric).title());
        List<String> sentences = new ArrayList<>();
        findings.forEach((finding, at) -> sentences.add(title + ": " + finding + where(at, points) + "."));
        return sentences;
    }

    private static List<Outcome> at(Map<String, String> point, List<Outcome> outcomes) {
        return outcomes.stream().filter(o -> o.point().equals(point)).toList();
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
        String best = comparison.value(comparison.best());
        if (comparison.sameValue()) {
            return brief(comparison) + ", " + best;
        }
        if (!comparison.intervals()) {
            return brief(comparison) + " (" + best
                    + "); a single run gives no confidence interval, so this may be chance";
        }
        return comparison.paired() ? paired(comparison) : unpaired(comparison);
    }

    /** {@code b is lowest, 11 min; on the same requests a waits 58 ± 21 min longer (paired, 95 %)}. */
    private static String paired(Comparison comparison) {
        Comparison.Rival best = comparison.best();
        String verb = Comparison.wait(comparison.metric()) ? " waits " : " is ";
        List<String> told = new ArrayList<>();
        List<String> alike = new ArrayList<>();
        for (Comparison.Rival rival : others(comparison.ranked())) {
            String difference = comparison.difference(rival);
            if (!rival.alike() || rival.same() || comparison.allAlike()) {
                told.add(rival.policy() + verb + difference);
            } else {
                alike.add(rival.policy() + " (" + difference + ")");
            }
        }
        String findings = Stream.of(told.isEmpty() ? "" : list(told), notDistinguishable(alike))
                .filter(finding -> !finding.isEmpty())
                .collect(Collectors.joining("; "));
        String value = comparison.value(best);
        String level = Quantity.FRACTION.plain(best.estimate().confidence());
        return (comparison.allAlike()
                        ? brief(comparison) + ": " + best.policy() + " " + value
                        : best.policy() + " is " + direction(comparison) + ", " + value)
                + "; on the same requests " + findings
                + " (paired, " + level + (comparison.ranked().size() > 2 ? " together)" : ")");
    }

    private static String unpaired(Comparison comparison) {
        List<String> values = comparison.leaders().stream()
                .map(rival -> rival.policy() + " " + comparison.value(rival))
                .toList();
        if (values.size() > 1) {
            return brief(comparison) + ": " + String.join(", ", values);
        }
        Comparison.Rival next = comparison.ranked().get(1);
        return brief(comparison) + ", " + comparison.value(comparison.best()) + "; next is " + next.policy() + ", "
                + comparison.value(next);
    }

    private static String brief(Comparison comparison) {
        if (comparison.sameValue()) {
            return "the same under all policies";
        }
        if (comparison.allAlike()) {
            return "the policies are not distinguishable";
        }
        List<String> alike = others(comparison.leaders()).stream()
                .map(Comparison.Rival::policy)
                .toList();
        String best = comparison.best().policy() + " is " + direction(comparison);
        return alike.isEmpty() ? best : best + " and " + notDistinguishable(alike);
    }

    private static String notDistinguishable(List<String> policies) {
        return policies.isEmpty()
                ? ""
                : list(policies) + (policies.size() == 1 ? " is" : " are") + " not distinguishable from it";
    }

    private static List<Comparison.Rival> others(List<Comparison.Rival> rivals) {
        return rivals.subList(1, rivals.size());
    }

    private static String direction(Comparison comparison) {
        return comparison.more() ? "highest" : "lowest";
    }

    private static String list(List<String> items) {
        int last = items.size() - 1;
        return last == 0 ? items.get(0) : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
    }
}

package dev.stowage.report;

import dev.stowage.sim.experiment.ServerChangeReader;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.statistics.Intervals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which policy does best, in sentences; "not distinguishable" as {@link Comparison} judges. */
final class Verdicts {
    private static final List<String> JUDGED =
            List.of(Metric.WITHOUT_PLACE, "wait_mean_s", "occupied_servers_mean", "rejection_fraction");

    private static final int MOST_NAMED = 6;
    /** Share of a resource that dummies hold. */
    private static final double MUCH = 0.01;

    private static final String TOO_SHORT = "too short to tell";

    private static final String NONE_GREEN =
            " If none differs significantly, or neither more nor less is better in the column, none is green.";

    private Verdicts() {}

    /**
     * A finding.
     *
     * @param topic what it is about, empty if the statement says so
     * @param statement without a full stop
     * @param isOne whether it is one statement that can stand in a list of others on its topic
     */
    private record Finding(String topic, String statement, boolean isOne) {
        String sentence() {
            return (topic.isEmpty() ? "" : topic + ": ") + statement + ".";
        }
    }

    /** What is not in this answer. */
    static List<String> besides(String answer, Results results) {
        return findings(results).stream()
                .filter(finding -> !(answer.contains(finding.topic()) && answer.contains(finding.statement())))
                .map(Finding::sentence)
                .toList();
    }

    private static List<Finding> findings(Results results) {
        List<PolicyOutcome> outcomes = results.outcomes();
        List<Finding> findings = new ArrayList<>(unstable(outcomes));
        findings.addAll(fitNoServer(outcomes));
        judged(results).forEach(metric -> findings.addAll(judge(metric, results.points(), outcomes)));
        findings.addAll(notCompared(outcomes));
        String waiting = leftWaiting(outcomes);
        findings.addAll(waiting.isEmpty() ? List.of() : plain(waiting));
        findings.addAll(refusedChanges(outcomes));
        return findings;
    }

    /** The first that can be said, of a sweep in some sentences, and what its mean wait leaves out; or nothing. */
    static String first(Results results) {
        List<Finding> all = findings(results);
        if (all.isEmpty() || all.get(0).topic().isEmpty()) {
            return all.isEmpty() ? "" : all.get(0).sentence();
        }
        String topic = all.get(0).topic();
        String waiting = topic.equals(topic(MetricName.parse("wait_mean_s"))) ? leftWaiting(results.outcomes()) : "";
        List<Finding> its =
                all.stream().filter(finding -> finding.topic().equals(topic)).toList();
        return (its.stream().allMatch(Finding::isOne)
                        ? topic + ": " + its.stream().map(Finding::statement).collect(Collectors.joining("; ")) + "."
                        : its.stream().map(Finding::sentence).collect(Collectors.joining(" ")))
                + largest(topic, results)
                + (waiting.isEmpty() ? "" : " " + waiting + ".");
    }

    /** Of a sweep, the largest significant difference in what this topic is about; empty without any. */
    private static String largest(String topic, Results results) {
        String text = "";
        double most = 0;
        for (MetricName metric : results.points().size() > 1 ? judged(results) : List.<MetricName>of()) {
            if (!topic(metric).equals(topic)) {
                continue;
            }
            for (Map<String, String> point : results.points()) {
                Comparison comparison =
                        Comparison.of(metric, at(point, results.outcomes())).orElse(null);
                if (comparison == null || !comparison.paired()) {
                    continue;
                }
                for (Comparison.Rival rival : comparison.ranked()) {
                    double size =
                            Math.abs(Objects.requireNonNull(rival.difference()).mean());
                    if (!rival.alike() && size > most) {
                        most = size;
                        text = " Largest significant difference: " + rival.policy() + verb(metric)
                                + comparison.difference(rival) + " than "
                                + comparison.best().policy() + " at " + PolicyOutcome.describe(point) + ".";
                    }
                }
            }
        }
        return text;
    }

    private static String topic(MetricName metric) {
        return TimeFigures.capital(Metric.of(metric).title());
    }

    private static String verb(MetricName metric) {
        return Comparison.wait(metric) ? " waits " : " is ";
    }

    /** How many requests of an inventory find no place, and how many servers the others take. */
    static String ofInventory(Results results) {
        List<String> topics = Metric.OF_INVENTORIES.stream()
                .map(name -> topic(MetricName.parse(name)))
                .toList();
        return findings(results).stream()
                .filter(finding -> topics.contains(finding.topic()))
                .map(Finding::sentence)
                .collect(Collectors.joining(" "));
    }

    /** A finding that is not about one metric. */
    private static List<Finding> plain(String statement) {
        return List.of(new Finding("", statement, false));
    }

    /** Policies whose waits are not compared, because they are over fewer requests. */
    private static List<Finding> notCompared(List<PolicyOutcome> outcomes) {
        List<String> turning = outcomes.stream()
                .filter(each -> Comparison.turnsAway(each) && !each.inventory())
                .map(PolicyOutcome::policy)
                .distinct()
                .toList();
        boolean others = outcomes.stream().anyMatch(o -> !Comparison.turnsAway(o));
        return turning.isEmpty() || !others
                ? List.of()
                : plain("Waits are compared among policies that reject nothing. " + list(turning)
                        + (turning.size() == 1 ? " rejects" : " reject") + " some: with fewer requests, waits are"
                        + " shorter. Stranded capacity is what the median request cannot use: larger ones may find no"
                        + " place though it is 0 %");
    }

    /** What no mean wait has; without a full stop, and empty if that is nothing. */
    static String leftWaiting(List<PolicyOutcome> outcomes) {
        List<String> all = outcomes.stream()
                .map(PolicyOutcome::leftWaiting)
                .filter(each -> !each.isEmpty())
                .toList();
        int more = all.size() - MOST_NAMED;
        return all.isEmpty()
                ? ""
                : "Requests that still wait at the end are in no mean wait, which is likely too short: "
                        + (more > 1
                                ? String.join(", ", all.subList(0, MOST_NAMED)) + " and " + more + " others"
                                : list(all));
    }

    /** Which policies hold much capacity that no request uses; empty if none does. */
    static String dummies(List<PolicyOutcome> outcomes) {
        Map<MetricName, Double> most = new TreeMap<>(Comparator.comparing(MetricName::toString));
        Set<String> policies = new LinkedHashSet<>();
        outcomes.forEach(outcome -> outcome.metrics().forEach((name, share) -> {
            if (name.base().equals("dummy_share") && share.mean() >= MUCH) {
                policies.add(outcome.policy());
                most.merge(name, share.mean(), Math::max);
            }
        }));
        return policies.isEmpty()
                ? ""
                : "Dummies, which keep room for a type of request, count as used: they hold "
                        + (outcomes.size() > 1 ? "at most " : "")
                        + most.entrySet().stream()
                                .map(each -> Quantity.FRACTION.format(each.getValue(), null) + " of"
                                        + Metric.of(each.getKey()).title().replace("held by dummies", ""))
                                .collect(Collectors.joining(" and "))
                        + (outcomes.size() > 1 ? " under " + list(List.copyOf(policies)) : "") + ".";
    }

    private static List<Finding> fitNoServer(List<PolicyOutcome> outcomes) {
        MetricName metric = MetricName.parse("fits_no_server_fraction");
        double most = outcomes.stream()
                .map(o -> o.metrics().get(metric))
                .filter(Objects::nonNull)
                .mapToDouble(Estimate::mean)
                .max()
                .orElse(0);
        return most > 0
                ? plain("Up to " + Quantity.FRACTION.format(most, null)
                        + " of the requests fit no server that was there when they arrived, even an empty one,"
                        + " under any policy: they are treated as rejected")
                : List.of();
    }

    /** Changes of servers that were not carried out: with what each kind of change needs. */
    private static List<Finding> refusedChanges(List<PolicyOutcome> outcomes) {
        List<String> refused = outcomes.stream()
                .filter(each -> mostRefused(each) > 0)
                .map(each -> String.format(Locale.ROOT, "%,.0f under %s", mostRefused(each), each.policy()))
                .distinct()
                .toList();
        return refused.isEmpty()
                ? List.of()
                : plain("Changes of servers that were refused in a run: " + String.join(", ", refused) + ". "
                        + ServerChangeReader.NEEDS);
    }

    private static double mostRefused(PolicyOutcome outcome) {
        return outcome.runs().stream()
                .mapToDouble(run -> run.metrics().getOrDefault("server_changes_refused", 0.0))
                .max()
                .orElse(0);
    }

    /**
     * How policies were compared, which is the rule for green cells of the summary. Empty if there are no two to
     * compare.
     */
    static String rule(Results results) {
        List<PolicyOutcome> outcomes = results.outcomes();
        List<Boolean> paired = SummaryTable.of(results).columns().stream()
                .flatMap(metric ->
                        results.points().stream().flatMap(point -> Comparison.of(metric, at(point, outcomes)).stream()))
                .map(Comparison::paired)
                .toList();
        if (paired.isEmpty()) {
            return "";
        }
        if (exact(outcomes)) {
            return " The numbers are exact for this one trace. Green: the best and those that do not differ"
                    + " significantly from it, where all others have worse means. Significance says how far the"
                    + " differences would hold on other requests like these: the intervals are from paired differences over blocks of"
                    + " time of the same requests (batch means, widened for the number of policies by Bonferroni)."
                    + NONE_GREEN;
        }
        return (paired.contains(true)
                        ? " Green: the best and those not distinguishable from it, where all others have worse means. Each"
                                + " policy is compared with the best one by the differences on the same requests, replication by"
                                + " replication (paired t, widened for the number of policies by Bonferroni), which shows more than whether the ± overlap."
                        : " Green: the best and those whose interval overlaps its own, where all others have worse means.")
                + NONE_GREEN;
    }

    /** Whether the results are of one trace, where nothing is estimated. */
    static boolean exact(List<PolicyOutcome> outcomes) {
        return outcomes.stream()
                .flatMap(outcome -> outcome.metrics().values().stream())
                .anyMatch(estimate -> estimate.method().equals(Intervals.EXACT));
    }

    private static List<Finding> unstable(List<PolicyOutcome> outcomes) {
        Map<String, List<String>> growth = new LinkedHashMap<>();
        for (PolicyOutcome outcome : outcomes) {
            if (outcome.unstable()) {
                String point = PolicyOutcome.describe(outcome.point());
                growth.computeIfAbsent(outcome.policy(), key -> new ArrayList<>())
                        .add((outcome.overloaded() ? "as no policy supports the load" : outcome.growth())
                                + (point.isEmpty() ? "" : " at " + point));
            }
        }
        List<Finding> findings = new ArrayList<>();
        growth.forEach((policy, by) -> findings.add(new Finding(
                "Unstable", "the queue of " + policy + " grows, " + String.join("; ", by), by.size() == 1)));
        return findings;
    }

    private static List<Finding> judge(
            MetricName metric, List<Map<String, String>> points, List<PolicyOutcome> outcomes) {
        Map<String, List<Map<String, String>>> findings = new LinkedHashMap<>();
        for (Map<String, String> point : points) {
            Comparison.of(metric, at(point, outcomes)).ifPresent(comparison -> {
                String finding = points.size() == 1 ? detailed(comparison) : brief(comparison);
                findings.computeIfAbsent(finding, key -> new ArrayList<>()).add(point);
            });
        }
        String title = topic(metric);
        List<Finding> judged = new ArrayList<>();
        findings.forEach((finding, at) -> judged.add(new Finding(
                title,
                finding + where(at, points),
                points.size() > 1
                        && (at.size() == 1
                                || at.size() == points.size()
                                || at.get(0).size() == 1))));
        return judged;
    }

    /** Of each point of a sweep, how far each policy is from the best; without rows where nothing is paired. */
    static Table differences(Results results) {
        List<Map<String, String>> points = results.points();
        List<String> axes = points.stream()
                .flatMap(point -> point.keySet().stream())
                .distinct()
                .toList();
        List<String> columns = new ArrayList<>(axes);
        columns.addAll(List.of("metric", "best", "policy", "difference" + level(results), "significant"));
        List<List<Table.Cell>> rows = new ArrayList<>();
        for (MetricName metric : axes.isEmpty() ? List.<MetricName>of() : judged(results)) {
            for (Map<String, String> point : points) {
                Comparison.of(metric, at(point, results.outcomes()))
                        .filter(comparison -> comparison.paired() && !comparison.sameValue())
                        .ifPresent(comparison -> others(comparison.ranked()).forEach(rival -> {
                            List<Table.Cell> row = new ArrayList<>();
                            axes.forEach(axis -> row.add(Table.Cell.name(point.getOrDefault(axis, "–"))));
                            row.add(Table.Cell.name(Metric.of(metric).title()));
                            row.add(Table.Cell.name(comparison.best().policy()));
                            row.add(Table.Cell.name(rival.policy()));
                            Estimate difference = Objects.requireNonNull(rival.difference());
                            row.add(Table.Cell.number(comparison.difference(rival), difference.mean()));
                            row.add(Table.Cell.name(
                                    rival.same()
                                            ? "–"
                                            : !rival.alike() ? "yes" : comparison.tooShort(rival) ? TOO_SHORT : "no"));
                            rows.add(row);
                        }));
            }
        }
        return new Table(columns, Math.max(1, axes.size()), rows);
    }

    /** At which confidence all differences at a point hold together. */
    private static String level(Results results) {
        return results.outcomes().stream()
                .flatMap(outcome -> outcome.metrics().values().stream())
                .map(Estimate::confidence)
                .filter(confidence -> confidence < 1)
                .findFirst()
                .map(confidence -> ", " + Quantity.FRACTION.plain(confidence) + " together")
                .orElse("");
    }

    private static List<MetricName> judged(Results results) {
        return SummaryTable.of(results).columns().stream()
                .filter(metric -> JUDGED.contains(metric.base()))
                .toList();
    }

    private static List<PolicyOutcome> at(Map<String, String> point, List<PolicyOutcome> outcomes) {
        return outcomes.stream().filter(o -> o.point().equals(point)).toList();
    }

    /** Nothing without a sweep; {@code at load = 0.5, 0.6 and 0.7} if one axis was swept. */
    private static String where(List<Map<String, String>> at, List<Map<String, String>> all) {
        if (all.size() == 1) {
            return "";
        }
        if (at.size() == all.size()) {
            return " at every point of the sweep";
        }
        Map<String, String> first = at.get(0);
        if (first.size() > 1) {
            return " at "
                    + String.join("; ", at.stream().map(PolicyOutcome::describe).toList());
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
        if (comparison.exact()) {
            return exact(comparison);
        }
        if (!comparison.intervals()) {
            boolean drawn = comparison.best().estimate().method().equals(Intervals.ONE_TRACE);
            return brief(comparison) + " (" + best + "); "
                    + (drawn ? "one draw on these requests" : "a single run")
                    + " gives no confidence interval, so this may be chance";
        }
        return comparison.paired() ? paired(comparison) : unpaired(comparison);
    }

    /**
     * {@code b is lowest, 11 min; a waits 58 min longer. On other requests like these: a waits 58 ± 21 min longer
     * (...)}.
     */
    private static String exact(Comparison comparison) {
        String verb = verb(comparison.metric());
        List<Comparison.Rival> others = others(comparison.ranked());
        List<String> here = others.stream()
                .map(rival -> rival.policy() + verb + comparison.exactDifference(rival))
                .toList();
        String text = comparison.best().policy() + " is " + direction(comparison) + ", "
                + comparison.value(comparison.best()) + "; " + list(here);
        List<String> elsewhere = new ArrayList<>();
        boolean tooShort = false;
        for (Comparison.Rival rival : others) {
            Estimate difference = Objects.requireNonNull(rival.difference());
            tooShort |= comparison.tooShort(rival);
            if (difference.halfWidth() != null && !rival.same()) {
                elsewhere.add(rival.policy()
                        + verb
                        + comparison.difference(rival)
                        + (!rival.alike()
                                ? ""
                                : comparison.tooShort(rival)
                                        ? " (not significant: " + TOO_SHORT + ")"
                                        : " (not significant)"));
            }
        }
        if (!elsewhere.isEmpty()) {
            String level = Quantity.FRACTION.plain(comparison.best().estimate().confidence());
            text += ". On other requests like these: " + list(elsewhere) + " (" + level
                    + (others.size() > 1 ? " together" : "") + ", from blocks of the same requests)";
        } else if (tooShort) {
            text += ". The trace is too short to say whether that would hold on other requests";
        }
        return text;
    }

    /** {@code b is lowest, 11 min; on the same requests a waits 58 ± 21 min longer (paired, 95 %)}. */
    private static String paired(Comparison comparison) {
        Comparison.Rival best = comparison.best();
        String verb = verb(comparison.metric());
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
                + " (paired, " + level + (comparison.ranked().size() > 2 ? " together" : "")
                + (best.outcome().looks() > 1
                        ? ", one of up to " + best.outcome().looks() + " looks)"
                        : ")");
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

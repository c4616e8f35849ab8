package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SummaryTableTest {
    private final ResultSample sample = new ResultSample();

    static Results results(Object... policiesAndMeans) {
        List<ResultRow> rows = new ArrayList<>();
        for (int i = 0; i < policiesAndMeans.length; i += 4) {
            Map<String, Estimate> metrics = new LinkedHashMap<>();
            Double half = (Double) policiesAndMeans[i + 2];
            metrics.put("wait_mean_s", new Estimate((Double) policiesAndMeans[i + 1], half, 0.95, "replications", 5));
            metrics.put("rejection_fraction", new Estimate(0, half == null ? null : 0.0, 0.95, "replications", 5));
            rows.add(new SummaryRow(
                    new ResultSample().origin((String) policiesAndMeans[i], Map.of()),
                    5,
                    "given",
                    new Stability((String) policiesAndMeans[i + 3], 12.34, 0.8),
                    metrics));
        }
        return new Results(rows, null, List.of());
    }

    /** The best on top; what is the same for all is no column. */
    @Test
    void showsWhatDecides() {
        Results results = results("fifo-ff", 500.0, 30.0, "undecided", "bf-js", 10.0, 1.0, "stable");
        SummaryTable table = SummaryTable.of(results);
        assertThat(table.text(TextStyle.PLAIN).lines())
                .containsExactly(
                        "policy   queue             mean wait",
                        "-------  ---------  ----------------",
                        "bf-js    stable        10.0 +- 1.0 s",
                        "fifo-ff  undecided  8.33 +- 0.50 min");
        assertThat(table.remarks())
                .containsExactly(
                        "For every policy: rejected 0 %.", "± is the half-width of the 95 % confidence interval.");
        assertThat(table.wide(TextStyle.PLAIN).lines())
                .containsExactly(
                        "policy          mean wait  rejected  queue",
                        "-------  ----------------  --------  ---------",
                        "fifo-ff  8.33 +- 0.50 min       0 %  undecided",
                        "bf-js       10.0 +- 1.0 s       0 %  stable");
    }

    /** The results leave out means that do not exist; the table still has their columns and says why they are empty. */
    @Test
    void saysUnstableInPlaceOfMeans() {
        SummaryRow row = new SummaryRow(
                sample.origin("fifo-ff", Map.of()), 5, "given", new Stability("unstable", 12.34, 0.8), Map.of());
        SummaryTable table = SummaryTable.of(new Results(List.of(row), null, List.of()));
        String text = table.wide(TextStyle.PLAIN);
        assertThat(text).contains("mean wait", "waiting requests", "unstable (+12.34 +- 0.80 requests/h)");
        assertThat(text.lines().toList().get(2).split("unstable", -1)).hasSize(6);
        assertThat(table.text(TextStyle.PLAIN).lines().toList().get(2).split("unstable", -1))
                .hasSize(5);
        assertThat(table.remarks()).containsExactly("fifo-ff: unstable, +12.34 ± 0.80 requests/h.");
    }

    private static PolicyOutcome runs(String verdict, double... waits) {
        List<RunRow> rows = new ArrayList<>();
        for (int run = 0; run < waits.length; run++) {
            rows.add(new RunRow(
                    new ResultSample().origin("p", Map.of()),
                    run,
                    run,
                    "0",
                    0,
                    3600,
                    Map.of("wait_mean_s", waits[run], "queue_length_final", 10 * waits[run])));
        }
        return new PolicyOutcome(
                "p",
                Map.of(),
                new Stability(verdict, 1, 2.0, Stability.TOO_SHORT, 21_912.0, null),
                waits.length,
                Map.of(),
                rows,
                1);
    }

    @Test
    void saysWhatNoMeanWaitHas() {
        assertThat(runs("undecided", 0, 26, 0, 30.3).leftWaiting()).isEqualTo("563 in 4 runs under p");
        assertThat(runs("undecided", 3).leftWaiting()).isEqualTo("30 under p");
        assertThat(runs("undecided", 3, 3, 3).leftWaiting())
                .as("the same run three times")
                .isEqualTo("30 under p");
        assertThat(runs("stable", 3).leftWaiting()).isEqualTo("30 under p");
        assertThat(runs("stable", 0, 3).leftWaiting())
                .as("the queue does not grow")
                .isEmpty();
        assertThat(runs("unstable", 3).leftWaiting()).as("there is no mean").isEmpty();
        assertThat(runs("undecided", 0, 0).leftWaiting()).isEmpty();
        assertThat(Verdicts.leftWaiting(List.of(runs("undecided", 3), runs("undecided", 0, 0))))
                .isEqualTo("Requests that still wait at the end are in no mean wait, which is likely too short: 30"
                        + " under p");
    }

    @Test
    void saysHowUndecidedRunsEnd() {
        assertThat(runs("undecided", 0, 26, 0, 30.3).ends())
                .isEqualTo("2 of 4 runs end with nothing waiting, the others with 260, 303");
        assertThat(runs("undecided", 0, 0).ends()).as("the same run twice").isEqualTo("ends with nothing waiting");
        assertThat(runs("undecided", 1, 2).ends()).isEqualTo("the runs end with 10, 20 waiting");
        assertThat(runs("undecided", 0).ends()).isEqualTo("ends with nothing waiting");
        assertThat(runs("stable", 0, 26).ends()).isEmpty();
        assertThat(runs("undecided", 1, 2).why())
                .as("913 d")
                .isEqualTo("too short to tell, and so would be a run 10 times as long");
        assertThat(runs("undecided", 1).why()).isEqualTo("too short to tell");
    }

    /** Of 0, 1, 1 and 22 minutes Student's interval would be 6 ± 17 min. */
    @Test
    void showsTheRangeOfSkewedRuns() {
        SummaryTable table = skewed(new Estimate(360, 1020.0, 0.95, "replications", 4), 0, 60, 60, 1320);
        assertThat(table.text(TextStyle.PLAIN)).contains("6 (0 to 22) min");
        assertThat(table.remarks())
                .last()
                .asString()
                .contains("In parentheses: the least", "differ too much for an interval");
    }

    /** With one degree of freedom Student's t is 12.7: 26 and 33 s are much alike, and their interval is 30 ± 41 s. */
    @Test
    void twoRunsAreTooFewHoweverAlike() {
        SummaryTable table = skewed(new Estimate(29.6, 40.7, 0.95, "replications", 2), 26.4, 32.8);
        assertThat(table.text(TextStyle.PLAIN)).contains("29.6 (26.4 to 32.8) s");
        assertThat(table.remarks())
                .singleElement()
                .asString()
                .contains("2 runs, too few", "one half")
                .doesNotContain("differ");
    }

    private static SummaryTable skewed(Estimate wait, double... waits) {
        List<ResultRow> rows = new ArrayList<>(runs("stable", waits).runs());
        rows.add(new SummaryRow(
                new ResultSample().origin("p", Map.of()),
                waits.length,
                "given",
                new Stability("stable", 0, 1.0),
                Map.of("wait_mean_s", wait)));
        return SummaryTable.of(new Results(rows, null, List.of()));
    }

    /** Replications on one trace are draws of what is random on it, and their intervals are over these. */
    @Test
    void saysWhatIsDrawnOnOneTrace() {
        assertThat(oneTrace(new Estimate(70, 8.0, 0.95, "one-trace", 4)))
                .last()
                .asString()
                .contains("over 4 draws", "nothing about other requests");
        assertThat(oneTrace(new Estimate(70, null, 0.95, "one-trace", 1)))
                .last()
                .asString()
                .contains("is drawn once");
    }

    @Test
    void saysWhenNothingIsRandom() {
        assertThat(oneTrace(new Estimate(70, null, 0.95, "exact", 1), 70, 70))
                .last()
                .asString()
                .isEqualTo("All 2 runs are the same: one says as much.");
    }

    /** Between two points, by a line; where the axis has words, at the second of them. */
    @Test
    void saysWhereNoPolicyKeepsUp() {
        assertThat(loads("0.9", "1.1"))
                .contains(
                        "Load / maximum: 90 % at load = 0.9, 102 % at load = 1.1.",
                        "Above load = 1.07 no policy can keep up.")
                .noneMatch(each -> each.startsWith("Above 100 %"));
        assertThat(loads("1.1", "0.9")).contains("Below load = 0.933 no policy can keep up.");
        assertThat(loads("low", "high"))
                .contains(
                        "Load / maximum: 90 % at load = low, 102 % at load = high.",
                        "Above 100 % of the greatest load that any policy supports, so that none keeps up for long:"
                                + " load = high.");
    }

    @Test
    void thePageOfAPaperSaysThatDummiesCountAsUsed() {
        String said = "\nUtilization includes dummies, with which a policy keeps room for a type of request.\n";
        assertThat(dummies(0.14)).contains(said);
        assertThat(dummies(0.001)).contains("utilization").doesNotContain("ummies");
    }

    private static String dummies(double share) {
        Map<String, Estimate> metrics = Map.of(
                "utilization{resource=cpu_milli}",
                new Estimate(0.5 + share, null, 1, "exact", 1),
                "dummy_share{resource=cpu_milli}",
                new Estimate(share, null, 1, "exact", 1));
        var origin = new ResultSample().origin("p", Map.of());
        return SummaryTable.of(new Results(
                        List.of(new SummaryRow(origin, 1, "given", new Stability("stable", 0, 1.0), metrics)),
                        null,
                        List.of()))
                .markdown(List.of());
    }

    private static List<String> loads(String first, String second) {
        List<ResultRow> rows = new ArrayList<>();
        for (String at : List.of(first, second)) {
            Estimate load = new Estimate(at.equals(first) ? 0.9 : 1.02, null, 1, "proven", 1);
            Estimate dummies = new Estimate(0.14, null, 1, "exact", 1);
            rows.add(new SummaryRow(
                    new ResultSample().origin("p", Map.of("load", at)),
                    1,
                    "given",
                    new Stability("undecided", 0, 1.0),
                    Map.of("load_of_bound", load, "dummy_share{resource=cpu_milli}", dummies)));
        }
        List<String> remarks =
                SummaryTable.of(new Results(rows, null, List.of())).remarks();
        assertThat(remarks)
                .contains("Dummies, which keep room for a type of request, count as used: they hold at most"
                        + " 14.0 % of CPU under p.");
        return remarks;
    }

    /** 79 ± 34 % would reach 113 %. */
    @Test
    void noShareReachesAboveTheWhole() {
        assertThat(utilization().html().replace('\u00a0', ' ')).contains("79 (at least 45) %");
        assertThat(utilization().remarks()).last().asString().startsWith("An interval that would reach above 100 %");
    }

    private static SummaryTable utilization() {
        List<ResultRow> rows = new ArrayList<>(runs("stable", 10).runs());
        rows.add(new SummaryRow(
                new ResultSample().origin("p", Map.of()),
                1,
                "given",
                new Stability("stable", 0, 1.0),
                Map.of("utilization{resource=cpu_milli}", new Estimate(0.79, 0.34, 0.95, "batch-means", 40))));
        return SummaryTable.of(new Results(rows, null, List.of()));
    }

    private static List<String> oneTrace(Estimate wait) {
        return oneTrace(wait, 60, 80);
    }

    private static List<String> oneTrace(Estimate wait, double... waits) {
        List<ResultRow> rows = new ArrayList<>(runs("stable", waits).runs());
        rows.add(new SummaryRow(
                new ResultSample().origin("p", Map.of()),
                wait.count(),
                "none",
                new Stability("stable", 0, 1.0),
                Map.of("wait_mean_s", wait)));
        return SummaryTable.of(new Results(rows, null, List.of())).remarks();
    }

    /** Of one run 10 ± 15 s would reach below zero; between two proven numbers nothing is sampled. */
    @Test
    void noIntervalReachesBelowZero() {
        List<ResultRow> rows = new ArrayList<>(runs("stable", 10).runs());
        rows.add(new SummaryRow(
                new ResultSample().origin("p", Map.of()),
                1,
                "given",
                new Stability("stable", 0, 1.0),
                Map.of(
                        "wait_mean_s", new Estimate(10, 15.0, 0.95, "batch-means", 40),
                        "queue_length_mean", new Estimate(3, 1.0, 0.95, "batch-means", 40),
                        "load_of_bound", new Estimate(0.655, 0.002, 1, "proven", 1))));
        Results results = new Results(rows, null, List.of());
        SummaryTable table = SummaryTable.of(results);
        assertThat(table.html().replace('\u00a0', ' '))
                .contains("10 (at most 25) s")
                .contains("3.0 ± 1.0")
                .contains("65.3 to 65.7 %");
        assertThat(table.remarks()).last().asString().startsWith("At most");
    }

    /** A sweep said of a point that no policy keeps up, and of the same point that it was too short to tell. */
    @Test
    void aLoadAboveTheMaximumDecidesWhatTheRunsDoNot() {
        assertThat(judged("undecided", 1.02, "", ""))
                .isEqualTo("unstable (the load is above the maximum of any policy; +2.0 ± 3.0 requests/h)");
        assertThat(judged("undecided", 1.005, "", "")).as("0.995 to 1.015").isEqualTo("undecided");
        assertThat(judged("stable", 1.02, "", "")).isEqualTo("stable");
        assertThat(judged("undecided", 1.02, "expired", "")).startsWith("undecided");
        assertThat(judged("undecided", 1.02, "rejection_fraction", "")).startsWith("undecided");
        assertThat(judged("undecided", 1.02, "", "workload: {changes: [{at: 1 h, types: []}]}"))
                .startsWith("undecided");
    }

    private static String judged(String verdict, double load, String metric, String experiment) {
        Map<String, Estimate> metrics = new TreeMap<>(Map.of(
                "wait_mean_s", new Estimate(10, 5.0, 0.95, "replications", 2),
                "load_of_bound", new Estimate(load, 0.01, 1, "proven", 1)));
        if (!metric.isEmpty()) {
            metrics.put(metric, new Estimate(0.1, 0.05, 0.95, "replications", 2));
        }
        Stability stability = new Stability(verdict, 2, 3.0);
        PolicyOutcome outcome = new Results(
                        List.of(new SummaryRow(
                                new ResultSample().origin("p", Map.of()), 2, "given", stability, metrics)),
                        experiment,
                        List.of())
                .outcomes()
                .get(0);
        assertThat(outcome.voided(MetricName.parse("wait_mean_s"))).isEqualTo(outcome.unstable());
        return outcome.verdict();
    }

    @Test
    void saysWhyAndWhatWouldTell() {
        Stability filling = new Stability("undecided", 2, 1.0, Stability.STILL_FILLING, 100.0, null);
        Stability shortRun = new Stability("undecided", 2, 1.0, Stability.TOO_SHORT, 10.04, List.of(3L, 5937L));
        Stability frozen = new Stability("unstable", 2, 3.0, null, null, List.of(239L, 5937L));
        assertThat(verdict(filling)).isEqualTo("undecided: still filling (needs about 4.17 d)");
        assertThat(verdict(shortRun))
                .isEqualTo("undecided: too short to tell (needs about 10 h), final queues 3, 5,937");
        assertThat(verdict(frozen)).isEqualTo("unstable (+2.0 ± 3.0 requests/h; final queues 239, 5,937)");
        assertThat(verdict(new Stability("undecided", 2, 1.0))).isEqualTo("undecided");
    }

    private String verdict(Stability stability) {
        return new PolicyOutcome("p", Map.of(), stability, 2, Map.of(), List.of(), 1).verdict();
    }

    @Test
    void usesUnicodeAndColourOnlyIfAsked() {
        SummaryTable table = SummaryTable.of(sample.results());
        assertThat(table.text(TextStyle.PLAIN)).matches("\\p{ASCII}+");
        assertThat(table.text(new TextStyle(true, false, 200)))
                .contains("±", "─")
                .doesNotContain("\u001b");
        assertThat(table.text(new TextStyle(true, true, 200))).contains("\u001b[31m", "\u001b[32m");
    }

    @Test
    void isNoWiderThanTheTerminal() {
        SummaryTable table = SummaryTable.of(sample.results());
        for (int width : new int[] {50, 80, 100, 132}) {
            String text = table.text(new TextStyle(false, false, width));
            assertThat(text.lines()).allMatch(line -> line.length() <= width, "at most " + width);
            assertThat(text.lines().filter(line -> line.startsWith("policy")).count())
                    .isEqualTo(1);
            String wide = table.wide(new TextStyle(false, false, width));
            assertThat(wide.lines()).allMatch(line -> line.length() <= width, "at most " + width);
            assertThat(wide.lines().filter(line -> line.startsWith("policy")).count())
                    .isGreaterThan(1);
        }
        assertThat(table.text(TextStyle.PLAIN).lines().findFirst().orElseThrow().split(" {2,}"))
                .hasSizeLessThanOrEqualTo(7);
        assertThatThrownBy(() -> new TextStyle(false, false, 5)).hasMessageContaining("at least 20");
    }

    @Test
    void leavesOutWhatNobodyUses() {
        assertThat(SummaryTable.of(sample.results()).text(TextStyle.PLAIN)).doesNotContain("migrations", "dummies");
        Results idle = results("first-fit", 0.0, 0.0, "no-queue");
        assertThat(SummaryTable.of(idle).text(TextStyle.PLAIN)).contains("no queue", "0 s");
    }

    @Test
    void csvHasEveryMetricButNoMeanOfAnUnstableQueue() throws IOException {
        String csv = SummaryTable.of(sample.loads(0.5, 0.9).results()).csv();
        try (CsvReader<NamedCsvRecord> reader = CsvReader.builder().ofNamedCsvRecord(csv)) {
            List<NamedCsvRecord> lines = reader.stream().toList();
            assertThat(lines)
                    .hasSize(
                            2 * 4 * sample.results().outcomes().get(0).metrics().size());
            NamedCsvRecord wait = lines.stream()
                    .filter(l -> l.getField("policy").equals("fifo-ff")
                            && l.getField("metric").equals("wait_mean_s"))
                    .reduce((a, b) -> b)
                    .orElseThrow();
            assertThat(wait.getField("workload.load")).isEqualTo("0.9");
            assertThat(wait.getField("mean")).isEmpty();
            assertThat(wait.getField("queue")).isEqualTo("unstable");
            assertThat(wait.getField("queue_growth_per_hour")).isEqualTo("12.34");
            assertThat(lines.get(0).getField("mean")).isEqualTo("90.0");
        }
    }

    @Test
    void jsonHasEveryMetricButNoMeanOfAnUnstableQueue() throws IOException {
        JsonNode json =
                ResultSample.JSON.readTree(SummaryTable.of(sample.results()).json());
        assertThat(json).hasSize(4);
        assertThat(json.get(0).get("metrics").get("wait_mean_s").get("mean").asDouble())
                .isEqualTo(90.0);
        assertThat(json.get(2).get("policy").asText()).isEqualTo("fifo-ff");
        assertThat(json.get(2).get("queue").get("verdict").asText()).isEqualTo("unstable");
        assertThat(json.get(2).get("metrics").get("wait_mean_s").isNull()).isTrue();
        assertThat(json.get(2)
                        .get("metrics")
                        .get("queue_length_max")
                        .get("mean")
                        .asDouble())
                .isEqualTo(300.0);
    }

    /** Without runs to pair: 10 ± 1 and 11.5 ± 1 overlap (1.5 <= 2), 10 ± 1 and 13 ± 1 do not (3 > 2). */
    @Test
    void judgesByOverlapWithoutPairs() {
        Results three = results("a", 13.0, 1.0, "stable", "b", 10.0, 1.0, "stable", "c", 11.5, 1.0, "stable");
        assertThat(Verdicts.besides("", three))
                .containsExactly(
                        "Mean wait: b is lowest and c is not distinguishable from it: b 10.0 ± 1.0 s, c 11.5 ± 1.0 s.",
                        "Rejected: the same under all policies, 0 %.");
        assertThat(Verdicts.rule(three)).contains("overlaps").doesNotContain("paired");
        assertThat(Verdicts.besides("", results("a", 13.0, 1.0, "stable", "b", 10.0, 1.0, "stable")))
                .contains("Mean wait: b is lowest, 10.0 ± 1.0 s; next is a, 13.0 ± 1.0 s.");
        assertThat(Verdicts.besides("", results("a", 11.0, 1.0, "stable", "b", 10.0, 1.0, "stable")))
                .contains("Mean wait: the policies are not distinguishable: b 10.0 ± 1.0 s, a 11.0 ± 1.0 s.");
    }

    @Test
    void doesNotJudgeWhatCannotBeJudged() {
        assertThat(Verdicts.besides("", results("a", 13.0, 1.0, "stable"))).isEmpty();
        assertThat(Verdicts.besides("", results("a", 13.0, 1.0, "stable", "b", 10.0, 1.0, "unstable")))
                .containsExactly(
                        "Unstable: the queue of b grows, +12.34 ± 0.80 requests/h.",
                        "Rejected: the same under all policies, 0 %.");
        assertThat(Verdicts.besides("", results("a", 13.0, null, "stable", "b", 10.0, null, "stable")))
                .contains("Mean wait: b is lowest (10 s); a single run gives no confidence interval, so this may be"
                        + " chance.");
    }

    @Test
    void theLargestDifferenceOfASweepIsInItsFirstSentences() {
        sample.loads(0.5, 0.7, 0.9);
        sample.unstable = "";
        assertThat(Verdicts.first(sample.results()))
                .isEqualTo("Mean wait: bf-js is lowest at every point of the sweep. Largest significant difference:"
                        + " first-fit waits 10.26 ± 0.37 min longer than bf-js at workload.load = 0.9.");
    }

    @Test
    void gathersTheVerdictsOfASweep() {
        assertThat(Verdicts.besides("", sample.loads(0.5, 0.7, 0.9).results()))
                .contains(
                        "Unstable: the queue of fifo-ff grows, +12.34 ± 0.80 requests/h at workload.load = 0.9.",
                        "Mean wait: bf-js is lowest at every point of the sweep.");
        assertThat(Verdicts.first(sample.results()))
                .isEqualTo("Unstable: the queue of fifo-ff grows, +12.34 ± 0.80 requests/h at workload.load = 0.9.");
        assertThat(Verdicts.besides(Verdicts.first(sample.results()), sample.results()))
                .isNotEmpty()
                .noneMatch(verdict -> verdict.startsWith("Unstable"));
        assertThat(Verdicts.rule(sample.results())).contains("paired t", "Bonferroni", "none is green");
        Table differences = Verdicts.differences(sample.results());
        assertThat(differences.columns())
                .containsExactly(
                        "workload.load", "metric", "best", "policy", "difference, 95 % together", "significant");
        assertThat(differences.rows().stream()
                        .map(row -> row.stream().map(Table.Cell::text).collect(Collectors.joining(", "))))
                .contains(
                        "0.5, mean wait, bf-js, fifo-ff, 7.4 ± 1.1 s longer, yes",
                        "0.5, occupied servers, bf-js, fifo-ff, 49 ± 59 higher, no")
                .as("an unstable queue has no mean wait")
                .noneMatch(row -> row.startsWith("0.9, mean wait, bf-js, fifo-ff"));
    }
}

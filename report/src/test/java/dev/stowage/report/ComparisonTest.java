package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.result.TimeBlocks;
import dev.stowage.sim.statistics.Intervals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Differences on the same requests. Quantiles of Student's t with 2 degrees of freedom: 4.303 for 95 %, 6.205 for
 * 97.5 %.
 */
class ComparisonTest {
    private static final MetricName WAIT = MetricName.parse("wait_mean_s");

    private final List<ResultRow> rows = new ArrayList<>();

    private ComparisonTest runs(String policy, String metric, long firstSeed, String verdict, double... values) {
        var origin = new ResultSample().origin(policy, Map.of());
        for (int r = values.length - 1; r >= 0; r--) {
            rows.add(new RunRow(origin, r, firstSeed + r, "0", 0, 3600, Map.of(metric, values[r])));
        }
        rows.add(new SummaryRow(
                origin,
                values.length,
                "given",
                new Stability(verdict, 12.34, 0.8),
                Map.of(metric, Intervals.replications(values, 0.95))));
        return this;
    }

    private ComparisonTest waits(String policy, double... values) {
        return runs(policy, WAIT.toString(), 1, "stable", values);
    }

    private Results results() {
        return new Results(rows, null, List.of());
    }

    private List<String> verdicts() {
        return Verdicts.besides("", results());
    }

    private Comparison comparison() {
        return Comparison.of(WAIT, results().outcomes()).orElseThrow();
    }

    /**
     * 30, 40, 50 against 20, 29, 41: the difference is 10, 11, 9, mean 10, s = 1, half-width 4.303 / sqrt(3) = 2.484,
     * although the policies' own intervals, 40 ± 24.8 and 30 ± 26.2 (s = sqrt(111)), overlap.
     */
    @Test
    void pairsShowWhatOverlapHides() {
        waits("fifo-ff", 30, 40, 50).waits("best-fit", 20, 29, 41);
        assertThat(verdicts())
                .containsExactly("Mean wait: best-fit is lowest, 30 (20 to 41) s; on the same requests fifo-ff waits"
                        + " 10.0 ± 2.5 s longer (paired, 95 %).");
        assertThat(comparison().ranked().get(1).difference())
                .matches(d -> Math.abs(Objects.requireNonNull(d).halfWidth() - 2.484) < 1e-3);
        assertThat(SummaryTable.of(results())
                        .html()
                        .replaceAll("(?s)<details.*", "")
                        .split("best", -1))
                .hasSize(3);
        assertThat(Verdicts.rule(results())).contains("paired t", "Bonferroni");
    }

    /**
     * Of the same 10, 11, 9, looked at up to four times (10, 20, 40, 80 replications): confidence 98.75 %, so Student's
     * t is 8.860 and the half-width 5.116. With three policies every mean is sought by itself, without looks at
     * differences.
     */
    @Test
    void looksWidenTheDifferenceOfTwo() {
        waits("fifo-ff", 30, 40, 50).waits("best-fit", 20, 29, 41);
        String wanted = "precision: {within: 2 %}\nmax-replications: 80\n";
        Results looked = new Results(rows, wanted, List.of());
        assertThat(Verdicts.besides("", looked))
                .containsExactly("Mean wait: best-fit is lowest, 30 (20 to 41) s; on the same requests fifo-ff waits"
                        + " 10.0 ± 5.1 s longer (paired, 95 %, one of up to 4 looks).");
        assertThat(looked.looks(Map.of())).isEqualTo(4);
        assertThat(new Results(rows, "precision: 2 %\nreplications: 10", List.of()).looks(Map.of()))
                .as("10, 20, 40, 80, 160, 200")
                .isEqualTo(6);
        assertThat(new Results(rows, "replications: 10", List.of()).looks(Map.of()))
                .isEqualTo(1);
        waits("c", 20, 31, 39);
        assertThat(new Results(rows, wanted, List.of()).looks(Map.of())).isEqualTo(1);
    }

    /** Whatever an axis is called, and however its numbers are written. */
    @Test
    void looksOfASweepAreThoseOfItsPoint() {
        Map<String, String> point = Map.of("most", "4e1");
        for (String policy : List.of("a", "b")) {
            rows.add(new RunRow(
                    new ResultSample().origin(policy, point), 0, 1, "0", 0, 3600, Map.of(WAIT.toString(), 1.0)));
        }
        String sweep = "sweep: [{path: max-replications, name: most, values: [4e1, 80]}]";
        assertThat(new Results(rows, "precision: 2 %\n" + sweep, List.of()).looks(point))
                .as("10, 20, 40")
                .isEqualTo(3);
        String precision = "max-replications: 20\nsweep: [{path: precision, name: most, values: [4e1]}]";
        assertThat(new Results(rows, precision, List.of()).looks(point)).isEqualTo(2);
    }

    /** The same requests served in another order: sums of the same numbers that differ in the last bit. */
    @Test
    void roundingIsNoDifference() {
        double sum = 0.1 + 0.2 + 0.3;
        double other = 0.3 + 0.2 + 0.1;
        assertThat(sum).isNotEqualTo(other);
        waits("a", sum, 2, 3).waits("b", other, 2, 3).waits("c", sum + 1, 3, 4);
        assertThat(verdicts())
                .containsExactly(
                        "Mean wait: a is lowest, 1.87 (0.6 to 3) s; on the same requests b waits the same and c waits"
                                + " 1 s longer (paired, 95 % together).");
        rows.clear();
        waits("a", sum, sum, sum).waits("b", other, other, other);
        assertThat(verdicts()).containsExactly("Mean wait: the same under all policies, 600 ms.");
    }

    /**
     * With three policies each difference is taken at 97.5 %: 6.205 / sqrt(3) = 3.583. At 95 % the differences 3, 2, 4
     * would be significant.
     */
    @Test
    void morePoliciesNeedWiderIntervals() {
        waits("a", 10, 20, 30).waits("b", 13, 22, 34).waits("c", 20, 31, 39);
        assertThat(verdicts())
                .containsExactly(
                        "Mean wait: a is lowest, 20 (10 to 30) s; on the same requests c waits 10.0 ± 3.6 s longer;"
                                + " b (3.0 ± 3.6 s longer) is not distinguishable from it (paired, 95 % together).");
        assertThat(comparison().leaders()).extracting(Comparison.Rival::policy).containsExactly("a", "b");
        assertThat(comparison().splits()).isTrue();
    }

    /**
     * By mean b comes before c, but c differs from a by 10, 0, -1 and b by 1.9, 2, 2.1: a steady difference tells more.
     */
    @Test
    void aSteadyDifferenceTellsMoreThanALargeOne() {
        waits("a", 10, 20, 30).waits("b", 11.9, 22, 32.1).waits("c", 20, 20, 29);
        assertThat(comparison().ranked()).extracting(Comparison.Rival::policy).containsExactly("a", "b", "c");
        assertThat(comparison().leaders()).extracting(Comparison.Rival::policy).containsExactly("a", "c");
        // Green for c, and not for b, would say that c is better; green for a alone, that it is better than c.
        assertThat(comparison().splits()).isFalse();
        assertThat(SummaryTable.of(results()).html()).doesNotContain("best\"");
    }

    @Test
    void sharesDifferInPercentagePoints() {
        runs("a", "rejection_fraction", 1, "stable", 0.70, 0.80, 0.90)
                .runs("b", "rejection_fraction", 1, "stable", 0.60, 0.69, 0.81);
        assertThat(verdicts())
                .containsExactly("Rejected: b is lowest, 70 ± 26 %; on the same requests a is"
                        + " 10.0 ± 2.5 percentage points higher (paired, 95 %).");
    }

    /** The same requests on the same servers: more in use may be dummies, or a queue that grows. */
    @Test
    void utilizationIsNotRanked() {
        runs("a", "utilization", 1, "stable", 0.40, 0.41, 0.42).runs("b", "utilization", 1, "stable", 0.30, 0.31, 0.32);
        assertThat(verdicts()).isEmpty();
    }

    @Test
    void sameInEveryReplication() {
        waits("a", 10, 20, 30).waits("b", 10, 20, 30);
        assertThat(verdicts()).containsExactly("Mean wait: the same under all policies, 20 (10 to 30) s.");
        waits("c", 20, 31, 39);
        assertThat(verdicts())
                .containsExactly(
                        "Mean wait: a is lowest, 20 (10 to 30) s; on the same requests b waits the same and c waits"
                                + " 10.0 ± 3.6 s longer (paired, 95 % together).");
    }

    /** The means are equal, the replications are not: 5, -5, 0 has s = 5 and 4.303 * 5 / sqrt(3) = 12.4. */
    @Test
    void equalMeansAreNotTheSame() {
        waits("a", 10, 20, 30).waits("b", 15, 15, 30);
        assertThat(verdicts())
                .containsExactly(
                        "Mean wait: the policies are not distinguishable: a 20 (10 to 30) s; on the same requests b waits"
                                + " 0 ± 12 s longer (paired, 95 %).");
    }

    @Test
    void otherSeedsAreNotPaired() {
        waits("fifo-ff", 30, 40, 50).runs("best-fit", WAIT.toString(), 7, "stable", 20, 29, 41);
        assertThat(comparison().paired()).isFalse();
        assertThat(verdicts())
                .containsExactly(
                        "Mean wait: the policies are not distinguishable: best-fit 30 (20 to 41) s, fifo-ff 40 (30 to 50) s.");
    }

    @Test
    void aMissingReplicationIsNotPaired() {
        waits("fifo-ff", 30, 40, 50).waits("best-fit", 20, 29);
        assertThat(comparison().paired()).isFalse();
    }

    @Test
    void oneReplicationHasNoPairs() {
        waits("fifo-ff", 30).waits("best-fit", 20);
        assertThat(verdicts())
                .containsExactly(
                        "Mean wait: best-fit is lowest (20 s); a single run gives no confidence interval, so this"
                                + " may be chance.");
        assertThat(SummaryTable.of(results()).html()).doesNotContain("\"n best\"");
    }

    @Test
    void anUnstableQueueIsNotComparedAndDoesNotWidenTheRest() {
        waits("a", 30, 40, 50).waits("b", 20, 29, 41).runs("c", WAIT.toString(), 1, "unstable", 1, 1, 1);
        assertThat(comparison().ranked()).extracting(Comparison.Rival::policy).containsExactly("b", "a");
        assertThat(Objects.requireNonNull(comparison().ranked().get(1).difference())
                        .confidence())
                .isCloseTo(0.95, within(1e-12));
    }

    private ComparisonTest trace(String policy, double rejected, double... waits) {
        double[] counts = new double[waits.length];
        Arrays.fill(counts, 1);
        double[] none = new double[waits.length];
        Arrays.fill(none, rejected);
        var origin = new ResultSample().origin(policy, Map.of());
        double mean = Arrays.stream(waits).average().orElseThrow();
        Map<String, Double> values = Map.of(WAIT.toString(), mean, "rejection_fraction", rejected);
        rows.add(new RunRow(
                origin,
                0,
                1,
                "0",
                0,
                3600,
                values,
                Map.of(
                        WAIT.toString(),
                        new TimeBlocks(60, waits, counts),
                        "rejection_fraction",
                        new TimeBlocks(60, none, counts))));
        Map<String, Estimate> exact = new TreeMap<>();
        values.forEach((name, value) -> exact.put(name, new Estimate(value, null, 0.95, Intervals.EXACT, 1)));
        rows.add(new SummaryRow(origin, 1, "none", new Stability("stable", 0, 0.1), exact));
        return this;
    }

    private static double[] alternating(double first, double second) {
        return IntStream.range(0, 20)
                .mapToDouble(i -> i % 2 == 0 ? first : second)
                .toArray();
    }

    /** The page begins with it. */
    @Test
    void whatAMeanWaitLeavesOutIsSaidBesideIt() {
        trace("fifo-ff", 0, alternating(28, 32)).trace("best-fit", 0, alternating(20, 20));
        assertThat(Verdicts.first(results())).startsWith("Mean wait: ").doesNotContain("still wait");
        rows.replaceAll(row -> row instanceof RunRow run
                ? new RunRow(run.origin(), 0, 1, "0", 0, 3600, Map.of("queue_length_final", 7.0), run.blocks())
                : row);
        assertThat(Verdicts.first(results()))
                .startsWith("Mean wait: best-fit is lowest, ")
                .endsWith(
                        ". Requests that still wait at the end are in no mean wait, which is likely too short: 7 under"
                                + " fifo-ff and 7 under best-fit.");
        assertThat(Verdicts.besides(Verdicts.first(results()), results()))
                .noneMatch(each -> each.contains("still wait"));
    }

    /**
     * 20 blocks, differences 8, 12, 8, 12 ...: mean 10, s^2 = 20 * 4 / 19, half-width t(0.975, 19) s / sqrt(20) =
     * 2.093 * 2.052 / 4.472 = 0.960; neighbours are opposed, so nothing widens it. The figures themselves have none.
     */
    @Test
    void oneTraceIsExactAndBlocksSayWhatHoldsElsewhere() {
        trace("fifo-ff", 0, alternating(28, 32)).trace("best-fit", 0, alternating(20, 20));
        assertThat(verdicts())
                .first()
                .isEqualTo(
                        "Mean wait: best-fit is lowest, 20 s; fifo-ff waits 10 s longer. On other requests like these:"
                                + " fifo-ff waits 10.00 ± 0.96 s longer (95 %, from blocks of the same requests).");
        assertThat(SummaryTable.of(results()).text(TextStyle.PLAIN))
                .contains("20 s")
                .doesNotContain("+-");
        assertThat(SummaryTable.of(results()).remarks())
                .contains(
                        "One trace is one sample: these numbers are exact for it, and may differ on others; the report"
                                + " says how far the differences would hold on other requests like these.");
        assertThat(SummaryTable.of(results()).html()).contains("best");
        assertThat(Verdicts.rule(results())).contains("exact for this one trace");
    }

    /** Differences 30, -10: mean 10, s = 20.5, half-width 9.6 is not even 10; 50, -30: 19.2. */
    @Test
    void whatMayBeChanceElsewhereIsNotGreen() {
        trace("fifo-ff", 0, alternating(70, -10)).trace("best-fit", 0, alternating(20, 20));
        assertThat(verdicts()).first().asString().contains("10 ± 19 s longer (not significant: too short to tell)");
        assertThat(SummaryTable.of(results()).html()).doesNotContain("\"n best\"");
        assertThat(Verdicts.rule(results())).contains("If none differs significantly,", "none is green.");
    }

    /** A difference of 1 s with a half-width of 1.9 s, of a mean of 20 s. */
    @Test
    void aNarrowIntervalIsLongEnough() {
        trace("fifo-ff", 0, alternating(25, 17)).trace("best-fit", 0, alternating(20, 20));
        assertThat(verdicts()).first().asString().contains("1.0 ± 1.9 s longer (not significant)");
    }

    /** The other policy cannot reject: no interval around 2.5 % that would reach 0. */
    @Test
    void rejectionsBesideNoneNeedNoInterval() {
        trace("best-fit", 0, alternating(20, 20)).trace("first-fit", 0.025, alternating(0, 0));
        assertThat(verdicts())
                .containsExactly(
                        "Rejected: best-fit is lowest, 0 %; first-fit is 2.50 percentage points higher.",
                        "Waits are compared among policies that reject nothing. first-fit rejects some: with fewer"
                                + " requests, waits are shorter. Stranded capacity is what the median request cannot use:"
                                + " larger ones may find no place though it is 0 %.");
        assertThat(SummaryTable.of(results()).remarks())
                .contains("Rejected: first-fit 2.50 %. Its waits are over fewer requests than those of the others.");
        assertThat(SummaryTable.of(results()).text(TextStyle.PLAIN).lines().toList())
                .last()
                .asString()
                .as("its wait of 0 is not the best")
                .startsWith("first-fit");
    }

    /** The files count what fits no server as rejected. */
    @Test
    void rejectionsSayWhatTheyLeaveOut() {
        for (String policy : List.of("best-fit", "first-fit")) {
            double rejected = policy.equals("best-fit") ? 0.25 : 0.35;
            Map<String, Double> values = Map.of("rejection_fraction", rejected, "fits_no_server_fraction", 0.25);
            var origin = new ResultSample().origin(policy, Map.of());
            rows.add(new RunRow(origin, 0, 1, "0", 0, 3600, values, Map.of()));
        }
        assertThat(Comparison.rejections(results().outcomes()))
                .startsWith("Rejected, beside the 25 % that fit no server: first-fit 10.0 %. Its waits");
    }

    /** A run that ended within its warm-up has no mean. */
    @Test
    void whatWasNotMeasuredIsNotCompared() {
        waits("a", Double.NaN, Double.NaN).waits("b", Double.NaN, Double.NaN);
        assertThat(verdicts()).isEmpty();
    }

    @Test
    void aShortTraceSaysSo() {
        trace("a", 0, 1, 2, 3).trace("b", 0, 2, 3, 4);
        assertThat(verdicts()).first().asString().contains("too short to say whether that would hold");
    }

    /** Blocks of 60 s and of 120 s: the shorter ones are joined. */
    @Test
    void blocksOfTwoLengthsArePaired() {
        PairedBlocks paired = PairedBlocks.of(
                new TimeBlocks(60, new double[] {1, 2, 3, 4, 5}, new double[] {1, 1, 1, 1, 1}),
                new TimeBlocks(120, new double[] {10, 20}, new double[] {2, 2}));
        assertThat(paired.numerators()).containsExactly(3, 7);
        assertThat(paired.denominators()).containsExactly(2, 2);
        assertThat(paired.otherNumerators()).containsExactly(10, 20);
        PairedBlocks means = PairedBlocks.of(
                new TimeBlocks(60, new double[] {1, 2, 3, 4}, new double[] {}),
                new TimeBlocks(120, new double[] {10, 20}, new double[] {}));
        assertThat(means.numerators()).containsExactly(1.5, 3.5);
        assertThat(means.denominators()).containsExactly(1, 1);
    }
}

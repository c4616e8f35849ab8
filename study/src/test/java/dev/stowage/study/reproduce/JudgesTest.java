package dev.stowage.study.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.result.Stability;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every claim of the randomized and the best-fit paper with made-up rows: rows that confirm it, confirm it in part, and
 * refute it.
 */
class JudgesTest {
    private static final String LOCAL = "max-weight local";
    private static final String GLOBAL = "max-weight global";
    private static final String ALGORITHM_2 = "Algorithm 2";
    private static final String TWO = "randomized-fig1";
    private static final String TEN = "randomized-fig2";

    /** Rows of an experiment, added one by one. */
    private static final class Rows {
        private final MadeUp made = new MadeUp();

        Rows stable(String policy, String value, double mean) {
            return add(policy, point(value), "stable", 0, MadeUp.about(mean));
        }

        Rows undecided(String policy, String value, double mean) {
            return add(policy, point(value), "undecided", 0, MadeUp.about(mean));
        }

        Rows unstable(String policy, String value, double growth) {
            return add(policy, point(value), "unstable", growth, MadeUp.about(1e6));
        }

        Rows in(String experiment, String policy, String value, String verdict, double mean) {
            Map<String, String> point = MadeUp.point("experiment", experiment, "x", value);
            return add(policy, point, verdict, 1, MadeUp.about(mean));
        }

        private static Map<String, String> point(String value) {
            return value.isEmpty() ? Map.of() : Map.of("x", value);
        }

        Rows add(String policy, Map<String, String> point, String verdict, double growth, double[] values) {
            made.add(
                    policy,
                    point,
                    new Stability(verdict, growth, 0.1),
                    Map.of("wait_mean_s", values, "queue_length_mean", values),
                    Map.of());
            return this;
        }

        Finding judge(String paper, String figure) {
            return made.judge(paper, figure);
        }

        Verdict verdict(String paper, String figure) {
            return judge(paper, figure).verdict();
        }
    }

    @Test
    void bothStable() {
        assertThat(new Rows()
                        .stable(ALGORITHM_2, "0.9", 5)
                        .stable(GLOBAL, "0.9", 50)
                        .verdict("randomized", "fig1"))
                .isEqualTo(Verdict.REPRODUCED);
        Finding half = new Rows()
                .stable(ALGORITHM_2, "0.9", 5)
                .unstable(GLOBAL, "0.9", 12)
                .judge("randomized", "fig1");
        assertThat(half.verdict()).isEqualTo(Verdict.SHOWN_IN_PART);
        // 1 % apart: deviation 0.0791, t(99 %, 4) = 4.604.
        assertThat(half.evidence().get(0))
                .isEqualTo("ζ = 0.9: Algorithm 2 5.00 ± 0.163 s (stable);"
                        + " max-weight global unstable, +12.0 ± 0.100 requests/h.");
        assertThat(new Rows()
                        .undecided(ALGORITHM_2, "0.9", 5)
                        .stable(GLOBAL, "0.9", 50)
                        .verdict("randomized", "fig1"))
                .isEqualTo(Verdict.UNDECIDED);
        assertThat(new Rows()
                        .unstable(ALGORITHM_2, "0.9", 5)
                        .stable(GLOBAL, "0.9", 50)
                        .verdict("randomized", "fig1"))
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /** The paper says nothing about service times that are not exponential. */
    @Test
    void withoutAClaimThereIsNoVerdict() {
        for (String figure : List.of("deterministic", "hyperexponential")) {
            Finding finding = new Rows()
                    .stable(ALGORITHM_2, "0.9", 5)
                    .unstable(GLOBAL, "0.9", 12)
                    .judge("randomized", figure);
            assertThat(finding.verdict()).isEqualTo(Verdict.NO_CLAIM);
            assertThat(finding.evidence())
                    .contains("Ours: Algorithm 2 is stable at all of these intensities.")
                    .contains("Ours: max-weight global is not stable at all of these intensities.");
        }
    }

    /** L = 2 against L = 10, at the intensities that both have and where not both are unstable. */
    private static Rows servers(String value, double two, String verdict, double ten) {
        Rows rows = new Rows();
        for (String policy : List.of(GLOBAL, ALGORITHM_2)) {
            rows.in(TWO, policy, value, "stable", two).in(TEN, policy, value, verdict, ten);
            rows.in(TWO, policy, "0.9", "unstable", two).in(TEN, policy, "0.9", "unstable", ten);
            rows.in(TEN, policy, "0.05", "stable", 1);
        }
        return rows;
    }

    @Test
    void globalDeterioratesFromTwoToTenServers() {
        assertThat(servers("0.1", 1, "stable", 2).verdict("randomized", "fig2")).isEqualTo(Verdict.REPRODUCED);
        assertThat(servers("0.1", 1, "unstable", 2).verdict("randomized", "fig2"))
                .isEqualTo(Verdict.REPRODUCED);
        assertThat(servers("0.1", 1, "stable", 1.01).verdict("randomized", "fig2"))
                .isEqualTo(Verdict.UNDECIDED);
        assertThat(servers("0.1", 1, "stable", 0.5).verdict("randomized", "fig2"))
                .isEqualTo(Verdict.NOT_REPRODUCED);
        Rows most = servers("0.1", 1, "stable", 2);
        for (String policy : List.of(GLOBAL, ALGORITHM_2)) {
            most.in(TWO, policy, "0.2", "stable", 1).in(TEN, policy, "0.2", "stable", 0.5);
            most.in(TWO, policy, "0.3", "stable", 1).in(TEN, policy, "0.3", "stable", 3);
        }
        Finding finding = most.judge("randomized", "fig2");
        assertThat(finding.verdict()).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(finding.evidence())
                .last()
                .isEqualTo("The delay of max-weight global is shown to be longer with 10 servers than with 2 at 2 of 3"
                        + " intensities at which not both are unstable.");
    }

    @Test
    void localIsUnstable() {
        assertThat(new Rows()
                        .unstable(LOCAL, "", 2000)
                        .stable(ALGORITHM_2, "", 50)
                        .verdict("randomized", "fig3"))
                .isEqualTo(Verdict.REPRODUCED);
        assertThat(new Rows().stable(LOCAL, "", 90).stable(ALGORITHM_2, "", 50).verdict("randomized", "fig3"))
                .isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(new Rows()
                        .undecided(LOCAL, "", 20)
                        .stable(ALGORITHM_2, "", 50)
                        .verdict("randomized", "fig3"))
                .isEqualTo(Verdict.UNDECIDED);
        assertThat(new Rows().stable(LOCAL, "", 20).stable(ALGORITHM_2, "", 50).verdict("randomized", "fig3"))
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    private static Verdict close(String figure, double ratio) {
        return new Rows()
                .stable(LOCAL, "0.9", 100)
                .stable(ALGORITHM_2, "0.9", 100 * ratio)
                .verdict("randomized", figure);
    }

    @Test
    void veryCloseAndNear() {
        for (String figure : List.of("fig4", "fig5")) {
            assertThat(close(figure, 1.2)).isEqualTo(Verdict.REPRODUCED);
            assertThat(close(figure, 1.5)).isEqualTo(Verdict.SHOWN_IN_PART);
            assertThat(close(figure, 2.5)).isEqualTo(Verdict.NOT_REPRODUCED);
            assertThat(new Rows()
                            .stable(LOCAL, "0.9", 100)
                            .unstable(ALGORITHM_2, "0.9", 2)
                            .verdict("randomized", figure))
                    .isEqualTo(Verdict.NOT_REPRODUCED);
            assertThat(new Rows()
                            .stable(LOCAL, "0.9", 100)
                            .undecided(ALGORITHM_2, "0.9", 110)
                            .verdict("randomized", figure))
                    .isEqualTo(Verdict.UNDECIDED);
        }
    }

    @Test
    void whoIsStableAndWhoIsNot() {
        Rows as3a = new Rows().unstable("vqs", "", 2).stable("bf-js", "", 2).stable("vqs-bf", "", 3);
        assertThat(as3a.verdict("bestfit", "fig3a")).isEqualTo(Verdict.REPRODUCED);
        assertThat(as3a.verdict("bestfit", "fig3b")).isEqualTo(Verdict.NOT_REPRODUCED);
        Rows mixed = new Rows().stable("vqs", "", 2).stable("bf-js", "", 2).unstable("vqs-bf", "", 3);
        assertThat(mixed.verdict("bestfit", "fig3b")).isEqualTo(Verdict.SHOWN_IN_PART);
        Rows open = new Rows().stable("vqs", "", 2).undecided("bf-js", "", 2).undecided("vqs-bf", "", 3);
        assertThat(open.verdict("bestfit", "fig3b")).isEqualTo(Verdict.UNDECIDED);
    }

    /** BF-J/S has 5 waiting at .9; VQS-BF {@code ratio} times as many; at .99 times another factor. */
    private static Rows small(double ratio, double ratioAbove) {
        return new Rows()
                .stable("bf-js", "0.9", 5)
                .stable("vqs-bf", "0.9", 5 * ratio)
                .stable("vqs", "0.9", 900)
                .stable("bf-js", "0.99", 5)
                .stable("vqs-bf", "0.99", 5 * ratioAbove)
                .stable("vqs", "0.99", 900);
    }

    @Test
    void alikeIsAMarginAndNotAnOverlap() {
        // In each replication 5 % more: a significant difference, and alike.
        assertThat(small(1.05, 2).verdict("bestfit", "fig4a")).isEqualTo(Verdict.REPRODUCED);
        assertThat(small(1.05, 2).judge("bestfit", "fig4a").evidence().get(0))
                .startsWith("α = 0.9: bf-js 5.00 ± 0.163 waiting (stable); vqs-bf 5.25 ± 0.171 waiting (stable);"
                        + " vqs 900 ± 29.3 waiting (stable)."
                        + " VQS-BF over BF-J/S: 1.05");
        assertThat(small(1.3, 2).verdict("bestfit", "fig4a")).isEqualTo(Verdict.SHOWN_IN_PART);
        // Longer above .95, but no more than what counts as alike.
        assertThat(small(1.05, 1.1).verdict("bestfit", "fig4a")).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(small(1.05, 200).verdict("bestfit", "fig4a")).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /** Intervals that overlap everything do not show that two are alike. */
    @Test
    void wideIntervalsAreNotAlike() {
        Rows rows = small(1, 2);
        double[] wide = {1, 2, 5, 8, 9};
        double[] otherwise = {9, 2, 1, 8, 5};
        rows.add("bf-js", Map.of("x", "0.95"), "stable", 0, wide)
                .add("vqs-bf", Map.of("x", "0.95"), "stable", 0, otherwise)
                .stable("vqs", "0.95", 900);
        assertThat(rows.verdict("bestfit", "fig4a")).isEqualTo(Verdict.SHOWN_IN_PART);
    }

    @Test
    void sizesThatAreLarge() {
        Rows rows = new Rows()
                .stable("bf-js", "0.85", 17)
                .stable("vqs-bf", "0.85", 33)
                .unstable("vqs", "0.85", 11);
        // Both grow: the faster is the longer.
        rows.stable("bf-js", "0.95", 200).unstable("vqs-bf", "0.95", 12).unstable("vqs", "0.95", 43);
        assertThat(rows.verdict("bestfit", "fig4b")).isEqualTo(Verdict.REPRODUCED);
        rows.stable("bf-js", "0.97", 200).stable("vqs-bf", "0.97", 100).stable("vqs", "0.97", 300);
        assertThat(rows.verdict("bestfit", "fig4b")).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(new Rows()
                        .stable("bf-js", "0.9", 5)
                        .stable("vqs-bf", "0.9", 4)
                        .stable("vqs", "0.9", 3)
                        .verdict("bestfit", "fig4b"))
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /**
     * FIFO, BF-J/S, VQS, VQS-BF in one run each, with given queue lengths in blocks and given changes over time.
     */
    private static Finding trace(double change, String verdict, double... means) {
        MadeUp made = new MadeUp();
        String[] policies = {"fifo-ff", "bf-js", "vqs", "vqs-bf"};
        for (int i = 0; i < policies.length; i++) {
            double[] blocks = new double[100];
            // Not in phase with those of the other policies, so differences change, too.
            for (int k = 0; k < blocks.length; k++) {
                blocks[k] = means[i] + (k % (i + 2) == 0 ? change * (i + 1) : -change);
            }
            made.trace(policies[i], Map.of("scaling", "1.6"), verdict, "queue_length_mean", blocks);
        }
        return made.judge("bestfit", "trace-openb");
    }

    @Test
    void aTraceIsExactAndSaysSoMuchOfOthersAsItsBlocksShow() {
        assertThat(trace(1, "stable", 100, 50, 200, 40).verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(trace(1, "stable", 100, 50, 200, 60).verdict()).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(trace(1, "stable", 40, 50, 45, 60).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        // Differences that are open, or queues whose stability is undecided.
        Finding wide = trace(200, "stable", 1000, 950, 1050, 940);
        assertThat(wide.verdict()).isEqualTo(Verdict.UNDECIDED);
        Finding open = trace(0, "undecided", 100, 50, 200, 40);
        assertThat(open.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(open.evidence())
                .containsSubsequence(
                        "On this trace, where the means are exact, at scalings of 1.4 and more: BF-J/S and VQS-BF have"
                                + " shorter queues than FIFO-FF and VQS in 4 of 4 comparisons, VQS-BF than BF-J/S in 1"
                                + " of 1.",
                        "On other requests like these, by paired differences over blocks of time: shown in 0 of 4 and 0"
                                + " of 1. A queue that is undecided is never shown to be shorter.");
        // No ± for exact figures.
        assertThat(open.evidence().get(0))
                .doesNotContain("±")
                .startsWith("scaling = 1.6: bf-js 50.0 waiting (undecided);");
    }

    @Test
    void theListNamesEveryClaimOnce() {
        assertThat(Papers.ALL.stream()
                        .flatMap(paper -> paper.figures().stream())
                        .map(PaperFigure::claim))
                .allSatisfy(claim -> assertThat(claim).isNotBlank());
        assertThat(Arrays.stream(Verdict.values()).map(Verdict::toString)).doesNotHaveDuplicates();
    }
}

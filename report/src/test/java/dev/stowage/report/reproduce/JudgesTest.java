package dev.stowage.report.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every claim with made-up rows: what would confirm it, half confirm it, and refute it. */
class JudgesTest {
    private static final String LOCAL = "max-weight local";
    private static final String GLOBAL = "max-weight global";
    private static final String ALGORITHM_2 = "Algorithm 2";

    /** Rows of an experiment, added one by one. */
    private static final class Rows {
        private final List<SummaryRow> rows = new ArrayList<>();

        Rows stable(String policy, String value, double mean) {
            return add(policy, value, "stable", 0, mean);
        }

        Rows unstable(String policy, String value, double growth) {
            return add(policy, value, "unstable", growth, 1e6);
        }

        private Rows add(String policy, String value, String verdict, double growth, double mean) {
            Estimate estimate = new Estimate(mean, mean / 100, 0.99, "replications", 4);
            Map<String, String> point = value.isEmpty() ? Map.of() : Map.of("x", value);
            rows.add(new SummaryRow(
                    new Origin("stowage.results/1", "made-up", "0", "0", "17", policy, Map.of(), point),
                    4,
                    "none",
                    new Stability(verdict, growth, 0.1),
                    // As in results: no means of a queue that grows.
                    verdict.equals("unstable")
                            ? Map.of()
                            : Map.of("wait_mean_s", estimate, "queue_length_mean", estimate)));
            return this;
        }

        Finding judge(String paper, String figure) {
            return Paper.find(paper)
                    .orElseThrow()
                    .figure(figure)
                    .orElseThrow()
                    .judge()
                    .judge(new Measured(rows));
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
        assertThat(half.verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(half.evidence().get(0))
                .isEqualTo("ζ = 0.9: Algorithm 2 5.00 ± 0.0500 (stable);"
                        + " max-weight global unstable, +12.0 ± 0.100 requests/h.");
        assertThat(new Rows()
                        .unstable(ALGORITHM_2, "0.9", 5)
                        .stable(GLOBAL, "0.9", 50)
                        .verdict("randomized", "fig1"))
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void globalDeteriorates() {
        Rows rows = new Rows().stable(ALGORITHM_2, "0.1", 1).stable(GLOBAL, "0.1", 0.5);
        assertThat(rows.verdict("randomized", "fig2")).isEqualTo(Verdict.NOT_REPRODUCED);
        rows.stable(ALGORITHM_2, "0.5", 1).stable(GLOBAL, "0.5", 2);
        assertThat(rows.verdict("randomized", "fig2")).isEqualTo(Verdict.DIRECTION_ONLY);
        rows.stable(ALGORITHM_2, "0.9", 1).unstable(GLOBAL, "0.9", 2);
        assertThat(rows.verdict("randomized", "fig2")).isEqualTo(Verdict.REPRODUCED);
    }

    @Test
    void intervalsThatOverlapAreNoDifference() {
        assertThat(new Rows()
                        .stable(ALGORITHM_2, "0.5", 1)
                        .stable(GLOBAL, "0.5", 1.01)
                        .verdict("randomized", "fig2"))
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void localIsUnstable() {
        assertThat(new Rows()
                        .unstable(LOCAL, "", 2000)
                        .stable(ALGORITHM_2, "", 50)
                        .verdict("randomized", "fig3"))
                .isEqualTo(Verdict.REPRODUCED);
        assertThat(new Rows().stable(LOCAL, "", 90).stable(ALGORITHM_2, "", 50).verdict("randomized", "fig3"))
                .isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(new Rows().stable(LOCAL, "", 20).stable(ALGORITHM_2, "", 50).verdict("randomized", "fig3"))
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void veryCloseAndNear() {
        for (String figure : List.of("fig4", "fig5")) {
            assertThat(new Rows()
                            .stable(LOCAL, "0.9", 100)
                            .stable(ALGORITHM_2, "0.9", 120)
                            .verdict("randomized", figure))
                    .isEqualTo(Verdict.REPRODUCED);
            assertThat(new Rows()
                            .stable(LOCAL, "0.9", 100)
                            .stable(ALGORITHM_2, "0.9", 150)
                            .verdict("randomized", figure))
                    .isEqualTo(Verdict.DIRECTION_ONLY);
            assertThat(new Rows()
                            .stable(LOCAL, "0.9", 100)
                            .stable(ALGORITHM_2, "0.9", 250)
                            .verdict("randomized", figure))
                    .isEqualTo(Verdict.NOT_REPRODUCED);
            assertThat(new Rows()
                            .stable(LOCAL, "0.9", 100)
                            .unstable(ALGORITHM_2, "0.9", 2)
                            .verdict("randomized", figure))
                    .isEqualTo(Verdict.NOT_REPRODUCED);
        }
    }

    @Test
    void whoIsStableAndWhoIsNot() {
        Rows as3a = new Rows().unstable("vqs", "", 2).stable("bf-js", "", 2).stable("vqs-bf", "", 3);
        assertThat(as3a.verdict("bestfit", "fig3a")).isEqualTo(Verdict.REPRODUCED);
        assertThat(as3a.verdict("bestfit", "fig3b")).isEqualTo(Verdict.NOT_REPRODUCED);
        Rows mixed = new Rows().stable("vqs", "", 2).stable("bf-js", "", 2).unstable("vqs-bf", "", 3);
        assertThat(mixed.verdict("bestfit", "fig3b")).isEqualTo(Verdict.DIRECTION_ONLY);
    }

    @Test
    void sizesThatAreSmall() {
        Rows below = new Rows()
                .stable("bf-js", "0.9", 5)
                .stable("vqs-bf", "0.9", 5.05)
                .stable("vqs", "0.9", 900);
        assertThat(below.verdict("bestfit", "fig4a")).isEqualTo(Verdict.DIRECTION_ONLY);
        below.stable("bf-js", "0.99", 200).unstable("vqs-bf", "0.99", 6).unstable("vqs", "0.99", 140);
        // Both grow: the faster is the longer.
        assertThat(below.verdict("bestfit", "fig4a")).isEqualTo(Verdict.REPRODUCED);
    }

    @Test
    void sizesThatAreLarge() {
        Rows rows = new Rows()
                .stable("bf-js", "0.85", 17)
                .stable("vqs-bf", "0.85", 33)
                .unstable("vqs", "0.85", 11);
        rows.stable("bf-js", "0.95", 200).unstable("vqs-bf", "0.95", 12).unstable("vqs", "0.95", 43);
        assertThat(rows.verdict("bestfit", "fig4b")).isEqualTo(Verdict.REPRODUCED);
        rows.stable("bf-js", "0.97", 200).stable("vqs-bf", "0.97", 100).stable("vqs", "0.97", 300);
        assertThat(rows.verdict("bestfit", "fig4b")).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(new Rows()
                        .stable("bf-js", "0.9", 5)
                        .stable("vqs-bf", "0.9", 4)
                        .stable("vqs", "0.9", 3)
                        .verdict("bestfit", "fig4b"))
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void aTraceIsComparedWithoutIntervals() {
        assertThat(trace(100, 50, 200, 40)).isEqualTo(Verdict.REPRODUCED);
        assertThat(trace(100, 50, 200, 60)).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(trace(40, 50, 200, 60)).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(new Rows()
                        .stable("fifo-ff", "1.6", 100)
                        .stable("bf-js", "1.6", 50)
                        .unstable("vqs", "1.6", 3)
                        .stable("vqs-bf", "1.6", 40)
                        .verdict("bestfit", "trace-openb"))
                .isEqualTo(Verdict.REPRODUCED);
    }

    private static Verdict trace(double fifo, double bf, double vqs, double vqsBf) {
        return new Rows()
                .stable("fifo-ff", "1.6", fifo)
                .stable("bf-js", "1.6", bf)
                .stable("vqs", "1.6", vqs)
                .stable("vqs-bf", "1.6", vqsBf)
                .verdict("bestfit", "trace-azure");
    }
}

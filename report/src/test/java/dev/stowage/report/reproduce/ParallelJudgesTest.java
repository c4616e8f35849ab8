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

/** The claims of the parallel paper with made-up completion times. */
class ParallelJudgesTest {
    private final List<SummaryRow> rows = new ArrayList<>();

    private ParallelJudgesTest completes(String policy, double seconds) {
        rows.add(new SummaryRow(
                new Origin("stowage.results/1", "made-up", "0", "0", "17", policy, Map.of(), Map.of()),
                5,
                "none",
                new Stability("stable", 0, null),
                Map.of("job_completion_mean_s", new Estimate(seconds, 0.01, 0.99, "replications", 5))));
        return this;
    }

    private Finding judge(String figure) {
        return ParallelPaper.PAPER.figure(figure).orElseThrow().judge().judge(new Measured(rows, List.of()));
    }

    private static Finding orders(double llf) {
        ParallelJudgesTest made = new ParallelJudgesTest();
        made.completes("SJF", 100).completes("SLF", 170).completes("FCFS", 180);
        return made.completes("LLF", llf).judge("fig6a");
    }

    @Test
    void shortestJobFirstIsAheadByTheClaimedMargin() {
        assertThat(orders(160).verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(orders(159).verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(orders(99).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(orders(159).evidence()).contains("SLF: 170 s, +70 % against SJF.");
    }

    @Test
    void residualCapacityShortensEveryOrderOrSome() {
        for (String order : List.of("SJF", "SLF", "FCFS", "LLF")) {
            completes(order, 100).completes(order + " NDRC", 120);
        }
        assertThat(judge("fig6-drc").verdict()).isEqualTo(Verdict.REPRODUCED);
        rows.remove(rows.size() - 1);
        completes("LLF NDRC", 90);
        assertThat(judge("fig6-drc").verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(judge("fig6-drc").evidence()).contains("LLF: 100 s with it, 90.0 s without.");
    }
}

package dev.stowage.report.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The claims of the shadow paper with made-up rows: 100 servers per site, of which so many are in use. */
class ShadowJudgesTest {
    private final List<SummaryRow> rows = new ArrayList<>();
    private final List<SeriesRow> series = new ArrayList<>();

    private static Origin origin(String policy) {
        return new Origin("stowage.results/1", "made-up", "0", "0", "17", policy, Map.of(), Map.of());
    }

    private static Estimate estimate(double mean) {
        return new Estimate(mean, mean / 1000, 0.99, "replications", 5);
    }

    /** A policy whose fullest site has so many servers in use, the others half as many, and {@code running} at DC1 of type 0. */
    private ShadowJudgesTest policy(String policy, boolean idealised, double used, double running) {
        Map<String, Estimate> metrics = new TreeMap<>();
        for (int site = 0; site < 6; site++) {
            double here = site == 2 ? used : used / 2;
            metrics.put("up_servers_mean{site=" + site + "}", estimate(100));
            metrics.put("occupied_servers_mean{site=" + site + "}", estimate(idealised ? 1.5 * here : here));
            if (idealised) {
                metrics.put("idealised_servers_mean{site=" + site + "}", estimate(here));
            }
        }
        metrics.put("running_mean{site=0,type=0}", estimate(running));
        metrics.put("migrations", estimate(5));
        metrics.put("arrived", estimate(10));
        rows.add(new SummaryRow(origin(policy), 5, "none", new Stability("no-queue", 0, null), metrics));
        return this;
    }

    /** In the hour after the warm-up with this number so many of 50 servers per site are in use. */
    private void hour(String policy, int hour, double used) {
        double[] time = {7200 + 3600.0 * hour};
        for (int site = 0; site < 6; site++) {
            for (String name : List.of("idealised_servers", "occupied_servers")) {
                add(policy, name, site, time, used);
            }
            add(policy, "up_servers", site, time, 50);
        }
    }

    private void add(String policy, String name, int site, double[] time, double value) {
        double[] values = {value};
        String full = name + "{site=" + site + "}";
        series.add(new SeriesRow(origin(policy), 0, full, "servers", time, values, values, values));
    }

    private Finding judge(String figure) {
        PaperFigure found = Paper.find("shadow").orElseThrow().figure(figure).orElseThrow();
        return found.judge().judge(new Measured(rows, series));
    }

    private static Verdict gammas(double two, double ten) {
        ShadowJudgesTest made = new ShadowJudgesTest();
        made.policy("gamma 2", true, two, 9).policy("gamma 5", true, 45, 9).policy("gamma 10", true, ten, 9);
        return made.policy("gamma 5 with migration", true, 45, 9).judge("fig1").verdict();
    }

    @Test
    void near() {
        assertThat(gammas(49, 48)).isEqualTo(Verdict.REPRODUCED);
        assertThat(gammas(49, 50)).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(gammas(55, 48)).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /** 36,000 at DC1, 169 each: 90 take .4225, 100 take .469. */
    @Test
    void disks() {
        policy("gamma 2", true, 1, 90).policy("gamma 5", true, 1, 90).policy("gamma 10", true, 1, 90);
        assertThat(judge("fig2").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(judge("fig2").evidence().get(0)).startsWith("gamma 2: disk in use at DC1 to DC6 0.423, 0.000");
        rows.clear();
        policy("gamma 2", true, 1, 90).policy("gamma 5", true, 1, 100).policy("gamma 10", true, 1, 90);
        assertThat(judge("fig2").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /** All requests at DC1 are of type 0: 100 % instead of 7.5 %. */
    @Test
    void tables() {
        policy("gamma 5", true, 1, 90).policy("strict fits", false, 1, 90);
        assertThat(judge("table2").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(judge("table2").evidence().get(6)).isEqualTo("Largest difference: 92.50 percentage points.");
        assertThat(judge("table3").evidence().get(6)).isEqualTo("Largest difference: 92.30 percentage points.");
    }

    private static ShadowJudgesTest compared(double simplified, double baseline, double strict) {
        ShadowJudgesTest made = new ShadowJudgesTest();
        made.policy("shadow", true, 50, 9).policy("shadow-simplified", true, simplified, 9);
        return made.policy("load-balancing", false, baseline, 9).policy("strict fits", false, strict, 9);
    }

    @Test
    void comparisons() {
        assertThat(compared(55, 60, 61).judge("fig3").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(compared(55, 60, 59).judge("fig3").verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(compared(55, 49, 49).judge("fig3").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        // 10 % above 50, 55 / 61 = 9.8 % below.
        assertThat(compared(55, 60, 61).judge("fig6").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(compared(55, 60, 70).judge("fig6").verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(compared(49, 60, 61).judge("fig6").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void windows() {
        policy("learned", true, 1, 9).policy("declared", true, 1, 9);
        for (int hour = 0; hour < 18; hour++) {
            hour("declared", hour, hour < 9 ? 25 : 35);
            hour("learned", hour, hour < 9 ? 25 : 36);
        }
        Finding close = judge("fig7");
        assertThat(close.verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(close.evidence().get(2))
                .startsWith("learned, hours 10 to 18, first replication: largest 0.7200, 6.7 %");
        Measured measured = new Measured(rows, series);
        assertThat(measured.between("declared", "up_servers{site=0}", 0, 1e9)).isCloseTo(50, within(1e-12));
        assertThat(measured.between("declared", "no such", 0, 1e9)).isNaN();
    }

    /** From hour 11 on the optimum is .2541 of 50 servers, 12.7. */
    @Test
    void anotherMix() {
        for (String policy : List.of("shadow", "gamma 10", "load-balancing")) {
            policy(policy, !policy.equals("load-balancing"), 1, 9);
            for (int hour = 0; hour < 18; hour++) {
                hour(policy, hour, policy.equals("gamma 10") ? 15 : 13);
            }
        }
        assertThat(judge("fig4").verdict()).isEqualTo(Verdict.DIRECTION_ONLY);
    }

    private static Verdict onTrace(double usedByBaseline, double waitedByBaseline) {
        ShadowJudgesTest made = new ShadowJudgesTest();
        made.trace("shadow", 50, 0.1).trace("load-balancing", usedByBaseline, waitedByBaseline);
        for (String other :
                List.of("shadow gamma 200", "shadow-simplified", "shadow-bfjs gamma 200", "shadow-consolidating 100")) {
            made.trace(other, 99, 0.9);
        }
        return made.judge("trace-azure").verdict();
    }

    private ShadowJudgesTest trace(String policy, double used, double waited) {
        Map<String, Estimate> metrics = new TreeMap<>();
        for (int site = 0; site < 4; site++) {
            metrics.put("up_servers_mean{site=" + site + "}", estimate(100));
            metrics.put("occupied_servers_mean{site=" + site + "}", estimate(site == 3 ? used : used / 2));
        }
        metrics.put("waited_fraction", estimate(waited));
        metrics.put("migrations_per_arrival", estimate(0));
        rows.add(new SummaryRow(origin(policy), 1, "none", new Stability("no-queue", 0, null), metrics));
        return this;
    }

    @Test
    void aTrace() {
        assertThat(onTrace(60, 0.2)).isEqualTo(Verdict.REPRODUCED);
        assertThat(onTrace(40, 0.2)).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(onTrace(60, 0)).isEqualTo(Verdict.DIRECTION_ONLY);
        assertThat(onTrace(40, 0)).isEqualTo(Verdict.NOT_REPRODUCED);
    }
}

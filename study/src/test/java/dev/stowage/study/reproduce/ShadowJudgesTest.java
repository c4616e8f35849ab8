package dev.stowage.study.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The claims of the shadow paper with made-up rows: 100 servers per site, of which given numbers are in use. */
class ShadowJudgesTest {
    private static final int REPLICATIONS = 5;
    private final MadeUp made = new MadeUp();

    private static double[] times(double[] values, double factor) {
        return Arrays.stream(values).map(value -> factor * value).toArray();
    }

    private static double[] always(double value) {
        double[] values = new double[REPLICATIONS];
        Arrays.fill(values, value);
        return values;
    }

    /**
     * A policy whose fullest site has a given number of servers in use, the others half as many, and {@code running} at
     * DC1 of type 0.
     */
    private ShadowJudgesTest policy(String policy, boolean idealised, double[] used, double running) {
        Map<String, double[]> metrics = new TreeMap<>();
        for (int site = 0; site < 6; site++) {
            double[] here = site == 2 ? used : times(used, 0.5);
            metrics.put("up_servers_mean{site=" + site + "}", always(100));
            metrics.put("occupied_servers_mean{site=" + site + "}", idealised ? times(here, 1.5) : here);
            if (idealised) {
                metrics.put("idealised_servers_mean{site=" + site + "}", here);
            }
        }
        metrics.put("running_mean{site=0,type=0}", always(running));
        metrics.put("migrations", always(5));
        metrics.put("arrived", always(10));
        made.add(policy, Map.of(), metrics);
        return this;
    }

    private ShadowJudgesTest policy(String policy, boolean idealised, double used, double running) {
        return policy(policy, idealised, MadeUp.about(used), running);
    }

    /** In this hour after the warm-up the given numbers of 50 servers are in use at each site. */
    private void hour(String policy, int replication, int hour, double... used) {
        for (int site = 0; site < 6; site++) {
            double start = 7200 + 3600.0 * hour;
            for (String name : List.of("idealised_servers", "occupied_servers")) {
                made.from(policy, replication, name + "{site=" + site + "}", start, used[site % used.length]);
            }
            made.from(policy, replication, "up_servers{site=" + site + "}", start, 50);
        }
    }

    private Finding judge(String figure) {
        return made.judge("shadow", figure);
    }

    private static Finding gammas(double two, double ten) {
        ShadowJudgesTest test = new ShadowJudgesTest();
        test.policy("gamma 2", true, two, 9).policy("gamma 5", true, 47.5, 9).policy("gamma 10", true, ten, 9);
        return test.policy("gamma 5 with migration", true, 47.5, 9).judge("fig1");
    }

    @Test
    void closeToTheOptimumWithinTheIntervalAndWhateverGammaIs() {
        assertThat(gammas(47, 47).verdict()).isEqualTo(Verdict.REPRODUCED);
        // 9.9 % above: the interval goes beyond the 10 % that are allowed.
        assertThat(gammas(47, 0.45 * 109.9).verdict()).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(gammas(57, 48).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        // All within a tenth, but 9 % between two gammas.
        Finding apart = gammas(43.2, 47);
        assertThat(apart.verdict()).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(apart.evidence())
                .contains("gamma 2: the largest differs from that of gamma 5 by -9.1 %, paired replications (little:"
                        + " within 5 %).");
    }

    /** 36,000 at DC1, 169 each: 90 take .4225, 100 take .469. */
    @Test
    void disks() {
        policy("gamma 2", true, 1, 90).policy("gamma 5", true, 1, 90).policy("gamma 10", true, 1, 90);
        assertThat(judge("fig2").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(judge("fig2").evidence().get(0)).startsWith("gamma 2: disk in use at DC1 to DC6 0.423, 0.000");
        ShadowJudgesTest more = new ShadowJudgesTest();
        more.policy("gamma 2", true, 1, 90).policy("gamma 5", true, 1, 100).policy("gamma 10", true, 1, 90);
        assertThat(more.judge("fig2").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /** All requests at DC1 are of type 0: 100 % instead of 7.5 %. */
    @Test
    void tables() {
        policy("gamma 5", true, 1, 90).policy("strict fits", false, 1, 90);
        assertThat(judge("table2").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(judge("table2").evidence().get(6))
                .isEqualTo("Largest difference, with its half-width: 92.50 percentage points.");
        assertThat(judge("table3").evidence().get(6))
                .isEqualTo("Largest difference, with its half-width: 92.30 percentage points.");
    }

    private static ShadowJudgesTest compared(double simplified, double baseline, double strict) {
        ShadowJudgesTest test = new ShadowJudgesTest();
        test.policy("shadow", true, 50, 9).policy("shadow-simplified", true, simplified, 9);
        return test.policy("load-balancing", false, baseline, 9).policy("strict fits", false, strict, 9);
    }

    @Test
    void eachBaselineHasItsOwnVerdict() {
        ShadowJudgesTest one = compared(55, 53.5, 61);
        assertThat(one.judge("fig3").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(one.judge("fig3-full").verdict()).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(one.judge("fig3-full").evidence().get(2))
                .isEqualTo(
                        "load-balancing: the largest differs from that of shadow by +7.0 % (the paper: more than 20 %),"
                                + " paired replications, and from the optimum by +18.9 ± 3.9 %.");
        assertThat(compared(55, 49, 49).judge("fig3").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        // 10 % above 50, 55 / 61 = 9.8 % below.
        assertThat(compared(55, 70, 61).judge("fig6").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(compared(55, 70, 61).judge("fig6-full").verdict()).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(compared(49, 60, 61).judge("fig6").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /**
     * Learned has 60 in use in replication 0, and as declared 35 in the mean of all, which are too far apart to show
     * it.
     */
    @Test
    void windowsAreOfAllReplications() {
        policy("learned", true, 1, 9).policy("declared", true, 1, 9);
        double[] learned = {60, 20, 26, 44, 25};
        for (int replication = 0; replication < REPLICATIONS; replication++) {
            for (int hour = 0; hour < 18; hour++) {
                hour("declared", replication, hour, hour < 9 ? 25 : 35);
                hour("learned", replication, hour, hour < 9 ? 25 : learned[replication]);
            }
        }
        Measured measured = made.measured();
        assertThat(measured.between("learned", "idealised_servers{site=0}", 7200 + 9 * 3600, 1e9))
                .containsExactly(learned);
        assertThat(measured.between("declared", "up_servers{site=0}", 0, 1e9)[4])
                .isCloseTo(50, within(1e-12));
        assertThat(measured.between("declared", "no such", 0, 1e9)).isEmpty();
        Finding wide = judge("fig7");
        assertThat(wide.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(wide.evidence().get(2))
                .startsWith("learned, hours 10 to 18, 5 replications: largest 0.7000, a difference of +3.7 ±");
    }

    private static Verdict learned(double learned) {
        ShadowJudgesTest test = new ShadowJudgesTest();
        test.policy("learned", true, 1, 9).policy("declared", true, 1, 9);
        for (int replication = 0; replication < REPLICATIONS; replication++) {
            for (int hour = 0; hour < 18; hour++) {
                test.hour("declared", replication, hour, 30 + replication);
                test.hour("learned", replication, hour, learned * (30 + replication));
            }
        }
        return test.judge("fig7").verdict();
    }

    @Test
    void learningIsMarginal() {
        assertThat(learned(1.05)).isEqualTo(Verdict.REPRODUCED);
        assertThat(learned(0.85)).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(learned(1.3)).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /** From hour 8 on the optimum is .2541 of 50 servers, 12.7. */
    private static Verdict mix(double first, double later) {
        ShadowJudgesTest test = new ShadowJudgesTest();
        for (String policy : List.of("shadow", "gamma 10", "load-balancing")) {
            test.policy(policy, !policy.equals("load-balancing"), 1, 9);
            for (int replication = 0; replication < REPLICATIONS; replication++) {
                for (int hour = 0; hour < 18; hour++) {
                    test.hour(policy, replication, hour, hour < 11 ? first : later);
                }
            }
        }
        return test.judge("fig4").verdict();
    }

    @Test
    void anotherMix() {
        assertThat(mix(14.5, 13)).isEqualTo(Verdict.REPRODUCED);
        // Late, then close; prompt, then not close; neither.
        assertThat(mix(20, 13)).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(mix(14.5, 15)).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(mix(20, 17)).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    /** In hours 7 to 13 the optimum is .6 of 50 servers, 30, at DC1 and DC2; else .45, 22.5. */
    private static Verdict maintenance(double first, double second, double others, double after) {
        ShadowJudgesTest test = new ShadowJudgesTest();
        for (String policy : List.of("shadow", "gamma 10", "shadow-simplified", "load-balancing")) {
            test.policy(policy, !policy.equals("load-balancing"), 1, 9);
            for (int replication = 0; replication < REPLICATIONS; replication++) {
                for (int hour = 0; hour < 18; hour++) {
                    boolean now = hour >= 6 && hour < 13;
                    test.hour(
                            policy,
                            replication,
                            hour,
                            now
                                    ? new double[] {first, second, others, others, others, others}
                                    : new double[] {hour < 6 ? 22 : after});
                }
            }
        }
        return test.judge("fig5").verdict();
    }

    @Test
    void dataCentersOneAndTwoBindInMaintenance() {
        assertThat(maintenance(31, 30, 25, 23)).isEqualTo(Verdict.REPRODUCED);
        // Only one is a bottleneck; another is one as well; not close afterwards.
        assertThat(maintenance(31, 26, 25, 23)).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(maintenance(31, 30, 31, 23)).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(maintenance(31, 30, 25, 26)).isEqualTo(Verdict.SHOWN_IN_PART);
        assertThat(maintenance(40, 40, 25, 23)).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    private void trace(String policy, double[] used, double[] waited) {
        Map<String, double[]> metrics = new TreeMap<>();
        for (int site = 0; site < 4; site++) {
            metrics.put("up_servers_mean{site=" + site + "}", always(100));
            metrics.put("occupied_servers_mean{site=" + site + "}", site == 3 ? used : times(used, 0.5));
        }
        metrics.put("waited_fraction", waited);
        metrics.put("migrations_per_arrival", always(0));
        made.add(policy, Map.of(), metrics);
    }

    @Test
    void aTraceOfWhichThePaperSaysNothing() {
        trace("shadow", MadeUp.about(50), new double[] {0.08, 0.09, 0.1, 0.11, 0.12});
        trace("load-balancing", MadeUp.about(60), always(0));
        for (String other :
                List.of("shadow gamma 200", "shadow-simplified", "shadow-bfjs gamma 200", "shadow-consolidating 100")) {
            trace(other, always(99), always(0.9));
        }
        Finding finding = judge("trace-azure");
        assertThat(finding.verdict()).isEqualTo(Verdict.NO_CLAIM);
        // s = 1.58 %, t(4) = 4.604 at 99 %: 4.604 x 1.58 / sqrt(5) = 3.3 points.
        assertThat(finding.evidence())
                .first()
                .isEqualTo("shadow: servers in use at the sites 0.250 ± 0.008, 0.250 ± 0.008, 0.250 ± 0.008,"
                        + " 0.500 ± 0.016; 10.0 ± 3.3 % of the requests waited; 0.000 migrations per arrival.");
        // In pairs 50 to 60 in each.
        assertThat(finding.evidence())
                .last()
                .isEqualTo("Shadow compared with load balancing, 5 paired draws of the origins of this one trace:"
                        + " -16.7 % servers in use at the fullest site, and +10.0 ± 3.3 points of requests that"
                        + " waited.");
    }
}

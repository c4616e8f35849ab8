package dev.stowage.study.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.sim.experiment.Experiment;
import dev.stowage.study.TestExperiments;
import org.junit.jupiter.api.Test;

/** Bounds of small experiments, by hand. Four servers of four cores; four requests are in service in the mean. */
final class BoundsTest {
    private static final double DIGITS = 1e-6;

    private static Experiment experiment(String cpu, String servers) {
        return on("{servers: {count: %s, cpu: 4}}".formatted(servers), cpu);
    }

    private static Experiment on(String cluster, String cpu) {
        return TestExperiments.of("""
                cluster: %s
                workload:
                  types: [{name: a, rate: 24 / h, demand: {cpu: %s}, service: {exponential: 10 min}, reward: 6 / h}]
                policies: [first-fit]
                horizon: 10 h
                warm-up: none
                """.formatted(cluster, cpu));
    }

    private static double load(String cpu) {
        PointBound bound =
                new SupportedLoads(0.01, 128).of(experiment(cpu, "4")).get(0);
        assertThat(bound.loadOfBoundAtLeast()).isCloseTo(bound.loadOfBoundAtMost(), within(DIGITS));
        return bound.loadOfBoundAtMost();
    }

    /** Requests of one core fit 16 times, those of three cores only four times: the rest of a server fits none. */
    @Test
    void theSupportableLoadIsWhatFitsAtOnce() {
        assertThat(load("1")).isCloseTo(4.0 / 16, within(DIGITS));
        assertThat(load("3")).isCloseTo(4.0 / 4, within(DIGITS));
    }

    /**
     * All four earn 6 an hour each, 24 / 3600 a second; with one server of four cores and demands of three, one earns
     * at a time.
     */
    @Test
    void theRewardIsThatOfAllOrOfWhatFits() {
        RewardPoint all = RewardPoint.of(experiment("1", "4"), 0).orElseThrow();
        assertThat(all.atMost()).isCloseTo(24.0 / 3600, within(DIGITS));
        assertThat(all.greedy()).isCloseTo(24.0 / 3600, within(DIGITS));
        RewardPoint one = RewardPoint.of(experiment("3", "1"), 0).orElseThrow();
        assertThat(one.atMost()).isCloseTo(6.0 / 3600, within(DIGITS));
    }

    /** Four cores of sixteen are in use, wherever they are; of requests of three cores each server takes one. */
    @Test
    void theUtilizationIsTheLeastOfAnyRouting() {
        String sites = "{sites: [{name: a, servers: {count: 2, cpu: 4}}, {name: b, servers: {count: 2, cpu: 4}}]}";
        RoutingPeriod slack = RoutingPeriods.of(on(sites, "1"), 1e-6, 0).get(0);
        assertThat(slack.rhoAtMost()).isCloseTo(0.25, within(1e-4));
        RoutingPeriod full = RoutingPeriods.of(on(sites, "3"), 1e-6, 0).get(0);
        assertThat(full.rhoAtMost()).isCloseTo(1, within(1e-4));
    }
}

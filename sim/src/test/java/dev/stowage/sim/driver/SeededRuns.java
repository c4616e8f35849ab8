package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.measure.Measurements;
import dev.stowage.sim.measure.RunCollector;
import dev.stowage.sim.measure.RunMetric;
import dev.stowage.sim.measure.RunMetrics;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.statistics.Intervals;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The metrics of several replications, to be compared with theory. Seeds are fixed; the intervals are at 99.9 %, and
 * each comparison also checks that its interval is narrow, so that a wrong mean cannot hide in it.
 */
record SeededRuns(List<Map<String, RunMetric>> all) {
    private static final int REPLICATIONS = 20;
    private static final double CONFIDENCE = 0.999;
    private static final int WARM_UP_INTERVALS = 50;
    /** How many times as many requests as a test says; {@code .ci/nightly} has more. */
    private static final int EFFORT = Integer.getInteger("stowage.effort", 1);

    static SeededRuns of(
            Cluster cluster,
            Workload workload,
            PolicySpec policy,
            PolicyFactory policies,
            long requests,
            Steps steps,
            long slotNanos) {
        List<Map<String, RunMetric>> all = new ArrayList<>();
        for (int seed = 0; seed < REPLICATIONS; seed++) {
            RunCollector collector = new RunCollector(
                    TimeGrid.forUnknownHorizon(0), workload.types().size());
            Setup setup = new Setup(
                    cluster,
                    workload,
                    DrawnOrigins.ANYWHERE,
                    policy,
                    policies,
                    steps,
                    slotNanos,
                    seed,
                    new End(Long.MAX_VALUE, requests * EFFORT, false),
                    List.of(),
                    1_000_000);
            RunEnd outcome = Simulation.run(setup, collector, engine -> engine, Progress.NONE);
            Measurements measured = collector.finish(outcome.endNanos());
            all.add(RunMetrics.of(
                    measured,
                    cluster,
                    workload.types(),
                    WARM_UP_INTERVALS * measured.inSystem().widthNanos(),
                    Set.of()));
        }
        return new SeededRuns(all);
    }

    /** The interval of a metric contains what theory says, and is no wider than the precision either way. */
    void match(String metric, double theory, double relativePrecision) {
        double[] values =
                all.stream().mapToDouble(run -> run.get(metric).value()).toArray();
        Estimate estimate = Intervals.replications(values, CONFIDENCE);
        double half = estimate.halfWidth() == null ? Double.NaN : estimate.halfWidth();
        assertThat(estimate.mean()).as(metric + " " + estimate).isBetween(theory - half, theory + half);
        assertThat(half / theory)
                .as("relative precision of " + metric + " " + estimate)
                .isLessThan(relativePrecision / Math.sqrt(EFFORT));
    }
}

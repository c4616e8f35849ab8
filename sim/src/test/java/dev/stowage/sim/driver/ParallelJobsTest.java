package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Efficiency;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.sim.measure.Measurements;
import dev.stowage.sim.measure.RunCollector;
import dev.stowage.sim.measure.RunMetrics;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.ParallelJobsWorkload;
import dev.stowage.sim.workload.RequestStream;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ParallelJobsTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final long SHARE = 2;

    /** Gives every task its share on server 0 at once. */
    private static final class AtOnce implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.place(job, 0, "at once");
            actions.allocate(job, SHARE);
        }
    }

    /**
     * Nobody waits, so a task is done load / (efficiency x share) after its arrival, and a job when its last task is.
     */
    @Test
    void completionFollowsFromLoadEfficiencyAndShare() {
        for (Efficiency efficiency : List.of(Efficiency.EQUAL, Efficiency.UNIFORM)) {
            ParallelJobsWorkload workload = new ParallelJobsWorkload(0.01, HOUR, 7, 0.8, 70, 1000, efficiency);
            Cluster cluster = new Cluster(
                    List.of(new Resource("vcpu", true), new Resource("load_ms", false)),
                    List.of(),
                    List.of(Site.of("site", new ServerBlock(1, Amounts.of(1_000_000, 1L << 50)))),
                    List.of());
            Setup setup = new Setup(
                    cluster,
                    workload,
                    DrawnOrigins.ANYWHERE,
                    PolicySpec.of("at-once"),
                    spec -> new AtOnce(),
                    Steps.COMMANDS,
                    1,
                    5,
                    new End(100 * HOUR, Long.MAX_VALUE, false),
                    List.of(),
                    1);
            RunCollector collector = new RunCollector(TimeGrid.forHorizon(0, 100 * HOUR), 1);
            RunEnd outcome = Simulation.run(setup, collector, engine -> engine, Progress.NONE);
            Measurements measured = collector.finish(outcome.endNanos());
            double[] expected = expected(workload.open(5), efficiency);
            var metrics = RunMetrics.of(measured, cluster, workload.types(), 0, Set.of());
            assertThat(metrics.get("jobs_completed").value()).isEqualTo(expected[0]);
            assertThat(metrics.get("jobs_unfinished").value()).isZero();
            assertThat(metrics.get("job_completion_mean_s").value()).isCloseTo(expected[1], within(1e-6));
            assertThat(metrics.get("job_completion_max_s").value()).isCloseTo(expected[2], within(1e-6));
        }
    }

    /** Jobs, mean and largest completion time. */
    private static double[] expected(RequestStream stream, Efficiency efficiency) {
        KeyedRandom random = new KeyedRandom();
        long last = -1;
        double jobs = 0;
        double sum = 0;
        double longest = 0;
        double most = 0;
        while (stream.next()) {
            if (stream.arrivalNanos() != last) {
                sum += longest;
                longest = 0;
                jobs++;
                last = stream.arrivalNanos();
            }
            long load = stream.demand(0);
            longest = Math.max(longest, load / 1e3 / (efficiency.of(load, 0, 0, random) * SHARE));
            most = Math.max(most, longest);
        }
        return new double[] {jobs, (sum + longest) / jobs, most};
    }
}

package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.statistics.Intervals;
import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import dev.stowage.study.TestExperiments;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * For how many other periods do the servers suffice that are said to? On the generator of the quickstart with fewer
 * requests; docs/statistics.md has the table, which {@code .ci/calibrate} prints.
 */
@Tag("nightly")
final class SizePredictionTest {
    private static final SizeTarget TARGET = SizeTarget.parse("wait p99.9 <= 10 min");

    private static Experiment generated(double scale, int days, int replications) {
        return TestExperiments.of(String.format(Locale.ROOT, """
                cluster: {servers: {count: 10, cpu: 48, memory: 128 GiB}}
                workload: {azure-like: {scale: %s, days: %d, warm-days: 2}}
                policies: [{policy: best-fit, when-full: queue}]
                seed: 1
                replications: %d
                """, scale, days, replications));
    }

    private static double[] needs(Experiment point) {
        return new Sizing(point, TARGET, new Policies())
                .need(point.policies().get(0).spec()).servers().stream()
                        .mapToDouble(Long::doubleValue)
                        .toArray();
    }

    /** Each answer comes from some runs and is tried on all others. */
    private static double[] covered(double[] needs, int runs) {
        int answers = needs.length / runs;
        double[] shares = new double[2];
        for (int a = 0; a < answers; a++) {
            double[] seen = Arrays.copyOfRange(needs, a * runs, (a + 1) * runs);
            double greatest = Arrays.stream(seen).max().orElseThrow();
            double logNormal = Math.max(greatest, Math.ceil(Intervals.another(seen, 0.95)));
            for (int i = 0; i < needs.length; i++) {
                if (i / runs != a) {
                    shares[0] += needs[i] <= greatest ? 1 : 0;
                    shares[1] += needs[i] <= logNormal ? 1 : 0;
                }
            }
        }
        double pairs = answers * (double) (needs.length - runs);
        return new double[] {shares[0] / pairs, shares[1] / pairs};
    }

    @Test
    void table() {
        System.out.println("| of | said of another such period | tried on | suffices |\n|---|---|---|---|");
        double[] days = needs(generated(0.005, 1, 1_008));
        double[] eight = covered(days, 8);
        row("8 days", "the greatest", "126 x 1,000 days", eight[0]);
        row("8 days", "the log-normal 95 % bound, at least the greatest", "126 x 1,000 days", eight[1]);
        double[] nineteen = covered(Arrays.copyOf(days, 19 * 53), 19);
        row("19 days", "the greatest", "53 x 988 days", nineteen[0]);
        double one = oneTrace();
        row("one week", "the greatest of 20 traces of its days", "40 x 39 weeks", one);
        assertThat(eight[0]).as("8 / 9").isBetween(0.86, 0.95);
        assertThat(eight[1]).isGreaterThan(eight[0]);
        assertThat(nineteen[0]).as("19 / 20").isGreaterThan(0.93);
        assertThat(one).as("one half").isBetween(0.4, 0.8);
    }

    /** Of each of 40 weeks blocks are drawn; the answer is tried on the 39 others. */
    private static double oneTrace() {
        Experiment weeks = generated(0.002, 7, 40);
        double[] needs = needs(weeks);
        double covered = 0;
        for (int week = 0; week < needs.length; week++) {
            ResampledWorkload blocks = new ResampledWorkload(given(weeks, week), 86_400_000_000_000L);
            double greatest = Arrays.stream(needs(weeks.with(blocks, 20))).max().orElseThrow();
            for (int other = 0; other < needs.length; other++) {
                covered += other != week && needs[other] <= greatest ? 1 : 0;
            }
        }
        return covered / needs.length / (needs.length - 1);
    }

    /** The requests of one replication. */
    private static Workload given(Experiment weeks, int replication) {
        return new ForwardingWorkload(weeks.workload()) {
            @Override
            public RequestStream open(long seed) {
                return super.open(ExperimentRunner.seed(weeks.seed(), replication));
            }
        };
    }

    private static void row(String of, String said, String tried, double covered) {
        System.out.printf(Locale.ROOT, "| %s | %s | %s | %.1f %% |%n", of, said, tried, 100 * covered);
    }
}

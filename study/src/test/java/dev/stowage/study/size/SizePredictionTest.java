package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.statistics.Intervals;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TracePart;
import dev.stowage.sim.trace.TraceReader;
import dev.stowage.sim.trace.TraceWorkload;
import dev.stowage.sim.workload.ForwardingWorkload;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import dev.stowage.study.TestExperiments;
import dev.stowage.study.load.ResampledWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * For how many other periods do the servers suffice that are said to? On the generator of the quickstart with fewer
 * requests, and on real days where the traces are; docs/statistics.md has the tables, which {@code .ci/calibrate}
 * prints.
 */
@Tag("nightly")
final class SizePredictionTest {
    private static final long DAY_NANOS = 86_400_000_000_000L;
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
            ResampledWorkload blocks = new ResampledWorkload(given(weeks, week), DAY_NANOS);
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

    /**
     * Real days one after the other: what some days in a row needed, and the day that follows. Each day begins with the
     * requests that still run.
     */
    @Test
    void realDays() {
        Optional<Real> lisa = Real.of("surf2022_halfyear_jobs.csv.gz", "slots: 16");
        double[] surf = lisa.map(real -> real.needs(1, 123)).orElse(new double[0]);
        double[] azure = Real.of("azure2017_vms_5pct_5.7d.csv.gz", "cpu: 48, memory: 128 GiB")
                .map(real -> real.needs(1, 5))
                .orElse(new double[0]);
        System.out.println("| of | said of the next day | tried on | suffices |\n|---|---|---|---|");
        for (int days : new int[] {1, 8, 19}) {
            next("SURF", surf, days);
            next("Azure's twentieth", azure, days);
        }
        lisa.ifPresent(
                real -> row("SURF, one week", "the greatest of 20 traces of its days", "16 weeks", real.drawn(7, 17)));
        if (surf.length > 0) {
            // As a program that shares nothing with this one has it (a heap of free slots, in Python).
            assertThat(Arrays.copyOf(surf, 8)).containsExactly(9, 9, 4, 10, 11, 4, 6, 11);
            assertThat(Arrays.stream(surf).max()).hasValue(18);
        }
    }

    /** A trace, and servers. */
    private record Real(Trace trace, Experiment point) {
        static Optional<Real> of(String file, String server) {
            Path path = Path.of(System.getProperty("stowage.data", "../../shared/data"), file);
            if (!Files.exists(path)) {
                System.out.println("skipped: no " + file);
                return Optional.empty();
            }
            return Optional.of(new Real(
                    TraceReader.read(path, ReadOptions.defaults()).trace(),
                    TestExperiments.of("cluster: {servers: {count: 1, " + server
                            + "}}\nworkload: {trace: {file: "
                            + path.toAbsolutePath().normalize()
                            + "}}\npolicies: [{policy: best-fit, when-full: queue}]\n")));
        }

        /** Its periods of so many days, from the first on. */
        double[] needs(int days, int periods) {
            double[] needs = new double[periods];
            for (int k = 0; k < periods; k++) {
                needs[k] = SizePredictionTest.needs(point.with(period(days, k), 1))[0];
            }
            return needs;
        }

        Workload period(int days, int k) {
            long length = days * DAY_NANOS;
            return new TraceWorkload(new TracePart(k * length, (k + 1) * length, true, 1, 1, 1, List.of()).of(trace));
        }

        /** For how many of the periods that follow the greatest of 20 traces of a period's days suffices. */
        double drawn(int days, int periods) {
            double[] needs = needs(days, periods);
            double covered = 0;
            for (int k = 0; k + 1 < periods; k++) {
                ResampledWorkload blocks = new ResampledWorkload(period(days, k), DAY_NANOS);
                double[] drawn = SizePredictionTest.needs(point.with(blocks, 20));
                covered += needs[k + 1] <= Arrays.stream(drawn).max().orElseThrow() ? 1 : 0;
            }
            return covered / (periods - 1);
        }
    }

    /** Of every so many days in a row the answers, tried on the day that follows. */
    private static void next(String of, double[] needs, int days) {
        int tried = needs.length - days;
        if (tried < 4) {
            return;
        }
        double greatest = 0;
        double logNormal = 0;
        for (int day = days; day < needs.length; day++) {
            double[] seen = Arrays.copyOfRange(needs, day - days, day);
            double most = Arrays.stream(seen).max().orElseThrow();
            greatest += needs[day] <= most ? 1.0 / tried : 0;
            logNormal += days > 2 && needs[day] <= Math.max(most, Math.ceil(Intervals.another(seen, 0.95)))
                    ? 1.0 / tried
                    : 0;
        }
        String seenDays = of + ", " + days + (days == 1 ? " day" : " days");
        row(seenDays, "the greatest", tried + " days", greatest);
        if (days > 2) {
            row(seenDays, "the log-normal 95 % bound, at least the greatest", tried + " days", logNormal);
        }
    }

    private static void row(String of, String said, String tried, double covered) {
        System.out.printf(Locale.ROOT, "| %s | %s | %s | %.1f %% |%n", of, said, tried, 100 * covered);
    }
}

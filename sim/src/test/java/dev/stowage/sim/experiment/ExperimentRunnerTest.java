package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SeriesRow;
import dev.stowage.sim.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentRunnerTest {
    @TempDir
    private Path directory;

    private static final String YAML = """
            name: small
            cluster: {servers: {count: 4, slots: 10}}
            workload:
              types:
                - {name: small, rate: 3 / s, demand: {slots: 2}, service: {exponential: 2 s}}
                - {name: large, rate: 1 / s, demand: {slots: 7}, service: {exponential: 2 s}}
            policies: [fifo-ff, bf-js, {policy: first-fit, label: loss}]
            horizon: 600 s
            warm-up: 60 s
            replications: 3
            """;

    private static final PolicyFactory WITH_A_WRONG_ONE = spec -> "wrong".equals(spec.name())
            ? new Policy() {
                @Override
                public void arrived(int job, View view, Actions actions) {
                    // Leaves the request undecided.
                }
            }
            : new Policies().create(spec);

    @Test
    void rowsDoNotDependOnTheNumberOfThreads() throws InterruptedException {
        List<String> one = texts(run(1, YAML));
        assertThat(texts(run(2, YAML))).isEqualTo(one);
        assertThat(texts(run(5, YAML))).isEqualTo(one);
        assertThat(one).hasSizeGreaterThan(3 * (3 + 1));
    }

    @Test
    void allPoliciesSeeTheSameRequests() throws InterruptedException {
        List<RunRow> runs = runs(run(2, YAML));
        assertThat(runs)
                .extracting(row -> row.origin().policy())
                .containsExactly("fifo-ff", "fifo-ff", "fifo-ff", "bf-js", "bf-js", "bf-js", "loss", "loss", "loss");
        for (int replication = 0; replication < 3; replication++) {
            double arrived = runs.get(replication).metrics().get("arrived");
            assertThat(runs.get(3 + replication).metrics()).containsEntry("arrived", arrived);
            assertThat(runs.get(6 + replication).metrics()).containsEntry("arrived", arrived);
        }
        assertThat(runs.get(0).metrics().get("arrived"))
                .isNotEqualTo(runs.get(1).metrics().get("arrived"));
        assertThat(runs).allSatisfy(row -> assertThat(row.warmupSeconds()).isEqualTo(60));
    }

    @Test
    void seriesAreOfTheFirstReplicationOrOfAll() throws InterruptedException {
        assertThat(series(run(2, YAML))).containsOnly(0);
        List<ResultRow> all = run(2, YAML + "series: all\n");
        assertThat(series(all)).containsOnly(0, 1, 2);
        List<SeriesRow> queues = all.stream()
                .filter(SeriesRow.class::isInstance)
                .map(SeriesRow.class::cast)
                .filter(row -> row.name().equals("queue_length")
                        && row.origin().policy().equals("fifo-ff"))
                .toList();
        assertThat(queues).extracting(SeriesRow::replication).containsExactly(0, 1, 2);
        assertThat(queues.get(0).mean()).isNotEqualTo(queues.get(1).mean());
    }

    private static List<Integer> series(List<ResultRow> rows) {
        return rows.stream()
                .filter(SeriesRow.class::isInstance)
                .map(row -> ((SeriesRow) row).replication())
                .distinct()
                .toList();
    }

    /**
     * A request a second, each for 1,000 s: the run ends with the last arrival, and not at the horizon with an empty
     * system.
     */
    @Test
    void theFirstEndThatIsReachedCounts() throws InterruptedException {
        String yaml = """
                name: ends
                cluster: {servers: {count: 4, slots: 100}}
                workload:
                  arrivals: {process: deterministic}
                  types: [{name: one, rate: 1 / s, demand: {slots: 1}, service: {deterministic: 1000 s}}]
                policies: [first-fit]
                warm-up: none
                horizon: 1 d
                requests: 20
                """;
        for (String time : List.of("", "time: {slot: 1 s}\n")) {
            List<RunRow> byNumber = runs(run(1, yaml + time));
            assertThat(byNumber)
                    .extracting(RunRow::horizonSeconds)
                    .allSatisfy(end -> assertThat(end).isBetween(19.0, 20.0));
            assertThat(byNumber.get(0).metrics()).containsEntry("arrived", 20.0);
            List<RunRow> byTime = runs(run(1, yaml.replace("1 d", "10 s") + time));
            assertThat(byTime).extracting(RunRow::horizonSeconds).containsExactly(10.0);
        }
    }

    @Test
    void aWorkloadThatEndsByItselfEndsTheRunBeforeALaterHorizon() throws InterruptedException {
        String yaml = """
                name: ends
                cluster: {servers: {count: 40, cpu: 48, memory: 128 GiB}}
                workload: {azure-like: {scale: 0.01, days: 0.5}}
                policies: [first-fit]
                warm-up: none
                """;
        double end = runs(run(1, yaml)).get(0).horizonSeconds();
        assertThat(end).isBetween(20_000.0, 43_200.0);
        assertThat(runs(run(1, yaml + "horizon: 5 d\n")))
                .extracting(RunRow::horizonSeconds)
                .containsExactly(end);
        assertThat(runs(run(1, yaml + "horizon: 6 h\n")))
                .extracting(RunRow::horizonSeconds)
                .containsExactly(21_600.0);
    }

    @Test
    void anUnstableQueueHasNoMeans() throws InterruptedException {
        List<ResultRow> rows = run(2, YAML.replace("3 / s", "30 / s"));
        SummaryRow fifo = rows.stream()
                .filter(SummaryRow.class::isInstance)
                .map(SummaryRow.class::cast)
                .findFirst()
                .orElseThrow();
        assertThat(fifo.stability().verdict()).isEqualTo("unstable");
        assertThat(fifo.stability().growthPerHour()).isPositive();
        assertThat(fifo.metrics()).doesNotContainKeys("wait_mean_s", "queue_length_mean");
        assertThat(fifo.metrics()).containsKeys("queue_length_final", "utilization{resource=slots}");
    }

    @Test
    void oneRunGivesIntervalsFromItsBatches() throws InterruptedException {
        List<ResultRow> rows =
                run(1, YAML.replace("replications: 3", "replications: 1").replace("600 s", "6000 s"));
        SummaryRow loss = (SummaryRow) rows.stream()
                .filter(row ->
                        row instanceof SummaryRow && row.origin().policy().equals("loss"))
                .findFirst()
                .orElseThrow();
        assertThat(loss.metrics().get("running_mean").method()).isEqualTo("batch-means");
        assertThat(loss.metrics().get("running_mean").halfWidth()).isPositive();
    }

    @Test
    void aWrongPolicyIsNamedAndTheRowsBeforeAreGiven() {
        List<ResultRow> rows = new ArrayList<>();
        String yaml = YAML.replace("[fifo-ff,", "[fifo-ff, wrong,");
        assertThatThrownBy(() -> new ExperimentRunner(
                                WITH_A_WRONG_ONE,
                                "test",
                                2,
                                ProgressListener.NONE,
                                (point, policy, number) -> RunObserver.NONE)
                        .run(read(yaml), rows::add))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("policy wrong, replication 0, seed 1")
                .hasMessageContaining("undecided");
        assertThat(runs(rows)).hasSize(3);
    }

    /**
     * Requests at 1, 7,200 and 9,000 s, each served at once for 100 s, and a last one at 12,345 s, which ends the run:
     * no whole number of its windows is 2 h long. From then on three requests arrive, and one server is in use for 200
     * of 5,145 s.
     */
    @Test
    void aGivenWarmUpHoldsToTheNanosecond() throws IOException, InterruptedException {
        Path trace = Files.writeString(directory.resolve("own.csv"), """
                arrival_s,duration_s,slots
                0,100,4
                7200,100,4
                9000,100,4
                12345,1,4
                """);
        List<ResultRow> rows = run(1, """
                name: own
                cluster: {servers: {count: 2, slots: 4}}
                workload: {trace: {file: %s}}
                policies: [fifo-ff]
                warm-up: 2 h
                """.formatted(trace.toAbsolutePath()));
        RunRow run = runs(rows).get(0);
        assertThat(run.warmupSeconds()).isEqualTo(7200);
        assertThat(run.metrics()).containsEntry("arrived", 3.0).containsEntry("wait_mean_s", 0.0);
        assertThat(run.metrics().get("running_mean")).isCloseTo(200 / 5_145.0, within(1e-12));
        SeriesRow running = rows.stream()
                .filter(row -> row instanceof SeriesRow series && series.name().equals("running"))
                .map(SeriesRow.class::cast)
                .findFirst()
                .orElseThrow();
        // The end is known, so the plot has all of its resolution
        assertThat(running.timeSeconds()).hasSize(500);
    }

    /**
     * Loss at two loads of Erlang's formula: narrow enough, equally many replications for all policies, rows in order,
     * with any number of threads.
     */
    @Test
    void replicationsAreAddedUntilThePrecisionIsReached() throws InterruptedException {
        String yaml = YAML.replace("replications: 3", "precision: {within: 5 %, of: rejection_fraction}")
                .replace("[fifo-ff, bf-js, {policy: first-fit, label: loss}]", "[{policy: first-fit, label: loss}]");
        List<String> looks = new ArrayList<>();
        List<ResultRow> rows = run(3, yaml, looks);
        SummaryRow summary = rows.stream()
                .filter(SummaryRow.class::isInstance)
                .map(SummaryRow.class::cast)
                .findFirst()
                .orElseThrow();
        Estimate rejected = summary.metrics().get("rejection_fraction");
        assertThat(rejected.method()).isEqualTo("two-stage");
        assertThat(rejected.halfWidth()).isLessThanOrEqualTo(0.05 * rejected.mean());
        assertThat(summary.replications()).isGreaterThan(10);
        assertThat(runs(rows)).hasSize(summary.replications());
        assertThat(looks.get(0)).contains("rejection_fraction after 10 replications: loss +- ", " next");
        assertThat(looks.get(looks.size() - 1)).endsWith("reached");
        assertThat(texts(run(1, yaml))).isEqualTo(texts(rows));
    }

    /** Two policies that decide the same are alike at the first look; a limit that is too low ends the search. */
    @Test
    void twoPoliciesAreToldApartOrAlike() throws InterruptedException {
        String pair = YAML.replace("replications: 3", "precision: 5 %")
                .replace(
                        "[fifo-ff, bf-js, {policy: first-fit, label: loss}]",
                        "[fifo-ff, {policy: fifo-ff, label: same}]");
        List<String> looks = new ArrayList<>();
        assertThat(runs(run(2, pair, looks))).hasSize(20);
        assertThat(looks)
                .singleElement()
                .asString()
                .endsWith(
                        "wait_mean_s after 10 replications: fifo-ff and same differ in no replication, shown to be alike");
        // A policy that rejects has no waits, so there is no width and none is shown
        String loss = YAML.replace("replications: 3", "precision: 5 %")
                .replace("[fifo-ff, bf-js, {policy: first-fit, label: loss}]", "[{policy: first-fit, label: loss}]");
        looks.clear();
        assertThat(runs(run(2, loss, looks))).hasSize(10);
        assertThat(looks).singleElement().asString().endsWith(": loss is the same in every replication, reached");
        String three = YAML.replace("replications: 3", "precision: {within: 0.1 %}\nmax-replications: 12");
        looks.clear();
        assertThat(runs(run(2, three, looks))).hasSize(36);
        assertThat(looks).hasSize(3);
        assertThat(looks.get(2)).isEqualTo("The wanted precision of 0.1 % is not reached: " + looks.get(1) + ".");
        assertThat(looks.get(0))
                .containsPattern("bf-js \\+- [0-9.]+ %, 12 next \\(the most allowed\\), needs [0-9,]+;");
        assertThat(looks.get(1))
                .containsPattern("bf-js \\+- [0-9.]+ % after 12 replications, the most allowed, needs [0-9,]+;");
    }

    private static List<ResultRow> run(int threads, String yaml) throws InterruptedException {
        return run(threads, yaml, new ArrayList<>());
    }

    private static List<ResultRow> run(int threads, String yaml, List<String> looks) throws InterruptedException {
        List<ResultRow> rows = new ArrayList<>();
        ProgressListener listener = new ProgressListener() {
            @Override
            public void progress(double runsDone, int runsTotal, long requestsDone) {
                assertThat(runsDone).isLessThanOrEqualTo(runsTotal);
            }

            @Override
            public void looked(String text) {
                looks.add(text);
            }

            @Override
            public void missed(String warning) {
                looks.add(warning);
            }
        };
        new ExperimentRunner(new Policies(), "test", threads, listener, (point, policy, number) -> RunObserver.NONE)
                .run(read(yaml), rows::add);
        return rows;
    }

    private static List<Experiment> read(String yaml) {
        return ExperimentReader.read("test", yaml, Path.of("."), List.of(), WITH_A_WRONG_ONE)
                .points();
    }

    private static List<RunRow> runs(List<ResultRow> rows) {
        return rows.stream()
                .filter(RunRow.class::isInstance)
                .map(RunRow.class::cast)
                .toList();
    }

    private static List<SummaryRow> summaries(List<ResultRow> rows) {
        return rows.stream()
                .filter(SummaryRow.class::isInstance)
                .map(SummaryRow.class::cast)
                .toList();
    }

    private static List<String> texts(List<ResultRow> rows) {
        return rows.stream()
                .map(row -> row instanceof SeriesRow series
                        ? series.name() + Arrays.toString(series.mean()) + Arrays.toString(series.max())
                        : row instanceof RunRow || row instanceof SummaryRow
                                ? row.toString()
                                : row.origin().toString())
                .toList();
    }

    /** One run of a trace estimates nothing; what holds on other requests is judged from the blocks. */
    @Test
    void oneTraceIsExact() throws IOException, InterruptedException {
        StringBuilder rows = new StringBuilder("arrival_s,duration_s,slots\n");
        for (int i = 0; i < 200; i++) {
            rows.append(i).append(",3.5,").append(i % 3 + 2).append('\n');
        }
        Files.writeString(directory.resolve("trace.csv"), rows);
        String yaml =
                "cluster: {servers: {count: 1, slots: 10}}\nworkload: {trace: {file: " + directory.resolve("trace.csv")
                        + "}}\n" + "policies: [fifo-ff, {policy: first-fit, when-full: queue}]\n";
        List<ResultRow> all = run(1, yaml);
        List<SummaryRow> summaries = summaries(all);
        assertThat(summaries)
                .extracting(row -> row.origin().policy())
                .containsExactly("fifo-ff", "first-fit:when-full=queue");
        assertThat(summaries.get(0).metrics().values())
                .allMatch(estimate -> estimate.method().equals("exact") && estimate.halfWidth() == null);
        assertThat(runs(all)).allSatisfy(run -> {
            assertThat(run.blocks())
                    .containsKeys(
                            "wait_mean_s", "queue_length_mean", "rejection_fraction", "utilization{resource=slots}");
            double sum =
                    Arrays.stream(run.blocks().get("wait_mean_s").numerators()).sum();
            double count = Arrays.stream(run.blocks().get("wait_mean_s").denominators())
                    .sum();
            assertThat(sum / count).isCloseTo(run.metrics().get("wait_mean_s"), within(0.1));
        });
        // The same again tells nothing more.
        List<ResultRow> twice = run(1, yaml + "replications: 2\n");
        assertThat(runs(twice))
                .filteredOn(run -> run.replication() > 0)
                .allMatch(run -> run.blocks().isEmpty());
        assertThat(runs(twice).get(0).blocks())
                .usingRecursiveComparison()
                .isEqualTo(runs(all).get(0).blocks());
        assertThat(summaries(twice))
                .extracting(SummaryRow::metrics)
                .isEqualTo(summaries.stream().map(SummaryRow::metrics).toList());
        List<String> looks = new ArrayList<>();
        assertThat(runs(run(1, yaml + "precision: 5 %\n", looks))).hasSize(20);
        assertThat(looks)
                .containsExactly("wait_mean_s after 10 replications: all are the same, so the numbers are exact for"
                        + " these requests");
    }

    /** Of one trace whose origins are drawn only the draws vary: one has no interval, four have one over the draws. */
    @Test
    void drawnOriginsOfOneTraceVaryByDraw() throws IOException, InterruptedException {
        StringBuilder rows = new StringBuilder("arrival_s,duration_s,slots\n");
        for (int i = 0; i < 400; i++) {
            rows.append(i).append(",3.5,").append(i % 3 + 2).append('\n');
        }
        Files.writeString(directory.resolve("drawn.csv"), rows);
        String yaml = """
                cluster: {sites: [{name: a, servers: {count: 1, slots: 10}}, {name: b, servers: {count: 1, slots: 10}}]}
                workload:
                  trace: {file: %s}
                  origins: {of: [{name: a, sites: [a]}, {name: b, sites: [b]}]}
                policies: [fifo-ff]
                warm-up: none
                """.formatted(directory.resolve("drawn.csv"));
        Estimate one =
                Objects.requireNonNull(summaries(run(1, yaml)).get(0).metrics().get("wait_mean_s"));
        assertThat(one.method()).isEqualTo("one-trace");
        assertThat(one.halfWidth()).isNull();
        List<ResultRow> four = run(1, yaml + "replications: 4\n");
        double[] waits = runs(four).stream()
                .mapToDouble(run -> run.metrics().get("wait_mean_s"))
                .toArray();
        double mean = Arrays.stream(waits).average().orElseThrow();
        double squares =
                Arrays.stream(waits).map(wait -> (wait - mean) * (wait - mean)).sum();
        Estimate drawn = Objects.requireNonNull(summaries(four).get(0).metrics().get("wait_mean_s"));
        assertThat(waits).hasSize(4);
        assertThat(squares).isPositive();
        assertThat(drawn.method()).isEqualTo("one-trace");
        assertThat(drawn.mean()).isCloseTo(mean, within(1e-9));
        // t(3) of 97.5 % is 3.182446
        assertThat(drawn.halfWidth()).isCloseTo(3.182446 * Math.sqrt(squares / 3 / 4), within(1e-5));
    }

    /** The point has what is swept. */
    @Test
    void aSweptParameterIsNotInTheLabel() throws InterruptedException {
        List<SummaryRow> summaries = summaries(run(
                1,
                YAML.replace("{policy: first-fit, label: loss}", "{policy: best-fit, when-full: queue, score: mix}")
                        + "sweep: [{path: 'policies[2].score', values: [mix, leftover]}]\n"));
        assertThat(summaries)
                .extracting(row -> row.origin().policy())
                .contains("best-fit:when-full=queue")
                .doesNotContain("best-fit", "best-fit:score=mix:when-full=queue");
    }
}

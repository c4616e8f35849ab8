package dev.stowage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Run by .ci/spark: a real cluster, in separate JVMs, parts of which are killed. */
@Tag("nightly")
final class SparkClusterTest {
    /** Runs of some tenths of a second. */
    private static final String EXPERIMENT = """
            name: deaths
            cluster: {servers: {count: 40, cpu: 4}}
            workload:
              types:
                - {name: a, rate: 30 / s, demand: {cpu: 1}, service: {exponential: 3 s}}
                - {name: b, rate: 6 / s, demand: {cpu: 3}, service: {exponential: 3 s}}
            policies: [bf-js, fifo-ff]
            horizon: 2 h
            replications: 10
            """;

    private static final int RUNS = 20;

    @TempDir
    private Path directory;

    private static int units(Path out) {
        Path units = out.resolve("units");
        if (!Files.isDirectory(units)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(units)) {
            return (int) files.filter(file -> file.toString().endsWith(".unit")).count();
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }

    @Test
    void anExecutorAndAWorkerThatDieCostTheirRunsOnly() throws IOException, InterruptedException {
        StowageOnSpark stowage = new StowageOnSpark(directory);
        Path experiment = Files.writeString(directory.resolve("deaths.yaml"), EXPERIMENT);
        Path straight = stowage.straight(experiment);
        Path out = directory.resolve("out");
        try (SparkCluster cluster = new SparkCluster(directory, 2)) {
            StowageOnSpark.Running run = stowage.begin(experiment, out, cluster.address());
            SparkCluster.until(() -> units(out) >= 3 || !run.process().isAlive());
            assertThat(run.process().isAlive()).as(run.text()).isTrue();
            int before = units(out);
            cluster.killExecutor(0);
            SparkCluster.until(() -> units(out) >= before + 3 || !run.process().isAlive());
            cluster.killWorker(1);
            assertThat(units(out)).as("runs that are over when the worker dies").isBetween(6, RUNS - 4);
            StowageOnSpark.Ended ended = run.end();
            assertThat(ended.text()).contains("spark.authenticate is off").doesNotContain("Exception");
            assertThat(ended.code()).as(ended.text()).isZero();
        }
        assertThat(out.resolve("results.jsonl")).hasSameBinaryContentAs(straight);
        assertThat(out.resolve("units")).doesNotExist();
    }

    /** Impossible requests are refused before anything is replaced. */
    @Test
    void whatAClusterCannotDoIsSaid() throws IOException, InterruptedException {
        StowageOnSpark stowage = new StowageOnSpark(directory);
        Path experiment = Files.writeString(directory.resolve("deaths.yaml"), EXPERIMENT.replace("2 h", "1 min"));
        Path out = directory.resolve("out");
        Path before = Files.createDirectories(out).resolve("results.jsonl");
        Files.writeString(before, "kept\n");
        try (SparkCluster cluster = new SparkCluster(directory, 1)) {
            StowageOnSpark.Ended refused = stowage.run(
                    "run",
                    experiment.toString(),
                    "--out",
                    out.toString(),
                    "--overwrite",
                    "--on",
                    cluster.address(),
                    "--conf",
                    "spark.executor.memory=50g",
                    "--patience",
                    "3 s");
            assertThat(refused.text())
                    .contains("no executor has started within 3 s")
                    .contains("spark.executor.memory")
                    .contains("This is Spark 4.2.0");
            assertThat(refused.code()).isEqualTo(2);
            assertThat(before).hasContent("kept\n");
        }
    }
}

package dev.stowage.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.sim.remote.MachinesRefusedException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The command line with Spark in threads of its own JVM, and what it refuses. */
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
final class OnSparkTest {
    private static final String LOCAL = "local[2]";

    /** A policy with a linear program, replications that are added, and a trace of two files. */
    private static final String EXPERIMENT = """
            name: parts
            cluster: {server-list: servers.csv}
            workload: {trace: {file: [first.csv, sub/second.csv]}}
            policies: [bf-js, max-weight, first-fit]
            sweep: [{path: workload.trace.traffic-scaling, values: [1, 3]}]
            replications: 2
            """;

    @TempDir
    private Path directory;

    private StowageOnSpark stowage;
    private Path experiment;
    private Path out;

    @BeforeEach
    void write() throws IOException {
        stowage = new StowageOnSpark(directory);
        out = directory.resolve("out");
        experiment = Files.writeString(directory.resolve("parts.yaml"), EXPERIMENT);
        Files.writeString(directory.resolve("servers.csv"), "count,cpu_milli\n3,4000\n");
        Files.writeString(
                directory.resolve("first.csv"), "arrival_s,duration_s,cpu_milli\n0,50,2000\n10,70,3000\n20,10,1000\n");
        Files.writeString(
                Files.createDirectories(directory.resolve("sub")).resolve("second.csv"),
                "arrival_s,duration_s,cpu_milli\n30,50,4000\n31,70,3000\n32,10,1000\n33,10,4000\n");
    }

    private StowageOnSpark.Ended run(String... more) throws IOException {
        List<String> all =
                new ArrayList<>(List.of("run", experiment.toString(), "--out", out.toString(), "--no-report"));
        all.addAll(List.of(more));
        return stowage.run(all.toArray(String[]::new));
    }

    private void refused(String message, String... more) throws IOException {
        StowageOnSpark.Ended ended = run(more);
        assertThat(ended.text()).contains(message).hasLineCount(1);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(out).doesNotExist();
    }

    @Test
    void theSameBytesWithFilesThatAreSent() throws IOException {
        Path decisions = directory.resolve("there.csv");
        StowageOnSpark.Ended ended =
                run("--on", LOCAL, "--decisions", decisions.toString(), "--conf", "spark.log.level=ERROR");
        assertThat(ended.text()).contains("12 runs").doesNotContain("Spark:");
        assertThat(ended.code()).isZero();
        Path straight = directory.resolve("here");
        StowageOnSpark.Ended here = stowage.run(
                "run",
                experiment.toString(),
                "--out",
                straight.toString(),
                "--no-report",
                "--decisions",
                directory.resolve("here.csv").toString());
        assertThat(here.code()).as(here.text()).isZero();
        assertThat(out.resolve("results.jsonl")).hasSameBinaryContentAs(straight.resolve("results.jsonl"));
        assertThat(directory.resolve("there-traffic-scaling-3-max-weight-1.csv"))
                .hasSameBinaryContentAs(directory.resolve("here-traffic-scaling-3-max-weight-1.csv"));
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).noneMatch(file -> file.toString().endsWith(".shared"));
        }
    }

    /** Added replications are further jobs; and the work of a JVM that was ended is not repeated. */
    @Test
    @Tag("nightly")
    void aRunThatWasEndedGoesOn() throws IOException {
        experiment = Files.writeString(directory.resolve("precise.yaml"), """
                name: precise
                cluster: {servers: {count: 4, slots: 10}}
                workload:
                  types:
                    - {name: small, rate: 3 / s, demand: {slots: 5}, service: {exponential: 2 s}}
                policies: [fifo-ff]
                horizon: 2 h
                warm-up: none
                precision: 1 %
                max-replications: 10
                """);
        StowageOnSpark.Running first = stowage.begin(experiment, out, LOCAL);
        Path unit = out.resolve("units/point-0/policy-0-replication-0.unit");
        SparkCluster.until(() -> Files.exists(unit) || !first.process().isAlive());
        first.process().destroy();
        StowageOnSpark.Ended ended = first.end();
        assertThat(ended.code()).as(ended.text()).isEqualTo(143);
        assertThat(ended.text()).contains("the same command continues from there");
        assertThat(unit).exists();
        Object written = Files.getLastModifiedTime(unit);

        StowageOnSpark.Running second = stowage.begin(experiment, out, LOCAL);
        SparkCluster.until(
                () -> second.text().contains("are already") || !second.process().isAlive());
        assertThat(unit)
                .satisfiesAnyOf(
                        file -> assertThat((Object) Files.getLastModifiedTime(file))
                                .isEqualTo(written),
                        file -> assertThat(file).doesNotExist());
        assertThat(second.end().code()).isZero();
        assertThat(out.resolve("results.jsonl")).hasSameBinaryContentAs(stowage.straight(experiment));
    }

    /** A policy of a jar that fails: once, and with its message. */
    @Test
    @Tag("nightly")
    void aRunThatFailsIsNotTriedAgain() throws IOException {
        Path example = Path.of("..", "examples", "policy-plugin", "src", "main");
        Path sources = Files.createDirectories(directory.resolve("sources"));
        String policy = Files.readString(example.resolve("java/com/example/roomiest/Roomiest.java"));
        String marked = policy.replaceFirst(
                "(public void arrived\\([^)]*\\) \\{)",
                "$1 System.err.println(\"tried once\"); if (true) { throw new IllegalStateException(\"as planned\"); }");
        assertThat(marked).isNotEqualTo(policy);
        Path broken = Files.writeString(sources.resolve("Roomiest.java"), marked);
        Path classes = Files.createDirectories(directory.resolve("classes"));
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        String.join(File.pathSeparator, StowageOnSpark.classPath()),
                        "-d",
                        classes.toString(),
                        broken.toString(),
                        example.resolve("java/com/example/roomiest/RoomiestProvider.java")
                                .toString());
        assertThat(compiled).isZero();
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        String service = "dev.stowage.policies.catalog.PolicyProvider";
        Files.copy(example.resolve("resources/META-INF/services").resolve(service), services.resolve(service));
        Path jar = StowageOnSpark.packed(classes, directory.resolve("broken.jar"));

        StowageOnSpark.Ended ended =
                run("--on", LOCAL, "--plugins", jar.toString(), "--policy", "roomiest", "--replications", "1");
        assertThat(ended.text())
                .contains("policy roomiest")
                .contains("as planned")
                .contains("replication 0, seed 1");
        // Two points of the sweep.
        assertThat(ended.text().lines().filter("tried once"::equals)).hasSizeBetween(1, 2);
        assertThat(ended.code()).isEqualTo(1);
    }

    /** What the options alone are refused for is in RunCommandTest: it needs no Spark. */
    @Test
    void whatIsWrongIsSaidBeforeAnythingIsWritten() throws IOException {
        refused("127.0.0.1:1: Connection refused", "--on", "spark://127.0.0.1:1");
        assertThatThrownBy(() -> MasterAddress.check("spark://127.0.0.1"))
                .isInstanceOf(MachinesRefusedException.class)
                .hasMessageContaining("'127.0.0.1' must be HOST:PORT");
        assertThatThrownBy(() -> MasterAddress.check("mesos://there"))
                .isInstanceOf(MachinesRefusedException.class)
                .hasMessageContaining("is not the address of a Spark master");
        Files.copy(directory.resolve("first.csv"), directory.resolve("sub/first.csv"));
        refused(
                "another file that is sent to the machines has this name",
                "--on",
                LOCAL,
                "--set",
                "workload.trace.file=[first.csv, sub/first.csv]");
    }

    @Test
    void whereSparkIsNotOrIsAnotherIsSaid() throws IOException {
        String[] arguments = {"run", experiment.toString(), "--out", out.toString(), "--on", LOCAL};
        StowageOnSpark.Ended nowhere =
                stowage.start(directory.toString(), List.of(), arguments).end();
        assertThat(nowhere.text()).contains("where there is no directory jars").contains("Set SPARK_HOME");
        assertThat(nowhere.code()).isEqualTo(2);
        StowageOnSpark.Ended unset = stowage.start("", List.of(), arguments).end();
        assertThat(unset.text()).contains("SPARK_HOME is not set");
        assertThat(unset.code()).isEqualTo(2);
        Path old = Files.createDirectories(directory.resolve("old/jars"));
        Files.createFile(old.resolve("spark-core_2.12-3.5.1.jar"));
        StowageOnSpark.Ended older = stowage.start(directory.resolve("old").toString(), List.of(), arguments)
                .end();
        assertThat(older.text()).contains("spark-core_2.12-3.5.1.jar").contains("4.0 or newer, with Scala 2.13");
        assertThat(older.code()).isEqualTo(2);
        StowageOnSpark.Ended small = stowage.start(StowageOnSpark.SPARK_HOME.toString(), List.of("-Xmx300m"), arguments)
                .end();
        assertThat(small.text()).contains("at least 450 MiB").contains("STOWAGE_JAVA_OPTS=-Xmx1g");
        assertThat(small.code()).isEqualTo(2);
        assertThat(out).doesNotExist();
    }

    /** Started by Spark's own script: on Spark's class path, with Stowage beside this module's jar. */
    @Test
    void bySparkSubmit() throws IOException {
        Path lib = Files.createDirectories(directory.resolve("home/lib"));
        int number = 0;
        for (String entry : StowageOnSpark.programPath()) {
            Path path = Path.of(entry);
            Path jar = lib.resolve(number++ + "-" + path.getFileName() + (Files.isDirectory(path) ? ".jar" : ""));
            if (Files.isDirectory(path)) {
                StowageOnSpark.packed(path, jar);
            } else if (entry.endsWith(".jar")) {
                Files.createSymbolicLink(jar, path.toAbsolutePath());
            }
        }
        StowageOnSpark.Ended ended = stowage.start(
                        "",
                        List.of(
                                StowageOnSpark.java(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Xmx1g",
                                "-cp",
                                StowageOnSpark.SPARK_HOME.resolve("jars") + File.separator + "*",
                                "org.apache.spark.deploy.SparkSubmit",
                                "--master",
                                LOCAL,
                                "--class",
                                Submitted.class.getName(),
                                stowage.jar().toString(),
                                "run",
                                experiment.toString(),
                                "--out",
                                out.toString(),
                                "--no-report"))
                .end();
        assertThat(ended.code()).as(ended.text()).isZero();
        assertThat(out.resolve("results.jsonl")).hasSameBinaryContentAs(stowage.straight(experiment));
    }
}

package dev.stowage.sim.experiment;

import static dev.stowage.sim.experiment.Experiments.point;
import static dev.stowage.sim.experiment.Experiments.problems;
import static dev.stowage.sim.experiment.Experiments.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Labels;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceReader;
import dev.stowage.sim.trace.TraceWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names and labels of servers, and constraints of requests, in experiments. */
final class ConstraintReaderTest {
    private static final String GOOD = """
            name: constraints
            cluster:
              servers:
                - {count: 2, name: fast, cpu: 8, labels: {gpu: V100, zone: a}}
                - {count: 1, name: slow, cpu: 8, labels: {gpu: T4, zone: b}}
                - {count: 2, names: [x, y], cpu: 8}
            workload:
              types:
                - {name: plain, rate: 1 / min, demand: {cpu: 1}, service: {exponential: 5 min}}
                - {name: v100, rate: 1 / min, demand: {cpu: 1}, service: {exponential: 5 min}, where: "gpu in (V100, P100), zone!=b"}
                - {name: any, rate: 1 / min, demand: {cpu: 1}, service: {exponential: 5 min}, where: ["gpu=T4", "!gpu"], avoid: x}
                - {name: db, rate: 1 / min, demand: {cpu: 1}, service: {exponential: 5 min}, spread: ["db:1"]}
            policies: [{policy: first-fit, when-full: queue}, {policy: best-fit, when-full: queue}, fifo-ff, bf-js]
            horizon: 5 h
            warm-up: none
            """;

    @TempDir
    private Path directory;

    @Test
    void namesLabelsAndConstraintsAreRead() {
        Experiment experiment = point(GOOD);
        var blocks = experiment.cluster().sites().get(0).servers();
        assertThat(blocks.get(0).names()).containsExactly("fast-0", "fast-1");
        assertThat(blocks.get(0).labels()).isEqualTo(Labels.parse("gpu=V100,zone=a"));
        assertThat(blocks.get(1).names()).containsExactly("slow");
        assertThat(blocks.get(2).names()).containsExactly("x", "y");
        assertThat(experiment.workload().typeConstraints(0)).isEqualTo(ConstraintWords.NONE);
        assertThat(experiment.workload().typeConstraints(2))
                .isEqualTo(new ConstraintWords(List.of("gpu=T4", "!gpu"), List.of("x"), List.of()));
        assertThat(read(GOOD).notes())
                .extracting(Remark::toString)
                .anyMatch(note -> note.contains("ignore constraints"));
    }

    @Test
    void everyMistakeIsToldWithTheNearest() {
        assertThat(problems(GOOD, "workload.types[1].where=gpuu in (V100)"))
                .anyMatch(p -> p.contains("label 'gpuu', which no server has; did you mean 'gpu'?"));
        assertThat(problems(GOOD, "workload.types[1].where=gpu is V100"))
                .anyMatch(p -> p.startsWith("workload.types[1]") && p.contains("is not a label selector"));
        assertThat(problems(GOOD, "workload.types[2].avoid=slw"))
                .anyMatch(p -> p.contains("avoid server 'slw', which does not exist; did you mean 'slow'?"));
        assertThat(problems(GOOD, "workload.types[3].spread=db:1:rack"))
                .anyMatch(p -> p.contains("label 'rack', which no server has"));
        assertThat(problems(GOOD, "workload.types[3].spread=db:0")).anyMatch(p -> p.contains("less than 1"));
        assertThat(problems(GOOD, "cluster.servers[2].names=[x]")).anyMatch(p -> p.contains("2 servers have 1 names"));
        assertThat(problems(GOOD, "cluster.servers[2].names=[x, slow]"))
                .anyMatch(p -> p.contains("more than one server is named 'slow'"));
        assertThat(problems(GOOD, "cluster.servers[2].names=[x, '7']")).anyMatch(p -> p.contains("digits only"));
        assertThat(problems(GOOD, "cluster.servers[0].labels={g u: x}")).anyMatch(p -> p.contains("label key 'g u'"));
        assertThat(problems(GOOD, "policies=[vqs]"))
                .anyMatch(
                        p -> p.contains("'vqs' does not support constraints such as labels and spread (type 'v100': gpu"
                                + " in (P100, V100), zone!=b); these do: "));
    }

    /** Every request runs where it may, and all kinds run. */
    @Test
    void aRunKeepsThem() {
        Experiment experiment = point(GOOD);
        for (LabelledPolicy policy : experiment.policies()) {
            Map<String, Set<String>> seen = new TreeMap<>();
            List<String> broken = new ArrayList<>();
            Experiments.run(
                    experiment,
                    policy,
                    (view, job, server) -> {
                        String type = view.typeName(view.type(job));
                        seen.computeIfAbsent(type, key -> new TreeSet<>()).add(view.serverName(server));
                        int others = 0;
                        for (int on = view.firstOn(server); on >= 0; on = view.next(on)) {
                            others += type.equals("db") && view.type(on) == view.type(job) ? 1 : 0;
                        }
                        if (others > 1) {
                            broken.add(type + " on " + view.serverName(server));
                        }
                    },
                    Effects.NONE);
            assertThat(broken).isEmpty();
            assertThat(seen.keySet()).containsExactly("any", "db", "plain", "v100");
            assertThat(seen.get("v100")).isSubsetOf("fast-0", "fast-1");
            assertThat(seen.get("any")).isSubsetOf("slow", "y").isNotEmpty();
            assertThat(seen.get("db")).hasSizeGreaterThan(3);
        }
    }

    @Test
    void aTraceHasColumnsForThemAndTheyAreWrittenAgain() throws IOException {
        Path file = Files.writeString(directory.resolve("t.csv"), """
                arrival_s,duration_s,cpu_milli,where,avoid,spread
                1,10,1000,"gpu in (V100,T4), !spot; zone=b",x; y,db:1; web:2:zone
                2,10,1000,,,
                3,10,1000,gpu is V100,,
                """);
        ReadOptions options = ReadOptions.defaults().withMostBad(1);
        var loaded = TraceReader.read(List.of(file), options);
        Trace trace = loaded.trace();
        assertThat(loaded.report().rowsBad()).isEqualTo(1);
        assertThat(loaded.report().lines().toString()).contains("is not a label selector");
        assertThat(trace.typeConstraints(trace.type(0)))
                .isEqualTo(new ConstraintWords(
                        List.of("gpu in (T4, V100), !spot", "zone=b"),
                        List.of("x", "y"),
                        List.of("db:1", "web:2:zone")));
        assertThat(trace.typeConstraints(trace.type(1)).isNone()).isTrue();
        for (String name : List.of("again.csv", "again.parquet")) {
            Path again = directory.resolve(name);
            TraceWriter.write(trace, again);
            Trace read =
                    TraceReader.read(List.of(again), ReadOptions.defaults()).trace();
            assertThat(read.typeConstraints(read.type(0))).isEqualTo(trace.typeConstraints(trace.type(0)));
            assertThat(read.typeConstraints(read.type(1)).isNone()).isTrue();
        }
        String experiment = """
                name: t
                cluster: {servers: {count: 2, cpu: 8}}
                workload: {trace: {file: %s}}
                policies: [first-fit]
                """.formatted(directory.resolve("again.csv"));
        // No server has a label: what asks for none is kept.
        ReadExperiment without = read(experiment);
        assertThat(without.warnings())
                .extracting(Remark::toString)
                .contains("warning: constraints of 1 of 2 requests are not kept, because no server has a label: servers"
                        + " are treated as alike");
        assertThat(without.points().get(0).workload().typeConstraints(0))
                .isEqualTo(new ConstraintWords(List.of(), List.of(), List.of("db:1")));
        assertThat(problems(experiment, "cluster.servers.labels={gpu: V100}"))
                .anyMatch(p -> p.contains("label 'zone', which no server has"));
    }
}

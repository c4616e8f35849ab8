package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import dev.stowage.sim.unit.UnitCodec;
import dev.stowage.sim.unit.UnitHeader;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitStamp;
import dev.stowage.sim.unit.UnitStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs in parts: resumed ones, and shards that are merged. */
final class ShardsTest {
    /** 12 runs. */
    static final String EXPERIMENT = """
            name: parts
            cluster: {servers: {count: 2, cpu: 4}}
            workload:
              types:
                - {name: a, rate: 30 / min, demand: {cpu: 1}, service: {exponential: 10 s}}
                - {name: b, rate: 6 / min, demand: {cpu: 3}, service: {exponential: 10 s}}
            policies: [bf-js, first-fit]
            horizon: 10 min
            sweep: [{path: cluster.servers.count, values: [2, 3]}]
            replications: 3
            """;

    @TempDir
    private Path directory;

    private String file;
    private Path straight;
    private Path out;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(directory.resolve("parts.yaml"), EXPERIMENT).toString();
        straight = directory.resolve("straight");
        out = directory.resolve("out");
    }

    private Program run(Path into, String... more) {
        List<String> all = new ArrayList<>(List.of("run", file, "--out", into.toString()));
        all.addAll(List.of(more));
        return Program.run(all.toArray(String[]::new));
    }

    private void shard(String part, Path into) {
        Program shard = run(into, "--shard", part);
        assertThat(shard.err()).contains("shard " + part);
        assertThat(shard.code()).isZero();
        assertThat(shard.out()).isEmpty();
    }

    private static Path unit(Path results, int point, int policy, int replication) {
        return results.resolve(UnitStore.DIRECTORY).resolve(new UnitKey(point, policy, replication).fileName());
    }

    private static void cut(Path unit) throws IOException {
        Files.write(unit, Arrays.copyOf(Files.readAllBytes(unit), 500));
    }

    private void sameAsStraight(Path results) {
        if (!Files.exists(straight)) {
            assertThat(run(straight, "--no-report").code()).isZero();
        }
        assertThat(results.resolve("results.jsonl")).hasSameBinaryContentAs(straight.resolve("results.jsonl"));
    }

    @Test
    void shardsOfWhichOneIsMissingAndOneDamagedAreRefusedThenMerged() throws IOException {
        for (int shard = 1; shard <= 4; shard++) {
            shard(shard + "/4", out);
        }
        Files.delete(unit(out, 0, 1, 2));
        cut(unit(out, 1, 0, 0));

        Program refused = Program.run("merge", out.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains(unit(out, 1, 0, 0) + ": is truncated or damaged")
                .contains("2 of 12 units are missing: point 0 {count=2}, first-fit, replication 2; point 1 {count=3},"
                        + " bf-js, replication 0")
                .contains("Nothing was written");
        assertThat(out.resolve("results.jsonl")).doesNotExist();
        // 12 units of equal length are distributed in turn: numbers 5 and 6 from 0 are those of shards 2 and 3.
        assertThat(refused.err()).contains("Run these shards of 4 again, into the same directories: 2,3;");

        Program again = run(out, "--shard", "2/4");
        assertThat(again.err()).contains("shard 2/4: done, 2 were there already");
        shard("3/4", out);
        Program merged = Program.run("merge", out.toString());
        assertThat(merged.code()).isZero();
        assertThat(merged.out()).contains("bf-js").contains("Report: " + out.resolve("report.html"));
        sameAsStraight(out);

        assertThat(Program.run("merge", out.toString()).err()).contains("holds results; --overwrite replaces them");
        assertThat(Program.run("merge", out.toString(), "--overwrite", "--no-report")
                        .code())
                .isZero();
        sameAsStraight(out);
    }

    @Test
    void shardsOfSeveralDirectoriesMergeIntoAnother() {
        for (int shard = 0; shard < 3; shard++) {
            Program indexed = run(
                    directory.resolve("part-" + shard % 2), "--shard-index", String.valueOf(shard), "--shards", "3");
            assertThat(indexed.code()).isZero();
        }
        Program merged = Program.run(
                "merge",
                directory.resolve("part-0").toString(),
                directory.resolve("part-1").toString(),
                "--out",
                out.toString(),
                "--no-report",
                "--format",
                "csv",
                "-q");
        assertThat(merged.err()).isEmpty();
        assertThat(merged.code()).isZero();
        sameAsStraight(out);
        assertThat(out.resolve(UnitStore.DIRECTORY)).doesNotExist();
    }

    /** Two whole units of one run that measured different things: one of two machines is wrong. */
    @Test
    void twoDifferentUnitsOfOneRunAreRefused() throws IOException {
        shard("1/2", out);
        shard("2/2", out);
        Path other = directory.resolve("other");
        shard("1/2", other);
        Path seeded = directory.resolve("seeded");
        assertThat(run(seeded, "--seed", "9", "--shard", "1/1").code()).isZero();
        Path here = unit(other, 0, 0, 0);
        byte[] measured = Files.readAllBytes(unit(seeded, 0, 0, 0));
        Files.write(
                here,
                UnitCodec.encode(UnitCodec.header("u", Files.readAllBytes(here)), UnitCodec.decode("u", measured)));

        Path results = Files.writeString(
                Files.createDirectory(directory.resolve("kept")).resolve("results.jsonl"), "old\n");
        for (Path into : List.of(directory.resolve("merged"), results.getParent())) {
            Program refused =
                    Program.run("merge", out.toString(), other.toString(), "--out", into.toString(), "--overwrite");
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err())
                    .contains(here + ": differs from " + unit(out, 0, 0, 0) + " of the same run")
                    .contains("delete the wrong unit")
                    .contains("Nothing was written");
        }
        assertThat(directory.resolve("merged")).doesNotExist();
        assertThat(results).hasContent("old\n");
        assertThat(Files.readAllBytes(here)).isNotEqualTo(Files.readAllBytes(unit(out, 0, 0, 0)));

        Files.delete(here);
        assertThat(Program.run("merge", out.toString(), other.toString(), "--out", directory + "/merged", "--no-report")
                        .code())
                .isZero();
        sameAsStraight(directory.resolve("merged"));
    }

    /** More shards than units: some have nothing to do. */
    @Test
    void anEmptyShardIsDone() {
        assertThat(run(out, "--shard", "40/40").err()).contains("shard 40/40: 0 of 12 runs");
    }

    @Test
    void aRunGoesOnWhereItStopped() throws IOException {
        shard("1/2", out);
        cut(unit(out, 0, 0, 0));

        Program resumed = run(out, "--no-report");
        assertThat(resumed.code()).isZero();
        assertThat(resumed.err())
                .contains("6 of which are already there")
                .contains(unit(out, 0, 0, 0) + ": is truncated or damaged: its checksum is wrong; its run is repeated");
        sameAsStraight(out);
        assertThat(out.resolve(UnitStore.DIRECTORY)).doesNotExist();

        assertThat(run(out, "--no-report").err()).contains("holds results; --overwrite replaces them");
        Program whole = run(out, "--no-report", "--resume");
        assertThat(whole.code()).isZero();
        assertThat(whole.err()).contains("the results are complete, there is nothing to do");
        assertThat(whole.out()).contains("bf-js");
        sameAsStraight(out);
    }

    @Test
    void aKilledProcessIsGoneOnWith() throws IOException, InterruptedException {
        // The first run is over in no time, the second lasts for ever.
        Path endless = Files.writeString(
                directory.resolve("endless.yaml"),
                EXPERIMENT.replace("cluster.servers.count, values: [2, 3]", "horizon, values: [10 min, 100 w]"));
        Process process = ProgramElsewhere.process("run", endless.toString(), "--threads", "1", "--out", out.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        while (process.isAlive() && UnitStore.files(out).size() < 6) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        process.destroyForcibly().waitFor();

        // The same experiment without the long run is a different one, which is reported.
        Program changed = run(out);
        assertThat(changed.code()).isEqualTo(2);
        assertThat(changed.err())
                .contains(out + ": belongs to another experiment: sweep[0].path: horizon there, cluster.servers.count")
                .contains("--overwrite");
        assertThat(UnitStore.files(out)).hasSize(6);
        assertThat(run(out, "--overwrite", "--no-report").code()).isZero();
        sameAsStraight(out);
    }

    @Test
    void aChangedExperimentSaysWhatDiffers() {
        shard("1/2", out);
        for (Program changed : List.of(
                run(out, "--seed", "9"),
                run(out, "--seed", "9", "--shard", "2/2"),
                run(out, "--seed", "9", "--resume"))) {
            assertThat(changed.code()).isEqualTo(2);
            assertThat(changed.err()).contains(out + ": belongs to another experiment: seed: 9 only here");
        }
        Path other = directory.resolve("other");
        assertThat(run(other, "--shard", "2/2", "--horizon", "11 min").code()).isZero();
        Program merged = Program.run("merge", out.toString(), other.toString());
        assertThat(merged.code()).isEqualTo(2);
        assertThat(merged.err()).contains("horizon: 10 min there, 11 min here");
    }

    @Test
    void unitsOfAnotherVersionAreRefused() throws IOException {
        shard("1/2", out);
        Path unit = unit(out, 0, 0, 0);
        byte[] bytes = Files.readAllBytes(unit);
        UnitHeader header = UnitCodec.header("u", bytes);
        UnitStamp older = new UnitStamp(
                header.stamp().experiment(), "0.0.1", header.stamp().inputs());
        Files.write(
                unit,
                UnitCodec.encode(new UnitHeader(older, header.key(), header.dealing()), UnitCodec.decode("u", bytes)));
        for (Program refused : List.of(run(out), run(out, "--shard", "1/2"), Program.run("merge", out.toString()))) {
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains(unit + ": is a unit made by Stowage 0.0.1, not ");
        }
        assertThat(Files.readAllBytes(unit)).isNotEqualTo(bytes);
    }

    /** Shards find a trace beside the experiment; a merge on another machine must say where it is. */
    @Test
    void aTraceThatMovedIsNamedAndOneThatChangedRefused() throws IOException {
        String rows = "arrival_s,duration_s,cpu_milli\n0,100,1000\n10,100,2000\n20,100,2000\n";
        Path here = Files.createDirectory(directory.resolve("here"));
        Files.writeString(here.resolve("requests.csv"), rows);
        file = Files.writeString(here.resolve("traced.yaml"), """
                name: traced
                cluster: {servers: {count: 1, cpu: 4}}
                workload: {trace: {file: requests.csv}}
                policies: [bf-js, fifo-ff]
                """).toString();
        shard("1/2", out);
        shard("2/2", out);
        Path there = Files.move(here, directory.resolve("there"));
        Program lost = Program.run("merge", out.toString());
        assertThat(lost.code()).isEqualTo(2);
        assertThat(lost.err()).contains("requests.csv").contains("--base");
        assertThat(Program.run("merge", out.toString(), "--base", there.toString(), "--no-report")
                        .code())
                .isZero();

        Files.writeString(there.resolve("requests.csv"), rows.replace("20,100", "20,101"));
        Program changed = Program.run("merge", out.toString(), "--overwrite", "--base", there.toString());
        assertThat(changed.code()).isEqualTo(2);
        assertThat(changed.err()).contains("made from another trace, server list or jar");
        assertThat(out.resolve("results.jsonl")).exists();
    }

    @Test
    void decisionsAreWrittenByTheShardsThatMakeThem() throws IOException {
        Path decisions = directory.resolve("d.csv");
        shard("1/2", out);
        // The runs are kept, their decisions are not there: they are made again.
        Program again = run(out, "--shard", "1/2", "--decisions", decisions.toString());
        assertThat(again.err()).contains("shard 1/2: done").doesNotContain("already");
        assertThat(run(out, "--shard", "1/2", "--decisions", decisions.toString())
                        .err())
                .contains("6 were there already");
        assertThat(run(out, "--no-report", "--decisions", decisions.toString()).code())
                .isZero();
        try (var files = Files.list(directory)) {
            assertThat(files.filter(name -> name.getFileName().toString().matches("d-count-[23]-.*-[012]\\.csv")))
                    .hasSize(12);
        }
        sameAsStraight(out);
    }

    @Test
    void whatIsNoShardIsRefused() throws IOException {
        refused("--shard 0/40: there are shards 1/40 to 40/40", "--shard", "0/40");
        refused("--shard 41/40: there are shards 1/40 to 40/40", "--shard", "41/40");
        refused("there must be at least 1 shard", "--shard", "1/0");
        refused("must be I/N, e.g. 3/40", "--shard", "3");
        refused("belong together", "--shard-index", "3");
        refused("belong together", "--shards", "3");
        refused("--shard-index 40 of --shards 40: there are shards 1/40", "--shard-index", "40", "--shards", "40");
        refused("leave --shard-index", "--shard", "1/2", "--shards", "2");
        refused("would delete what other shards have done", "--shard", "1/2", "--overwrite");
        refused("'stowage merge' does", "--shard", "1/2", "--format", "json");
        refused("does not know those of other", "--shard", "1/2", "--precision", "2 %", "--set", "replications=10");
        Program planning = Program.run("run", "paper/parallel-tasks", "--shard", "1/2", "--out", out.toString());
        assertThat(planning.err()).contains("--shard 1/2").contains("compares planners");
        assertThat(planning.code()).isEqualTo(2);
        assertThat(out).doesNotExist();

        Program none = Program.run("merge", directory.toString());
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("has no experiment.yaml");
        run(straight, "--no-report");
        assertThat(Program.run("merge", straight.toString()).err())
                .contains("12 of 12 units are missing")
                .contains("Run the experiment again");
        assertThat(run(straight, "--shard", "1/2").err()).contains("holds the results already");
        Path foreign = Files.createDirectory(directory.resolve("photos"));
        Files.writeString(foreign.resolve("cat.jpg"), "meow");
        assertThat(run(foreign, "--shard", "1/2").err()).contains("cat.jpg");
    }

    private void refused(String message, String... options) {
        Program refused = run(out, options);
        assertThat(refused.err()).contains(message);
        assertThat(refused.code()).isEqualTo(2);
    }
}

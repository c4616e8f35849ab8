package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.watch.DecisionLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunCommandTest {
    private static final String EXPERIMENT = """
            name: small
            cluster: {servers: {count: 2, cpu: 4}}
            workload:
              types:
                - {name: a, rate: 30 / min, demand: {cpu: 1}, service: {exponential: 10 s}}
                - {name: b, rate: 6 / min, demand: {cpu: 3}, service: {exponential: 10 s}}
            policies: [bf-js, first-fit]
            horizon: 10 min
            warm-up: none
            """;

    @TempDir
    private Path directory;

    private Path out;
    private String file;

    @BeforeEach
    void write() throws IOException {
        out = directory.resolve("out");
        file = Files.writeString(directory.resolve("small.yaml"), EXPERIMENT).toString();
    }

    private Program run(String... more) {
        return Program.run(java.util.stream.Stream.concat(
                        List.of("run", file, "--out", out.toString()).stream(), List.of(more).stream())
                .toArray(String[]::new));
    }

    @Test
    void aRunLeavesRowsReportAndTable() throws IOException {
        Program run = run("--replications", "2");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("bf-js").contains("first-fit").contains("Report: " + out.resolve("report.html"));
        assertThat(run.err()).isEqualTo("4 runs (2 policies, 2 replications), into " + out + System.lineSeparator());
        List<String> rows = Files.readAllLines(out.resolve("results.jsonl"));
        assertThat(rows).filteredOn(row -> row.startsWith("{\"kind\":\"run\"")).hasSize(4);
        assertThat(rows)
                .filteredOn(row -> row.startsWith("{\"kind\":\"summary\""))
                .hasSize(2);
        assertThat(out.resolve("report.html")).isNotEmptyFile();
        assertThat(out.resolve("summary.csv")).isNotEmptyFile();
        assertThat(out.resolve("report.html")).content().contains("waiting requests\"");
        // The experiment beside the rows is complete: it gives the same rows again.
        Path again = directory.resolve("again");
        Program.run("run", out.resolve("experiment.yaml").toString(), "--out", again.toString(), "--no-report");
        assertThat(again.resolve("results.jsonl")).hasSameTextualContentAs(out.resolve("results.jsonl"));
    }

    @Test
    void resultsDoNotDependOnTheNumberOfThreads() {
        run("--replications", "3", "--threads", "1", "--no-report", "-q");
        Path other = directory.resolve("other");
        Program.run("run", file, "-o", other.toString(), "--replications", "3", "--threads", "5", "--no-report", "-q");

        assertThat(other.resolve("results.jsonl")).hasSameTextualContentAs(out.resolve("results.jsonl"));
    }

    @Test
    void machinesGetDataAloneOnStandardOutput() {
        Program json = run("--format", "json", "--quiet");
        assertThat(json.out()).startsWith("[").endsWith("]\n");

        Program csv = run("--format", "CSV", "--overwrite", "--no-report");
        assertThat(csv.out()).startsWith("policy,metric,mean,");
        assertThat(out.resolve("report.html")).doesNotExist();
    }

    @Test
    void nothingIsOverwrittenUnlessAsked() throws IOException {
        run("--no-report");
        Program again = run("--no-report");
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("holds results; --overwrite replaces them");
        assertThat(run("--no-report", "--overwrite").code()).isZero();

        Path foreign = Files.createDirectory(directory.resolve("photos"));
        Files.writeString(foreign.resolve("cat.jpg"), "meow");
        Program refused = Program.run("run", file, "--out", foreign.toString(), "--overwrite");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("holds no results of Stowage (cat.jpg)");
        assertThat(Program.run("run", file, "--out", file).err()).contains("is a file");
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsBadInputBeforeAnythingRuns() {
        Program run = Program.run("run", file, "--out", "/dev/null/results");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("/dev/null/results").contains("--out");
    }

    @Test
    void decisionsAreEveryEffectInOrder() throws IOException {
        Path decisions = directory.resolve("decisions.csv");
        run("--policy", "first-fit", "--decisions", decisions.toString(), "--no-report");

        List<String> lines = Files.readAllLines(decisions);
        assertThat(lines.get(0)).isEqualTo(String.join(",", DecisionLog.COLUMNS));
        assertThat(lines.get(1)).matches("[0-9.]+,0,[ab],,,arrived,,,,");
        assertThat(lines.get(2)).matches("[0-9.]+,0,[ab],default,0,placed,.*,,,");
        long arrived = lines.stream().filter(line -> line.contains(",arrived,")).count();
        long placed = lines.stream().filter(line -> line.contains(",placed,")).count();
        long rejected =
                lines.stream().filter(line -> line.contains(",rejected,")).count();
        assertThat(placed + rejected).isEqualTo(arrived);
        assertThat(rejected).isPositive();
    }

    @Test
    void severalRunsHaveAFileOfDecisionsEach() throws IOException {
        Program run = run(
                "--replications",
                "2",
                "--decisions",
                directory.resolve("new/directory/d.csv.gz").toString(),
                "--no-report");

        assertThat(run.code()).isZero();
        for (String name : List.of("d-bf-js-0", "d-bf-js-1", "d-first-fit-0", "d-first-fit-1")) {
            try (var in =
                    new GZIPInputStream(Files.newInputStream(directory.resolve("new/directory/" + name + ".csv.gz")))) {
                assertThat(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                        .startsWith("time_s,request,");
            }
        }
    }

    @Test
    void whereDecisionsCannotBeWrittenNothingRuns() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(run("--decisions", file.resolve("d.csv").toString()).err())
                .contains("its directory cannot be made: " + file + " is a file");
        assertThat(run("--decisions", directory.resolve("d.txt").toString()).err())
                .contains("must end with one of");
        assertThat(out).doesNotExist();
    }

    @Test
    void aRecordingReplaysToTheSameDigest() {
        Path log = directory.resolve("run.log.gz");
        run("--policy", "bf-js", "--record", log.toString(), "--no-report");

        Program replay = Program.run("replay", log.toString());
        assertThat(replay.code()).isZero();
        assertThat(replay.out()).contains("bf-js").contains("the same as recorded");

        Path other = directory.resolve("other");
        Program policy = Program.run("replay", log.toString(), "--policy", "fifo-ff", "-o", other.toString());
        assertThat(policy.code()).isZero();
        assertThat(policy.out()).contains("fifo-ff");
        assertThat(Program.run("replay", log.toString(), "--policy", "best", "-o", other.toString())
                        .code())
                .isEqualTo(2);
    }

    @Test
    void whatIsNoRecordingIsBadInput() {
        Program replay = Program.run("replay", file);

        assertThat(replay.code()).isEqualTo(2);
        assertThat(replay.err()).contains(file + ":1: is not a recording");
    }

    @Test
    void aRecordingThatDiffersIsAFailure() throws IOException {
        Path log = directory.resolve("run.log");
        run("--policy", "bf-js", "--record", log.toString(), "--no-report");
        String text = Files.readString(log);
        Files.writeString(log, text.substring(0, text.length() - 17) + "0123456789abcdef\n");

        Program replay = Program.run("replay", log.toString());

        assertThat(replay.code()).isEqualTo(1);
        assertThat(replay.err()).contains("but the recorded digest is 0123456789abcdef");
    }

    @Test
    void optionsAloneAreAnExperiment() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("requests.csv"),
                "arrival_s,duration_s,cpu_milli\n0,100,1000\n10,100,2000\n20,100,2000\n30,x,2000\n40,100,9000\n");
        Program run = Program.run(
                "run",
                "--trace",
                trace.toString(),
                "--servers",
                "1 x 4 cores",
                "--policy",
                "fifo-ff,first-fit:when-full=queue,first-fit:when-full=reject",
                "--out",
                out.toString());

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("fifo-ff")
                .contains("first-fit:when-full=queue")
                .contains("first-fit:when-full=reject");
        // 9 cores fit no server of 4.
        assertThat(run.err()).contains("1 bad").contains("warning: 1 request fits no server");
        assertThat(Files.readString(out.resolve("experiment.yaml"))).contains("name: \"requests\"");
        Program strict = Program.run("run", "--trace", trace.toString(), "--servers", "1 x 4 cores", "--strict");
        assertThat(strict.code()).isEqualTo(2);
        assertThat(strict.err()).contains("requests.csv:5");
    }

    /** At 10 s a request runs on the server, which is not removed; at 20 s it is lost, and the next fits none. */
    @Test
    void refusedChangesOfServersAndRequestsWithoutAnyServerAreSaid() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("r.csv"),
                "arrival_s,duration_s,cpu_milli,mem_mib\n0,100,1000,1024\n30,100,1000,1024\n");
        Path experiment = Files.writeString(directory.resolve("changes.yaml"), """
                name: changes
                cluster: {servers: {count: 1, cpu_milli: 1500, mem_mib: 4096}}
                workload: {trace: {file: %s}}
                policies: [{policy: first-fit, when-full: queue}]
                server-changes: [{at: 10 s, remove: {count: 1}}, {at: 20 s, lose: {count: 1}}]
                """.formatted(trace));
        Path out = directory.resolve("changes");
        Program run = Program.run("run", experiment.toString(), "--out", out.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err().replaceAll("\\s+", " "))
                .contains("1 request fits no server that was there when it arrived, even an empty one, and counts as")
                .contains("1 change of servers was refused: 'remove' needs a server on which nothing runs (drain it"
                        + " first, or use 'lose')");
        assertThat(Files.readString(out.resolve("report.html")).replaceAll("\\s+", " "))
                .contains("Changes of servers that were refused in a run: 1 under first-fit");
    }

    /** In the terminal's table, in JSON, and on the page, also when it is written again. */
    @Test
    void whatIsFarFromItsPurposeIsSaidEverywhere() throws IOException {
        String why = "ontapra rejected 100 % of the requests that a server could hold. It divides a resource among the"
                + " tasks of jobs, and no resource of this cluster is divisible";
        String far = "renews configurations only while all servers are empty";
        Program run = run("--policy", "ontapra,max-weight:refresh=global");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().replaceAll("\\s+", " ")).contains(why, far);
        Program again = Program.run("report", out.toString(), "--format", "json");
        assertThat(again.out()).contains(why, far);
        assertThat(Files.readString(out.resolve("report.html")).replace('\u00a0', ' '))
                .contains(why, far);
        // A run without anything to say takes the file away.
        run("--policy", "first-fit", "--overwrite");
        assertThat(out.resolve("warnings.json")).doesNotExist();
    }

    /** It is found where it was, or beside the experiment; the rows are the same. */
    @Test
    void anExperimentBesideResultsFindsItsTable() throws IOException {
        Path table = Files.writeString(directory.resolve("jobs.csv"), "arrival_s,duration_s,cpu_milli\n0,10,1000\n");
        Path first = directory.resolve("deep/first");
        assertThat(Program.run(
                                "run",
                                "--trace",
                                table.toString(),
                                "--servers",
                                "1 x 4 cores",
                                "--policy",
                                "first-fit",
                                "--out",
                                first.toString())
                        .code())
                .isZero();
        String experiment = first.resolve("experiment.yaml").toString();
        String text = Files.readString(first.resolve("experiment.yaml"));
        assertThat(text).startsWith("# file " + table + " is ../../jobs.csv\n");
        // Written with a name alone, as where the command is run beside the table.
        Files.writeString(first.resolve("experiment.yaml"), text.replace(table.toString(), "jobs.csv"));
        Path again = directory.resolve("again");
        assertThat(Program.run("run", experiment, "--out", again.toString()).code())
                .isZero();
        assertThat(again.resolve("experiment.yaml")).content().startsWith("# file jobs.csv is ../jobs.csv\n");
        Path moved = Files.move(table, directory.resolve("elsewhere.parquet"));
        assertThat(Program.run("validate", experiment).err().replaceAll("\\s+", " "))
                .contains("jobs.csv: no such file; check the path; it may also be beside experiment.yaml");
        Files.copy(moved, first.resolve("jobs.csv"));
        assertThat(Program.run("validate", experiment).code()).isZero();
    }

    @Test
    void aSeedThatChangesNothingIsSaid() throws IOException {
        String table = Files.writeString(directory.resolve("jobs.csv"), "arrival_s,duration_s,cpu_milli\n0,10,1000\n")
                .toString();
        for (String policy : List.of("first-fit", "randomized-central")) {
            Program run = Program.run(
                    "run",
                    "--trace",
                    table,
                    "--servers",
                    "1 x 4 cores",
                    "--policy",
                    policy,
                    "--seed",
                    "7",
                    "--out",
                    directory.resolve(policy).toString());
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.err().contains("--seed changes nothing here: the requests are given"))
                    .as(policy)
                    .isEqualTo(policy.equals("first-fit"));
        }
        assertThat(run("--seed", "7").err()).doesNotContain("changes nothing");
    }

    @Test
    void aTraceNeedsServers() throws IOException {
        Path trace = Files.writeString(directory.resolve("odd.csv"), "t0,secs,cores,ram_gib\n0,60,2,4\n");
        Program run = Program.run(
                "run", "--trace", trace.toString(), "--columns", "arrival=t0:s,duration=secs:s,mem=ram_gib:GiB");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("needs --servers");
    }

    @Test
    void theFirstRequestThatAPolicyCannotHandleIsNamed() throws IOException {
        Path requests = Files.writeString(directory.resolve("asks.csv"), """
                id,arrival_s,duration_s,cpu_milli,where,priority
                plain,0,60,1000,,0
                asks,1,60,1000,zone=a,0
                late,2,60,1000,zone in (b),5
                """);
        Path servers =
                Files.writeString(directory.resolve("zones.csv"), "count,label:zone,cpu_milli\n1,a,8000\n1,b,8000\n");
        Program run = Program.run(
                "run",
                requests.toString(),
                "--servers",
                servers.toString(),
                "--policy",
                "vqs",
                "--out",
                out.toString());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().replaceAll("\\s+", " "))
                .contains("'vqs' does not support constraints such as labels and spread (request 'asks': zone=a), nor"
                        + " support priorities (request 'late': priority 5); these do: first-fit, best-fit");
    }

    /** Before anything is written; OnSparkTest has what Spark is asked for. */
    @Test
    void whatOtherMachinesCannotDoIsBadInput() {
        String elsewhere = "spark://127.0.0.1:1";
        refused("Spark itself distributes the runs", "--on", "local[2]", "--shard", "1/2");
        refused("--conf 'memory' must be KEY=VALUE", "--on", "local[2]", "--conf", "memory");
        refused("are allowed only with --on", "--shared");
        refused(
                "say so with --shared",
                "--on",
                elsewhere,
                "--record",
                directory.resolve("run.log").toString());
    }

    private void refused(String message, String... more) {
        Program refused = run(more);
        assertThat(refused.err()).contains(message).hasLineCount(1);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(out).doesNotExist();
    }

    @Test
    void mistakesOfOptionsAreBadInput() {
        assertThat(run("--threads", "0").code()).isEqualTo(2);
        assertThat(run("--seed", "seven").err()).contains("--seed").contains("seven");
        assertThat(run("--policy", "bf-jz").err()).contains("did you mean bf-j or bf-js?");
        assertThat(run("--policy", "bf-js:score").err()).contains("must be name=value");
        assertThat(run("--horizon", "5").err()).contains("horizon: '5' has no unit");
        assertThat(run("--set", "x.y=1").err()).contains("x: unknown key");
        assertThat(run("--format", "xml").err()).contains("table").contains("xml");
        assertThat(Program.run("run", "no-such-file.yaml").err())
                .contains("no such file")
                .contains("'stowage experiments' lists those that are built in");
        assertThat(Program.run("run", "maintenace").err()).contains("no such file; did you mean maintenance?");
        assertThat(Program.run("run", directory.toString()).err()).contains("is a directory");
        assertThat(out).doesNotExist();
    }

    @Test
    void rowsCanBeHadAsTables() throws IOException {
        run("--no-report");

        assertThat(Program.run("report", out.toString(), "--no-report", "--tables")
                        .code())
                .isZero();

        assertThat(Files.readAllLines(out.resolve("tables/runs.csv"))).anyMatch(line -> line.contains(",wait_mean_s,"));
        assertThat(out.resolve("tables/series.csv")).isNotEmptyFile();
        assertThat(out.resolve("tables/summaries.csv")).isNotEmptyFile();
        assertThat(out.resolve("tables/distributions.csv")).isNotEmptyFile();
    }

    @Test
    void aReportCanBeMadeAgainAndOfAPart() throws IOException {
        run("--no-report", "--replications", "2");
        Path results = out.resolve("results.jsonl");
        List<String> rows = Files.readAllLines(results);
        Files.writeString(results, String.join("\n", rows.subList(0, 1)) + "\n{\"kind\":\"run\",\"ori");

        Program report = Program.run("report", out.toString());

        assertThat(report.code()).isZero();
        assertThat(report.out()).contains("incomplete");
        assertThat(report.err()).contains("cut off");
        assertThat(out.resolve("report.html")).isNotEmptyFile();
        assertThat(Program.run("report", directory.toString()).code()).isEqualTo(2);
    }

    /** The first 2,000 requests are those that are there at time 0. */
    @Test
    void whereNothingIsMeasuredNoServersAreCounted() {
        Program run = Program.run(
                "run",
                "--set",
                "requests=2000",
                "--replications",
                "1",
                "--no-report",
                "--policy",
                "first-fit",
                "--out",
                directory.resolve("nothing").toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("nothing was measured").contains("servers were not counted");
        assertThat(run.out()).doesNotContain("needs").doesNotContain("servers needed");
    }
}

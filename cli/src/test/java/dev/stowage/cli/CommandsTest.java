package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.PolicyInfo;
import dev.stowage.sim.trace.TableFormat;
import dev.stowage.sim.trace.TraceFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandsTest {
    private static final String TRACE = """
            arrival_s,duration_s,cpu_milli,mem_mib,batch_id
            100,10,1000,1024,1
            100,20,1000,1024,1
            4000,,2000,1024,2
            """;

    @TempDir
    private Path directory;

    @Test
    void validateChecksAllAndRunsNothing() throws IOException {
        Path bad = Files.writeString(directory.resolve("bad.yaml"), "policies: [nope]\n");

        Program program = Program.run("validate", bad.toString(), "quickstart", "missing.yaml");

        assertThat(program.code()).isEqualTo(2);
        assertThat(program.out()).startsWith("quickstart: ok, 32 runs (4 policies, 8 replications) on 250 servers");
        assertThat(program.err())
                .contains("bad.yaml: 3 mistakes")
                .contains("cluster: is missing")
                .contains("policies[0]: unknown policy")
                .contains("missing.yaml: no such file");
    }

    /** As the command line and the tables have them. */
    @Test
    void aPolicyWithParametersIsToldItsFormInAFile() {
        assertThat(Program.run("validate", "quickstart", "--set", "policies=[\"best-fit:when-full=queue\"]")
                        .err())
                .contains("policies[0]: parameters of a policy are keys of their own here: {policy: best-fit,"
                        + " when-full: queue}");
    }

    /** Whenever the server is there, 99 of its 100 GiB are of no use, as it has one core. */
    @Test
    void strandedCapacityIsOfServersThatAreThere() throws IOException {
        Path file = Files.writeString(directory.resolve("fail.yaml"), """
                name: fail
                cluster:
                  failures: {time-to-failure: {exponential: 10 h}, time-to-repair: {exponential: 2 h}}
                  servers: {count: 1, cpu: 1, memory: 100 GiB}
                workload:
                  types:
                    - {name: a, rate: 0.3 / h, demand: {cpu: 1, memory: 1 GiB}, service: {deterministic: 1 h}}
                policies: [{policy: first-fit, when-full: queue}]
                horizon: 5000 h
                warm-up: 100 h
                replications: 2
                """);
        Path out = directory.resolve("stranded");
        Program.run("run", file.toString(), "--out", out.toString());
        assertThat(Files.readAllLines(out.resolve("summary.csv")))
                .filteredOn(line -> line.contains("stranded{resource=mem_mib}"))
                .singleElement()
                .satisfies(line ->
                        assertThat(Double.parseDouble(line.split(",", -1)[2])).isEqualTo(0.99, within(1e-9)));
    }

    @Test
    void validateTakesOverrides() {
        assertThat(Program.run("validate", "quickstart", "--set", "replications=0")
                        .err())
                .contains("replications: '0'");
        assertThat(Program.run("validate", "sweep-load", "--set", "replications=1")
                        .out())
                .contains("24 runs (6 points, 4 policies, 1 replication)");
    }

    @Test
    void policiesAreListedWithWhatIsProven() {
        Program list = Program.run("policies");
        assertThat(list.code()).isZero();
        assertThat(Policies.all()).extracting(PolicyInfo::key).allMatch(list.out()::contains);

        assertThat(Program.run("policies", "bf-js").out()).contains("Theorem 2").contains("score");
        assertThat(Program.run("policies", "bf-js", "--format", "json").out()).contains("\"guarantee\" : ");
        assertThat(Program.run("policies", "--format", "csv").out().lines())
                .first()
                .asString()
                .startsWith("policy,summary,paper,guarantee,parameter,allowed,default,meaning,")
                .endsWith(",keeps_site_limits,keeps_constraints,keeps_overcommitment,also_keeps");
        Program unknown = Program.run("policies", "bf-jss");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("did you mean bf-js?");
    }

    @Test
    void formatsAreListedWithTheirColumns() {
        assertThat(TraceFormats.all())
                .extracting(TableFormat::key)
                .allMatch(Program.run("trace", "formats").out()::contains);
        assertThat(Program.run("trace", "formats", "openb-nodes").out()).contains("gpu");
        assertThat(Program.run("trace", "formats", "--format", "json").out()).startsWith("[ {");
        assertThat(Program.run("trace", "formats", "nope").code()).isEqualTo(2);
    }

    @Test
    void statisticsOfATrace() throws IOException {
        Path file = Files.writeString(directory.resolve("t.csv"), TRACE);

        Program table = Program.run(
                "trace",
                "stats",
                file.toString(),
                "--out",
                directory.resolve("pics").toString());
        assertThat(table.code()).isZero();
        assertThat(table.out())
                .contains("3 requests over 0.05 days")
                .contains("2 distinct shapes")
                .contains("1 unknown");
        assertThat(table.err()).contains("3 rows read");
        assertThat(directory.resolve("pics/trace-shapes.png")).isNotEmptyFile();

        Program json = Program.run("trace", "stats", file.toString(), "--format", "json", "-q");
        assertThat(json.out()).startsWith("{").contains("\"requests\" : 3");
        assertThat(json.err()).startsWith("warning: 1 request has no duration_s");
        assertThat(Program.run("trace", "stats", file.toString(), "--format", "csv")
                        .code())
                .isEqualTo(2);
        assertThat(Program.run("trace", "stats", "none.csv").code()).isEqualTo(2);
    }

    @Test
    void aGuessSaysThatItReadTheFirstRowsOnly() throws IOException {
        for (int rows : List.of(999, 1000, 1001)) {
            String text = "arrival,duration,cpu\n1,,2\n9000,60,2\n" + "1,60,2\n".repeat(rows - 2);
            Path file = Files.writeString(directory.resolve("rows.csv"), text);
            String out = Program.run("trace", "guess", file.toString()).out().replaceAll("\\s+", " ");
            assertThat(out.contains("these are the first 1,000 rows; there are more"))
                    .as("%d rows", rows)
                    .isEqualTo(rows > 1000);
            assertThat(out).contains(rows > 1000 ? "of the load of these first rows (" : "of the load (");
        }
    }

    @Test
    void conversionCutsAndScales() throws IOException {
        Path file = Files.writeString(directory.resolve("t.csv"), TRACE);
        Path out = directory.resolve("out.csv");

        Program program = Program.run(
                "trace", "convert", file.toString(), out.toString(), "--to", "1 h", "--traffic-scaling", "2");

        assertThat(program.code()).isZero();
        assertThat(program.err()).contains(out + ": 2 requests");
        assertThat(Files.readAllLines(out)).hasSize(3).element(1).asString().startsWith("0,10,1000,1024");

        Program single = Program.run(
                "trace", "convert", file.toString(), out.toString(), "-q", "--single-resource", "4000,2048");
        // The larger of 1000 / 4000 and 1024 / 2048 is 500,000 ppm; so is that of 2000 / 4000.
        assertThat(single.err()).startsWith("warning: 1 request has no duration_s");
        assertThat(Files.readAllLines(out).get(0)).contains("size_ppm");
        assertThat(Files.readAllLines(out).get(3)).contains("500000");
    }

    @Test
    void mistakesInConversionsAreBadInput() throws IOException {
        Path file = Files.writeString(directory.resolve("t.csv"), TRACE);
        assertThat(Program.run("trace", "convert", file.toString(), "out.xls").code())
                .isEqualTo(2);
        assertThat(Program.run("trace", "convert", file.toString(), "out.csv", "--from", "soon")
                        .err())
                .contains("--from 'soon' must be a duration");
        assertThat(Program.run("trace", "convert", file.toString(), "out.csv", "--from", "5 d")
                        .err())
                .contains("holds no request");
        assertThat(Program.run("trace", "convert", file.toString(), "out.csv", "--sample", "2")
                        .code())
                .isEqualTo(2);
        assertThat(Program.run("trace", "convert", file.toString(), "out.csv", "--trace-format", "nope")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void completionKnowsEveryCommand() {
        assertThat(Program.run("completion", "bash").out())
                .contains("_picocli_stowage")
                .contains("--decisions")
                .doesNotContain("compopt +o default");
        assertThat(Program.run("completion", "zsh").code()).isZero();
        assertThat(Program.run("completion", "fish").out())
                .contains("-f -a members")
                .contains("-n '__fish_seen_subcommand_from trace; and __fish_seen_subcommand_from guess' -l columns -r")
                .contains("-l color -r -a 'auto always never'")
                .contains("-n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'")
                .contains("-n '__fish_seen_subcommand_from kube; and not __fish_seen_subcommand_from schedule")
                .contains(" -l policy -r -a 'first-fit best-fit ");
        assertThat(Program.run("completion", "csh").code()).isEqualTo(2);
    }

    @Test
    void aCommandGroupAloneIsBadUsage() {
        Program trace = Program.run("trace");

        assertThat(trace.code()).isEqualTo(2);
        assertThat(trace.err()).contains("Try 'stowage trace --help'.");
    }
}

package dev.stowage.cli.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import dev.stowage.study.size.SizedRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The questions of {@code stowage size}, asked as a user would. */
final class SizeCommandTest {
    @TempDir
    private Path directory;

    private Path trace = Path.of("");

    /** 30 requests of 12 cores at once, 4 to a server of 48: 8 servers. The next hours one at a time. */
    @BeforeEach
    void trace() throws IOException {
        StringBuilder text = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib\n");
        for (int i = 0; i < 30; i++) {
            text.append("0,600,12000,1024\n");
        }
        for (int i = 1; i <= 10; i++) {
            text.append(3600 * i + ",600,12000,1024\n");
        }
        trace = Files.writeString(directory.resolve("t.csv"), text);
    }

    private Program size(String... more) {
        List<String> all = new ArrayList<>(List.of("size", "--trace", trace.toString()));
        all.addAll(List.of(more));
        return Program.run(all.toArray(String[]::new));
    }

    private static JsonNode json(Program program) throws IOException {
        assertThat(program.err()).doesNotContain("mistake");
        assertThat(program.code()).as(program.err()).isZero();
        return new ObjectMapper().readTree(program.out());
    }

    @Test
    void theAnswer() throws IOException {
        JsonNode best = json(size(
                        "--servers",
                        "48 cores, 128 GiB",
                        "--policy",
                        "best-fit,fifo-ff",
                        "--target",
                        "rejected <= 0",
                        "--target",
                        "wait max <= 1 s",
                        "--format",
                        "json"))
                .get(0);
        assertThat(best.get("byReplication").get(0).asLong()).isEqualTo(8);
        assertThat(best.get("boundBy").get(0).asLong()).isEqualTo(8);
        assertThat(best.get("shown").isNull()).as("a trace is exact").isTrue();
        assertThat(best.get("hours").get("least").asDouble()).isEqualTo((8 + 9) / 6.0);
        // Seven servers are empty from minute 10 of 600 on, the eighth for 50 minutes of each hour, which is too short.
        assertThat(best.get("hours").get("idleServers").asDouble()).isEqualTo(7 * 590 / 600.0, within(1e-9));
        Program table = size("--servers", "48 cores, 128 GiB", "--policy", "best-fit", "--target", "waited <= 10 %");
        assertThat(table.out())
                .contains(
                        "Servers that hold 48 vCPU, 128 GiB needed for all but 10 % of the requests to start at once:")
                .contains("no policy needs fewer, proven")
                .contains("Server-hours: those in use")
                .containsPattern("Idle:\\s+servers\\s+that\\s+are\\s+empty\\s+for\\s+at\\s+least\\s+an\\s+hour"
                        + "\\s+at\\s+a\\s+stretch,\\s+on\\s+average;\\s+they\\s+could\\s+be\\s+switched\\s+off\\.\\s")
                .containsPattern("Stranded, that is free but of no use to the median request, on average: best-fit"
                        + " \\d+\\.\\d % of\\s+the\\s+CPU")
                .contains("With a probability of one half, another period");
    }

    /** Under policies that let requests wait nothing is ever rejected, and one server would do. */
    @Test
    void rejectionsAreCountedUnderPoliciesThatReject() throws IOException {
        assertThat(size("--servers", "48 cores, 128 GiB", "--target", "rejected <= 0")
                        .out())
                .contains("\nfirst-fit ", "\nbest-fit ")
                .doesNotContain("when-full=queue");
        assertThat(size("--servers", "48 cores, 128 GiB", "--target", "rejected <= 0 and wait max <= 1 h")
                        .out())
                .contains("best-fit:when-full=queue");
    }

    /**
     * Four requests of 12 cores to a server: what suffices for the next run is the most that was needed, not a mean.
     */
    @Test
    void whatTheNextPeriodNeeds() throws IOException {
        Program blocks = size(
                "--servers",
                "48 cores, 128 GiB",
                "--policy",
                "best-fit",
                "--target",
                "rejected <= 0",
                "--resample",
                "6",
                "--block",
                "1 h");
        // The first hour has 30 requests at once, the others one each: a trace of blocks needs 8 or 1.
        assertThat(blocks.out().replaceAll("\\s+", " "))
                .contains("1 to 8")
                .contains(
                        "For another such trace plan 8 with best-fit: the most that it needed in 6 traces of its blocks")
                .contains("enough for one more with a probability of at least 85 %")
                .contains("None is busier than those of this trace");
        Path drawn = Files.writeString(directory.resolve("d.yaml"), """
                cluster: {servers: {count: 1, slots: 4}}
                workload:
                  types:
                    - {name: a, rate: 20 / min, service: {exponential: 1 min}, demand: {slots: 1}}
                horizon: 30 min
                replications: 4
                policies: [first-fit]
                size: {target: rejected <= 0}
                """);
        Path page = directory.resolve("d.html");
        Program runs = Program.run("size", drawn.toString(), "--report", page.toString());
        assertThat(runs.code()).as(runs.err()).isZero();
        assertThat(runs.out().replaceAll("\\s+", " "))
                .contains("For another such run plan ")
                .contains("enough for one more with a probability of at least 80 %");
        assertThat(Files.readString(page))
                .contains("proven for each run, no policy that decides immediately needs fewer than ")
                .contains("For another such run plan ");
    }

    /** 30 requests of 12 cores, 4 to a server: the first hour is full for ten minutes. */
    @Test
    void theReport() throws IOException {
        Path page = directory.resolve("r.html");
        JsonNode best = json(size(
                        "--servers",
                        "48 cores, 128 GiB",
                        "--policy",
                        "best-fit",
                        "--target",
                        "rejected <= 0",
                        "--explain",
                        "--report",
                        page.toString(),
                        "--format",
                        "json"))
                .get(0);
        assertThat(best.get("gap").asDouble()).isZero();
        assertThat(best.get("binds").get("resource").asText()).isEqualTo("cpu_milli");
        assertThat(best.get("binds").get("type").asText()).isEqualTo("12 vCPU / 1 GiB");
        assertThat(best.get("binds").get("part").asDouble()).isEqualTo(1);
        assertThat(Files.readString(page))
                .contains("<dt>Again</dt><dd>stowage size ")
                .contains(" best-fit <span class=\"option\">--target</span> &quot;rejected &lt;= 0&quot; <span")
                .contains("best-fit needs 8; no policy that decides immediately needs fewer than 8.")
                .contains("<h2>Deciding minutes</h2>")
                .contains("bound for any policy")
                .contains("8: best-fit")
                .contains("The week with 8 servers")
                // 30 of 32 places for a sixth of the first hour.
                .contains("Fraction of the CPU of all 8 servers in use under best-fit, hour by hour, first replication;"
                        + " at most 16 %.")
                .doesNotContain("src=\"http")
                .doesNotContain("<link");
        size("--servers", "10 x 48 cores, 128 GiB", "--policy", "best-fit", "--report", page.toString(), "--grow");
        assertThat(Files.readString(page))
                .contains("% of today&#39;s load under best-fit", "No policy supports more than");
    }

    /** Hours are unknown for several kinds of servers: neither the column nor its explanation appears. */
    @Test
    void hours() {
        Program kinds = size(
                "--servers",
                "48 cores, 128 GiB + 12 cores, 8 GiB",
                "--policy",
                "first-fit",
                "--target",
                "rejected <= 0");
        assertThat(kinds.code()).as(kinds.err()).isZero();
        assertThat(kinds.out()).contains("Least: no policy").doesNotContainIgnoringCase("hours");
        assertThat(SizeText.hours(null)).isEqualTo("-");
        assertThat(SizeText.hours(new SizedRuns.Hours(0, 0, 0, 0, Map.of()))).isEqualTo("-");
        assertThat(SizeText.hours(new SizedRuns.Hours(2, 0, 0, 0, Map.of()))).isEqualTo("-");
        assertThat(SizeText.hours(new SizedRuns.Hours(3, 2, 0, 0, Map.of()))).isEqualTo("150.0 % of least");
    }

    @Test
    void explainAndPicture() throws IOException {
        Path picture = directory.resolve("p.svg");
        Program program = size(
                "--servers",
                "48 cores, 128 GiB",
                "--policy",
                "best-fit",
                "--target",
                "rejected <= 0",
                "--explain",
                "--picture",
                picture.toString());
        assertThat(program.code()).as(program.err()).isZero();
        // One less turns two away, both at the start.
        assertThat(program.out()).contains("0:00 h").contains("2 x ");
        assertThat(Files.readString(picture).contains("Servers for no request to be rejected"))
                .isTrue();
    }

    @Test
    void loadGrowthAndPrices() throws IOException {
        JsonNode load = json(size(
                        "--servers",
                        "8 x 48 cores, 128 GiB",
                        "--policy",
                        "first-fit",
                        "--target",
                        "rejected <= 0",
                        "--grow",
                        "--format",
                        "json"))
                .get(0);
        // Thirty are there at the start, and 8 servers hold 32: 30 x 1.07 = 32.1, and the part of any is within one.
        assertThat(load.get("byReplication").get(0).asLong()).isEqualTo(107);
        JsonNode growth = json(size(
                        "--servers",
                        "5 x 48 cores, 128 GiB",
                        "--policy",
                        "first-fit",
                        "--target",
                        "rejected <= 0",
                        "--growth",
                        "50 % / year",
                        "--until",
                        "1y",
                        "--format",
                        "json"))
                .get("first-fit");
        assertThat(growth).hasSize(5);
        assertThat(growth.get(0).get("buy").asLong()).isEqualTo(3);
        JsonNode price = json(size(
                "--servers",
                "48 cores, 128 GiB + 12 cores, 8 GiB",
                "--price",
                "1,0.2",
                "--policy",
                "first-fit",
                "--target",
                "rejected <= 0",
                "--format",
                "json"));
        // Thirty small servers cost 6, eight large ones 8.
        JsonNode found = price.get("policies").get(0);
        assertThat(found.get("cost").asDouble()).isEqualTo(6);
        assertThat(found.get("servers").get(1).asLong()).isEqualTo(30);
        assertThat(found.get("bound").asDouble()).isGreaterThan(5.99);
        assertThat(price.get("program").get("worth").get(0).asDouble()).isLessThan(0.81);
    }

    @Test
    void resampled() throws IOException {
        JsonNode drawn = json(drawn("6")).get(0).get("resampled");
        assertThat(drawn.get("byReplication")).hasSize(6);
    }

    /** Two servers suffice for who knows the ends, and first fit needs three (HindsightTest): the bound is reached. */
    @Test
    void saysWhichIsLoose() throws IOException {
        Files.writeString(trace, """
                arrival_s,duration_s,cpu_milli,mem_mib
                0,100,2000,1
                0,4,2000,1
                0,100,2000,1
                0,4,2000,1
                5,50,4000,1
                """);
        assertThat(size("--servers", "4 cores, 4 GiB", "--policy", "first-fit", "--target", "rejected <= 0")
                        .out()
                        .replaceAll("\\s+", " "))
                .contains("so the minimum is 2. The bound is not loose: the one that the best policy needs beyond it"
                        + " is due to deciding without knowing the future.");
    }

    /** Of a plan, and of a load, over traces of blocks each trace has its need and its bound: no mean of bounds. */
    @Test
    void growthResampled() throws IOException {
        JsonNode steps =
                json(drawn("6", "--growth", "50 % / year", "--until", "1y")).get("first-fit");
        assertThat(steps).hasSize(5);
        assertThat(steps.get(4).get("servers")).hasSize(6);
        assertThat(steps.get(4).get("bound")).hasSize(6);
        assertThat(json(drawn("6", "--grow")).get(0).get("byReplication")).hasSize(6);
        assertThat(drawn("6", "--growth", "50 % / year", "--until", "1y", "--format", "table")
                        .out())
                .contains("today")
                .contains("each bound is proven for its run")
                .doesNotContain("+-");
        assertThat(drawn("6", "--grow", "--format", "table").out().replaceAll("\\s+", " "))
                .contains("these servers support at least the minimum with a probability of at least 85 %.")
                .doesNotContain("+-");
        Program priced = drawn("3", "--price", "1");
        assertThat(priced.code()).isEqualTo(2);
        assertThat(priced.err()).contains("--resample cannot be combined with --price");
    }

    private Program drawn(String traces, String... more) {
        List<String> all = new ArrayList<>(List.of("--servers", "2 x 48 cores, 128 GiB", "--policy", "first-fit"));
        all.addAll(List.of("--target", "waited <= 40 %", "--resample", traces, "--block", "1 h"));
        all.addAll(List.of(more));
        if (!all.contains("--format")) {
            all.addAll(List.of("--format", "json"));
        }
        return size(all.toArray(String[]::new));
    }

    /** What servers have and what counts of it, also where an experiment says so, and in the table of prices. */
    @Test
    void serversAreNamedAsTheyAreAndAsTheyCount() throws IOException {
        Files.writeString(directory.resolve("vms.csv"), "name,cpu,memory_gb\n" + "vm,4,8\n".repeat(20));
        String yaml = """
                cluster: {overcommit: {cpu: 4}, servers: [{count: 1, cpu: 16, memory: 64 GiB}]}
                workload: {trace: {file: vms.csv}}
                policies: [{policy: best-fit, when-full: queue}]
                size: {target: waited <= 0 %%}
                """;
        Path experiment = Files.writeString(directory.resolve("oc.yaml"), String.format(yaml));
        String both = "16 cores, 64 GiB (counts as 64 vCPU, 64 GiB)";
        assertThat(Program.wide("size", experiment.toString()).out())
                .contains(" servers that hold " + both.replace(")", "; 1 is there)"));
        assertThat(Program.wide("size", experiment.toString(), "--price", "9000")
                        .out())
                .containsPattern("policy +16 cores, 64 GiB +cost")
                .contains("The fewest servers of " + both + ", for 9,000 each, found");
        Path plain = Files.writeString(
                directory.resolve("plain.yaml"), String.format(yaml).replace("overcommit: {cpu: 4}, ", ""));
        assertThat(Program.wide("size", plain.toString()).out())
                .contains(" servers that hold 16 vCPU, 64 GiB")
                .doesNotContain("counts as");
    }

    /** One of five is larger than every server: the target allows it, and it is named all the same. */
    @Test
    void whatFitsNoServerIsNamedWhereTheTargetAllowsIt() throws IOException {
        Path jobs = Files.writeString(directory.resolve("jobs.csv"), """
                id,arrival_s,duration_s,cpu,memory_gb
                big-1,0,3600,96,64
                a,0,3600,4,8
                b,0,3600,4,8
                c,0,3600,4,8
                d,0,3600,4,8
                """);
        String named = "1 of 5 requests fits no server, even an empty one: big-1 (96 vCPU / 64 GiB).";
        for (String[] each : new String[][] {
            {"20 %", named + " The target allows so many to miss it: no server ever takes them."},
            {"10 %", named + " The answer is for the others."}
        }) {
            Program program = Program.wide(
                    "size",
                    "--trace",
                    jobs.toString(),
                    "--servers",
                    "16 cores, 64 GiB",
                    "--policy",
                    "first-fit",
                    "--target",
                    "rejected <= " + each[0]);
            assertThat(program.out()).as(program.err()).startsWith(each[1]);
        }
    }

    /** What is reached at best is said with the numbers that were tried. */
    @Test
    void whatIsReachedAtBest() {
        Program program =
                size("--servers", "48 cores, 128 GiB", "--policy", "first-fit", "--target", "reward >= 12 / h");
        assertThat(program.code()).isEqualTo(3);
        assertThat(program.err()).contains("servers either: the reward is 0.00000 an hour");
    }

    /** Twelve of acme's at once, of two shapes, fill 2 servers; first fit gives the first 40 servers to others. */
    @Test
    void aColumnOfTenants() throws IOException {
        StringBuilder text = new StringBuilder("submitted_at,runtime_min,vcpu,ram_gb,tenant\n");
        for (int i = 0; i < 40; i++) {
            text.append("0,60,48,1,bolt\n");
        }
        for (int i = 0; i < 12; i++) {
            text.append("1,60," + (i < 6 ? 4 : 12) + ",1,acme\n");
        }
        Path table = Files.writeString(directory.resolve("tenants.csv"), text);
        String[] asked = {
            "size",
            "--trace",
            table.toString(),
            "--servers",
            "48 cores, 128 GiB",
            "--policy",
            "first-fit",
            "--format",
            "json",
            "--columns",
            "arrival=submitted_at:s,duration=runtime_min,cpu=vcpu:cores,mem=ram_gb:GiB,type=tenant",
            "--target",
            ""
        };
        asked[asked.length - 1] = "rejected of acme <= 0";
        JsonNode answer = json(Program.run(asked)).get(0);
        assertThat(answer.get("boundBy").get(0).asLong()).isEqualTo(2);
        assertThat(answer.get("byReplication").get(0).asLong()).isEqualTo(42);
        asked[asked.length - 1] = "rejected of acne <= 0";
        Program unknown = Program.run(asked);
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("no type 'acne'; did you mean 'acme'?");
        asked[asked.length - 1] = "rejected of tenant=acme <= 0";
        assertThat(Program.run(asked).err()).contains("--columns \"type=tenant\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--target | profit <= 1 % | rejected <= 0.1 %",
                "--target | rejected of gpuu <= 1 % | no type 'gpuu'",
                "--resample | 1 | at least 2",
                "--block | 1 h | --resample",
                "--growth | twenty | --growth",
                "--price | 1,2 | 2 prices for 1 kinds of servers",
                "--price | 0 | above 0",
                "--maintenance | 5 % | as in \"5 % for 2 h\"",
                "--spare | -1 | spare",
                "--site | east | no such site",
                "--runs | 1 | 0 or at least 2"
            })
    void badInput(String option, String value, String message) {
        Program program = size("--servers", "48 cores, 128 GiB", "--policy", "first-fit", option, value);
        assertThat(program.code()).isEqualTo(2);
        assertThat(program.err()).contains(message).doesNotContain("bug");
        assertThat(program.out()).isEmpty();
    }

    @Test
    void whatCannotBe() {
        Program program = size("--servers", "8 cores, 128 GiB", "--policy", "first-fit", "--target", "rejected <= 1 %");
        assertThat(program.code()).isEqualTo(3);
        assertThat(program.out().replaceAll("\\s+", " ")).startsWith("No number of servers is enough: ");
        assertThat(program.err()).contains("some requests fit no server").doesNotContain("No number");
        assertThat(size("--servers", "48 cores, 128 GiB", "--grow", "--explain").code())
                .isEqualTo(2);
    }
}

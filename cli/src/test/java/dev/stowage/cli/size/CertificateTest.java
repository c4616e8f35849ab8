package dev.stowage.cli.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.cli.Program;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of bounds, checked by {@code examples/check_certificate.py}, which shares no line with Stowage. */
final class CertificateTest {
    private static final Path CHECKER =
            Path.of("").toAbsolutePath().getParent().resolve("examples/check_certificate.py");
    private static final String SERVERS = "48 cores, 128 GiB";

    /** Runs a program for each list of words that it reads, and answers with its exit code and what it printed. */
    private static final String INTERPRETER = """
            import contextlib, io, json, runpy, sys, traceback
            for line in sys.stdin:
                sys.argv, said, code = json.loads(line), io.StringIO(), 0
                with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                    try:
                        runpy.run_path(sys.argv[0], run_name="__main__")
                    except SystemExit as end:
                        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
                    except BaseException:
                        code = 1
                        traceback.print_exc()
                print(json.dumps([code, said.getvalue()]), flush=True)
            """;

    private static final ObjectMapper JSON = new ObjectMapper();

    private static @Nullable Process python;

    @TempDir
    private Path directory;

    private Path trace = Path.of("");

    private static Process python() throws IOException {
        if (python == null) {
            try {
                python = new ProcessBuilder("python3", "-c", INTERPRETER)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
            } catch (IOException e) {
                assumeTrue(false, "there is no python3 here");
                throw e;
            }
        }
        return python;
    }

    @AfterAll
    static void end() {
        if (python != null) {
            python.destroy();
        }
    }

    @BeforeEach
    void trace() throws IOException {
        Random random = new Random(3);
        StringBuilder text = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib,type\n");
        double at = 0;
        for (int i = 0; i < 400; i++) {
            at += random.nextInt(40) / 4.0;
            int cores = 1 << random.nextInt(5);
            text.append(at + "," + (30 + random.nextInt(900)) + "," + 1000 * cores + ","
                    + 1792 * cores * (1 + random.nextInt(2)) + "," + (cores > 4 ? "large" : "small") + "\n");
        }
        trace = Files.writeString(directory.resolve("t.csv"), text);
    }

    private record Checked(int code, String said) {}

    /** The program, as often as it is asked, in one interpreter: to start one costs more than a check. */
    private static Checked check(Path certificate, Path requests, String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of(CHECKER.toString(), certificate.toString(), requests.toString()));
        arguments.addAll(List.of(more));
        BufferedWriter asks = python().outputWriter(StandardCharsets.UTF_8);
        asks.write(JSON.writeValueAsString(arguments) + "\n");
        asks.flush();
        JsonNode answer =
                JSON.readTree(python().inputReader(StandardCharsets.UTF_8).readLine());
        return new Checked(answer.get(0).asInt(), answer.get(1).asText());
    }

    private Path certify(String... more) {
        Path file = directory.resolve("c.json");
        List<String> all = new ArrayList<>(List.of(
                "size", "--trace", trace.toString(), "--policy", "first-fit", "--certificate", file.toString()));
        all.addAll(List.of(more));
        Program program = Program.run(all.toArray(String[]::new));
        assertThat(program.code()).as(program.err()).isZero();
        assertThat(program.err()).contains("c.json: no policy");
        return file;
    }

    private static JsonNode read(Path file) throws IOException {
        return JSON.readTree(file.toFile());
    }

    @Test
    void eachKindHolds() throws IOException {
        TreeSet<String> kinds = new TreeSet<>();
        String sites = Files.writeString(
                        directory.resolve("sites.csv"),
                        "host,cores,memory_gb,dc\na,48,128,A\nb,48,128,A\nc,24,256,A\nd,24,256,B\ne,48,128,B\nf,24,256,C\n")
                .toString();
        List<String[]> questions = List.of(
                new String[] {"--servers", SERVERS, "--target", "rejected <= 0"},
                new String[] {"--servers", SERVERS, "--target", "rejected <= 8 %"},
                new String[] {"--servers", "20 cores, 128 GiB", "--target", "wait max <= 20 s"},
                new String[] {"--servers", SERVERS, "--target", "wait p90 <= 30 s"},
                new String[] {"--servers", SERVERS, "--target", "wait mean <= 10 s"},
                new String[] {"--servers", SERVERS, "--target", "waiting <= 3"},
                new String[] {"--servers", SERVERS, "--target", "rejected of large (16 vCPU / 28 GiB) <= 5 %"},
                new String[] {"--servers", SERVERS, "--target", "rejected of large <= 5 %"},
                new String[] {"--servers", SERVERS, "--target", "wait p90 of SMALL <= 30 s"},
                new String[] {"--servers", SERVERS, "--target", "rejected <= 0", "--spare", "2"},
                new String[] {"--servers", "2 x 48 cores, 128 GiB + 1 x 16 cores, 64 GiB", "--target", "waited <= 1 %"},
                new String[] {"--servers", sites, "--spare-site=dc", "--target", "rejected <= 0"},
                new String[] {"--servers", sites, "--spare-site=dc", "--spare", "1", "--target", "rejected <= 0"},
                new String[] {
                    "--servers",
                    "3 x 48 cores, 128 GiB + 5 x 24 cores, 256 GiB",
                    "--target",
                    "rejected <= 0",
                    "--spare",
                    "2"
                },
                new String[] {
                    "--servers", SERVERS + " + 96 cores, 512 GiB", "--price", "1,2.1", "--target", "rejected <= 2 %"
                },
                new String[] {
                    "--servers", SERVERS + " + 96 cores, 512 GiB", "--price", "1,1.9", "--target", "rejected <= 0"
                });
        for (String[] question : questions) {
            Path file = certify(question);
            Checked checked = check(file, trace);
            assertThat(checked.code())
                    .as("%s: %s", List.of(question), checked.said())
                    .isZero();
            assertThat(checked.said()).startsWith("holds: at least ");
            kinds.add(read(file).get("evidence").get("kind").asText());
        }
        assertThat(kinds).contains("amounts", "packed");
    }

    /** Five that are kept apart need five servers, and their amounts one. */
    @Test
    void isOfAmountsAlone() throws IOException {
        Path list = directory.resolve("apart.csv");
        Files.writeString(list, "VM,vCPU,RAM GB,spread\n" + "v,2,8,db:1\n".repeat(5));
        Path file = directory.resolve("apart.json");
        Program program = Program.wide("size", list.toString(), "--servers", SERVERS, "--certificate", file.toString());
        assertThat(program.code()).as(program.err()).isZero();
        String amounts = "fewer than 1 servers, by amounts alone, without spread or who may run where";
        assertThat(program.err()).contains(amounts);
        assertThat(read(file).get("says").asText()).endsWith(amounts);
        assertThat(program.out())
                .contains("it is decided by spread db:1")
                .contains("The certificate covers amounts alone, without spread or who may run where.");
    }

    /** Requests that are drawn are written beside it. */
    @Test
    void drawnRequests() throws IOException {
        Path file = directory.resolve("q.json");
        Path drawn = Files.writeString(
                directory.resolve("drawn.yaml"),
                "{cluster: {servers: {count: 4, slots: 10}}, workload: {types: [{name: a, rate: 40 / h, service:"
                        + " {exponential: 20 min}, demand: {slots: 3}}, {name: b, rate: 9 / h, service: 1 h, demand:"
                        + " {slots: 7}}]}, horizon: 2 d, replications: 2, policies: [first-fit]}");
        Program program = Program.run(
                "size",
                drawn.toString(),
                "--target",
                "wait max <= 1 min",
                "--runs",
                "0",
                "--certificate",
                file.toString());
        assertThat(program.code()).as(program.err()).isZero();
        Checked checked = check(file, directory.resolve("q.csv"), "--from-zero");
        assertThat(checked.code()).as(checked.said()).isZero();
    }

    /** Of the whole run: a queue that is stable, and a reward; of one kind of servers, of several, and at prices. */
    @Test
    void ofTheWholeRun() throws IOException {
        Path paid = Files.writeString(
                directory.resolve("paid.yaml"),
                "{cluster: {servers: {count: 4, cpu: 48, memory: 128 GiB}}, workload: {trace: {file: t.csv}, prices:"
                        + " {cpu: 1 / h, memory: 0.1 / h}}, policies: [best-fit]}");
        String both = SERVERS + " + 96 cores, 512 GiB";
        List<String[]> questions = List.of(
                new String[] {"--trace", trace.toString(), "--servers", SERVERS, "--target", "queue stable"},
                new String[] {"--trace", trace.toString(), "--servers", both, "--target", "queue stable"},
                new String[] {
                    "--trace", trace.toString(), "--servers", both, "--price", "1,2.1", "--target", "queue stable"
                },
                new String[] {paid.toString(), "--target", "reward >= 300 / h"},
                new String[] {paid.toString(), "--servers", both, "--target", "reward >= 300 / h"},
                new String[] {paid.toString(), "--servers", both, "--price", "1,2.1", "--target", "reward >= 300 / h"});
        for (String[] question : questions) {
            Path file = directory.resolve("c.json");
            List<String> all =
                    new ArrayList<>(List.of("size", "--policy", "best-fit", "--certificate", file.toString()));
            all.addAll(1, List.of(question));
            Program program = Program.run(all.toArray(String[]::new));
            assertThat(program.code()).as(program.err()).isZero();
            Checked checked = check(file, trace);
            assertThat(checked.code())
                    .as("%s: %s", List.of(question), checked.said())
                    .isZero();
            ObjectNode more = (ObjectNode) read(file);
            boolean together = more.get("together").asBoolean();
            more.put(
                    together ? "serversAtLeast" : "costAtLeast",
                    (together ? more.get("serversAtLeast") : more.get("costAtLeast")).asDouble() * 1.01 + 1);
            assertThat(written(more, trace).said()).contains("follow");
        }
    }

    @Test
    void whatIsDamagedDoesNotHold() throws IOException {
        Path sound = certify("--servers", SERVERS, "--target", "rejected <= 0");
        JsonNode whole = read(sound);
        List<JsonNode> damaged = new ArrayList<>();
        damaged.add(with(whole, "serversAtLeast", whole.get("serversAtLeast").asLong() + 1));
        damaged.add(with(whole, "requests", whole.get("requests").asLong() - 1));
        damaged.add(with(whole, "laterNanos", 5_000_000_000L));
        ObjectNode evidence = whole.get("evidence").deepCopy();
        ((ArrayNode) evidence.get("momentsNanos"))
                .set(0, evidence.get("momentsNanos").get(0).asLong() / 2);
        damaged.add(((ObjectNode) whole.deepCopy()).set("evidence", evidence));
        for (JsonNode each : damaged) {
            assertThat(written(each, trace).code()).as(each.toString()).isEqualTo(1);
        }
        // As many may miss it as before, but the certificate says fewer.
        JsonNode some = read(certify("--servers", SERVERS, "--target", "rejected <= 8 %"));
        assertThat(written(with(some, "allowed", some.get("allowed").asLong() - 1), trace)
                        .said())
                .contains("may miss the target");
        List<String> rows = Files.readAllLines(trace);
        Path shorter = Files.write(directory.resolve("shorter.csv"), rows.subList(0, rows.size() - 1));
        assertThat(written(some, shorter).said()).contains("not the same requests");
        Files.writeString(sound, "{");
        assertThat(check(sound, trace).said()).startsWith("does not hold: ");
    }

    /** Heavier weights must not pass: the checker seeks the heaviest configuration itself. */
    @Test
    void weightsAreChecked() throws IOException {
        JsonNode packed = read(certify(
                "--servers", SERVERS + " + 96 cores, 512 GiB", "--price", "1,1.9", "--target", "rejected <= 0"));
        assertThat(packed.get("evidence").get("kind").asText()).isEqualTo("packed");
        ObjectNode more = packed.deepCopy();
        for (JsonNode type : more.get("evidence").get("types")) {
            ((ObjectNode) type).put("weight", 2 * type.get("weight").asLong());
        }
        assertThat(written(more, trace).said()).contains("a server can hold");
    }

    private static JsonNode with(JsonNode whole, String field, long value) {
        return ((ObjectNode) whole.deepCopy()).put(field, value);
    }

    private Checked written(JsonNode certificate, Path requests) throws IOException {
        Path file = directory.resolve("damaged.json");
        Files.writeString(file, certificate.toString());
        return check(file, requests);
    }

    @Test
    void whatCannotBe() {
        assertThat(Program.run("size", "--certificate", "x.txt").err()).contains("--certificate must end in .json");
        assertThat(Program.run("size", "--certificate", "x.json", "--grow").err())
                .contains("cannot be combined with --grow");
    }
}

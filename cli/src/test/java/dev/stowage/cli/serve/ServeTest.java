package dev.stowage.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import dev.stowage.service.api.ApiLimits;
import dev.stowage.service.api.Rates;
import dev.stowage.service.api.Token;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The service as a process: ready, killed, started again; and invalid configurations. */
@Execution(ExecutionMode.CONCURRENT)
final class ServeTest {
    private static final Pattern SERVES = Pattern.compile("serves at (http://127\\.0\\.0\\.1:\\d+) ");

    @TempDir
    private Path directory;

    private Process serve(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("serve"));
        command.addAll(List.of(options));
        return ProgramElsewhere.process(command.toArray(String[]::new))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out.txt").toFile())
                .start();
    }

    private String address(Process process) throws IOException, InterruptedException {
        while (true) {
            String out = Files.readString(directory.resolve("out.txt"));
            Matcher serves = SERVES.matcher(out);
            if (serves.find()) {
                return serves.group(1);
            }
            assertThat(process.isAlive()).as(out).isTrue();
            Thread.sleep(20);
        }
    }

    private String out() throws IOException {
        return Files.readString(directory.resolve("out.txt")).replaceAll("\\s+", " ");
    }

    private static String call(String method, String uri, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .header("content-type", "application/json")
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The launcher makes its cache of classes by this run, and would not report a failure. */
    @Test
    @Tag("nightly")
    void theTrainingRunGoesThroughAChangeOfLeader() throws Exception {
        Process training = serve("--port", "0", "--data", "training", "--trial", "group");
        assertThat(training.waitFor())
                .as(Files.readString(directory.resolve("out.txt")))
                .isZero();
        for (String node : List.of("n1", "n2", "n3")) {
            assertThat(directory.resolve("training").resolve(node)).isDirectory();
        }
    }

    @Test
    @Tag("nightly")
    void theTrainingRunOfAStartMakesAReportToo() throws Exception {
        Process training = serve("--port", "0", "--data", "training", "--trial", "start");
        assertThat(training.waitFor())
                .as(Files.readString(directory.resolve("out.txt")))
                .isZero();
        assertThat(directory.resolve("experiment/results/report.html")).isRegularFile();
    }

    @Test
    void whatWasAcknowledgedIsThereAfterKill9() throws Exception {
        Process first = serve("--port", "0", "--servers", "2 x 4 cores, 8 GiB", "--policy", "fifo-ff");
        String address = address(first);
        assertThat(call("POST", address + "/v1/requests", "{\"requestId\":\"a\",\"demand\":{\"cpu_milli\":3000}}"))
                .contains("\"RUNNING\"");
        assertThat(call("GET", address + "/v1/status", ""))
                .contains("\"n1\":\"" + address.substring("http://".length()));
        assertThat(out()).contains("; process " + first.pid() + ")").doesNotContain("goes on with its own");
        assertThat(Files.readAllLines(directory.resolve("out.txt")))
                .filteredOn(line -> !line.startsWith("{"))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        first.destroyForcibly().waitFor();

        Process second = serve("--port", "0", "--servers", "3 x 8 cores, 8 GiB", "--policy", "fifo-ff");
        assertThat(call("GET", address(second) + "/v1/requests/a", "")).contains("\"RUNNING\"");
        assertThat(call("GET", address(second) + "/v1/policy", "")).contains("fifo-ff");
        assertThat(out())
                .contains(
                        "goes on with its own servers (2 x 4 vCPU / 8 GiB) instead of those of --servers (3 x 8 vCPU / 8")
                .doesNotContain("goes on with its own policy");
        String used = directory.resolve("stowage-data").toString();
        Program third = Program.run("serve", "--port", "0", "--data", used);
        assertThat(third.code()).as("the directory is in use").isEqualTo(1);
        assertThat(third.err()).contains("is in use by another process");
        second.destroy();
        assertThat(second.waitFor()).isEqualTo(128 + 15);

        Process other = serve("--port", "0", "--servers", "2 x 4 cores, 8 GiB", "--policy", "best-fit");
        address(other);
        other.destroy();
        other.waitFor();
        assertThat(out())
                .contains("goes on with its own policy (fifo-ff) instead of that of --policy (best-fit)")
                .doesNotContain("goes on with its own servers");
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            Program serve = Program.run(
                    "serve", "--port", port, "--data", directory.resolve("made").toString());
            assertThat(serve.code()).isEqualTo(1);
            assertThat(serve.err())
                    .isEqualToNormalizingWhitespace(
                            "stowage: port " + port + " ('api' of node n1) is in use, perhaps by"
                                    + " another 'stowage serve'; choose another with --port");
            assertThat(directory.resolve("made/n1"))
                    .as("a group, with servers that nobody has named yet")
                    .doesNotExist();
            Files.writeString(
                    directory.resolve("raft.yaml"),
                    "nodes: [{id: n1, api: \"127.0.0.1:" + FreePorts.inRow(1) + "\", raft: \"127.0.0.1:" + port
                            + "\"}]\ndata: raft\ncluster: {servers: {count: 3, cpu: 8, memory: 8 GiB}}\n");
            Program raft = Program.run(
                    "serve", "--config", directory.resolve("raft.yaml").toString());
            assertThat(raft.code()).isEqualTo(1);
            assertThat(raft.err())
                    .isEqualToNormalizingWhitespace(
                            "stowage: port " + port + " ('raft' of node n1) is in use, perhaps by"
                                    + " another 'stowage serve'; choose another for node n1 in "
                                    + directory.resolve("raft.yaml"));
            assertThat(directory.resolve("raft")).doesNotExist();
        }
    }

    /** And the directory is its owner's alone: what others could read is whose requests run where. */
    @Test
    void anotherPolicyIsTriedOnWhatTheLogHas() throws Exception {
        Path data = directory.resolve("stowage-data").resolve("n1");
        Files.createDirectories(data);
        Files.writeString(data.resolve("old"), "was readable");
        Files.setPosixFilePermissions(data.resolve("old"), PosixFilePermissions.fromString("rw-r--r--"));
        Process service = serve("--port", "0", "--servers", "1 x 4 cores, 8 GiB", "--policy", "best-fit");
        String address = address(service);
        assertThat(Files.getPosixFilePermissions(data)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(data.resolve("old")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        for (String id : List.of("a", "b")) {
            call("POST", address + "/v1/requests", "{\"request_id\":\"" + id + "\",\"demand\":{\"cpu_milli\":3000}}");
        }
        // b was rejected: fifo-ff has it wait, and places it when a ends.
        call("POST", address + "/v1/requests/a:release", "{}");
        JsonNode tried = tried(address, "{\"policy\":{\"name\":\"fifo-ff\"}}");
        assertThat(tried.at("/decided/rejected").asText()).as("%s", tried).isEqualTo("1");
        assertThat(tried.at("/decided/placed").asText()).isEqualTo("1");
        assertThat(tried.at("/other/policy").asText()).contains("fifo-ff");
        assertThat(tried.at("/other/rejected").asText()).isEqualTo("0");
        assertThat(tried.at("/other/placed").asText()).isEqualTo("2");
        assertThat(tried.at("/other/estimated").asText()).isEqualTo("1");

        JsonNode queueing = tried(
                address,
                "{\"policy\":{\"name\":\"best-fit\",\"parameters\":{\"when-full\":\"queue\"}},\"last_nanos\":1}");
        assertThat(queueing.at("/decided/arrived").asText()).isEqualTo("0");
        assertThat(queueing.at("/other/policy").asText()).contains("queue");
        assertThat(tried(address, "{\"policy\":{\"name\":\"best-fitt\"}}").toString())
                .contains("BAD_POLICY", "best-fit");
        assertThat(tried(address, "{\"policy\":{\"name\":\"bf-js\"},\"last_nanos\":-1}")
                        .toString())
                .contains("last_nanos");
        // Nothing was changed.
        assertThat(call("GET", address + "/v1/policy", "")).contains("\"best-fit\"");
        service.destroy();
        service.waitFor();
    }

    @Test
    void aDirectoryIsMadeForItsOwnerAlone() throws IOException {
        PrivateFiles.keep(directory.resolve("a").resolve("b"));
        assertThat(Files.getPosixFilePermissions(directory.resolve("a")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    private static JsonNode tried(String address, String body) throws IOException, InterruptedException {
        return new ObjectMapper().readTree(call("POST", address + "/v1/policy:dryRun", body));
    }

    @Test
    void optionsThatMakeNoSense() {
        assertThat(Program.run("serve", "--nodes", "2").err()).contains("--nodes 2 must be 1, 3, 5 or 7");
        assertThat(Program.run("serve", "--node", "n1").err()).contains("give --config too");
        assertThat(Program.run("serve", "--config", "x.yaml", "--port", "1").err())
                .contains("leave out");
        assertThat(Program.run("serve", "--config", "none.yaml").code()).isEqualTo(2);
        assertThat(Program.run("serve", "--policy", "nope").err()).contains("unknown policy");
        assertThat(Program.run("serve", "--nodes", "3", "--port", "0").err()).contains("--port 0");
        assertThat(Program.run("serve", "--port", "70000").err()).contains("--port 70000 must be");
    }

    private static ServiceConfiguration read(String text) {
        return ServiceFile.read("service.yaml", text, Path.of("base"));
    }

    @Test
    void aConfiguration() {
        ServiceConfiguration read = read("""
                nodes:
                  - {id: a, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}
                  - {id: b, api: "127.0.0.1:7412", raft: "127.0.0.1:7512"}
                  - {id: c, api: "127.0.0.1:7413", raft: "127.0.0.1:7513"}
                data: d
                cluster: {servers: {count: 3, cpu: 8, memory: 16 GiB}}
                types: [{name: small, demand: {cpu: 1, memory: 2 GiB}, reward: 36 / h, mean-service: 1 h}]
                policy: {policy: first-fit, when-full: queue}
                keep-finished: 1 h
                keep-finished-memory: 12 MiB
                history: {keep: 2 h, size: 80 MiB}
                log: {window: 2 ms, queue: 100, snapshot-entries: 50, check-every: 1 s, election-timeout: 3 s}
                limits: {message: 2 MiB, batch: 10, connections: 20, connections-per-address: 5, streams: 30,
                  changes-per-caller: 40, reads-per-caller: 50, watches: 60, watches-per-caller: 7, header-timeout: 3 s,
                  idle-timeout: 2 min, waiting: 5000}
                tenants: {acme: {requests: 5, memory: 1 GiB, rate: 60 / min, release-rate: 20 / s, read-rate: 32 / s},
                  "*": {cpu: 1}}
                """);
        // No limit of cores; 1024 MiB.
        assertThat(read.setting().quotas().get("acme").amounts()).containsExactly(-1, 1024);
        assertThat(read.setting().quotas().get("acme").requests()).isEqualTo(5);
        assertThat(read.setting().quotas().get("*").requests()).isEqualTo(-1);
        assertThat(read.rates()).containsOnly(Map.entry("acme", new Rates(1.0, 20.0, 32.0)));
        assertThat(read.nodes()).hasSize(3);
        assertThat(read.data()).isEqualTo(Path.of("base", "d"));
        assertThat(read.setting().cluster().types().get(0).demand().toArray()).containsExactly(1000, 2048);
        // 36 an hour are 0.01 a second.
        assertThat(read.setting().cluster().types().get(0).rewardMicros()).isEqualTo(36_000_000);
        assertThat(read.setting().keep().nanos()).isEqualTo(TimeUnit.HOURS.toNanos(1));
        assertThat(read.setting().keep().bytes()).isEqualTo(12 << 20);
        assertThat(read.raft(read.node("b")).history().keepNanos()).isEqualTo(TimeUnit.HOURS.toNanos(2));
        assertThat(read.raft(read.node("b")).history().mostBytes()).isEqualTo(80 << 20);
        assertThat(read.raft(read.node("b")).history().fileBytes()).isEqualTo(8 << 20);
        assertThat(read.raft(read.node("b")).log().queue()).isEqualTo(100);
        assertThat(read.raft(read.node("b")).peers()).hasSize(3);
        assertThat(read.raft(read.node("b")).log().electionTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(read.waiting()).isEqualTo(5000);
        assertThat(read.limits())
                .isEqualTo(new ApiLimits(
                        2 << 20, 10, 20, 5, 30, 40, 50, 60, 7, Duration.ofSeconds(3), Duration.ofMinutes(2)));
        assertThatThrownBy(() -> read.node("d")).hasMessageContaining("not one of the group");
    }

    @Test
    void serversThatMayFailAreForAQuestionNotForAService() {
        String file = """
                nodes: [{id: a, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
                policy: best-fit
                cluster: {servers: {count: 3, cpu: 8}, SPARE}
                """;
        assertThatThrownBy(() -> read(file.replace("SPARE", "spare: 1")))
                .hasMessageContaining("cluster.spare: is not for a service");
        assertThatThrownBy(() -> read(file.replace("SPARE", "spare-site: true")))
                .hasMessageContaining("cluster.spare-site: is not for a service");
    }

    @Test
    void aGroupWithoutALeaderIsToldWithTheNodesThatDoNotAnswer() throws Exception {
        int first = FreePorts.inRow(6);
        StringBuilder nodes = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            nodes.append("  - {id: n" + (i + 1) + ", api: \"127.0.0.1:" + (first + i) + "\", raft: \"127.0.0.1:"
                    + (first + 3 + i) + "\"}\n");
        }
        Files.writeString(
                directory.resolve("service.yaml"), "nodes:\n" + nodes + "cluster: {servers: {count: 3, cpu: 8}}\n");
        Process one = serve("--config", "service.yaml", "--node", "n2", "--bootstrap");
        Program status = Program.run("status", "--at", "127.0.0.1:" + (first + 1));
        while (!status.out().contains("joining") && one.isAlive()) {
            // Each takes processor time that the node needs for its start.
            Thread.sleep(500);
            status = Program.run("status", "--at", "127.0.0.1:" + (first + 1));
        }
        one.destroyForcibly().waitFor();
        assertThat(status.code()).isEqualTo(1);
        assertThat(status.out()).containsPattern("n2 +joining").containsPattern("n1 +silent +no +- ");
        assertThat(status.err().replaceAll("\\s+", " "))
                .contains("there is no leader with a majority of the nodes, so")
                .contains("1 of 3 nodes answer, and a leader needs 2; n1, n3 do not answer");
    }

    /** Keys that are right but need the cluster were said to be unknown, or to name resources that are not there. */
    @Test
    void besideAMistakeInTheClusterWhatNeedsItIsNotBlamed() {
        String file = """
                nodes: [{id: a, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
                cluster: {servers: {count: COUNT, CPU: 8, memory: 16 GiB}}
                types: [{name: small, demand: {cpu: 1, memory: 2 GiB}}]
                tenants: {acme: {cpu: 5}}
                """;
        assertThatThrownBy(() -> read(file.replace("COUNT", "x").replace("CPU", "cpu")))
                .hasMessageContaining("1 mistake\n")
                .hasMessageContaining("cluster.servers.count: 'x'");
        assertThatThrownBy(() -> read(file.replace("COUNT", "3").replace("CPU", "cpux")))
                .hasMessageContaining("1 mistake\n")
                .hasMessageContaining("cluster.servers.cpux: is not a known resource");
        assertThat(read(file.replace("COUNT", "3").replace("CPU", "cpu"))
                        .setting()
                        .quotas())
                .hasSize(1);
    }

    @Test
    void allMistakesAtOnce() {
        assertThatThrownBy(() -> read("""
                                nodes:
                                  - {id: "a b", api: "0.0.0.0:7411", raft: "127.0.0.1"}
                                  - {id: c, api: "127.0.0.1:70000", raft: "127.0.0.1:7511"}
                                cluster: {servers: {count: 3, cpu: 8, memory: 16}}
                                types: [{name: small}]
                                policy: nope
                                keep-finished: 1 ms
                                keep-finished-memory: plenty
                                history: {keep: 1 ms, size: 0 MiB, age: 1 d}
                                limits: {message: 1 GiB, batch: 0}
                                log: {queue: many, election-timeout: 10 ms}
                                polcy: x
                                """))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining("nodes: 2 nodes; must be 1, 3, 5 or 7")
                .hasMessageContaining("nodes[0].id: 'a b'")
                .hasMessageContaining("nodes[0].api: '0.0.0.0:7411' can be reached from elsewhere")
                .hasMessageContaining("nodes[0].raft: '127.0.0.1' must be host:port")
                .hasMessageContaining("nodes[1].api: '127.0.0.1:70000' must be host:port")
                .hasMessageContaining("memory: '16'")
                .hasMessageContaining("policy: unknown policy")
                .hasMessageContaining("keep-finished: '1 ms' must be")
                .hasMessageContaining("keep-finished-memory: 'plenty'")
                .hasMessageContaining("history.keep: '1 ms' must be")
                .hasMessageContaining("history.size: '0 MiB' must be 1 MiB to 100 TiB")
                .hasMessageContaining("history.age: unknown key")
                .hasMessageContaining("limits.message: '1 GiB' must be 1 MiB to 64 MiB")
                .hasMessageContaining("limits.batch: '0'")
                .hasMessageContaining("log.queue: 'many'")
                .hasMessageContaining("log.election-timeout: '10 ms' must be")
                .hasMessageContaining("polcy: unknown key; did you mean 'policy'?");
    }

    @Test
    void tlsAndTokensOpenOtherAddresses() {
        String file = """
                nodes: [{id: a, api: "0.0.0.0:7411", raft: "0.0.0.0:7511"}]
                cluster: {servers: {count: 3, cpu: 8, memory: 16 GiB}}
                tls: {certificate: "{id}.pem", key: "{id}.key", authority: ca.pem, clients: true}
                """;
        Program token = Program.run("token", "ci", "--role", "submitter", "--tenants", "acme,other");
        assertThat(token.out()).startsWith("stw_").hasSizeGreaterThan(40);
        // A line that is to be copied is one.
        assertThat(token.err().lines())
                .filteredOn(line -> !line.startsWith("  # "))
                .hasSize(1);
        assertThat(token.err()).contains("# The line above is for 'tokens'", "on standard output, is for its caller");
        ServiceConfiguration read = read(file + "tokens:\n" + token.err());
        assertThat(read.access().guarded()).isTrue();
        assertThat(read.raft(read.node("a")).tls().certificate()).isEqualTo(Path.of("base", "a.pem"));
        assertThatThrownBy(() -> read(file)).hasMessageContaining("without TLS and tokens only loopback");
        assertThatThrownBy(() -> read(file + "tokens: [{name: x, role: king, sha256: abc}]"))
                .hasMessageContaining("tokens[0].role: 'king' must be reader, submitter, agent or operator")
                .hasMessageContaining("tokens[0].sha256");
        assertThat(Program.run("token", "x", "--role", "king").code()).isEqualTo(2);
    }

    @Test
    void aTokenSaysForWhomAndUntilWhenItIs() {
        assertThat(Program.run("token", "ci").err())
                .contains("--tenants is missing: name the tenants")
                .contains("all");
        assertThat(Program.run("token", "ci", "--tenants", "a b").err()).contains("--tenants: 'a b' must be");
        assertThat(Program.run("token", "ci", "--tenants", "all", "--expires", "soon")
                        .err())
                .contains("--expires 'soon' must be the last day");
        assertThat(Program.run("token", "ci", "--tenants", "all", "--expires", "2020-01-01")
                        .err())
                .contains("is in the past");
        assertThat(Program.run("token", "ops", "--role", "operator", "--tenants", "acme")
                        .err())
                .contains("not bound to tenants");
        StringBuilder file = new StringBuilder("tokens:\n");
        file.append(Program.run("token", "a", "--tenants", "acme,b", "--expires", "2999-12-31")
                .err());
        file.append(Program.run("token", "b", "--role", "reader", "--tenants", "all")
                .err());
        file.append(Program.run("token", "c", "--role", "operator").err());
        List<Token> tokens = ServiceFile.tokens("service.yaml", file.toString());
        assertThat(tokens.get(0).tenants()).containsExactlyInAnyOrder("acme", "b");
        assertThat(tokens.get(0).expires()).isEqualTo(Instant.parse("3000-01-01T00:00:00Z"));
        assertThat(tokens.get(1).tenants()).isEqualTo(Token.ALL);
        assertThat(tokens.get(1).expires()).isNull();
        assertThat(tokens.get(2).tenants()).isEqualTo(Token.ALL);
        for (String tenants : List.of("", "tenants: [], ", "tenants: acme, ")) {
            assertThatThrownBy(() -> ServiceFile.tokens(
                            "service.yaml",
                            "tokens: [{name: x, role: reader, " + tenants + "sha256: "
                                    + tokens.get(0).sha256() + "}]"))
                    .hasMessageContaining("tokens[0].tenants: must name the tenants")
                    .hasMessageContaining("or say: all");
        }
    }

    /** A process with tokens in its file: when the file changes, so do the accepted callers. */
    @Test
    void tokensAreReadAgainWithoutARestart() throws Exception {
        Program first = Program.run("token", "first", "--tenants", "all");
        Program second = Program.run("token", "second", "--tenants", "all");
        Path file = directory.resolve("service.yaml");
        String text = """
                nodes: [{id: n1, api: "127.0.0.1:%d", raft: "127.0.0.1:%d"}]
                cluster: {servers: {count: 3, cpu: 8, memory: 16 GiB}}
                tokens:
                """.formatted(FreePorts.one(), FreePorts.one());
        Files.writeString(file, text + first.err());
        Process process = serve("--config", "service.yaml");
        String address = address(process);
        assertThat(status(address, first)).isEqualTo(200);
        assertThat(status(address, second)).isEqualTo(401);
        // A mistake changes nothing.
        Files.writeString(file, text + "  - {name: second}\n");
        awaitLog("keeping the old tokens");
        assertThat(status(address, first)).isEqualTo(200);
        Files.writeString(file, text + second.err());
        while (status(address, second) != 200) {
            Thread.sleep(20);
        }
        assertThat(status(address, first)).isEqualTo(401);
        awaitLog("the tokens are now: [second]");
        process.destroy();
        process.waitFor();
    }

    private void awaitLog(String text) throws IOException, InterruptedException {
        while (!Files.readString(directory.resolve("out.txt")).contains(text)) {
            Thread.sleep(20);
        }
    }

    private static int status(String address, Program token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/v1/status"))
                .header("authorization", "Bearer " + token.out().strip())
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void aPolicyThatCannotStartIsFoundBeforeAnythingIsServed() {
        assertThatThrownBy(() -> read("""
                                nodes: [{id: a, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
                                cluster: {servers: {count: 3, cpu: 8, memory: 16 GiB}}
                                policy: {policy: trunk-reservation, thresholds: 0.1/0.2}
                                """)).hasMessageContaining("cannot start on this cluster");
    }
}

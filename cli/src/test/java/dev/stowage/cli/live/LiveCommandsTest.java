package dev.stowage.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import dev.stowage.cli.serve.ServiceConfiguration;
import dev.stowage.cli.serve.ServiceFile;
import dev.stowage.cli.text.ColourMode;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Terminal;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.v1.Forecast;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that call a service, against one in this JVM. */
final class LiveCommandsTest {
    @TempDir
    private static Path directory;

    private static RaftNode node;
    private static ApiServer api;
    private static String at;

    @BeforeAll
    static void start() throws Exception {
        ServiceConfiguration service = ServiceFile.read("service.yaml", """
            nodes: [{id: n1, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
            cluster: {servers: {count: 20, cpu: 48, memory: 128 GiB}}
            types: [{name: small, demand: {cpu: 1, memory: 2 GiB}}]
            """, directory);
        node = RaftNode.start(
                NodeSettings.single(directory.resolve("data").resolve("n1")), new Policies(), service.setting());
        api = ApiServer.start(node, ApiSettings.loopback(0));
        at = "127.0.0.1:" + api.port();
        while (!node.status().ready()) {
            Thread.sleep(10);
        }
    }

    @AfterAll
    static void stop() {
        api.close();
        node.close();
    }

    private static Program run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--at", at, "--patience", "1 d"));
        return Program.run(all.toArray(String[]::new));
    }

    @Test
    void aRequestThroughItsLife() {
        assertThat(run("submit", "vm", "--demand", "4 cores, 16 GiB", "--tenant", "life")
                        .out())
                .contains("running")
                .contains("4 vCPU, 16 GiB");
        assertThat(run("get", "vm", "--tenant", "life", "--format", "json").out())
                .contains("\"state\":\"RUNNING\"")
                .contains("\"server\":0");
        Program dry = run("submit", "dry", "--demand", "4 cores, 16 GiB", "--dry-run", "-q", "--tenant", "life");
        assertThat(dry.out()).contains("running");
        assertThat(dry.err()).contains("nothing was submitted");
        assertThat(run("get", "dry", "--tenant", "life").err().replaceAll("\\s+", " "))
                .contains("NOT_FOUND", "or be another tenant's (--tenant NAME)");
        assertThat(run("get", "--all-tenants", "--limit", "2147483647").out()).contains("tenant", "life");
        assertThat(run("submit", "second", "--type", "small", "--max-wait", "0 s", "--tenant", "life")
                        .out())
                .contains("1 vCPU");
        assertThat(run("get", "--all-tenants", "--limit", "1").err())
                .contains("stowage: there are more requests than this limit of 1; --limit N shows N");
        assertThat(run("get", "--all-tenants", "--limit", "1000").err()).doesNotContain("there are more");
        assertThat(run("get", "--tenant", "life", "--state", "running").out().lines())
                .hasSize(4);
        assertThat(run("explain", "vm", "--tenant", "life").out())
                .contains("vm runs on server 0")
                .doesNotContain("room now")
                .contains("runs here", "nothing: it has room");
        assertThat(run("explain", "vm", "--tenant", "life", "--format", "json").out())
                .contains("\"summary\"");
        assertThat(run("release", "vm", "second", "--tenant", "life").out().lines())
                .filteredOn(line -> line.contains("released"))
                .hasSize(2);
        assertThat(run("watch", "--after", "-1", "--count", "3", "--tenant", "life")
                        .out()
                        .lines())
                .hasSize(3)
                .first()
                .asString()
                .contains("vm  running server 0");
    }

    @Test
    void serversAreAddedResizedAndLabelledAndWhatRunsIsAdopted() {
        assertThat(run(
                                "servers",
                                "add",
                                "default",
                                "8 cores, 16 GiB",
                                "--name",
                                "rack7-1",
                                "--labels",
                                "gpu=V100,zone=a")
                        .out())
                .matches("server rack7-1, number \\d+: added\\R");
        assertThat(run("submit", "on-v100", "--type", "small", "--where", "gpu=V100", "--tenant", "servers")
                        .out())
                .contains("rack7-1");
        assertThat(run("adopt", "found", "--server", "rack7-1", "--demand", "8 cores, 1 GiB", "--tenant", "servers")
                        .out())
                .contains("running", "rack7-1", "adopted: it ran there", "already");
        assertThat(run("servers", "--limit", "100").out())
                .contains("rack7-1", "up,", "overcommitted", "-1 vCPU", "gpu=V100,zone=a");
        assertThat(run("servers", "resize", "rack7-1", "32 cores, 64 GiB").out())
                .contains("server rack7-1: resized");
        assertThat(run("servers", "label", "rack7-1", "zone=b").out()).contains("server rack7-1: labelled");
        assertThat(run("servers", "--limit", "100").out())
                .contains("zone=b", "32 vCPU")
                .matches(text -> text.lines().allMatch(line -> line.length() <= 100), "within 100 columns")
                .doesNotContain("overcommitted", "V100");
        assertThat(run("adopt", "found", "--server", "rack7-2", "--demand", "1 core", "--tenant", "other")
                        .err())
                .contains("UNKNOWN_SERVER", "rack7-1");
        assertThat(run("servers", "label", "rack7-1", "zo ne=b").err()).contains("as in gpu=V100,zone=a");
        // The other tests have the cluster to themselves.
        run("release", "on-v100", "found", "--tenant", "servers");
        assertThat(run("servers", "--remove", "rack7-1").out()).contains("server rack7-1: removed");
    }

    @Test
    void agentsGangsAndEvictions() {
        assertThat(run("submit", "job", "--type", "small", "--gang", "2", "--agent", "--tenant", "gang")
                        .out())
                .containsSubsequence("job.1", "placed (attempt", "job.2", "placed (attempt");
        assertThat(run("submit", "job", "--type", "small", "--gang", "0", "--tenant", "gang")
                        .err())
                .contains("--gang 0 must be at least 1");
        assertThat(run("submit", "job", "--type", "small", "--gang", "2", "--dry-run", "--tenant", "gang")
                        .err())
                .contains("no dry run of a gang");
        assertThat(run("submit", "big", "--type", "small", "--gang", "960", "--max-wait", "0 s", "--tenant", "gang")
                        .out())
                .contains("big.1", "big.960", "expired")
                .doesNotContain("waiting");
        assertThat(run("confirm", "job.1", "--started", "1", "--tenant", "gang").out())
                .contains("running,", "started", "(attempt 1)");
        assertThat(run("evict", "job.1", "--tenant", "gang").out()).contains("request job.1: evicted");
        assertThat(run("get", "job.1", "--tenant", "gang").out()).contains("running,", "stopping", "(attempt 1)");
        assertThat(run("confirm", "job.1", "--stopped", "1", "--tenant", "gang").out())
                .contains("placed (attempt");
        assertThat(run("confirm", "job.1", "--start-failed", "2", "--tenant", "gang")
                        .out())
                .contains("placed (attempt");
        assertThat(run("confirm", "job.1", "--started", "9", "--tenant", "gang").err())
                .contains("NO_SUCH_EFFECT", "the last is 3");
        assertThat(run("release", "job.1", "--tenant", "gang").out()).contains("running,", "stopping", "(attempt 3)");
        assertThat(run("submit", "first", "--type", "small", "--priority", "9", "--tenant", "gang")
                        .out())
                .contains("running");
        assertThat(run("servers", "--drain", "19", "--move-every", "1 min").out())
                .contains("server 19: draining; nothing new is placed there. Nothing runs there");
        assertThat(run("servers", "--drain", "0", "--move-every", "1 h").out().replaceAll("\\s+", " "))
                .contains("moved, one request every 1 h: as of now, ", " would go elsewhere")
                .endsWith("'stowage get --all-tenants' shows what to confirm ");
        run("servers", "--return", "0");
        assertThat(run("servers", "--return", "19", "--move-every", "1 min").err())
                .contains("--move-every goes with --drain");
        assertThat(run("servers", "--drain", "default", "--move-every", "1 min").err())
                .contains("drain its servers one by one");
        assertThat(run("servers", "--return", "19").out()).contains("takes requests again");
    }

    @Test
    void aServiceThatIsNotOfThisDirectoryIsNamed() throws Exception {
        String named = "stowage: calling the service at " + at;
        assertThat(run("servers", "--limit", "1").err())
                .as("its address was typed")
                .doesNotContain(named);
        Path other = Files.createDirectories(directory.resolve("other").resolve("n1"));
        Files.writeString(
                other.resolve("identity"), "group=00000000-0000-0000-0000-000000000000\nmember=n1\nstage=member\n");
        assertThat(told(directory.resolve("data"))).isEmpty();
        assertThat(told(directory.resolve("other"))).contains(named);
        assertThat(told(directory.resolve("nowhere"))).contains(named);
    }

    /** A program of its own: the environment of this one is fixed. */
    @Test
    void aServiceThatOnlyTheEnvironmentNamesIsNamed() throws Exception {
        Path err = directory.resolve("named.txt");
        ProcessBuilder program = ProgramElsewhere.process("servers", "--limit", "1", "--patience", "1 d")
                .directory(directory.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile());
        program.environment().put("STOWAGE_AT", at);
        assertThat(program.start().waitFor()).isZero();
        assertThat(Files.readString(err)).contains("stowage: calling the service at " + at);
    }

    private static String told(Path data) {
        StringWriter err = new StringWriter();
        PrintWriter out = new PrintWriter(new StringWriter());
        try (StowageClient service = new ClientOptions().at(at).client()) {
            OwnService.tell(
                    List.of(at),
                    () -> OwnService.group(service),
                    new Console(out, new PrintWriter(err), Terminal.NONE, ColourMode.NEVER, false, List.of()),
                    data);
        }
        return err.toString();
    }

    @Test
    void serversAndStatus() {
        assertThat(run("servers", "--limit", "5").out().lines()).hasSize(7);
        assertThat(run("servers", "--limit", "2147483647").out().lines()).hasSize(22);
        assertThat(run("servers", "--limit", "5").err()).contains("there are more servers");
        assertThat(run("servers", "--drain", "19").out()).contains("server 19: draining; nothing new is placed there");
        assertThat(run("servers", "--return", "19").out()).contains("server 19: takes requests again");
        String site = run("servers", "--limit", "1", "--format", "json")
                .out()
                .replaceAll("(?s).*\"site\":\"([^\"]*)\".*", "$1");
        assertThat(run("servers", "--drain", site).out()).contains("all servers of site " + site + ": draining");
        assertThat(run("servers", "--limit", "5").out()).contains("draining");
        run("servers", "--return", site);
        assertThat(run("servers", "--limit", "5").out()).doesNotContain("draining");
        assertThat(run("servers", "--lost", "nowhere").err()).contains("nowhere");
        for (Program unknown : List.of(
                run("servers", "--drain", "99"), run("submit", "x", "--demand", "1 core, 1 GiB", "--sites", "north"))) {
            assertThat(unknown.code()).as(unknown.err()).isEqualTo(2);
            assertThat(unknown.err()).contains("UNKNOWN_");
        }
        Program two = run("servers", "--drain", "1", "--lost", "2");
        assertThat(two.code()).isEqualTo(2);
        assertThat(two.err()).contains("stowage: give only one of --drain, --return, --remove and --lost");
        assertThat(run("status").out().replaceAll("\\s+", " "))
                .contains("leader", "in use. ", "Policy: best-fit:when-full=queue.")
                .doesNotContain("digest");
        assertThat(run("status").out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(run("status", "--format", "json").out()).contains("\"role\":\"leader\"");
    }

    /** Hole: "16 GiB" alone was a request, or a server, of no CPU, without a word. */
    @Test
    void cpuOrMemoryThatIsNotNamedIsSaid() {
        Program memory = run("submit", "memory", "--demand", "16 GiB", "--tenant", "basic");
        assertThat(memory.out()).contains("\nwarning: the demand names no CPU, so memory gets none\n");
        Program json = run("submit", "json", "--demand", "16 GiB", "--tenant", "basic", "--format", "json");
        assertThat(json.out())
                .contains("\"requestId\":\"json\"", "\"warnings\":[\"the demand names no CPU, so json gets none\"]");
        Program zero = run("submit", "zero", "--demand", "0 cores, 1 GiB", "--tenant", "basic");
        Program typed = run("submit", "typed", "--type", "small", "--tenant", "basic");
        assertThat(zero.out() + typed.out()).doesNotContain("names no");
        Program adopted = run("adopt", "adopted", "--server", "3", "--demand", "2 cores", "--tenant", "basic");
        assertThat(adopted.out()).contains("names no memory, so adopted gets none");
        Program server = run("servers", "add", "default", "16 GiB");
        assertThat(List.of(zero.code(), typed.code(), server.code())).containsExactly(0, 0, 2);
        assertThat(server.err()).contains("AMOUNTS \"16 GiB\" names no CPU");
        run("release", "memory", "zero", "typed", "adopted", "--tenant", "basic");
    }

    /** A list left out the requests of all tenants, without a word. */
    @Test
    void thatAListLeavesOutOtherTenantsIsSaid() {
        run("submit", "nameless", "--type", "small");
        run("submit", "named", "--type", "small", "--tenant", "other");
        String note = "only requests without a tenant are shown; --tenant NAME shows another's, --all-tenants";
        assertThat(run("get").err().replaceAll("\\s+", " ")).contains(note);
        assertThat(run("get", "--all-tenants").err()
                        + run("get", "--tenant", "other").err())
                .doesNotContain("are shown");
        run("release", "nameless");
        run("release", "named", "--tenant", "other");
    }

    @Test
    void aServerWithoutTheAgentThatARequestNeedsIsSaid() {
        Program dry = run("submit", "by-agent", "--agent", "--demand", "1 core, 1 GiB", "--dry-run");
        assertThat(dry.out().replaceAll("\\s+", " "))
                .containsPattern("server \\d+ has no agent yet; nothing starts by-agent there before it has one");
        Program gang = run("submit", "gang", "--agent", "--demand", "1 core, 1 GiB", "--gang", "2");
        assertThat(gang.out().replaceAll("\\s+", " "))
                .containsPattern("warning: server \\d+ has no agent yet; nothing starts there before it has one");
        run("release", "gang.1", "gang.2");
    }

    @Test
    void whatIsWrongIsSaid() {
        Program unknown = run("get", "nobody");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("stowage: NOT_FOUND: no request 'nobody'");
        assertThat(run("submit", "x", "--demand", "4 apples").code()).isEqualTo(2);
        Program tooLarge = run("submit", "x", "--demand", "4000 cores");
        assertThat(tooLarge.code()).isEqualTo(3);
        assertThat(tooLarge.err()).contains("FITS_NO_SERVER", "can hold 4000 vCPU");
        for (Program refused : List.of(
                run("submit", "a b", "--demand", "1 core"),
                run("submit", "x", "--type", "smal"),
                run("submit", "x", "--demand", "1 core", "--where", "gpu is T4"),
                run("get", "a b", "c d"),
                run("get", "--site", "nowhere"),
                run("get", "--server", "nowhere"),
                run("get", "--server", "77"),
                run("servers", "add", "1 core, 1 GiB", "--site", "nowhere"),
                run("servers", "add", "1 core", "--name", "7"))) {
            assertThat(refused.code()).as(refused.err()).isEqualTo(2);
        }
        assertThat(run("get", "--state", "lost").err()).contains("must be waiting, running");
        assertThat(run("load", "--rate", "0").err()).contains("--rate 0.0 must be");
        assertThat(Program.run("status", "--at", "nonsense").err()).contains("must be host:port");
        Program nobody = Program.run("get", "x", "--at", "127.0.0.1:1", "--patience", "100 ms");
        assertThat(nobody.code()).isEqualTo(1);
        assertThat(nobody.err()).contains("nothing listens at 127.0.0.1:1: start a service with 'stowage serve'");
        // Without a patience at once, at several addresses too; with one that is there they are passed over.
        for (String command : List.of("get x", "submit x --type=y", "explain x", "release x", "servers")) {
            long began = System.nanoTime();
            Program wrong = Program.run((command + " --at 127.0.0.1:1,127.0.0.1:2").split(" "));
            assertThat(wrong.code()).as(wrong.err()).isEqualTo(1);
            assertThat(wrong.err()).contains("nothing listens at 127.0.0.1:1");
            assertThat(System.nanoTime() - began).as(command).isLessThan(TimeUnit.SECONDS.toNanos(20));
        }
        assertThat(Program.run("get", "nobody", "--at", "127.0.0.1:1," + at).err())
                .contains("NOT_FOUND: no request 'nobody'");
    }

    /** A server that drains takes nothing new, but can hold requests: it counts as one, and not as up. */
    @Test
    void drainingServersAreCountedAndNamed() {
        run("submit", "held", "--demand", "48 cores", "--tenant", "drain");
        String server = run("get", "held", "--tenant", "drain", "--format", "json")
                .out()
                .replaceAll("(?s).*\"server\":(\\d+).*", "$1");
        run("servers", "--drain", server);
        String json = run("status", "--format", "json").out();
        assertThat(json).contains("\"servers\":20", "\"serversUp\":19");
        assertThat(run("status").out().replaceAll("\\s+", " "))
                .contains("20 servers, ", " in use, 1 takes no new requests (draining, or the agent is silent).");
        assertThat(run("explain", "held", "--tenant", "drain").out().replaceAll("\\s+", " "))
                .contains("19 of 19 servers that are up are large enough")
                .contains("; 1 more is being drained and takes nothing new. Policy:");
        run("servers", "--return", server);
        run("release", "held", "--tenant", "drain");
    }

    @Test
    void aPredictionSaysWhatItRestsOn() {
        Forecast.Builder forecast = Forecast.newBuilder()
                .setRollouts(100)
                .setWaitLowNanos(1_000_000_000L)
                .setWaitMedianNanos(2_000_000_000L)
                .setWaitHighNanos(60_000_000_000L)
                .setLearnedRequests(31)
                .setLearnedEnds(25);
        assertThat(ExplainCommand.forecast(forecast.build()))
                .isEqualTo(
                        "It will probably start in 1 s to 1 min 0 s (probability 90 %; median: 2 s). This rests on 100"
                                + " simulations, with the lifetimes of the 25 that have ended of the last 31 requests.");
        assertThat(ExplainCommand.forecast(Forecast.newBuilder()
                        .setProblem("fewer than 20 requests have ended since this node saw the first one arrive")
                        .setLearnedEnds(3)
                        .build()))
                .isEqualTo(
                        "Cannot predict when it will start: fewer than 20 requests have ended since this node saw the"
                                + " first one arrive (3 so far).");
    }

    @Test
    void whatIsRepeatedOrHasNoPlaceIsSaid() {
        String[] again = {"submit", "one", "--demand", "1 core", "--tenant", "again"};
        assertThat(run(again).err()).doesNotContain("before");
        assertThat(run(again).err()).contains("stowage: one was submitted before; nothing changed");
        String[] none = {
            "submit", "late", "--demand", "48 cores", "--gang", "20", "--max-wait", "0 s", "--tenant", "again"
        };
        Program late = run(none);
        assertThat(late.code()).isEqualTo(3);
        assertThat(late.out()).contains("late.1", "expired");
        assertThat(late.err()).contains("late.1 expired: it was not placed within its longest wait; 19 more have no");
        Program all = run("get", "nowhere", "one", "late.2", "nobody", "--tenant", "again");
        assertThat(all.code()).isEqualTo(1);
        assertThat(all.out()).contains("\none ", "\nlate.2 ");
        assertThat(all.err()).contains("no request 'nowhere'", "no request 'nobody'");
        assertThat(run("get", "one", "late.2", "--tenant", "again").code()).isEqualTo(3);
        assertThat(run("get", "--tenant", "again").code()).isZero();
        assertThat(run("release", "one", "--tenant", "again").err()).doesNotContain("before");
        Program twice = run("release", "one", "late.2", "--tenant", "again");
        assertThat(twice.code()).isZero();
        assertThat(twice.err()).contains("one had ended before; nothing changed", "late.2 had ended before");
    }

    @Test
    void mistakesNameWhatWasTyped() {
        Program none = run("submit", "x");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("--demand \"4 cores, 16 GiB\"", "--type");
        assertThat(run("submit", "x y", "--demand", "1 core").err()).contains("BAD_NAME: ID 'x y' must be");
        assertThat(run("submit", "x", "--demand", "1 gpu").err().replaceAll("\\s+", " "))
                .contains(
                        "UNKNOWN_RESOURCE: --demand: GPUs (gpu_milli) is not a resource here; the resources are CPU (cpu_milli)");
        assertThat(run("submit", "x", "--demand", "1 core", "--tenant", "a b").err())
                .contains("BAD_NAME: --tenant 'a b' must be");
        assertThat(run("servers", "--drain", "0", "--move-every", "0 s").err())
                .contains("BAD_TIME: --move-every is 0 ns, must be at least 1 ns and at most a year");
        assertThat(said("allowed_sites", "BAD_SITES: allowed_sites names 101 sites, must be at most 100"))
                .isEqualTo("BAD_SITES: --sites names 101 sites, must be at most 100");
        // A word of a message that is no field stays, and so does a field without an option.
        assertThat(said("page_token", "BAD_PAGE: page_token 'where' does not come from an earlier page"))
                .isEqualTo("BAD_PAGE: page_token 'where' does not come from an earlier page");
        assertThat(said("type", "NOT_FOUND: type of server is known"))
                .isEqualTo("NOT_FOUND: --type of server is known");
        assertThat(said("", "NOT_FOUND: type of server is known")).isEqualTo("NOT_FOUND: type of server is known");
    }

    private static String said(String field, String message) {
        Metadata trailers = new Metadata();
        if (!field.isEmpty()) {
            trailers.put(Metadata.Key.of("stowage-field", Metadata.ASCII_STRING_MARSHALLER), field);
        }
        trailers.put(
                Metadata.Key.of("stowage-reason", Metadata.ASCII_STRING_MARSHALLER),
                message.substring(0, message.indexOf(':')));
        return String.valueOf(
                CallFailures.of(Status.INVALID_ARGUMENT.withDescription(message).asRuntimeException(trailers))
                        .getMessage());
    }

    @Test
    void anAddressWithoutTlsIsToldApart() {
        Program tls = Program.run("get", "x", "--at", "https://" + at, "--patience", "0 s");
        assertThat(tls.err()).contains("does not use TLS: leave out https://");
    }

    /** However slow machine and service are, all are sent and answered, and none before it is due. */
    @Test
    void aLoadComesAtItsRateAndLeavesNothingBehind() throws Exception {
        Program load = run(
                "load",
                "--rate",
                "300",
                "--duration",
                "1 d",
                "--count",
                "600",
                "--hold",
                "200 ms",
                "--batch",
                "10",
                "--tenant",
                "load",
                "--format",
                "json");
        assertThat(load.code()).as(load.err()).isZero();
        JsonNode figures = new ObjectMapper().readTree(load.out());
        assertThat(figures.at("/submit/answered").asInt()).isEqualTo(600);
        // None is sent before it is due, and the last of 600 is due after 2 s, with a standard deviation of sqrt(600) /
        // 300.
        assertThat(figures.at("/sent_s").asDouble()).isGreaterThan((600 - 6 * Math.sqrt(600)) / 300);
        // One of 112 GiB may have to wait for an empty server.
        assertThat(figures.at("/outcomes/running").asInt()
                        + figures.at("/outcomes/waiting").asInt())
                .isEqualTo(figures.at("/submit/answered").asInt());
        assertThat(figures.at("/submit/p99_ms").asDouble()).isPositive();
        assertThat(run("load", "--count", "1", "--tenant", "one").out()).contains("of 1, 2, 4, 8 or 16 cores, each");
        assertThat(run("get", "--tenant", "load", "--state", "running").out().lines())
                .hasSize(2);

        Path trace = Files.writeString(
                directory.resolve("t.csv"),
                "arrival_s,duration_s,cpu_milli,mem_mib\n0,10,1000,1024\n100,10,2000,1024\n200,,1000,1024\n");
        Program replayed =
                run("load", "--trace", trace.toString(), "--rate", "10", "--tenant", "trace", "--prefix", "t-");
        assertThat(replayed.out())
                .contains("Sent 3 requests of the trace to " + at + ": asked for 10 a second, ")
                .contains("Answers to submit: 3 running. Latency counts")
                .matches(text -> text.lines().allMatch(line -> line.length() <= 100), "within 100 columns");
        assertThat(run("get", "t-1", "--tenant", "trace").out())
                .contains("released")
                .contains("2 vCPU");
    }
}

package dev.stowage.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.serve.ServiceConfiguration;
import dev.stowage.cli.serve.ServiceFile;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.v1.Audit;
import dev.stowage.service.v1.ConsolidationPlan;
import dev.stowage.service.v1.Empty;
import dev.stowage.study.advise.Closed;
import dev.stowage.study.advise.ConsolidationListener;
import dev.stowage.study.advise.ConsolidationRun;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.NewlyWaiting;
import dev.stowage.study.advise.Restraint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code stowage consolidate} and {@code stowage advise live}, against a service in this JVM. */
final class ConsolidateCommandTest {
    @TempDir
    private Path directory;

    private RaftNode node;
    private ApiServer api;
    private String at;

    private void start(String policy) throws Exception {
        start(policy, "1 d");
    }

    private void start(String policy, String keepFinished) throws Exception {
        ServiceConfiguration service = ServiceFile.read("service.yaml", """
            nodes: [{id: n1, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
            cluster: {servers: {count: 6, cpu: 8, memory: 32 GiB}}
            policy: %s
            keep-finished: %s
            """.formatted(policy, keepFinished), directory);
        node = RaftNode.start(
                NodeSettings.single(directory.resolve("data").resolve("n1")), new Policies(), service.setting());
        List<String> plan = ProgramElsewhere.process("consolidate", "--pages").command();
        api = ApiServer.start(node, ApiSettings.loopback(0).withPlan(plan));
        at = "127.0.0.1:" + api.port();
        while (!node.status().ready()) {
            Thread.sleep(10);
        }
    }

    @AfterEach
    void stop() {
        api.close();
        node.close();
    }

    private Program run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--at", at, "--patience", "1 d"));
        return Program.run(all.toArray(String[]::new));
    }

    /** Requests where a while of comings and goings has left them: a little on each of five servers. */
    private void fill() {
        for (int s = 0; s < 5; s++) {
            for (int i = 0; i < 2; i++) {
                Program adopted = run(
                        "adopt",
                        "vm-" + s + "-" + i,
                        "--server",
                        Integer.toString(s),
                        "--demand",
                        "1 cores, 2 GiB",
                        "--tenant",
                        "t" + i);
                assertThat(adopted.code()).as(adopted.err()).isZero();
            }
        }
    }

    private Map<String, Integer> running() throws Exception {
        Map<String, Integer> running = new TreeMap<>();
        for (String line : run("servers", "--format", "json").out().lines().toList()) {
            JsonNode server = new ObjectMapper().readTree(line);
            running.put(
                    server.path("server").asInt() + " " + server.path("status").asText(),
                    server.path("running").asInt());
        }
        return running;
    }

    @Test
    void thePlanIsShownAndThenCarriedOut() throws Exception {
        start("best-fit");
        fill();
        Program advice = run("advise", "live");
        assertThat(advice.code()).as(advice.err()).isZero();
        assertThat(advice.out())
                .contains("6 servers, 5 in use; 10 requests run, 0 wait.")
                .contains("By the plan below, what runs fits on 2 servers. No plan uses fewer: ")
                .contains("t0/vm-0-0");
        Program plan = run("consolidate");
        assertThat(plan.code()).as(plan.err()).isZero();
        assertThat(plan.out()).contains("empty 3 servers").contains("Nothing was changed");
        JsonNode json = new ObjectMapper()
                .readTree(run("consolidate", "--format", "json").out());
        assertThat(json.at("/plan/freed")).hasSize(3);
        theServicePlansTheSame(json);
        assertThat(running()).containsEntry("4 up", 2);
        Program done = run("consolidate", "--carry-out", "--move-every", "10 ms", "--most", "2", "--keep-closed");
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.out())
                .contains("5 servers in use; 3 of them can be emptied by 6 moves")
                .contains("moved t0/vm-")
                .contains("done: 5 servers in use before, 3 now; 4 moves, 2 emptied, 0 given up; closed still: ");
        assertThat(running().keySet().stream().filter(one -> one.endsWith("draining")))
                .hasSize(2);
        Program rest = run("consolidate", "--carry-out", "--move-every", "10 ms", "--format", "json");
        List<String> lines = rest.out().lines().toList();
        JsonNode end = new ObjectMapper().readTree(lines.get(lines.size() - 1));
        assertThat(end.path("event").asText()).isEqualTo("ended");
        assertThat(end.path("in_use_after").asInt()).isEqualTo(2);
        assertThat(end.path("closed")).isEmpty();
        assertThat(running().values().stream().filter(jobs -> jobs > 0)).hasSize(2);
        // The service keeps who did what.
        try (StowageClient client = client()) {
            Audit audit = ClientOptions.answer(
                    client.operations((stub, answer) -> stub.getAudit(Empty.getDefaultInstance(), answer)));
            assertThat(audit.getLinesList().stream()
                            .filter(line -> line.getChange().contains("drain")))
                    .hasSize(3);
        }
    }

    /** Its console is shown the plan of the command, with numbers of servers. */
    private void theServicePlansTheSame(JsonNode json) {
        try (StowageClient client = client()) {
            ConsolidationPlan plan = ClientOptions.answer(
                    client.operations((stub, answer) -> stub.planConsolidation(Empty.getDefaultInstance(), answer)));
            assertThat(plan.getServersInUse()).isEqualTo(5);
            assertThat(plan.getFewestServers()).isEqualTo(2);
            assertThat(plan.getEmptiedList().stream()
                            .map(one -> Integer.toString(one.getServer()))
                            .toList())
                    .isEqualTo(json.at("/plan/freed").findValuesAsText("server"));
            assertThat(plan.getMovesList().stream()
                            .map(one -> one.getTenant() + "/" + one.getRequestId() + " " + one.getFromServer() + " "
                                    + one.getToServer())
                            .toList())
                    .isEqualTo(StreamSupport.stream(json.at("/plan/steps").spliterator(), false)
                            .map(one -> one.path("job").asText() + " "
                                    + one.path("from").asText() + " "
                                    + one.path("to").asText())
                            .toList());
            assertThat(plan.getMovesLeftOut()).isZero();
        }
        Program cut = Program.run("consolidate", "--pages", "--carry-out");
        assertThat(cut.code()).isEqualTo(2);
    }

    private StowageClient client() {
        return StowageClient.of(new ClientSettings(List.of(at), false, null, null, null, null, Duration.ofDays(1)));
    }

    /**
     * One in each of five servers: by size all fit on one, by their constraints on two. Members of a are kept apart,
     * and what avoids all servers but its own stays there.
     */
    @Test
    void theServicesPlanKeepsConstraints() throws Exception {
        start("best-fit");
        String[][] jobs = {
            {"a-0", "0", "--spread", "a:1"},
            {"a-1", "1", "--spread", "a:1"},
            {"else-2", "2", "--avoid", "0,1,3,4"},
            {"any-3", "3"},
            {"any-4", "4"}
        };
        for (String[] job : jobs) {
            List<String> words = new ArrayList<>(List.of("adopt", job[0], "--server", job[1]));
            words.addAll(List.of("--demand", "1 cores, 2 GiB"));
            words.addAll(List.of(job).subList(2, job.length));
            Program adopted = run(words.toArray(String[]::new));
            assertThat(adopted.code()).as(adopted.err()).isZero();
        }
        try (StowageClient client = client()) {
            ConsolidationPlan plan = ClientOptions.answer(
                    client.operations((stub, answer) -> stub.planConsolidation(Empty.getDefaultInstance(), answer)));
            // One of a goes to server 2, beside what must stay there.
            assertThat(plan.getEmptiedCount()).isEqualTo(3);
            Map<String, Integer> at = new TreeMap<>();
            for (String[] job : jobs) {
                at.put(job[0], Integer.valueOf(job[1]));
            }
            plan.getMovesList().forEach(move -> at.put(move.getRequestId(), move.getToServer()));
            assertThat(at.get("a-0")).isNotEqualTo(at.get("a-1"));
            assertThat(at.get("else-2")).isEqualTo(2);
            assertThat(new TreeSet<>(at.values())).hasSize(2);
        }
    }

    @Test
    void aPolicyThatWouldTakeAnEmptyServerIsAskedFirst() throws Exception {
        start("first-fit");
        fill();
        // The lowest number is empty, and that is where first-fit puts what moves.
        for (int i = 0; i < 2; i++) {
            assertThat(run("release", "vm-0-" + i, "--tenant", "t" + i).code()).isZero();
        }
        Program done = run("consolidate", "--carry-out", "--move-every", "10 ms");
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.out())
                .contains("would take 0, which is empty")
                .contains("4 servers in use before, 4 now; 0 moves, 0 emptied");
        assertThat(running()).containsEntry("0 up", 0).containsEntry("5 up", 0).containsEntry("4 up", 2);
    }

    /** A run in a process of its own, killed while it empties a server: the next one says which that is. */
    @Test
    void whatAKilledRunHasLeftIsSaid() throws Exception {
        start("best-fit");
        fill();
        assertThat(run("consolidate").out()).doesNotContain("has been draining");
        Process killed = ProgramElsewhere.process("consolidate", "--carry-out", "--move-every", "1 h", "--at", at)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("killed.txt").toFile())
                .start();
        while (!node.look(state -> Objects.requireNonNull(state.world()).audit().stream()
                .anyMatch(line -> line.change().contains("drain")))) {
            Thread.sleep(20);
        }
        String left = running().keySet().stream()
                .filter(server -> server.endsWith(" draining"))
                .map(server -> server.split(" ", -1)[0])
                .findFirst()
                .orElseThrow();
        killed.destroyForcibly().waitFor();
        String how = "stowage servers --return " + left;
        assertThat(run("consolidate").out().replaceAll("\\s+", " "))
                .contains("server " + left + " has been draining with moves since ")
                .contains(how);
        assertThat(new ObjectMapper()
                        .readTree(run("consolidate", "--format", "json").out())
                        .path("notes")
                        .toString())
                .contains(how);
        // The next run empties that server first, as its plan has it, and opens it at the end.
        Program next = run("consolidate", "--carry-out", "--move-every", "10 ms", "--most", "1");
        assertThat(next.out()).contains(how);
        assertThat(running()).containsKey(left + " up");
        assertThat(run("consolidate").out()).doesNotContain("has been draining");
        // A drain of an operator looks the same to the service; the command that is named ends it.
        assertThat(run("servers", "--drain", "5", "--move-every", "1 h").code()).isZero();
        assertThat(run("consolidate").out().replaceAll("\\s+", " ")).contains("stowage servers --return 5");
        assertThat(run("servers", "--return", "5").code()).isZero();
        assertThat(run("consolidate").out()).doesNotContain("has been draining");
        assertThat(running().keySet()).allMatch(server -> server.endsWith(" up"));
    }

    @Test
    void whereItIsStoppedTheServerTakesRequestsAgain() throws Exception {
        start("best-fit");
        fill();
        WallPace pace = new WallPace();
        ConsolidationSettings settings =
                new ConsolidationSettings(50_000_000, Long.MAX_VALUE / 4, 1, 100, false, false);
        ConsolidationListener tell = new ConsolidationListener() {
            @Override
            public void moved(String job, String server, String to) {
                pace.stop();
            }
        };
        try (StowageClient client = client();
                pace) {
            ServerDrains drains =
                    new ServerDrains(client, new ServedCluster(ServedPages.of(client)), settings, pace, tell);
            ConsolidationRun.Summary summary = new ConsolidationRun(
                            drains,
                            drains,
                            settings,
                            Restraint.NONE,
                            pace,
                            new Closed(drains),
                            new NewlyWaiting(),
                            tell)
                    .run();
            assertThat(summary.stopped()).isTrue();
            assertThat(summary.closed()).isEmpty();
            assertThat(summary.inUseAfter()).isLessThanOrEqualTo(5);
        }
        assertThat(running().keySet()).allMatch(server -> server.endsWith(" up"));
    }

    /**
     * What was released while its server drained was said to have moved; once it was forgotten, the run ended in the
     * middle of a drain.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsReleasedMeanwhileHasEnded(boolean forgotten) throws Exception {
        start("best-fit", forgotten ? "1 s" : "1 d");
        fill();
        WallPace pace = new WallPace();
        ConsolidationSettings settings =
                new ConsolidationSettings(3_600_000_000_000L, Long.MAX_VALUE / 4, 1, 1, false, false);
        List<String> moved = new ArrayList<>();
        List<String> ended = new ArrayList<>();
        ConsolidationListener tell = new ConsolidationListener() {
            @Override
            public void moved(String job, String server, String to) {
                moved.add(job + " to " + (to.isEmpty() ? "nothing" : "another"));
                String tenant = job.startsWith("t0/") ? "t1" : "t0";
                String id = "vm-" + server + "-" + tenant.charAt(1);
                Program release = run("release", id, "--tenant", tenant);
                assertThat(release.code()).as(release.err()).isZero();
                while (forgotten && !run("get", id, "--tenant", tenant).err().contains("NOT_FOUND")) {
                    run("release", "nothing");
                }
            }

            @Override
            public void notReplaced(String job, String server) {
                ended.add(job + " of " + server);
                pace.stop();
            }
        };
        try (StowageClient client = client();
                pace) {
            ServerDrains drains =
                    new ServerDrains(client, new ServedCluster(ServedPages.of(client)), settings, pace, tell);
            new ConsolidationRun(
                            drains,
                            drains,
                            settings,
                            Restraint.NONE,
                            pace,
                            new Closed(drains),
                            new NewlyWaiting(),
                            tell)
                    .run();
        }
        assertThat(moved).singleElement().asString().endsWith(" to another");
        assertThat(ended).hasSize(1);
    }

    @Test
    void optionsThatSayNothingAreRefused() throws Exception {
        start("best-fit");
        assertThat(run("consolidate", "--tenant", "a").code()).isEqualTo(2);
        assertThat(run("consolidate", "--most", "0").err()).contains("--most 0 must be at least 1");
        assertThat(run("advise", "a.csv", "b.csv").err()).contains("--at is only for live");
        assertThat(run("advise", "live", "b.csv").err()).contains("live takes no files");
        assertThat(run("advise", "a.csv").err()).contains("advise needs SERVERS and JOBS");
    }
}

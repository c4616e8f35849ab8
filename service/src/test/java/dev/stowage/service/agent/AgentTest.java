package dev.stowage.service.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.Phase;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.SubmitRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent of the only server, with processes, against a service in this JVM. */
final class AgentTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path directory;

    private RaftNode node;
    private ApiServer api;
    private StowageClient client;
    private final List<Thread> agents = new ArrayList<>();
    private final List<String> said = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/uptime")), "skipped: agents are for Linux");
        assumeTrue(Files.exists(Path.of("/bin/bash")), "skipped: agents need bash");
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("oslo", ServerBlock.named("n0", Labels.NONE, 10))),
                List.of(RequestType.of("vm", 6)));
        Setting setting = new Setting(
                cluster, PolicySpec.of("first-fit", Map.of("when-full", "queue")), 1, TimeUnit.MINUTES.toNanos(10));
        node = RaftNode.start(NodeSettings.single(directory.resolve("data")), new Policies(), setting);
        api = ApiServer.start(node, ApiSettings.loopback(0));
        client = StowageClient.of(new ClientSettings(
                List.of("127.0.0.1:" + api.port()), false, null, null, null, null, Duration.ofDays(1)));
        while (!node.status().ready()) {
            Thread.sleep(10);
        }
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        for (Thread agent : agents) {
            end(agent);
        }
        Runners left = new Runners(directory.resolve("agent"), List.of("true"));
        left.lease(0);
        for (Stay stay : left.begun()) {
            while (left.runs(stay)) {
                Thread.sleep(20);
            }
        }
        if (client != null) {
            client.close();
            api.close();
            node.close();
        }
    }

    private static void end(Thread agent) throws InterruptedException {
        agent.interrupt();
        agent.join();
    }

    private Thread agent(String command, Duration lease) {
        AgentSettings settings = new AgentSettings(
                "n0", directory.resolve("agent"), List.of(command.split(" ", -1)), lease, Duration.ofSeconds(10));
        Thread agent = new Thread(() -> {
            try {
                Agent.run(client, settings, said::add);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        agents.add(agent);
        agent.start();
        return agent;
    }

    private List<String> record() throws IOException {
        Path file = directory.resolve("agent").resolve("record");
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .map(line -> line.replaceAll("^(\\S+ \\S+ \\S+) \\d+ \\d+[.,]\\d+$", "$1"))
                        .toList()
                : List.of();
    }

    /** Waits until it has said that of the first attempt of a request. */
    private void said(String sentence) throws InterruptedException {
        while (said.stream().noneMatch(line -> line.contains("vm-1") && line.endsWith(": " + sentence))) {
            Thread.sleep(20);
        }
    }

    private void submit(String id) throws Exception {
        client.submit(SubmitRequest.newBuilder()
                        .setRequestId(id)
                        .setType("vm")
                        .setAgent(true)
                        .build())
                .get();
    }

    private Request get(String id) throws Exception {
        return client.get(GetRequest.newBuilder().setRequestId(id).build()).get();
    }

    /** Waits until it runs; which attempt that is, which is above another. */
    private int started(int above) throws Exception {
        Request request = get("vm-1");
        while (request.getPhase() != Phase.STARTED || request.getAttempt() <= above) {
            Thread.sleep(20);
            request = get("vm-1");
        }
        return request.getAttempt();
    }

    @Test
    void itRunsWhatIsPlacedAndStopsWhatIsReleased() throws Exception {
        agent("sleep 1000000", HOUR);
        submit("vm-1");
        assertThat(started(0)).isOne();
        assertThat(record()).containsExactly("start ~vm-1~1 -");
        assertThat(client.release(
                                ReleaseRequest.newBuilder().setRequestId("vm-1").build())
                        .get()
                        .getPhase())
                .isEqualTo(Phase.STOPPING);
        while (get("vm-1").getState() != State.RELEASED) {
            Thread.sleep(20);
        }
        assertThat(record()).containsExactly("start ~vm-1~1 -", "stop ~vm-1~1 stopped");
        said("started, as the service placed it here");
        said("ended, as the service wants it stopped");
    }

    @Test
    void whatEndsByItselfHasEnded() throws Exception {
        agent("true", HOUR);
        submit("vm-1");
        while (get("vm-1").getState() != State.RELEASED) {
            Thread.sleep(20);
        }
        assertThat(get("vm-1").getReason()).isEqualTo("its agent reports that it has ended");
        assertThat(record()).containsExactly("start ~vm-1~1 -", "stop ~vm-1~1 ended");
        while (said.stream().noneMatch(line -> line.endsWith("ended by itself"))) {
            Thread.sleep(20);
        }
    }

    /** On a busy machine a lease may run out while the agent is there, too: then there is one attempt more. */
    @Test
    void withoutItsAgentAProcessEndsWithTheLeaseAndIsPlacedAgain() throws Exception {
        Thread first = agent("sleep 1000000", Duration.ofSeconds(5));
        submit("vm-1");
        int attempt = started(0);
        end(first);
        String stop = "stop ~vm-1~" + attempt + " fenced";
        while (!record().contains(stop)) {
            Thread.sleep(20);
        }
        agent("sleep 1000000", HOUR);
        int next = started(attempt);
        List<String> record = record();
        assertThat(record.indexOf("start ~vm-1~" + attempt + " -"))
                .isNotNegative()
                .isLessThan(record.indexOf(stop));
        assertThat(record.indexOf("start ~vm-1~" + next + " -")).isGreaterThan(record.indexOf(stop));
    }

    /** The lease runs out after the process began and before the service was told: that was the attempt. */
    @Test
    void anAttemptThatWasFencedBeforeItWasReportedDoesNotBeginAgain() throws Exception {
        submit("vm-1");
        assertThat(get("vm-1").getPhase()).isEqualTo(Phase.PLACED);
        Runners before = new Runners(directory.resolve("agent"), List.of("sleep", "1000000"));
        before.lease(Uptime.now() + 60_000);
        before.begin(Stay.of(get("vm-1")), Uptime.now() + 60_000);
        while (record().isEmpty()) {
            Thread.sleep(20);
        }
        before.lease(Uptime.now());
        while (record().size() < 2) {
            Thread.sleep(20);
        }
        agent("sleep 1000000", HOUR);
        assertThat(started(1)).isEqualTo(2);
        assertThat(get("vm-1").getStartFailures()).isOne();
        assertThat(record()).containsExactly("start ~vm-1~1 -", "stop ~vm-1~1 fenced", "start ~vm-1~2 -");
    }

    @Test
    void aRunnerThatIsKilledTakesItsProcessAlongAndTheRequestIsPlacedAgain() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/setpriv")), "skipped: needs setpriv of util-linux");
        agent("sleep 1000000", HOUR);
        submit("vm-1");
        int attempt = started(0);
        Path pid = directory.resolve("agent").resolve("run").resolve("~vm-1~" + attempt + ".pid");
        ProcessHandle runner =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
        ProcessHandle process = runner.children().findFirst().orElseThrow();
        assertThat(runner.destroyForcibly()).isTrue();
        process.onExit().get();
        assertThat(started(attempt)).isEqualTo(attempt + 1);
    }
}

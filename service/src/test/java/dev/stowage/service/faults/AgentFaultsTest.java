package dev.stowage.service.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.ChangeServerRequest;
import dev.stowage.service.v1.EvictRequest;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.Phase;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.ServerChange;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.SubmitRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes, twenty agents, and what may happen to them: killed, stopped, cut off, answers lost, clocks an hour ahead
 * or behind. From the agents' own records: no request ever runs twice, none is lost, no server holds more than it has.
 * Not part of {@code mvn verify}: {@code .ci/faults} runs it in a network namespace of its own.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
final class AgentFaultsTest {
    private static final int NODES = 3;
    private static final long CAPACITY = 8;
    private static final long LEASE_SECONDS = 6;
    private static final long GRACE_SECONDS = 4;
    /** So few that all have room: of 20 servers with 8 each 20 would have to hold 7 to turn one of 2 away. */
    private static final int LIVE_PER_AGENT = 3;

    @TempDir
    private Path directory;

    private final int size = Integer.getInteger("stowage.agents", 20);
    private final List<AgentProcess> agents = new ArrayList<>();
    private final List<Path> clocks = new ArrayList<>();
    private final Map<String, Long> demands = new ConcurrentHashMap<>();
    /** Acknowledged requests, and whether they were released. */
    private final Map<String, Boolean> requests = new ConcurrentHashMap<>();

    private final TreeMap<String, Integer> faults = new TreeMap<>();
    private Random random;
    private Links links;
    private Group group;
    private volatile boolean over;
    private volatile Throwable failure;

    @RegisterExtension
    private final TestExecutionExceptionHandler diagnosis = Group.describedAtFailure(() -> group);

    @BeforeEach
    void start() throws Exception {
        String command = System.getProperty("stowage.command", "");
        assumeTrue(!command.isEmpty(), "skipped: -Dstowage.command=/path/to/stowage says what to run");
        assumeTrue(Links.may(), "skipped: needs a network namespace of its own, as .ci/faults makes one");
        long seed = Long.getLong("stowage.seed", System.nanoTime());
        System.out.println("agents under faults: -Dstowage.seed=" + seed);
        random = new Random(seed);
        links = new Links(NODES, directory);
        Path library = clockLibrary();
        List<Group.Place> places = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            Group.Place place = links.place(node, command);
            places.add(library == null ? place : withClock(place, node, library));
        }
        group = new Group(directory, 300, places, size);
        group.start();
        group.leader();
        for (NodeProcess node : group.nodes()) {
            group.agree(node);
        }
        for (int agent = 0; agent < size; agent++) {
            Path own = Files.createDirectory(directory.resolve("agent-" + agent));
            List<String> words = new ArrayList<>(links.agent(agent, own));
            words.add(command);
            agents.add(
                    new AgentProcess(words, agent, own, LEASE_SECONDS + " s", GRACE_SECONDS + " s", group.addresses()));
            agents.get(agent).start();
        }
    }

    /** A library that sets the wall clock of a process, where there is a compiler; else null. */
    private @Nullable Path clockLibrary() throws IOException, InterruptedException {
        Path source = directory.resolve("clock.c");
        try (InputStream in = Objects.requireNonNull(AgentFaultsTest.class.getResourceAsStream("clock.c"))) {
            Files.copy(in, source);
        }
        Path library = directory.resolve("clock.so");
        try {
            Process compiler = new ProcessBuilder(
                            "cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                    .inheritIO()
                    .start();
            return compiler.waitFor() == 0 ? library : null;
        } catch (IOException e) {
            System.out.println("clocks of nodes: skipped, no C compiler");
            return null;
        }
    }

    /** A node whose wall clock a file sets. */
    private Group.Place withClock(Group.Place place, int node, Path library) throws IOException {
        Path clock = directory.resolve("clock-" + node);
        clocks.add(clock);
        set(clock, 0);
        List<String> words = new ArrayList<>(List.of("env", "LD_PRELOAD=" + library, "STOWAGE_CLOCK=" + clock));
        words.addAll(place.command());
        return new Group.Place(place.host(), words);
    }

    /** In place: the process has the file in its memory. */
    private static void set(Path clock, long seconds) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, seconds);
        try (FileChannel file = FileChannel.open(clock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(bytes, 0);
        }
    }

    @AfterEach
    void stop() throws Exception {
        over = true;
        for (AgentProcess agent : agents) {
            agent.end();
        }
        if (group != null) {
            group.close();
            links.close();
        }
    }

    @Test
    void noRequestRunsTwiceAndNoneIsLost() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.getInteger("stowage.agent-seconds", 100));
        Thread load = new Thread(this::load, "load");
        load.start();
        while (System.nanoTime() < end && failure == null) {
            fault();
            TimeUnit.MILLISECONDS.sleep(random.nextInt(1500));
        }
        over = true;
        load.join();
        assertThat(failure).isNull();
        heal();
        settle();
        AgentRecords records = records();
        assertThat(records.problems(demands, CAPACITY)).isEmpty();
        long again = records.runs().stream().filter(run -> run.attempt() > 1).count();
        System.out.printf(
                "%d agents, faults %s: %d requests, %d runs of which %d again somewhere; none twice at a moment%n",
                size, faults, requests.size(), records.runs().size(), again);
    }

    private AgentRecords records() throws IOException {
        AgentRecords records = new AgentRecords();
        for (int agent = 0; agent < size; agent++) {
            records.read(agent, agents.get(agent).record());
        }
        return records;
    }

    /** Submits, releases, evicts and drains for as long as faults go on, and is answered in the end. */
    private void load() {
        Random choices = new Random(7);
        List<String> live = new ArrayList<>();
        int next = 0;
        try (StowageClient client = group.client(Group.PATIENCE)) {
            while (!over) {
                int choice = choices.nextInt(20);
                if (live.size() < LIVE_PER_AGENT * size && choice < 12) {
                    String id = "r" + next++;
                    long cpu = 1L + choices.nextInt(2);
                    demands.put(id, cpu);
                    client.submit(SubmitRequest.newBuilder()
                                    .setRequestId(id)
                                    .putDemand("cpu_milli", 1000 * cpu)
                                    .putDemand("mem_mib", 1024)
                                    .setAgent(true)
                                    .build())
                            .get();
                    requests.put(id, false);
                    live.add(id);
                } else if (!live.isEmpty() && choice < 17) {
                    String id = live.remove(choices.nextInt(live.size()));
                    requests.put(id, true);
                    client.release(ReleaseRequest.newBuilder().setRequestId(id).build())
                            .get();
                } else if (!live.isEmpty() && choice < 19) {
                    evict(client, live.get(choices.nextInt(live.size())));
                } else {
                    drainAndReturn(client, choices.nextInt(size));
                }
                TimeUnit.MILLISECONDS.sleep(choices.nextInt(300));
            }
        } catch (Exception e) {
            failure = e;
        }
    }

    private static void evict(StowageClient client, String id) throws InterruptedException {
        try {
            client.evict(EvictRequest.newBuilder()
                            .setChangeId("evict-" + System.nanoTime())
                            .setRequestId(id)
                            .build())
                    .get();
        } catch (java.util.concurrent.ExecutionException e) {
            // It waits, or stops already.
        }
    }

    private void drainAndReturn(StowageClient client, int server) throws InterruptedException {
        for (ServerChange change : List.of(ServerChange.DRAIN, ServerChange.RETURN)) {
            ChangeServerRequest.Builder request = ChangeServerRequest.newBuilder()
                    .setChangeId("change-" + System.nanoTime())
                    .setServer(server)
                    .setChange(change);
            if (change == ServerChange.DRAIN) {
                request.setMoveGapNanos(TimeUnit.MILLISECONDS.toNanos(500));
            }
            try {
                client.<ChangeReply>operations((stub, answer) -> stub.changeServer(request.build(), answer))
                        .get();
                TimeUnit.SECONDS.sleep(2);
            } catch (java.util.concurrent.ExecutionException e) {
                // It is suspected or gone just now.
                return;
            }
        }
    }

    private void fault() throws Exception {
        int agent = random.nextInt(size);
        AgentProcess of = agents.get(agent);
        NodeProcess node = group.nodes().get(random.nextInt(NODES));
        // Shorter and longer than the lease, and than lease and grace time.
        long seconds = 1L + random.nextInt((int) (LEASE_SECONDS + GRACE_SECONDS + 4));
        switch (random.nextInt(7)) {
            case 0 -> {
                count("agent killed");
                of.kill();
                TimeUnit.SECONDS.sleep(seconds / 3);
                of.start();
            }
            case 1 -> {
                count("agent stopped");
                of.signal("STOP");
                TimeUnit.SECONDS.sleep(seconds);
                of.signal("CONT");
            }
            case 2 -> {
                count("agent cut off");
                links.cutAgent(agent);
                TimeUnit.SECONDS.sleep(seconds);
                links.heal();
            }
            case 3 -> {
                count("answers lost");
                links.muteNodes(agent);
                TimeUnit.SECONDS.sleep(seconds);
                links.heal();
            }
            case 4 -> {
                count("node killed");
                node.kill();
                TimeUnit.SECONDS.sleep(seconds / 3);
                node.start();
            }
            case 5 -> {
                count("node stopped");
                node.pause();
                TimeUnit.SECONDS.sleep(seconds / 2);
                node.resume();
            }
            default -> {
                if (!clocks.isEmpty()) {
                    count("clock set");
                    set(clocks.get(random.nextInt(NODES)), random.nextInt(7200) - 3600);
                }
            }
        }
        for (AgentProcess each : agents) {
            // One that was told that its server has a newer agent, or whose directory was taken, has ended.
            if (!each.runs()) {
                each.start();
            }
        }
    }

    private void count(String fault) {
        faults.merge(fault, 1, Integer::sum);
    }

    private void heal() throws Exception {
        links.heal();
        for (NodeProcess node : group.nodes()) {
            if (!node.runs()) {
                node.start();
            }
        }
        group.agree();
    }

    /** Waits until all that was not released runs, as its agent says, and nothing else does. */
    private void settle() throws Exception {
        try (StowageClient client = group.client(Group.PATIENCE)) {
            while (!settled(client)) {
                for (AgentProcess agent : agents) {
                    if (!agent.runs()) {
                        agent.start();
                    }
                }
                TimeUnit.MILLISECONDS.sleep(500);
            }
        }
    }

    private boolean settled(StowageClient client) throws Exception {
        Map<String, AgentRecords.Run> running = records().goingOn();
        for (Map.Entry<String, Boolean> one : requests.entrySet()) {
            Request now = client.get(
                            GetRequest.newBuilder().setRequestId(one.getKey()).build())
                    .get();
            AgentRecords.Run run = running.remove(one.getKey());
            boolean right = one.getValue()
                    ? now.getState() == State.RELEASED && run == null
                    : now.getState() == State.RUNNING
                            && now.getPhase() == Phase.STARTED
                            && run != null
                            && run.server() == now.getServer()
                            && run.attempt() == now.getAttempt();
            if (!right) {
                return false;
            }
        }
        return running.isEmpty();
    }
}

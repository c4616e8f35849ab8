package dev.stowage.service.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes under load, and what may happen to them. Not part of {@code mvn verify}: {@code .ci/faults} builds
 * the program and runs it.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
final class FaultsTest {
    private static final int CLIENTS = 6;
    /** So few that clients that think bring nodes to a snapshot every few seconds. */
    private static final int SNAPSHOT_ENTRIES = 100;

    @TempDir
    private Path directory;

    private String command = "";
    private Group group;
    private long seed;

    @RegisterExtension
    private final TestExecutionExceptionHandler diagnosis = Group.describedAtFailure(() -> group);

    @BeforeEach
    void start() throws Exception {
        command = System.getProperty("stowage.command", "");
        assumeTrue(!command.isEmpty(), "skipped: -Dstowage.command=/path/to/stowage says what to run");
        seed = Long.getLong("stowage.seed", System.nanoTime());
        group = new Group(command, directory, 3, SNAPSHOT_ENTRIES);
        group.start();
        group.leader();
        for (NodeProcess node : group.nodes()) {
            group.agree(node);
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (group != null) {
            group.close();
        }
    }

    private ClientLoad load(String prefix) {
        return new ClientLoad(group.client(Group.PATIENCE), prefix, CLIENTS, seed);
    }

    /**
     * Each leader is killed in its turn, every other one while the one before is still starting; in the end all are, at
     * once.
     */
    @Test
    void killedLeaders() throws Exception {
        int kills = Integer.getInteger("stowage.kills", 20);
        List<Double> gaps = new ArrayList<>();
        List<Double> gapsWhileStarting = new ArrayList<>();
        try (ClientLoad load = load("kill-")) {
            load.progress();
            for (int kill = 0; kill < kills; kill++) {
                group.allRun();
                NodeProcess leader = group.leader();
                // While the leader killed before is still starting, no majority is left until it is up.
                boolean all = group.serving() == group.nodes().size();
                load.fault(leader::kill);
                long died = System.nanoTime();
                int before = load.answered();
                while (load.answered() == before) {
                    load.checkClients();
                    Thread.sleep(5);
                }
                (all ? gaps : gapsWhileStarting).add((System.nanoTime() - died) / 1e9);
                leader.start();
                load.progress();
                if (kill % 2 == 0) {
                    group.agree(leader);
                }
            }
            load.fault(group::kill);
            group.start();
            load.progress();
            load.check();
            group.agree();
            group.conserved();
            System.out.printf(
                    "%d leaders killed: %s; seconds without an answer %s with all up, %s while one was starting%n",
                    kills, load, sorted(gaps), sorted(gapsWhileStarting));
        }
    }

    private static String sorted(List<Double> seconds) {
        return seconds.isEmpty()
                ? "-"
                : seconds.stream()
                        .sorted()
                        .map(one -> String.format(Locale.ROOT, "%.1f", one))
                        .collect(Collectors.joining(" "));
    }

    /** A leader that is stopped for longer than an election, and then goes on as if nothing had happened. */
    @Test
    void stoppedLeaders() throws Exception {
        int stops = Integer.getInteger("stowage.stops", 4);
        try (ClientLoad load = load("stop-")) {
            load.progress();
            for (int i = 0; i < stops; i++) {
                group.allRun();
                NodeProcess leader = group.leader();
                load.fault(leader::pause);
                // Nobody is answered before another one leads.
                load.progress();
                load.fault(leader::resume);
                load.progress();
            }
            load.check();
            group.agree();
            group.conserved();
            System.out.printf("%d leaders stopped and resumed: %s%n", stops, load);
        }
    }

    /**
     * Two of three lose their directories: they must not begin anew over the one that has everything, nor acknowledge
     * anything; and an operator can go on with what that one has.
     */
    @Test
    void emptyDisks() throws Exception {
        NodeProcess survivor = group.node("n2");
        try (ClientLoad load = load("empty-")) {
            load.progress();
            load.check();
            group.agree();
            for (String id : List.of("n1", "n3")) {
                group.node(id).wipe();
                group.node(id).start();
            }
            for (String id : List.of("n1", "n3")) {
                group.says(group.node(id), "it joins group");
            }
            for (int i = 0; i < 20; i++) {
                assertThat(group.serving()).as("nodes that serve").isZero();
                assertThat(group.placedWithin(Duration.ofMillis(200)))
                        .as("acknowledged")
                        .isFalse();
            }
            System.out.println(group.node("n1").said("does not serve"));
            survivor.kill();
            group.restoreFrom(survivor);
            load.check();
            group.agree();
            group.conserved();
        }
    }

    /**
     * A follower that lost its directory comes back as another member, and counts: the one that was good all the time
     * dies next.
     */
    @Test
    void wipedNodes() throws Exception {
        int wipes = Integer.getInteger("stowage.wipes", 3);
        List<Double> back = new ArrayList<>();
        try (ClientLoad load = load("wipe-")) {
            load.progress();
            for (int i = 0; i < wipes; i++) {
                // Each has all that was there by now: the states are never the same at one moment while clients call.
                for (NodeProcess node : group.nodes()) {
                    group.agree(node);
                }
                NodeProcess leader = group.leader();
                NodeProcess victim = i % 3 == 2 ? leader : group.follower();
                load.fault(victim::wipe);
                load.progress();
                long started = System.nanoTime();
                victim.start();
                group.agree(victim);
                back.add((System.nanoTime() - started) / 1e9);
                NodeProcess good = group.nodes().stream()
                        .filter(node -> node != victim && node != leader)
                        .findFirst()
                        .orElseThrow();
                load.fault(good::kill);
                load.progress();
                good.start();
                group.agree(good);
            }
            load.check();
            group.agree();
            group.conserved();
            System.out.printf("%d nodes wiped: %s; seconds until they served again %s%n", wipes, load, sorted(back));
        }
    }

    /**
     * Two nodes are killed in turn, then all at once. Whoever watches meanwhile, and whoever asks each node afterwards
     * for all that it remembers, is told the same changes, each once; the node that never fell behind has all of them.
     */
    @Test
    void historyOverKills() throws Exception {
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        try (ClientLoad load = load("history-");
                StowageClient client = group.client(Group.PATIENCE)) {
            Thread watching = new Thread(() -> {
                try {
                    client.watch(behind(-1), reply -> heard.addAll(changes(reply)));
                } catch (RuntimeException e) {
                    // The test is over.
                }
            });
            watching.setDaemon(true);
            watching.start();
            load.progress();
            NodeProcess spared = group.nodes().get(2);
            for (int kill = 0; kill < 4; kill++) {
                NodeProcess victim = group.nodes().get(kill % 2);
                load.fault(victim::kill);
                load.progress();
                victim.start();
                load.progress();
                group.agree(victim);
            }
            load.fault(group::kill);
            group.start();
            load.progress();
            load.check();
            group.agree();
            long last = group.status(group.leader()).getApplied();
            List<String> all = told(spared, last, -1);
            assertThat(all).hasSizeGreaterThan(load.requests());
            while (heard.size() < all.size() || !heard.get(all.size() - 1).equals(all.get(all.size() - 1))) {
                Thread.sleep(20);
            }
            assertThat(List.copyOf(heard).subList(0, all.size())).isEqualTo(all);
            for (NodeProcess node : group.nodes()) {
                List<String> some = told(node, last, Long.MAX_VALUE);
                assertThat(some).isEqualTo(all.subList(all.size() - some.size(), all.size()));
                System.out.printf("history of %s: %d of %d changes%n", node.id(), some.size(), all.size());
            }
        }
    }

    private static WatchRequest behind(long position) {
        return WatchRequest.newBuilder().setAfterPosition(position).build();
    }

    private static List<String> changes(WatchReply reply) {
        return reply.getChangesList().stream()
                .map(change -> reply.getPosition() + " " + change.getRequestId() + " " + change.getState() + " "
                        + change.getServer())
                .toList();
    }

    /** What one node tells from the oldest position on that it remembers, which is at most that. */
    private List<String> told(NodeProcess node, long last, long oldest) {
        String address = group.addresses().get(group.nodes().indexOf(node));
        try (StowageClient one = StowageClient.of(ClientSettings.plain(List.of(address)))) {
            long from = -1;
            while (true) {
                List<String> told = new ArrayList<>();
                try {
                    one.watch(behind(from), reply -> {
                        told.addAll(changes(reply));
                        if (reply.getPosition() >= last) {
                            throw new IllegalStateException("all told");
                        }
                    });
                } catch (IllegalStateException e) {
                    return told;
                } catch (StatusRuntimeException e) {
                    Matcher begins = Pattern.compile("the oldest known position is (\\d+)")
                            .matcher(String.valueOf(e.getMessage()));
                    assertThat(begins.find()).as(e.getMessage()).isTrue();
                    from = Long.parseLong(begins.group(1));
                    assertThat(from).isLessThanOrEqualTo(oldest);
                }
            }
        }
    }

    /** Files of a node that does not run are damaged; then the others die in turn, so that it must have it all. */
    @Test
    void damagedFiles() throws Exception {
        Random random = new Random(seed);
        try (ClientLoad load = load("damage-")) {
            load.progress();
            // Two of three are enough for progress; the third has no files yet while it starts.
            for (NodeProcess node : group.nodes()) {
                group.agree(node);
            }
            for (Damage damage : Damage.values()) {
                group.allRun();
                NodeProcess victim = group.follower();
                while (!group.hasSnapshot(victim)) {
                    load.progress();
                }
                load.fault(victim::kill);
                load.progress();
                assertThat(damage.apply(victim.data(), random))
                        .as("files for " + damage)
                        .isTrue();
                System.out.println("seed " + seed + ": " + damage);
                victim.start();
                group.agree(victim);
                load.progress();
                group.allRun();
                NodeProcess leader = group.leader();
                load.fault(leader::kill);
                load.progress();
                leader.start();
                group.agree(leader);
            }
            load.check();
            group.agree();
            group.conserved();
        }
    }

    private enum Damage {
        LOG_TAIL_CUT,
        LOG_BIT,
        NEWEST_SNAPSHOT_BIT,
        ALL_SNAPSHOTS_BIT;

        boolean apply(Path data, Random random) throws IOException {
            List<Path> files = files(data, this == LOG_TAIL_CUT || this == LOG_BIT ? "log_" : "snapshot.");
            int count = Math.min(files.size(), this == ALL_SNAPSHOTS_BIT ? files.size() : 1);
            for (Path file : files.subList(0, count)) {
                byte[] bytes = Files.readAllBytes(file);
                int end = bytes.length;
                while (end > 0 && bytes[end - 1] == 0) {
                    end--;
                }
                if (this == LOG_TAIL_CUT) {
                    bytes = Arrays.copyOf(bytes, end * 2 / 3);
                } else {
                    bytes[end / 3 + random.nextInt(Math.max(1, end / 3))] ^= (byte) (1 << random.nextInt(8));
                }
                Files.write(file, bytes);
            }
            return count > 0;
        }

        /** Newest first. */
        private static List<Path> files(Path data, String prefix) throws IOException {
            try (Stream<Path> all = Files.walk(data)) {
                return all.filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
                        .filter(file -> !String.valueOf(file.getFileName()).endsWith(".md5"))
                        .sorted(Comparator.comparingLong(
                                        (Path file) -> file.toFile().lastModified())
                                .reversed())
                        .toList();
            }
        }
    }

    /**
     * A node on a file system without room goes on while its log has some, and ends when it has none; the others go on,
     * and with room it comes back.
     */
    @Test
    void fullDisk() throws Exception {
        NodeProcess victim = group.follower();
        group.agree(victim);
        victim.kill();
        Path small = Files.createDirectories(directory.resolve("small"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=48m", "none", small.toString()),
                "skipped: this user may not mount a small file system");
        try (ClientLoad load = load("full-")) {
            move(victim.data(), small);
            victim.start();
            group.agree(victim);
            load.progress();
            Path junk = small.resolve("junk");
            load.fault(() -> run("dd", "if=/dev/zero", "of=" + junk, "bs=64k", "count=10000"));
            for (int i = 0; i < 10; i++) {
                load.progress();
            }
            // A new leader begins a new file of the log.
            NodeProcess leader = group.leader();
            NodeProcess next = group.nodes().stream()
                    .filter(node -> node != leader && node != victim)
                    .findFirst()
                    .orElseThrow();
            load.fault(() -> group.transferLeadership(next));
            load.progress();
            assertThat(victim.ends())
                    .as("exit code of a node that cannot write its log")
                    .isEqualTo(1);
            String said = victim.said("stowage: node " + victim.id() + " is shutting down: ");
            assertThat(said).contains("its log cannot be written");
            System.out.println(said);
            load.progress();
            Files.delete(junk);
            victim.start();
            group.agree(victim);
            load.check();
            group.agree();
            group.conserved();
            System.out.println("a disk full: " + load);
        } finally {
            victim.kill();
            run("umount", small.toString());
        }
    }

    /** The victim's directory becomes a link to one on the small file system. */
    private static void move(Path data, Path small) throws Exception {
        Path target = small.resolve("data");
        assertThat(run("cp", "-a", data.toString(), target.toString())).isTrue();
        assertThat(run("rm", "-rf", data.toString())).isTrue();
        Files.createSymbolicLink(data, target);
    }

    private static boolean run(String... words) throws IOException, InterruptedException {
        return new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}

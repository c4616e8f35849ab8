package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.Ports;
import dev.stowage.service.Wait;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log that is damaged while its node does not run: torn writes are cut, lost acknowledged entries are not passed
 * over.
 */
final class DataDirectoryTest {
    private static final int REQUESTS = 60;

    @TempDir
    private Path directory;

    private final List<RaftNode> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(RaftNode::close);
    }

    private static Setting setting() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(100, Amounts.of(10)))),
                List.of(RequestType.of("small", 1)));
        return new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.MINUTES.toNanos(10));
    }

    private RaftNode start(NodeSettings settings) throws IOException {
        RaftNode node = RaftNode.start(settings, new Policies(), setting());
        open.add(node);
        return node;
    }

    private void stop(RaftNode node) {
        open.remove(node);
        node.close();
    }

    private static void submit(RaftNode node, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            node.submit(new Submit("acme", "r" + i, "small", new long[0], new long[0], Operation.TYPE_REWARD, -1))
                    .get();
        }
    }

    private static int live(RaftNode node) {
        return node.look(state -> state.world() == null ? -1 : state.world().live());
    }

    /** Runs a node alone with some requests and ends it; gives the file that its log ends in. */
    private Path logOfOneNode() throws Exception {
        RaftNode node = start(NodeSettings.single(directory));
        Wait.until("ready", () -> node.status().ready());
        submit(node, 0, REQUESTS);
        stop(node);
        return lastSegment(directory);
    }

    private static Path lastSegment(Path data) throws IOException {
        try (var files = Files.walk(data)) {
            Path current =
                    files.filter(file -> file.endsWith("current")).findFirst().orElseThrow();
            List<LogFiles.Segment> segments = LogFiles.segments(current);
            return segments.get(segments.size() - 1).file();
        }
    }

    @Test
    void aTornWriteIsCutAndNothingIsLost() throws Exception {
        Path file = logOfOneNode();
        byte[] whole = Files.readAllBytes(file);
        int end = lengthWithoutZeros(whole);
        // A checksum may end in zeros as well.
        Files.write(file, Arrays.copyOf(whole, end));
        while (LogFiles.read(file.getParent(), entry -> {}).damage() != null) {
            Files.write(file, Arrays.copyOf(whole, ++end));
        }
        // The beginning of one more entry of 100 bytes.
        byte[] torn = Arrays.copyOf(whole, end + 40);
        torn[end] = 100;
        Arrays.fill(torn, end + 1, torn.length, (byte) 7);
        Files.write(file, torn);
        RaftNode again = start(NodeSettings.single(directory));
        Wait.until("ready", () -> again.status().ready());
        assertThat(live(again)).isEqualTo(REQUESTS);
    }

    @Test
    void aNodeAloneThatLostAcknowledgedEntriesDoesNotStart() throws Exception {
        Path file = logOfOneNode();
        byte[] whole = Files.readAllBytes(file);
        for (byte[] damaged : List.of(flipped(whole), Arrays.copyOf(whole, whole.length / 2))) {
            Files.write(file, damaged);
            assertThatThrownBy(() -> start(NodeSettings.single(directory)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("was applied already")
                    .hasMessageContaining("acknowledged operations would be missing");
        }
        // The operator accepts the loss.
        Files.delete(AppliedMark.file(directory));
        RaftNode again = start(NodeSettings.single(directory));
        Wait.until("ready", () -> again.status().ready());
        assertThat(live(again)).isBetween(1, REQUESTS - 1);
    }

    /** The newest snapshot has all that was applied, but entries behind it may have been acknowledged. */
    @Test
    void aLogThatEndsBeforeTheSnapshotHasLostEntries() throws Exception {
        RaftNode node = start(NodeSettings.single(directory));
        Wait.until("ready", () -> node.status().ready());
        submit(node, 0, REQUESTS);
        node.snapshot();
        stop(node);
        Path file = lastSegment(directory);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, lengthWithoutZeros(whole) * 2 / 3));
        assertThatThrownBy(() -> start(NodeSettings.single(directory)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("but the snapshot has entry")
                .hasMessageContaining("acknowledged operations would be missing");
        // The operator accepts the loss: the node has what the snapshot has, and goes on.
        Files.delete(AppliedMark.file(directory));
        RaftNode again = start(NodeSettings.single(directory));
        Wait.until("ready", () -> again.status().ready());
        assertThat(live(again)).isEqualTo(REQUESTS);
        submit(again, REQUESTS, REQUESTS + 5);
        stop(again);
        RaftNode third = start(NodeSettings.single(directory));
        Wait.until("ready", () -> third.status().ready());
        assertThat(live(third)).isEqualTo(REQUESTS + 5);
    }

    private static int lengthWithoutZeros(byte[] bytes) {
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private static byte[] flipped(byte[] whole) {
        byte[] damaged = whole.clone();
        damaged[damaged.length / 2] ^= 4;
        return damaged;
    }

    @Test
    void aNodeOfAGroupThatLostEntriesGetsThemBackBeforeItTakesPart() throws Exception {
        loseEntries(false);
    }

    @Test
    void aNodeOfAGroupThatLostWhatIsBehindItsSnapshotGetsItBack() throws Exception {
        loseEntries(true);
    }

    private void loseEntries(boolean snapshot) throws Exception {
        List<NodeSettings.Peer> peers = new ArrayList<>();
        for (int port : Ports.free(3)) {
            peers.add(new NodeSettings.Peer("n" + (peers.size() + 1), "127.0.0.1:" + port));
        }
        List<NodeSettings> settings = peers.stream()
                .map(peer -> NodeSettings.of(peer.id(), peers, directory.resolve(peer.id())))
                .toList();
        List<RaftNode> nodes = new ArrayList<>();
        for (NodeSettings one : settings) {
            nodes.add(start(one));
        }
        Wait.until("a leader", () -> nodes.stream().anyMatch(RaftNode::leads));
        RaftNode leader = nodes.stream().filter(RaftNode::leads).findFirst().orElseThrow();
        // A leader is not ready before its first entry says what the cluster is.
        Wait.until("ready", () -> leader.status().ready());
        submit(leader, 0, REQUESTS);
        RaftNode victim =
                nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
        Wait.until("applied", () -> live(victim) == REQUESTS);
        NodeSettings own = settings.get(nodes.indexOf(victim));
        if (snapshot) {
            victim.snapshot();
        }
        stop(victim);

        Path file = lastSegment(own.data());
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, snapshot ? Arrays.copyOf(whole, lengthWithoutZeros(whole) * 2 / 3) : flipped(whole));
        RaftNode back = start(own);
        Wait.until("back", () -> back.status().ready() && live(back) == REQUESTS);
        assertThat(back.status().snapshot()).isPositive();
        assertThat(own.data().resolve("rejoining")).doesNotExist();
        submit(leader, REQUESTS, 2 * REQUESTS);
        Wait.until("same", () -> back.status().digest() == leader.status().digest() && live(back) == 2 * REQUESTS);
    }
}

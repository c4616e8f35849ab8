package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.service.directory.AppliedMark;
import dev.stowage.service.directory.DataDirectory;
import dev.stowage.service.directory.LogFiles;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Operation.Submit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A log that is damaged while its node does not run: torn writes are cut, lost acknowledged entries are not passed
 * over.
 */
final class DataDirectoryTest extends NodeTests {
    private static final int REQUESTS = 60;

    private static void submit(RaftNode node, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            node.submit(new Submit("acme", "r" + i, "small", new long[0], new long[0], Operation.TYPE_REWARD, -1))
                    .get(10, TimeUnit.MINUTES);
        }
    }

    /** Runs a node alone with some requests and ends it; gives the file that its log ends in. */
    private Path logOfOneNode() throws Exception {
        RaftNode node = start(NodeSettings.single(directory));
        await("ready", () -> node.status().ready());
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
        await("ready", () -> again.status().ready());
        assertThat(live(again)).isEqualTo(REQUESTS);
    }

    /** The second time before any entry of a later term: it may have voted behind the term in which it went on. */
    @Test
    void aVoteThatIsLostTwiceIsNotGivenTwice() throws Exception {
        Path group = logOfOneNode().getParent().getParent();
        Path meta = group.resolve("current").resolve("raft-meta");
        // The first by the time of day.
        long before = System.currentTimeMillis() * 1000 - 1_000_000;
        for (int i = 0; i < 3; i++) {
            Files.write(meta, new byte[0]);
            new DataDirectory(directory, group).restoreVote("n1");
            String first = Files.readString(meta).lines().findFirst().orElseThrow();
            long term = Long.parseLong(first.substring("term=".length()));
            assertThat(term).isGreaterThanOrEqualTo(before + 1_000_000);
            before = term;
        }
    }

    /** One that lost its vote later, and has none of the entries since, leaps beyond where the first one is by now. */
    @Test
    void aLaterLeapIsBeyondAnEarlierOne() {
        long millis = 1_800_000_000_000L;
        long first = DataDirectory.termBeyond(7, millis, DataDirectory.SPREAD - 1);
        long electionsSince = 999;
        assertThat(DataDirectory.termBeyond(5, millis + 2, 0)).isGreaterThan(first + electionsSince);
        // Where clocks do not help, it is beyond what the node knows.
        assertThat(DataDirectory.termBeyond(first, 0, 3)).isEqualTo(first + 1_000_003);
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
        await("ready", () -> again.status().ready());
        assertThat(live(again)).isBetween(1, REQUESTS - 1);
    }

    /** The newest snapshot has all that was applied, but entries behind it may have been acknowledged. */
    @Test
    void aLogThatEndsBeforeTheSnapshotHasLostEntries() throws Exception {
        RaftNode node = start(NodeSettings.single(directory));
        await("ready", () -> node.status().ready());
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
        await("ready", () -> again.status().ready());
        assertThat(live(again)).isEqualTo(REQUESTS);
        submit(again, REQUESTS, REQUESTS + 5);
        stop(again);
        RaftNode third = start(NodeSettings.single(directory));
        await("ready", () -> third.status().ready());
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
        List<NodeSettings> settings = three(one -> one);
        List<RaftNode> nodes = startAllReady(settings);
        RaftNode leader = leader(nodes);
        submit(leader, 0, REQUESTS);
        RaftNode victim =
                nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
        await("applied", () -> live(victim) == REQUESTS);
        NodeSettings own = settings.get(nodes.indexOf(victim));
        if (snapshot) {
            victim.snapshot();
        }
        stop(victim);

        Path file = lastSegment(own.data());
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, snapshot ? Arrays.copyOf(whole, lengthWithoutZeros(whole) * 2 / 3) : flipped(whole));
        RaftNode back = start(own);
        await("back", () -> back.status().ready() && live(back) == REQUESTS);
        assertThat(back.status().member()).isNotEqualTo(victim.status().member());
        assertThat(own.data().resolve("rejoining")).doesNotExist();
        submit(leader, REQUESTS, 2 * REQUESTS);
        await("same", () -> back.status().digest() == leader.status().digest() && live(back) == 2 * REQUESTS);
    }
}

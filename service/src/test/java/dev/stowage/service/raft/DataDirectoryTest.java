package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.service.directory.AppliedMark;
import dev.stowage.service.directory.DataDirectory;
import dev.stowage.service.directory.LogFiles;
import dev.stowage.service.directory.VoteFile;
import dev.stowage.service.directory.VoteFile.Vote;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Submits;
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
            node.submit(Submits.of("acme", "r" + i, "small", new long[0], new long[0], Operation.TYPE_REWARD, -1))
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

    /** As a full disk leaves Ratis' file, once and again. */
    @Test
    void aVoteThatRatisLosesIsKnown() throws Exception {
        Path group = logOfOneNode().getParent().getParent();
        DataDirectory data = new DataDirectory(directory, group);
        Vote before = new Vote(11, "n3");
        try (VoteFile votes = VoteFile.open(group)) {
            // Its own election, before it led.
            assertThat(VoteFile.read(group)).isEqualTo(new Vote(1, "n1"));
            votes.keep(before.term(), before.candidate());
        }
        Path meta = group.resolve("current").resolve("raft-meta");
        for (String left : List.of("", "term=x\nvotedFor=n1\n", "term=1\n", "term=10\nvotedFor=n2\n")) {
            Files.writeString(meta, left);
            assertThat(data.restoreVote("n1", false)).isTrue();
            assertThat(Files.readString(meta)).isEqualTo("term=11\nvotedFor=n3\n");
        }
        // What Ratis has is as new, or newer.
        for (String left : List.of("term=11\nvotedFor=n3\n", "term=12\nvotedFor=\n")) {
            Files.writeString(meta, left);
            assertThat(data.restoreVote("n1", false)).isTrue();
            assertThat(Files.readString(meta)).isEqualTo(left);
        }
    }

    /** Of an older release, or damaged. */
    @Test
    void aVoteThatNobodyKnowsIsNotGuessed() throws Exception {
        Path group = logOfOneNode().getParent().getParent();
        DataDirectory data = new DataDirectory(directory, group);
        Path meta = group.resolve("current").resolve("raft-meta");
        Files.write(meta, new byte[0]);
        Files.delete(group.resolve("votes"));
        assertThat(data.restoreVote("n1", false)).isFalse();
        assertThat(meta).hasSize(0);
        // Where nobody else votes, the log is enough.
        assertThat(data.restoreVote("n1", true)).isTrue();
        assertThat(Files.readString(meta)).isEqualTo("term=1\nvotedFor=n1\n");
    }

    /** In the last term of the log it has not voted, or it would be known. */
    @Test
    void aVoteBeforeTheLastTermOfTheLogIsOver() {
        assertThat(DataDirectory.after(new Vote(4, "n2"), 5, "n1")).isEqualTo(new Vote(5, "n1"));
        assertThat(DataDirectory.after(new Vote(5, "n2"), 5, "n1")).isEqualTo(new Vote(5, "n2"));
        assertThat(DataDirectory.after(new Vote(6, "n2"), 5, "n1")).isEqualTo(new Vote(6, "n2"));
        assertThat(DataDirectory.after(null, 5, "n1")).isEqualTo(new Vote(5, "n1"));
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

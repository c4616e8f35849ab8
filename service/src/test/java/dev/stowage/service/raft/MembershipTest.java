package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.policies.Policies;
import dev.stowage.service.directory.AppliedMark;
import dev.stowage.service.directory.Backup;
import dev.stowage.service.directory.Identity;
import dev.stowage.service.directory.LogFiles;
import dev.stowage.service.directory.Salvage;
import dev.stowage.service.state.ServiceState;
import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Who belongs to a group: it is made once, a node without one joins, one that lost its log is another member from then
 * on.
 */
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
final class MembershipTest extends NodeTests {
    private static void delete(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static RaftNode follower(List<RaftNode> nodes) throws InterruptedException {
        RaftNode leader = leader(nodes);
        return nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
    }

    private static long there(RaftNode node, int count) throws InterruptedException {
        await("all there", () -> node.status().ready() && live(node) == count);
        return node.status().digest();
    }

    @Test
    void aGroupIsMadeByOneNodeAndTheOthersJoinIt() throws Exception {
        List<RaftNode> nodes = startAllReady(three(one -> one));
        assertThat(nodes.stream().map(node -> node.status().group()).distinct()).hasSize(1);
        assertThat(nodes.get(0).status().group()).isNotEqualTo(Identity.OLD.toString());
        assertThat(nodes.get(0).status().member()).isEqualTo("n1");
        assertThat(nodes.get(1).status().member()).matches("n2#\\d+");
        assertThat(nodes.get(0).status().peers()).containsExactly("n1", "n2", "n3");
        submitAll(leader(nodes), 0, 10);
    }

    @Test
    void withoutAFirstStartNodesWait() throws Exception {
        List<RaftNode> nodes = startAll(three(one -> one.withBootstrap(false)));
        await(
                "say so",
                () -> nodes.stream()
                        .allMatch(node -> String.valueOf(node.status().waits()).contains("--bootstrap")));
        assertThat(nodes).noneMatch(node -> node.status().ready());
        assertThat(nodes.get(0).submit(submit(1))).failsWithin(10, TimeUnit.MINUTES);
    }

    @Test
    void aFirstStartWaitsForAllNodes() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        RaftNode first = start(settings.get(0));
        RaftNode second = start(settings.get(1));
        await("waits", () -> String.valueOf(first.status().waits()).contains("no answer yet from n3"));
        assertThat(second.status().group()).isEmpty();
        List<RaftNode> nodes = List.of(first, second, start(settings.get(2)));
        await("ready", () -> nodes.stream().allMatch(node -> node.status().ready()));
    }

    /** Hole 1: the others began a new history over the one that had everything. */
    @Test
    void emptyDisksBeginNothingOverASurvivor() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        List<RaftNode> nodes = startAllReady(settings);
        submitAll(leader(nodes), 0, 60);
        RaftNode survivor = nodes.get(1);
        await("all there", () -> live(survivor) == 60);
        String group = survivor.status().group();
        for (int gone : List.of(0, 2)) {
            stop(nodes.get(gone));
            delete(settings.get(gone).data());
        }
        RaftNode first = start(settings.get(0));
        RaftNode third = start(settings.get(2));
        // Until both wait, or one has done what it must not.
        await(
                "wait for a majority",
                () -> Stream.of(first, third)
                                .anyMatch(node -> !node.status().group().isEmpty())
                        || Stream.of(first, third)
                                .allMatch(node ->
                                        String.valueOf(node.status().waits()).contains("majority")));
        assertThat(Stream.of(first, third))
                .allMatch(node -> node.status().group().isEmpty());
        await("knows", () -> !survivor.status().ready());
        assertThat(Stream.of(first, third))
                .allMatch(node -> node.status().group().isEmpty());
        assertThat(survivor.status().group()).isEqualTo(group);
        assertThat(first.submit(submit(100))).failsWithin(10, TimeUnit.MINUTES);
        assertThat(third.read(state -> 1)).failsWithin(10, TimeUnit.MINUTES);
        assertThat(survivor.status().ready()).isFalse();
        assertThat(survivor.submit(submit(100))).failsWithin(10, TimeUnit.MINUTES);
        assertThat(live(survivor)).isEqualTo(60);
    }

    /** The way out of it: a new group that begins with what the survivor has, in two directories; the third joins. */
    @Test
    void whatTheSurvivorHasIsRestoredIntoANewGroup() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        List<RaftNode> nodes = startAllReady(settings);
        submitAll(leader(nodes), 0, 60);
        await("all there", () -> live(nodes.get(1)) == 60);
        long digest = nodes.get(1).status().digest();
        String old = nodes.get(1).status().group();
        nodes.forEach(this::stop);
        delete(settings.get(0).data());

        ServiceState state =
                Salvage.of(settings.get(1).data()).applied(new Policies()).state();
        assertThat(state.digest()).isEqualTo(digest);
        delete(settings.get(1).data());
        Backup.found(
                state,
                new TreeMap<>(Map.of(
                        "n1", settings.get(0).data(), "n2", settings.get(1).data())));
        RaftNode survivor = start(settings.get(1));
        RaftNode restored = start(settings.get(0));
        there(restored, 60);
        assertThat(survivor.status().group()).isNotEqualTo(old);
        submitAll(leader(List.of(survivor, restored)), 60, 70);
        assertThat(there(survivor, 70)).isEqualTo(there(restored, 70));
        // One of the group before is not part of this one, and says so.
        RaftNode stale = start(settings.get(2));
        await("says so", () -> String.valueOf(stale.status().waits()).contains("others to another one"));
        assertThat(stale.status().ready()).isFalse();
        stop(stale);
        delete(settings.get(2).data());
        assertThat(there(start(settings.get(2)), 70))
                .isEqualTo(survivor.status().digest());
    }

    /** Hole 2. */
    @Test
    void aWipedNodeComesBackAsAnotherMemberAndCounts() throws Exception {
        List<NodeSettings> settings = three(one -> one.withLog(log(10, USUALLY, PATIENT)));
        List<RaftNode> nodes = startAllReady(settings);
        for (int i = 0; i < 30; i++) {
            submitAll(leader(nodes), i, i + 1);
        }
        RaftNode wiped = follower(nodes);
        String before = wiped.status().member();
        int at = nodes.indexOf(wiped);
        stop(wiped);
        delete(settings.get(at).data());
        RaftNode back = start(settings.get(at));
        there(back, 30);
        assertThat(back.status().member()).startsWith(wiped.status().id() + "#").isNotEqualTo(before);
        assertThat(back.status().snapshot()).isPositive();
        List<RaftNode> now = new ArrayList<>(nodes);
        now.set(at, back);
        assertThat(leader(now).status().members().stream().map(NodeStatus.Follower::member))
                .contains(back.status().member())
                .doesNotContain(before)
                .hasSize(3);
        // It counts: the one that was good all the time dies.
        RaftNode leader = leader(now);
        RaftNode good = now.stream()
                .filter(node -> node != back && node != leader)
                .findFirst()
                .orElseThrow();
        now.remove(good);
        stop(good);
        submitAll(leader(now), 30, 40);
        assertThat(there(back, 40)).isEqualTo(leader(now).status().digest());
    }

    @Test
    void aWipedLeaderComesBackToo() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        List<RaftNode> nodes = startAllReady(settings);
        for (int round = 0; round < 3; round++) {
            submitAll(leader(nodes), 10 * round, 10 * round + 10);
            RaftNode leader = leader(nodes);
            int at = nodes.indexOf(leader);
            stop(leader);
            delete(settings.get(at).data());
            nodes.set(at, start(settings.get(at)));
            there(nodes.get(at), 10 * round + 10);
        }
        assertThat(nodes.stream().map(node -> node.status().digest()).distinct())
                .hasSize(1);
    }

    /** What no file of the node says: the end of its log is cut at an entry, and the mark is gone. The leader knows. */
    @Test
    void aNodeThatHasLessThanTheLeaderCountsItAsHavingJoinsAnew() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        List<RaftNode> nodes = startAllReady(settings);
        RaftNode leader = leader(nodes);
        for (int i = 0; i < 50; i++) {
            submitAll(leader, i, i + 1);
        }
        RaftNode follower = follower(nodes);
        await("applied", () -> live(follower) == 50);
        stop(follower);
        Path log = LogFiles.segments(logDirectory(follower)).get(0).file();
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.setLength(file.length() / 2);
        }
        Files.delete(AppliedMark.file(follower.settings().data()));
        RaftNode back = start(follower.settings());
        assertThat(there(back, 50)).isEqualTo(leader.status().digest());
        assertThat(back.status().member()).isNotEqualTo(follower.status().member());
    }

    @Test
    void aNodeThatIsPutOutSaysSoAndMayJoinAgain() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        List<RaftNode> nodes = startAllReady(settings);
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 10);
        RaftNode out = follower(nodes);
        int at = nodes.indexOf(out);
        assertThat(leader.removeMember("n9")).failsWithin(10, TimeUnit.MINUTES);
        assertThat(leader.removeMember(leader.status().id())).failsWithin(10, TimeUnit.MINUTES);
        leader.removeMember(out.status().id()).get(10, TimeUnit.MINUTES);
        await("says so", () -> String.valueOf(out.status().waits()).contains("has removed"));
        assertThat(out.status().ready()).isFalse();
        assertThat(out.failed()).isNotDone();
        submitAll(leader, 10, 20);
        assertThat(leader.status().peers())
                .hasSize(2)
                .doesNotContain(out.status().id());
        stop(out);
        RaftNode again = start(settings.get(at));
        await("still", () -> String.valueOf(again.status().waits()).contains("has removed"));
        stop(again);
        delete(settings.get(at).data());
        assertThat(there(start(settings.get(at)), 20)).isEqualTo(leader.status().digest());
        assertThat(leader.status().peers()).hasSize(3);
    }

    @Test
    void noNodeIsPutOutIfTheGroupWouldEndWithIt() throws Exception {
        List<RaftNode> nodes = startAllReady(three(one -> one));
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 10);
        RaftNode down = follower(nodes);
        String gone = down.status().id();
        String other = nodes.stream()
                .filter(node -> node != leader && node != down)
                .findFirst()
                .orElseThrow()
                .status()
                .id();
        stop(down);
        await("silence", () -> String.valueOf(leader.whyNotRemoved(other)).contains("no answer from " + gone));
        assertThat(leader.removeMember(other)).failsWithin(10, TimeUnit.MINUTES);
        assertThat(leader.status().peers()).hasSize(3);
        String leads = "; '" + leader.status().id() + "' still leads, nothing is changed";
        await("longer silence", () -> leader.whyNotTransferred(gone) != null);
        assertThat(leader.whyNotTransferred(gone)).hasMessage("node '" + gone + "' does not answer" + leads);
        assertThat(leader.whyNotTransferred("n9")).hasMessage("node 'n9' is not a member of the group" + leads);
        assertThat(leader.whyNotTransferred(other)).isNull();
        submitAll(leader, 10, 20);
        leader.removeMember(gone).get(10, TimeUnit.MINUTES);
        assertThat(leader.status().peers()).hasSize(2).contains(other);
    }

    /** What a backup has, on three nodes: none founds, all begin together, and one that is wiped joins again. */
    @Test
    void threeNodesBeginWithABackup() throws Exception {
        NodeSettings alone = NodeSettings.single(directory.resolve("old"));
        Path backup = directory.resolve("backup");
        RaftNode old = start(alone);
        await("ready", () -> old.status().ready());
        submitAll(old, 0, 30);
        long digest = old.status().digest();
        SalvageTest.backUp(directory.resolve("old"), new Policies(), backup);
        stop(old);
        List<NodeSettings> settings = three(one -> one.withBootstrap(false));
        TreeMap<String, Path> directories = new TreeMap<>();
        settings.forEach(one -> directories.put(one.id(), one.data()));
        Backup.found(Backup.read(backup, new Policies()), directories);
        List<RaftNode> nodes = startAllReady(settings);
        assertThat(nodes).allSatisfy(node -> {
            assertThat(live(node)).isEqualTo(30);
            assertThat(node.status().digest()).isEqualTo(digest);
            assertThat(node.status().group()).isNotEqualTo(old.status().group());
        });
        submitAll(leader(nodes), 30, 40);
        RaftNode wiped = follower(nodes);
        stop(wiped);
        delete(wiped.settings().data());
        assertThat(there(start(wiped.settings()), 40))
                .isEqualTo(leader(nodes).status().digest());
    }

    private static boolean isTaken(RaftNode node) {
        return String.valueOf(node.status().waits()).contains("another process is node '");
    }

    /** The settings of a process that calls itself a node that lives elsewhere: another directory, another port. */
    private NodeSettings copy(List<NodeSettings> settings, int of) throws IOException {
        NodeSettings one = settings.get(of);
        List<NodeSettings.Peer> peers = new ArrayList<>(one.peers());
        peers.set(of, new NodeSettings.Peer(one.id(), "127.0.0.1:" + FreePorts.one()));
        return NodeSettings.of(one.id(), peers, directory.resolve("copy")).withLog(one.log());
    }

    /** Hole: an empty directory with a member's id put out the member, which lived. */
    @Test
    void aSecondProcessOfANodeThatLivesIsNotLetIn() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        List<RaftNode> nodes = startAllReady(settings);
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 10);
        RaftNode living = follower(nodes);
        String member = living.status().member();
        RaftNode copy = start(copy(settings, nodes.indexOf(living)));
        await("an answer", () -> isTaken(copy) || copy.status().ready());
        assertThat(copy.status().waits())
                .contains(living.settings().address())
                .contains("stowage members --remove " + living.status().id());
        assertThat(copy.status().ready()).isFalse();
        assertThat(copy.submit(submit(100))).failsWithin(10, TimeUnit.MINUTES);
        submitAll(leader, 10, 20);
        assertThat(there(living, 20)).isEqualTo(leader.status().digest());
        assertThat(leader.status().members())
                .extracting(NodeStatus.Follower::member)
                .contains(member);

        // The operator says so.
        leader.removeMember(living.status().id()).get(10, TimeUnit.MINUTES);
        assertThat(there(copy, 20)).isEqualTo(leader.status().digest());
        await("says so", () -> String.valueOf(living.status().waits()).contains("has removed"));
    }

    /** Hole: a whole directory that was copied: two processes voted and acknowledged as one member. */
    @Test
    void aCopyOfADirectoryTakesNoPart() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        List<RaftNode> nodes = startAllReady(settings);
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 10);
        RaftNode living = follower(nodes);
        String member = living.status().member();
        NodeSettings elsewhere = copy(settings, nodes.indexOf(living));
        there(living, 10);
        copy(living.settings().data(), elsewhere.data());
        RaftNode copy = start(elsewhere);
        await("an answer", () -> isTaken(copy) || copy.status().ready());
        assertThat(copy.status().waits()).contains(living.settings().address());
        assertThat(copy.membership().ratis()).isNull();
        submitAll(leader, 10, 20);
        assertThat(there(living, 20)).isEqualTo(leader.status().digest());

        // The one that was copied ends: now it was moved, and comes back as another member.
        stop(living);
        assertThat(there(copy, 20)).isEqualTo(leader.status().digest());
        assertThat(copy.status().member()).isNotEqualTo(member);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    @Test
    void aSecondProcessOfTheLeaderIsNotLetInEither() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        List<RaftNode> nodes = startAllReady(settings);
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 10);
        RaftNode copy = start(copy(settings, nodes.indexOf(leader)));
        await("an answer", () -> isTaken(copy) || copy.status().ready());
        assertThat(copy.status().waits()).contains(leader.status().member());
        submitAll(leader, 10, 20);
        // It ends, and the one that waited takes its place.
        stop(leader);
        there(copy, 20);
    }

    @Test
    void aDirectoryOfBeforeIdentitiesKeepsItsGroup() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        // As version 0.1 left it: no identity, one group for all, the nodes' ids alone.
        for (NodeSettings one : settings) {
            Files.createDirectories(
                    one.data().resolve("raft").resolve(Identity.OLD.toString()).resolve("current"));
        }
        List<RaftNode> nodes = startAllReady(settings);
        assertThat(nodes).allMatch(node -> node.status().group().equals(Identity.OLD.toString()));
        assertThat(nodes)
                .allMatch(node -> node.status().member().equals(node.status().id()));
        submitAll(leader(nodes), 0, 10);
        RaftNode wiped = follower(nodes);
        stop(wiped);
        delete(wiped.settings().data());
        RaftNode back = start(wiped.settings());
        there(back, 10);
        assertThat(back.status().group()).isEqualTo(Identity.OLD.toString());
        assertThat(back.status().member()).contains("#");
    }

    @Test
    void aDirectoryIsOneNodesAndANodeAloneDoesNotBeginAnewOverALostLog() throws Exception {
        NodeSettings settings = NodeSettings.single(directory);
        RaftNode node = start(settings);
        await("ready", () -> node.status().ready());
        submitAll(node, 0, 5);
        stop(node);
        NodeSettings other = NodeSettings.of("x", List.of(new NodeSettings.Peer("x", "127.0.0.1:0")), directory);
        assertThatThrownBy(() -> start(other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("this directory is node 'n1's, not 'x's");
        delete(directory.resolve("raft"));
        assertThatThrownBy(() -> start(settings))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("its log is gone");
    }

    @Test
    void messagesForAnotherIncarnationAreTurnedAway() {
        Addressee addressee = new Addressee("n1#7");
        RaftRpcRequestProto.Builder to = RaftRpcRequestProto.newBuilder();
        AppendEntriesRequestProto.Builder append = AppendEntriesRequestProto.newBuilder();
        assertThat(addressee.accepts(append.setServerRequest(to.setReplyId(ByteString.copyFromUtf8("n1#7")))
                        .build()))
                .isTrue();
        assertThat(addressee.accepts(append.setServerRequest(to.setReplyId(ByteString.copyFromUtf8("n1")))
                        .build()))
                .isFalse();
        assertThat(addressee.accepts(RequestVoteRequestProto.newBuilder()
                        .setServerRequest(to.setReplyId(ByteString.copyFromUtf8("n1#6")))
                        .build()))
                .isFalse();
        assertThat(new Addressee(null).accepts(append.build())).isFalse();
        assertThat(addressee.accepts("something else")).isTrue();
    }
}

package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.service.directory.AppliedMark;
import dev.stowage.service.directory.LogFiles;
import dev.stowage.service.directory.VoteFile;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Submits;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes in one JVM: what they acknowledged is there after restarts, with damaged snapshots, and without a leader that
 * died.
 */
@Tag("once")
final class RaftNodeTest extends NodeTests {
    /** Where Ratis lets tests step in as a follower takes entries. */
    private static final String APPEND_ENTRIES = "RaftServerImpl.appendEntries";

    private static final String LOG_SYNC = "RaftServerImpl.appendEntries.logComplete";
    private static final String REQUEST_VOTE = "RaftServerImpl.requestVote";

    /** Has Ratis fail wherever a node comes to a point: that node, and the other that it has to do with there. */
    private static void failAt(String point, BiPredicate<Object, Object> where) {
        CodeInjectionForTesting.put(point, (local, remote, arguments) -> {
            if (where.test(local, remote)) {
                throw new IllegalStateException("fails for this test");
            }
            return true;
        });
    }

    private static boolean waited(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void whatWasAcknowledgedIsThereAfterARestart() throws Exception {
        NodeSettings settings = NodeSettings.single(directory);
        RaftNode node = start(settings);
        await("ready", () -> node.status().ready());
        List<Request> placed = submitAll(node, 0, 500);
        assertThat(placed).allMatch(request -> request.state() == Request.State.RUNNING);
        long digest = node.status().digest();
        stop(node);

        RaftNode again = start(settings);
        await("ready", () -> again.status().ready());
        assertThat(again.status().digest()).isEqualTo(digest);
        for (Request request : placed) {
            Request found = again.read(state -> state.world().find("acme", request.id()))
                    .get(10, TimeUnit.MINUTES);
            assertThat(found.server()).isEqualTo(request.server());
        }
        // A retry from before the restart is answered.
        assertThat(again.submit(submit(3)).get(10, TimeUnit.MINUTES).kind()).isEqualTo(Outcome.Kind.REPEATED);
    }

    @Test
    void aPortThatIsTakenIsToldAndTheNodeStartsWhenItIsFree() throws Exception {
        NodeSettings settings = three(one -> one).get(0);
        int port = Integer.parseInt(settings.peers().get(0).address().split(":", -1)[1]);
        ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        try (taken) {
            assertThatThrownBy(() -> start(settings))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + port)
                    .hasMessageContaining("in use");
        }
        assertThat(start(settings).status().id()).isEqualTo("n1");
    }

    /** On a full disk, say: who asked for it must not believe that there is one. */
    @Test
    void aSnapshotThatCannotBeWrittenIsNotToldToBeThere() throws Exception {
        RaftNode node = start(NodeSettings.single(directory));
        await("ready", () -> node.status().ready());
        submitAll(node, 0, 10);
        long first = node.snapshot();
        Path place = snapshotFile(first).getParent();
        Path away = place.resolveSibling("away");
        submitAll(node, 10, 20);
        Files.move(place, away);
        Files.createFile(place);
        assertThatThrownBy(node::snapshot)
                .isInstanceOf(NotServedException.class)
                .hasMessageContaining("no snapshot at entry");
        assertThat(node.status().snapshot()).isEqualTo(first);
        Files.delete(place);
        Files.move(away, place);
        assertThat(node.snapshot()).isGreaterThan(first);
    }

    @Test
    void aSnapshotReplacesTheLogAndAnOlderOneReplacesADamagedOne() throws Exception {
        NodeSettings settings = NodeSettings.single(directory);
        RaftNode node = start(settings);
        await("ready", () -> node.status().ready());
        submitAll(node, 0, 200);
        assertThat(node.snapshot()).isPositive();
        submitAll(node, 200, 400);
        long older = node.status().snapshot();
        node.startSnapshot();
        await("second snapshot", () -> node.status().snapshot() > older);
        submitAll(node, 400, 500);
        long digest = node.status().digest();
        long newest = node.status().snapshot();
        stop(node);

        Path file = snapshotFile(newest);
        try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
            damaged.seek(damaged.length() / 2);
            int old = damaged.read();
            damaged.seek(damaged.length() / 2);
            damaged.write(old ^ 4);
        }
        Path unfinished = Files.write(file.resolveSibling(file.getFileName() + "9.tmp"), new byte[1000]);
        RaftNode again = start(settings);
        await("ready", () -> again.status().ready());
        assertThat(again.status().digest()).isEqualTo(digest);
        assertThat((int) again.look(state -> state.world().live())).isEqualTo(500);
        assertThat(file).doesNotExist();
        assertThat(unfinished).doesNotExist();
    }

    private Path snapshotFile(long index) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().matches("snapshot\\.\\d+_" + index))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void overTheBoundOperationsAreTurnedAway() throws Exception {
        RaftNode node = start(NodeSettings.single(directory)
                .withLog(new LogSettings(10, Duration.ofMillis(1), 50_000, USUALLY, PATIENT)));
        await("ready", () -> node.status().ready());
        List<CompletableFuture<Outcome>> futures = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            futures.add(node.submit(submit(i)));
        }
        int overloaded = 0;
        int done = 0;
        for (CompletableFuture<Outcome> future : futures) {
            try {
                future.get(10, TimeUnit.MINUTES);
                done++;
            } catch (ExecutionException e) {
                assertThat(((NotServedException) e.getCause()).kind()).isEqualTo(NotServedException.Kind.OVERLOADED);
                overloaded++;
            }
        }
        assertThat(overloaded).isPositive();
        assertThat(done).isPositive();
        int live = done;
        assertThat((int) node.look(state -> state.world().requests().size())).isEqualTo(live);
    }

    @Test
    void threeNodesSurviveTheLossOfTheLeaderAndADamagedFollowerHeals() throws Exception {
        List<NodeSettings> settings = three(one -> one.withLog(log(50_000, Duration.ofMillis(200), PATIENT)));
        List<RaftNode> nodes = startAllReady(settings);
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 300);
        RaftNode follower =
                nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
        // A linearizable read sees it on any node.
        assertThat(follower.read(state -> state.world().live()).get(10, TimeUnit.MINUTES))
                .isEqualTo(300);
        assertThat(follower.submit(submit(1))).failsWithin(10, TimeUnit.MINUTES);

        follower.damage(ServiceState::damageForTest);
        await(
                "halted",
                () -> follower.status().halted() != null
                        || follower.status().role().equals("down")
                        || follower.look(
                                state -> state.world() != null && state.world().find("", "damage") == null));
        await(
                "healed",
                () -> follower.look(state -> state.halted() == null
                        && state.world() != null
                        && state.world().find("", "damage") == null
                        && state.lastChecked() > 0));
        await("same", () -> follower.status().digest() == leader.status().digest());

        nodes.remove(leader);
        String dead = leader.status().id();
        stop(leader);
        RaftNode next = leader(nodes);
        submitAll(next, 300, 600);
        RaftNode back = start(settings.stream()
                .filter(one -> one.id().equals(dead))
                .findFirst()
                .orElseThrow());
        await(
                "caught up",
                () -> back.status().applied() >= next.status().applied()
                        && back.status().digest() == next.status().digest());
        assertThat((int) back.look(state -> state.world().live())).isEqualTo(600);
    }

    @Test
    void aLeaderWhoseProcessHasEndedIsReplacedLongBeforeTheElectionTimeout() throws Exception {
        List<RaftNode> nodes = startAllReady(three(one -> one.withLog(log(50_000, USUALLY, Duration.ofMinutes(10)))));
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 100);
        nodes.remove(leader);
        stop(leader);
        submitAll(leader(nodes), 100, 200);
        assertThat((int) leader(nodes).look(state -> state.world().live())).isEqualTo(200);
    }

    @Test
    void ofTheFollowersTheOneWithMoreEntriesTakesTheLeadersPlace() throws Exception {
        List<RaftNode> nodes = startAllReady(three(one -> one.withLog(log(50_000, USUALLY, Duration.ofMinutes(10)))));
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 10);
        nodes.remove(leader);
        // By its place it would be the first to ask for votes, and get none.
        RaftPeerId behind = member(nodes.get(0));
        RaftPeerId dead = member(leader);
        failAt(APPEND_ENTRIES, (local, remote) -> local.equals(behind) && remote.equals(dead));
        try {
            submitAll(leader, 10, 50);
            stop(leader);
        } finally {
            CodeInjectionForTesting.remove(APPEND_ENTRIES);
        }
        assertThat(leader(nodes)).isSameAs(nodes.get(1));
        submitAll(nodes.get(1), 50, 60);
        assertThat((int) nodes.get(1).look(state -> state.world().live())).isEqualTo(60);
    }

    @Test
    void aFollowerThatHasYetToApplyMuchOfItsLogLetsOthersTakeTheLeadersPlace() throws Exception {
        List<RaftNode> nodes = startAllReady(three(one -> one.withLog(log(50_000, USUALLY, Duration.ofMinutes(10)))));
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 1);
        nodes.remove(leader);
        // By its place it would be the first, but it cannot apply anything.
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<Boolean> holds =
                CompletableFuture.supplyAsync(() -> nodes.get(0).look(state -> {
                    stuck.countDown();
                    return waited(over);
                }));
        try {
            stuck.await();
            for (int i = 1; i < 150; i++) {
                submitAll(leader, i, i + 1);
            }
            stop(leader);
            assertThat(leader(nodes)).isSameAs(nodes.get(1));
            assertThat(holds).isNotDone();
        } finally {
            over.countDown();
        }
        submitAll(nodes.get(1), 150, 160);
        assertThat((int) nodes.get(1).look(state -> state.world().live())).isEqualTo(160);
    }

    private static long last(RaftNode node) {
        return node.membership().ratis().lastOrNothing().getIndex();
    }

    /**
     * As after a cut between nodes: an append failed on the node that has more than the others, so Ratis has it wait
     * for ever.
     */
    @Test
    void aFollowerOnWhichAnAppendFailedTakesTheLeadersPlaceAllTheSame() throws Exception {
        List<RaftNode> nodes = startAllReady(three(one -> one));
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 10);
        nodes.remove(leader);
        RaftPeerId failing = member(nodes.get(0));
        RaftPeerId behind = member(nodes.get(1));
        RaftPeerId silent = member(leader);
        failAt(LOG_SYNC, (local, remote) -> local.equals(failing));
        try {
            submitAll(leader, 10, 20);
        } finally {
            CodeInjectionForTesting.remove(LOG_SYNC);
        }
        await(
                "all applied",
                () -> nodes.get(0).status().applied() == leader.status().applied());
        await(
                "failed, and still counted",
                () -> nodes.get(0).membership().ratis().followerInfo().getOutstandingOp() > 0);
        failAt(APPEND_ENTRIES, (local, remote) -> local.equals(behind) && remote.equals(silent));
        failAt(REQUEST_VOTE, (local, remote) -> remote.equals(silent));
        try {
            submitAll(leader, 20, 30);
            failAt(APPEND_ENTRIES, (local, remote) -> remote.equals(silent));
            // The leader has an entry more than both, and answers who asks for it: nobody hears it lead.
            CompletableFuture<Outcome> unheard = leader.submit(submit(1000));
            await(
                    "an entry that nobody else has",
                    () -> last(leader) > last(nodes.get(0)) && last(nodes.get(0)) > last(nodes.get(1)));
            assertThat(leader(nodes)).isSameAs(nodes.get(0));
            submitAll(nodes.get(0), 30, 40);
            assertThat((int) nodes.get(0).look(state -> state.world().live())).isEqualTo(40);
            assertThat(unheard).failsWithin(10, TimeUnit.MINUTES);
        } finally {
            CodeInjectionForTesting.remove(APPEND_ENTRIES);
            CodeInjectionForTesting.remove(REQUEST_VOTE);
        }
    }

    /**
     * A leader that hears nothing of its successor knows of no newer entry. Ratis asks nobody about a commit index
     * twice; one that it has not asked about before it waits for until this leader steps down, a reader does not.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLeaderThatIsCutOffDoesNotAnswerFromThePast(boolean asked) throws Exception {
        List<RaftNode> nodes = startAllReady(three(one -> one.withLog(log(50_000, USUALLY, Duration.ofMinutes(10)))));
        RaftNode old = leader(nodes);
        submitAll(old, 0, 1);
        if (asked) {
            assertThat(readLive(old, old)).isEqualTo(live(old));
        }
        RaftPeerId cut = member(old);
        nodes.remove(old);
        failAt(APPEND_ENTRIES, (local, remote) -> local.equals(cut) || remote.equals(cut));
        failAt(REQUEST_VOTE, (local, remote) -> local.equals(cut));
        try {
            assertThat(nodes.get(0).membership().ratis().startElection(cut.toString()))
                    .isTrue();
            RaftNode next = leader(nodes);
            int before = live(old);
            submitAll(next, before, before + 1);
            assertThat(old.leads()).isTrue();
            assertThat(old.read(state -> state.world().live()))
                    .failsWithin(10, TimeUnit.MINUTES)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(NotServedException.class);
            for (RaftNode node : nodes) {
                assertThat(readLive(node, next)).isGreaterThan(before);
            }
        } finally {
            CodeInjectionForTesting.remove(APPEND_ENTRIES);
            CodeInjectionForTesting.remove(REQUEST_VOTE);
        }
    }

    /**
     * How many live requests a node reads. Ratis forgets a heartbeat that is asked for while it sends an entry, and the
     * next one comes with the next entry or in a quarter of an hour; a node that asks the leader gives up before.
     */
    private static int readLive(RaftNode node, RaftNode leader) throws Exception {
        for (int tries = 1; ; tries++) {
            try {
                return (int) node.read(state -> state.world().live()).get(5, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException forgotten) {
                if (forgotten instanceof ExecutionException) {
                    assertThat(forgotten).hasCauseInstanceOf(NotServedException.class);
                }
                assertThat(tries).isLessThan(100);
                submitAll(leader, live(leader), live(leader) + 1);
            }
        }
    }

    /** Those that made the majority do. One that got the entry later may wait for a heartbeat, a quarter of an hour. */
    @Test
    void followersHearWhatIsCommittedWhenNoEntryFollows() throws Exception {
        List<RaftNode> nodes =
                startAllReady(three(one -> one.withLog(log(50_000, Duration.ofHours(1), Duration.ofMinutes(30)))));
        RaftNode leader = leader(nodes);
        for (int i = 0; i < 5; i++) {
            submitAll(leader, i, i + 1);
            int live = i + 1;
            await(
                    "applied on a follower, too",
                    () -> nodes.stream()
                                    .filter(node -> node.look(state -> state.world() != null
                                            && state.world().live() == live))
                                    .count()
                            >= 2);
        }
    }

    @Test
    void aNodeThatWasAwayForLongerThanTheLogGetsASnapshot() throws Exception {
        List<NodeSettings> settings = three(one -> one.withLog(log(10, USUALLY, PATIENT)));
        List<RaftNode> nodes = startAllReady(settings);
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 5);
        int away = nodes.indexOf(leader) == 0 ? 1 : 0;
        stop(nodes.remove(away));
        int submitted = purge(nodes, 5, leader.status().applied());
        RaftNode last = leader(nodes);
        RaftNode back = start(settings.get(away));
        await(
                "back",
                () -> back.status().ready()
                        && back.status().digest() == last.status().digest());
        assertThat((int) back.look(state -> state.world().live())).isEqualTo(submitted);
    }

    /** Ratis ends what runs on a node whose snapshots are told to go back. */
    @Test
    void aNodeThatRunsAndIsBehindTheLogGetsASnapshotAndTakesItsOwnAfterwards() throws Exception {
        List<RaftNode> nodes = startAllReady(three(one -> one.withLog(log(10, USUALLY, PATIENT))));
        RaftNode leader = leader(nodes);
        RaftNode behind =
                nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
        nodes.remove(behind);
        int submitted = 0;
        long first = -1;
        // Two of its own, so that it knows an older one beside the newest.
        while (first < 0 || behind.status().snapshot() == first) {
            submitAll(leader, submitted, ++submitted);
            first = first < 0 ? behind.status().snapshot() : first;
        }
        RaftPeerId deaf = member(behind);
        failAt(APPEND_ENTRIES, (local, remote) -> local.equals(deaf));
        try {
            submitted = purge(nodes, submitted, leader.status().applied());
        } finally {
            CodeInjectionForTesting.remove(APPEND_ENTRIES);
        }
        RaftNode last = leader(nodes);
        await(
                "has the others' state",
                () -> behind.status().digest() == last.status().digest());
        long installed = behind.status().snapshot();
        for (int i = 0; i < 60; i++) {
            submitAll(last, submitted, ++submitted);
        }
        await(
                "goes on and takes snapshots",
                () -> behind.status().snapshot() > installed
                        && behind.status().digest() == last.status().digest());
        assertThat(behind.failed()).isNotDone();
    }

    /**
     * Submits to two nodes until their logs no longer have the entry behind that. Returns how many are submitted then.
     */
    private static int purge(List<RaftNode> nodes, int from, long index) throws Exception {
        // A change of leaders begins a new file of the log; whole files are purged, up to the snapshot before the
        // newest.
        int submitted = from;
        for (int change = 0; change < 4; change++) {
            RaftNode leader = leader(nodes);
            for (int i = 0; i < 30; i++) {
                submitAll(leader, submitted, ++submitted);
            }
            RaftNode to = nodes.get(1 - nodes.indexOf(leader));
            leader.transferLeadership(to.status().id()).get(10, TimeUnit.MINUTES);
            await("the other leads", to::leads);
        }
        RaftNode last = leader(nodes);
        submitAll(last, submitted, submitted + 30);
        await("purged", () -> begins(last) > index + 1);
        return submitted + 30;
    }

    /** As Ratis leaves these files when the disk is full. */
    @Test
    void aNodeWhoseTermAndVoteAreGoneGoesOnWithTheLastVote() throws Exception {
        List<RaftNode> nodes = startAllReady(three(one -> one));
        RaftNode leader = leader(nodes);
        submitAll(leader, 0, 20);
        RaftNode victim =
                nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
        await("applied", () -> victim.status().digest() == leader.status().digest());
        victim.snapshot();
        submitAll(leader, 20, 40);
        await("applied", () -> victim.status().digest() == leader.status().digest());
        victim.snapshot();
        nodes.remove(victim);
        stop(victim);
        Path meta = logDirectory(victim).resolve("raft-meta");
        Properties before = properties(meta);
        Files.write(meta, new byte[0]);
        Path newest = snapshotFile(victim.status().snapshot());
        Files.write(newest.resolveSibling(newest.getFileName() + ".md5"), new byte[0]);

        RaftNode back = start(victim.settings());
        nodes.add(back);
        await("back", () -> back.status().ready());
        assertThat(back.status().term()).isEqualTo(leader.status().term());
        submitAll(leader(nodes), 40, 60);
        RaftNode next = leader(nodes);
        nodes.remove(next);
        stop(next);
        submitAll(leader(nodes), 60, 80);
        await(
                "same",
                () -> nodes.stream()
                        .allMatch(node -> node.look(state -> state.world().live()) == 80));
        nodes.remove(back);
        stop(back);
        // It was needed to elect the last leader.
        VoteFile.Vote last = VoteFile.read(logDirectory(victim).getParent());
        Properties after = properties(meta);
        assertThat(last)
                .isEqualTo(new VoteFile.Vote(Long.parseLong(after.getProperty("term")), after.getProperty("votedFor")));
        assertThat(last.term()).isGreaterThan(Long.parseLong(before.getProperty("term")));
    }

    private static Properties properties(Path file) throws IOException {
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return properties;
    }

    @Test
    void aNodeAloneWithoutTermAndVoteHasAllThatItHad() throws Exception {
        NodeSettings settings = NodeSettings.single(directory);
        RaftNode node = start(settings);
        await("ready", () -> node.status().ready());
        submitAll(node, 0, 20);
        stop(node);
        for (String left : List.of("", "term=x\nvotedFor=n1\n", "term=1\n")) {
            Files.writeString(logDirectory(node).resolve("raft-meta"), left);
            RaftNode again = start(settings);
            await("ready", () -> again.status().ready());
            assertThat((int) again.look(state -> state.world().live())).isEqualTo(20);
            stop(again);
        }
        Files.delete(logDirectory(node).resolve("raft-meta"));
        RaftNode last = start(settings);
        await("ready", () -> last.status().ready());
        assertThat(last.status().term()).isEqualTo(5);
    }

    @Test
    void aNodeWhoseRatisHasEndedByItselfSaysSo() throws Exception {
        RaftNode node = start(NodeSettings.single(directory));
        await("ready", () -> node.status().ready());
        submitAll(node, 0, 10);
        assertThat(node.failed()).isNotDone();
        Ratis ratis = node.membership().ratis();
        ratis.server().getDivision(RaftGroupId.valueOf(ratis.group())).close();
        assertThat(node.failed().get(10, TimeUnit.MINUTES)).contains("Ratis has stopped");
        assertThat(node.status().ready()).isFalse();
    }

    @Test
    void aNodeThatCannotWriteItsLogSaysSo() throws Exception {
        NodeSettings settings = NodeSettings.single(directory);
        RaftNode node = start(settings);
        await("ready", () -> node.status().ready());
        submitAll(node, 0, 10);
        // Whichever entry the next file of the log begins with, it cannot be opened.
        long applied = node.status().applied();
        for (long first = applied + 1; first < applied + 500; first++) {
            Files.createSymbolicLink(
                    logDirectory(node).resolve("log_inprogress_" + first), directory.resolve("missing/file"));
        }
        for (int i = 0; i < 100 && !node.failed().isDone(); i++) {
            CompletableFuture<Outcome> unused =
                    node.submit(Submits.of("acme", "big" + i, "small", new long[1 << 17], new long[0], 0, -1));
            Thread.sleep(20);
        }
        assertThat(node.failed().get(10, TimeUnit.MINUTES)).contains("its log cannot be written");
        stop(node);
    }

    /**
     * What docs/internals/service-faults.md tells to do where the end of a log is lost that no node can tell from a
     * torn write.
     */
    @Test
    void aNodeThatIsToldToRejoinHasTheLeadersStateAndCounts() throws Exception {
        List<NodeSettings> settings = three(one -> one);
        List<RaftNode> nodes = startAllReady(settings);
        RaftNode leader = leader(nodes);
        for (int i = 0; i < 50; i++) {
            submitAll(leader, i, i + 1);
        }
        RaftNode follower =
                nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
        nodes.remove(follower);
        stop(follower);
        Path data = follower.settings().data();
        Path log = LogFiles.segments(logDirectory(follower)).get(0).file();
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.setLength(file.length() / 2);
        }
        // As if nothing had been applied yet: what is missing was acknowledged all the same.
        Files.delete(AppliedMark.file(data));
        Files.createFile(data.resolve("rejoining"));
        RaftNode back = start(follower.settings());
        await(
                "back",
                () -> back.status().ready()
                        && back.status().digest() == leader.status().digest());
        assertThat(data.resolve("rejoining")).doesNotExist();

        nodes.add(back);
        nodes.remove(leader);
        stop(leader);
        submitAll(leader(nodes), 50, 60);
        await(
                "same",
                () -> nodes.stream()
                                .map(node -> node.status().digest())
                                .distinct()
                                .count()
                        == 1);
        assertThat((int) back.look(state -> state.world().live())).isEqualTo(60);
    }

    /** Index of the first entry that a node's log still has. */
    private static long begins(RaftNode node) {
        try {
            return LogFiles.segments(logDirectory(node)).get(0).start();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

package dev.stowage.service.client;

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
import dev.stowage.service.api.ApiLimits;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.raft.LogSettings;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.Audit;
import dev.stowage.service.v1.AuditLine;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.EvictRequest;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.SubmitBatchItem;
import dev.stowage.service.v1.SubmitBatchReply;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitReply;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.service.v1.TransferLeadershipRequest;
import dev.stowage.service.v1.WatchRequest;
import dev.stowage.testkit.Await;
import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client beside nodes that come and go. */
@Tag("once")
final class StowageClientTest {
    @TempDir
    private Path directory;

    private final Map<String, RaftNode> nodes = new TreeMap<>();
    private final Map<String, ApiServer> apis = new TreeMap<>();
    private final Map<String, String> addresses = new TreeMap<>();
    private final List<NodeSettings.Peer> peers = new ArrayList<>();
    private Setting setting;

    @AfterEach
    void close() {
        apis.values().forEach(ApiServer::close);
        nodes.values().forEach(RaftNode::close);
    }

    private void start(int count) throws IOException, InterruptedException {
        plan(count);
        for (NodeSettings.Peer peer : peers) {
            start(peer);
        }
        while (nodes.values().stream()
                .anyMatch(node ->
                        node.status().peers().size() < count || !node.status().ready())) {
            Thread.sleep(20);
        }
    }

    private void plan(int count) throws IOException {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(100, Amounts.of(10)))),
                List.of(RequestType.of("small", 1)));
        setting = new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.MINUTES.toNanos(10));
        for (int i = 1; i <= count; i++) {
            peers.add(new NodeSettings.Peer("n" + i, "127.0.0.1:" + FreePorts.one()));
            addresses.put("n" + i, "127.0.0.1:" + FreePorts.one());
        }
    }

    private void start(NodeSettings.Peer peer) throws IOException {
        RaftNode node = RaftNode.start(
                NodeSettings.of(peer.id(), peers, directory.resolve(peer.id()))
                        .withLog(new LogSettings(
                                LogSettings.USUAL.queue(),
                                LogSettings.USUAL.window(),
                                LogSettings.USUAL.snapshotEntries(),
                                LogSettings.USUAL.checkEvery(),
                                Duration.ofSeconds(10)))
                        .withBootstrap(peer.id().equals("n1")),
                new Policies(),
                setting);
        nodes.put(peer.id(), node);
        int port = Integer.parseInt(addresses.get(peer.id()).substring("127.0.0.1:".length()));
        apis.put(
                peer.id(),
                ApiServer.start(
                        node,
                        new ApiSettings(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                                addresses,
                                ApiLimits.USUAL)));
    }

    private void end(String id) {
        apis.remove(id).close();
        nodes.remove(id).close();
    }

    /** Of a client that waits however busy the machine is. */
    private static ClientSettings settings(List<String> addresses) {
        return ClientSettings.plain(addresses).withPatience(Duration.ofDays(1));
    }

    private static SubmitRequest small(int number) {
        return SubmitRequest.newBuilder()
                .setRequestId("r" + number)
                .setType("small")
                .build();
    }

    private String leader() throws InterruptedException {
        while (true) {
            for (RaftNode node : nodes.values()) {
                if (node.leads() && node.status().ready()) {
                    return node.status().id();
                }
            }
            Thread.sleep(20);
        }
    }

    /** Hole: in a group a read is answered by another thread, which did not know the caller: an internal error. */
    @Test
    void aRequestIsEvictedInAGroupToo() throws Exception {
        start(3);
        try (StowageClient client = StowageClient.of(settings(List.of(addresses.get(leader()))))) {
            client.submit(small(1)).get();
            client.evict(EvictRequest.newBuilder()
                            .setChangeId("e")
                            .setRequestId("r1")
                            .build())
                    .get();
            Request moved = client.get(
                            GetRequest.newBuilder().setRequestId("r1").build())
                    .get();
            assertThat(moved.getDisplaced().getReason()).isEqualTo("evicted by a command for this request");
            assertThat(moved.getServer()).isEqualTo(1);
        }
    }

    @Test
    void aCallThatIsRetriedForLongIsToldOnceWithWhy() {
        AtomicInteger told = new AtomicInteger();
        CompletableFuture<Throwable> why = new CompletableFuture<>();
        try (StowageClient client = StowageClient.of(settings(List.of("127.0.0.1:" + FreePorts.one())))) {
            client.whenRetrying(thrown -> {
                told.incrementAndGet();
                why.complete(thrown);
            });
            CompletableFuture<?> first = client.submit(small(1));
            CompletableFuture<?> second = client.submit(small(2));
            assertThat(Reasons.refused(why.join())).isTrue();
            assertThat(told).hasValue(1);
            assertThat(first).isNotDone();
            assertThat(second).isNotDone();
        }
    }

    @Test
    void aNodeThatIsNotThereIsPassedOver() throws Exception {
        start(1);
        List<String> one = List.of("127.0.0.1:" + FreePorts.one(), addresses.get("n1"));
        try (StowageClient client = StowageClient.of(settings(one))) {
            SubmitReply reply = client.submit(small(1)).get();
            assertThat(reply.getRequest().getState()).isEqualTo(State.RUNNING);
        }
        ClientSettings hopeless =
                ClientSettings.plain(List.of("127.0.0.1:" + FreePorts.one())).withPatience(Duration.ofMillis(200));
        try (StowageClient client = StowageClient.of(hopeless)) {
            assertThatThrownBy(() -> client.submit(small(2)).get()).hasMessageContaining("UNAVAILABLE");
        }
    }

    /** Of a node that is not there it was said what to do, and of one that runs without a leader nothing. */
    @Test
    void aNodeThatRunsWithoutALeaderIsNamedBesideOneThatDoesNot() throws Exception {
        plan(2);
        // The other has the group to found.
        start(peers.get(1));
        ClientSettings both = ClientSettings.plain(List.of(addresses.get("n1"), addresses.get("n2")));
        Throwable thrown = null;
        try (StowageClient client = StowageClient.of(both.withPatience(Duration.ofMillis(500)))) {
            // A busy machine may not answer in time.
            for (int i = 0; i < 100 && !(thrown instanceof UnansweredException); i++) {
                thrown = client.submit(small(i)).handle((reply, why) -> why).get();
            }
        }
        assertThat(thrown).isInstanceOfSatisfying(UnansweredException.class, several -> {
            assertThat(several.leaderless()).containsExactly(addresses.get("n2"));
            assertThat(several.byAddress()).containsOnlyKeys(addresses.get("n1"));
        });
    }

    /** Nothing listens: the first call fails at once. After an answer it waits for the node to come back. */
    @Test
    void aServiceThatIsSaidToRunIsNotAwaited() throws Exception {
        List<String> free = List.of("127.0.0.1:" + FreePorts.one(), "127.0.0.1:" + FreePorts.one());
        try (StowageClient client = StowageClient.ofRunning(settings(free))) {
            assertThatThrownBy(() -> client.submit(small(1)).get()).hasMessageContaining("UNAVAILABLE");
            assertThatThrownBy(() -> client.watch(WatchRequest.getDefaultInstance(), each -> {}))
                    .hasMessageContaining("UNAVAILABLE");
        }
        start(1);
        try (StowageClient client = StowageClient.ofRunning(settings(List.of(free.get(0), addresses.get("n1"))))) {
            client.submit(small(1)).get();
            end("n1");
            CompletableFuture<SubmitReply> second = client.submit(small(2));
            assertThatThrownBy(() -> second.get(3, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            start(peers.get(0));
            assertThat(second.get().getRequest().getState()).isEqualTo(State.RUNNING);
        }
    }

    /**
     * A watch that comes from a node that was ahead is not sent away for good: the position may be one of the
     * others'.
     */
    @Test
    void aWatchGoesOnAtANodeThatIsBehind() throws Exception {
        start(3);
        String leader = leader();
        String behind = nodes.keySet().stream()
                .filter(id -> !id.equals(leader))
                .findFirst()
                .orElseThrow();
        end(behind);
        try (StowageClient client = StowageClient.of(settings(List.of(addresses.get(leader))))) {
            for (int i = 0; i < 20; i++) {
                client.submit(small(i)).get();
            }
        }
        long position = nodes.get(leader).status().applied();
        List<NodeSettings.Peer> others =
                peers.stream().filter(peer -> !peer.id().equals(behind)).toList();
        others.forEach(peer -> end(peer.id()));
        for (NodeSettings.Peer peer : peers) {
            if (peer.id().equals(behind)) {
                start(peer);
            }
        }
        WatchRequest ahead =
                WatchRequest.newBuilder().setAfterPosition(position).build();
        ClientSettings alone = settings(List.of(addresses.get(behind)));
        try (StowageClient client = StowageClient.of(alone.withPatience(Duration.ofMillis(100)))) {
            assertThatThrownBy(() -> client.watch(ahead, reply -> {}))
                    .satisfies(e -> assertThat(Reasons.reason(e)).isEqualTo("UNAVAILABLE"));
        }
        List<String> told = new CopyOnWriteArrayList<>();
        try (StowageClient client = StowageClient.of(alone)) {
            Thread watching = new Thread(() -> {
                try {
                    client.watch(
                            ahead, reply -> reply.getChangesList().forEach(change -> told.add(change.getRequestId())));
                } catch (RuntimeException e) {
                    told.add(Reasons.reason(e));
                }
            });
            watching.setDaemon(true);
            watching.start();
            for (NodeSettings.Peer peer : others) {
                start(peer);
            }
            for (int i = 20; told.isEmpty(); i++) {
                client.submit(small(i)).get();
            }
            assertThat(told.get(0)).startsWith("r");
        }
        // A position that nobody has is a mistake of the caller's.
        try (StowageClient client = StowageClient.of(alone)) {
            WatchRequest nowhere =
                    WatchRequest.newBuilder().setAfterPosition(1L << 60).build();
            assertThatThrownBy(() -> client.watch(nowhere, reply -> {}))
                    .satisfies(e -> assertThat(Reasons.reason(e)).isEqualTo("BAD_POSITION"));
        }
    }

    @Test
    void whatFailsForGoodIsNotRepeated() throws Exception {
        start(1);
        try (StowageClient client = StowageClient.of(settings(List.copyOf(addresses.values())))) {
            leader();
            GetRequest unknown = GetRequest.newBuilder().setRequestId("none").build();
            assertThatThrownBy(() -> client.get(unknown).get())
                    .satisfies(e -> assertThat(Reasons.reason(e.getCause())).isEqualTo("NOT_FOUND"));
        }
    }

    @Test
    void theLeaderIsFollowedAndItsDeathIsSurvivedWithoutLossOrRepetition() throws Exception {
        start(3);
        String first = leader();
        String follower = nodes.keySet().stream()
                .filter(id -> !id.equals(first))
                .findFirst()
                .orElseThrow();
        List<String> all = new ArrayList<>(List.of(addresses.get(follower)));
        all.addAll(addresses.values());
        // A batch goes to the leader as a single call does, from a client that knows the follower alone.
        try (StowageClient client = StowageClient.of(settings(List.of(addresses.get(follower))))) {
            SubmitBatchReply batch = client.submit(SubmitBatchRequest.newBuilder()
                            .addRequests(small(0))
                            .addRequests(small(1))
                            .build())
                    .get();
            assertThat(batch.getItemsList())
                    .allMatch(item -> item.getReply().getRequest().getState() == State.RUNNING);
        }
        List<String> told = new CopyOnWriteArrayList<>();
        try (StowageClient client = StowageClient.of(settings(all))) {
            Thread watching = new Thread(() -> {
                try {
                    client.watch(
                            WatchRequest.newBuilder().setAfterPosition(-1).build(),
                            reply -> reply.getChangesList().forEach(change -> told.add(change.getRequestId())));
                } catch (RuntimeException e) {
                    // The client was closed.
                }
            });
            watching.setDaemon(true);
            watching.start();
            for (int i = 0; i < 50; i++) {
                client.submit(small(i)).get();
            }
            List<CompletableFuture<SubmitReply>> during = new ArrayList<>();
            for (int i = 50; i < 100; i++) {
                during.add(client.submit(small(i)));
            }
            apis.remove(first).close();
            nodes.remove(first).close();
            for (int i = 100; i < 150; i++) {
                during.add(client.submit(small(i)));
            }
            for (CompletableFuture<SubmitReply> reply : during) {
                assertThat(reply.get().getRequest().getState()).isEqualTo(State.RUNNING);
            }
            long live = nodes.get(leader()).read(state -> state.world().live()).get();
            assertThat(live).isEqualTo(150);
            Await.until("all are told", () -> told.size() >= 150);
            // 150 requests, each told once; in the order of the log, which is not that of their numbers.
            assertThat(told).hasSize(150).doesNotHaveDuplicates();
        }
    }

    /** Far more is told than a connection takes unread. */
    @Test
    void oneThatWatchesSlowlyKeepsNoOtherCallWaiting() throws Exception {
        start(1);
        leader();
        int requests = 20_000;
        CountDownLatch stalled = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<String> told = new CopyOnWriteArrayList<>();
        try (StowageClient client = StowageClient.of(settings(List.copyOf(addresses.values())))) {
            CompletableFuture<Void> watching = CompletableFuture.runAsync(() ->
                    client.watch(WatchRequest.newBuilder().setAfterPosition(-1).build(), reply -> {
                        stalled.countDown();
                        awaitUninterruptibly(goOn);
                        reply.getChangesList().forEach(change -> told.add(change.getRequestId()));
                        if (told.size() == requests) {
                            throw new IllegalStateException("all told");
                        }
                    }));
            for (int batch = 0; batch < requests; batch += 500) {
                SubmitBatchRequest.Builder submits = SubmitBatchRequest.newBuilder();
                for (int i = batch; i < batch + 500; i++) {
                    submits.addRequests(small(i).toBuilder().setRequestId("a-rather-long-name-of-a-request-" + i));
                }
                assertThat(client.submit(submits.build()).get().getItemsList()).noneMatch(SubmitBatchItem::hasProblem);
                stalled.await();
            }
            goOn.countDown();
            assertThatThrownBy(() -> watching.get()).hasMessageContaining("all told");
            assertThat(told).doesNotHaveDuplicates();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsAskedOfAnyNodeIsInTheAuditTrail() throws Exception {
        start(3);
        String leader = leader();
        String follower = nodes.keySet().stream()
                .filter(id -> !id.equals(leader))
                .findFirst()
                .orElseThrow();
        try (StowageClient asked = StowageClient.of(settings(List.of(addresses.get(follower))));
                StowageClient any = StowageClient.of(settings(List.copyOf(addresses.values())))) {
            any.submit(small(1)).get();
            asked.<Status>operations((stub, answer) -> stub.takeSnapshot(Empty.getDefaultInstance(), answer))
                    .get();
            any.<Status>operations((stub, answer) -> stub.transferLeadership(
                            TransferLeadershipRequest.newBuilder()
                                    .setTo(follower)
                                    .build(),
                            answer))
                    .get();
            assertThatThrownBy(() -> any.<Status>operations((stub, answer) -> stub.transferLeadership(
                                    TransferLeadershipRequest.newBuilder()
                                            .setTo("n9")
                                            .build(),
                                    answer))
                            .get())
                    .hasMessageContaining("UNKNOWN_NODE: node 'n9' is not a member of the group; its members are n1")
                    .hasMessageContaining("(the leader)")
                    .hasMessageContaining("nothing is changed");
            Audit audit = any.<Audit>operations((stub, answer) -> stub.getAudit(Empty.getDefaultInstance(), answer))
                    .get();
            // The nodes note there, too, who joins. A call whose answer comes late on a busy machine is made again.
            List<AuditLine> byPeople = audit.getLinesList().stream()
                    .filter(line -> line.getActor().equals("api"))
                    .toList();
            assertThat(byPeople.stream().map(AuditLine::getChange).distinct())
                    .containsExactly("take-snapshot node=" + follower, "transfer-leadership to=" + follower);
            assertThat(byPeople)
                    .allMatch(line -> line.getAtNanos() > 0
                            && line.getPosition() > 0
                            && line.getResult().isEmpty());
        }
    }
}

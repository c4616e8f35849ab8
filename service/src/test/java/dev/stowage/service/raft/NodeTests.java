package dev.stowage.service.raft;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Operation.Submit;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.Setting;
import dev.stowage.service.state.Submits;
import dev.stowage.testkit.Await;
import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Nodes in this JVM, for tests: a directory and a free port for each, closed at the end. */
abstract class NodeTests {
    @TempDir
    Path directory;

    private final List<RaftNode> open = new ArrayList<>();

    static final Duration USUALLY = LogSettings.USUAL.checkEvery();

    /** A busy machine elects nobody anew by accident. */
    static final Duration PATIENT = Duration.ofSeconds(5);

    @AfterEach
    void close() {
        open.forEach(RaftNode::close);
    }

    static Setting setting() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(100, Amounts.of(10)))),
                List.of(RequestType.of("small", 1)));
        return new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.MINUTES.toNanos(10));
    }

    RaftNode start(NodeSettings settings) throws IOException {
        RaftNode node = RaftNode.start(settings, new Policies(), setting());
        open.add(node);
        return node;
    }

    List<RaftNode> startAll(List<NodeSettings> settings) throws IOException {
        List<RaftNode> nodes = new ArrayList<>();
        for (NodeSettings one : settings) {
            nodes.add(start(one));
        }
        return nodes;
    }

    /** Starts all, and waits until each is a member that serves. */
    List<RaftNode> startAllReady(List<NodeSettings> settings) throws Exception {
        List<RaftNode> nodes = startAll(settings);
        await(
                "all ready",
                () -> nodes.stream()
                        .allMatch(node ->
                                node.status().ready() && node.status().members().size() == settings.size()));
        return nodes;
    }

    /** A group of three; the first one makes it. */
    List<NodeSettings> three(UnaryOperator<NodeSettings> with) throws IOException {
        List<NodeSettings.Peer> peers = new ArrayList<>();
        for (int port : FreePorts.some(3)) {
            peers.add(new NodeSettings.Peer("n" + (peers.size() + 1), "127.0.0.1:" + port));
        }
        return peers.stream()
                .map(peer -> with.apply(NodeSettings.of(peer.id(), peers, directory.resolve(peer.id()))
                        .withLog(log(50_000, USUALLY, PATIENT))
                        .withBootstrap(peer.id().equals("n1"))))
                .toList();
    }

    /** A log with the usual queue. */
    static LogSettings log(long snapshotEntries, Duration checkEvery, Duration electionTimeout) {
        return new LogSettings(
                LogSettings.USUAL.queue(), LogSettings.USUAL.window(), snapshotEntries, checkEvery, electionTimeout);
    }

    void stop(RaftNode node) {
        open.remove(node);
        node.close();
    }

    /** The member that a node is. */
    static RaftPeerId member(RaftNode node) {
        return RaftPeerId.valueOf(node.status().member());
    }

    static int live(RaftNode node) {
        return node.look(state -> state.world() == null ? -1 : state.world().live());
    }

    static Submit submit(int number) {
        return Submits.of("acme", "r" + number, "small", new long[0], new long[0], Operation.TYPE_REWARD, -1);
    }

    static List<Request> submitAll(RaftNode node, int from, int to) throws Exception {
        List<CompletableFuture<Outcome>> futures = new ArrayList<>();
        for (int i = from; i < to; i++) {
            futures.add(node.submit(submit(i)));
        }
        List<Request> requests = new ArrayList<>();
        for (CompletableFuture<Outcome> future : futures) {
            requests.add(future.get(10, TimeUnit.MINUTES).request());
        }
        return requests;
    }

    static void await(String what, BooleanSupplier condition) {
        Await.until(what, condition);
    }

    static Path logDirectory(RaftNode node) {
        return Objects.requireNonNull(node.membership().identity())
                .directory(node.settings().data())
                .resolve("current");
    }

    static RaftNode leader(List<RaftNode> nodes) throws InterruptedException {
        await(
                "a leader",
                () -> nodes.stream()
                        .anyMatch(node -> node.leads() && node.status().ready()));
        return nodes.stream().filter(RaftNode::leads).findFirst().orElseThrow();
    }
}

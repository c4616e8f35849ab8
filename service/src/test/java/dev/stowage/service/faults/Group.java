package dev.stowage.service.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.api.Token;
import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.Tls;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.ListServersReply;
import dev.stowage.service.v1.ListServersRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.Server;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.service.v1.TransferLeadershipRequest;
import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Nodes of one group on this machine. */
final class Group implements AutoCloseable {
    private static final int SERVERS = 50;
    /** For one question about a node, which is asked again. */
    private static final Duration SHORT = Duration.ofSeconds(5);
    /** Between two questions: nodes that start need the processors. */
    private static final long POLL_MILLIS = 100;
    /** For ever: nothing here is timed. */
    static final Duration PATIENCE = Duration.ofDays(1);

    private static final String TOKEN = "token-of-the-operator";

    private final int serverCount;
    private final @Nullable Tls tls;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    /** Who asks each node how it is, in their order. */
    private final List<StowageClient> asking = new ArrayList<>();

    Group(String command, Path directory, int size, int snapshotEntries) throws IOException {
        this(directory, snapshotEntries, Collections.nCopies(size, new Place("127.0.0.1", List.of(command))));
    }

    /**
     * Where a node runs.
     *
     * @param host its address
     * @param command what starts it, before its arguments
     */
    record Place(String host, List<String> command) {}

    /** Nodes n1, n2 and so on in their places. */
    Group(Path directory, int snapshotEntries, List<Place> places) throws IOException {
        this(directory, snapshotEntries, places, SERVERS, null);
    }

    /** The same on addresses that others reach: with TLS, and with a token. */
    Group(Path directory, int snapshotEntries, List<Place> places, Tls tls) throws IOException {
        this(directory, snapshotEntries, places, SERVERS, tls);
    }

    /** The same with another number of servers. */
    Group(Path directory, int snapshotEntries, List<Place> places, int servers) throws IOException {
        this(directory, snapshotEntries, places, servers, null);
    }

    private Group(Path directory, int snapshotEntries, List<Place> places, int servers, @Nullable Tls tls)
            throws IOException {
        serverCount = servers;
        this.tls = tls;
        int size = places.size();
        List<Integer> ports = FreePorts.some(2 * size);
        StringBuilder text = new StringBuilder("nodes:\n");
        for (int i = 0; i < size; i++) {
            String host = places.get(i).host() + ":";
            addresses.add(host + ports.get(i));
            text.append("  - {id: n").append(i + 1).append(", api: \"").append(addresses.get(i));
            text.append("\", raft: \"").append(host).append(ports.get(size + i)).append("\"}\n");
        }
        text.append("data: ").append(directory).append('\n');
        text.append("cluster:\n  servers: {count: ").append(servers).append(", cpu: 8, memory: 32 GiB}\n");
        text.append("types:\n  - {name: small, demand: {cpu: 1, memory: 1 GiB}}\n");
        text.append("policy: {policy: best-fit, when-full: queue}\n");
        // What finished first is asked for when all is over, on a busy machine much later.
        text.append("keep-finished: 24 h\n");
        text.append("log: {snapshot-entries: ").append(snapshotEntries).append(", check-every: 1 s}\n");
        if (tls != null) {
            text.append("tls: {certificate: ")
                    .append(tls.certificate())
                    .append(", key: ")
                    .append(tls.key());
            text.append(", authority: ").append(tls.authority()).append("}\n");
            text.append("tokens:\n  - {name: ops, role: operator, tenants: all, sha256: ");
            text.append(Token.hash(TOKEN)).append("}\n");
        }
        Path configuration = Files.writeString(directory.resolve("service.yaml"), text);
        for (int i = 0; i < size; i++) {
            String id = "n" + (i + 1);
            nodes.add(new NodeProcess(places.get(i).command(), configuration, directory.resolve(id), id));
            asking.add(client(List.of(addresses.get(i)), Duration.ofMillis(1)));
        }
    }

    void start() throws IOException {
        for (NodeProcess node : nodes) {
            node.start();
        }
    }

    List<NodeProcess> nodes() {
        return nodes;
    }

    NodeProcess node(String id) {
        return nodes.stream().filter(node -> node.id().equals(id)).findFirst().orElseThrow();
    }

    /** Addresses of the API, in order of the nodes. */
    List<String> addresses() {
        return List.copyOf(addresses);
    }

    StowageClient client(Duration patience) {
        return client(addresses, patience);
    }

    private StowageClient client(List<String> at, Duration patience) {
        return StowageClient.of(
                tls == null
                        ? ClientSettings.plain(at).withPatience(patience)
                        : new ClientSettings(at, true, tls.authority(), null, null, TOKEN, patience));
    }

    /** How a node is, or null if it does not say. */
    @Nullable
    Status status(NodeProcess node) throws InterruptedException {
        try {
            return asking.get(nodes.indexOf(node)).status().get(SHORT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }

    /** Waits for a node that leads and serves. */
    NodeProcess leader() throws Exception {
        while (true) {
            if (2 * nodes.stream().filter(NodeProcess::runs).count() <= nodes.size()) {
                throw new AssertionError("most nodes have ended:\n" + described());
            }
            for (NodeProcess node : nodes) {
                Status status = node.runs() ? status(node) : null;
                if (status != null && status.getRole().equals("leader") && status.getReady()) {
                    return node;
                }
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Has the leader hand leadership to a node. */
    void transferLeadership(NodeProcess to) throws Exception {
        TransferLeadershipRequest request =
                TransferLeadershipRequest.newBuilder().setTo(to.id()).build();
        try (StowageClient client = client(PATIENCE)) {
            client.<Status>operations((stub, answer) -> stub.transferLeadership(request, answer))
                    .get();
        }
    }

    /** Begins a new group with what one node has that does not run, in the directories of all. */
    void restoreFrom(NodeProcess survivor) throws IOException, InterruptedException {
        Path made = survivor.data().resolveSibling("restored");
        String said = survivor.command(
                "restore",
                survivor.data().toString(),
                "--data",
                made.toString(),
                "--nodes",
                Integer.toString(nodes.size()));
        if (!said.contains("restored into")) {
            throw new AssertionError(said);
        }
        for (NodeProcess node : nodes) {
            node.wipe();
            Files.move(made.resolve(node.id()), node.data());
            node.start();
        }
    }

    /** How many nodes say that they serve. */
    int serving() throws InterruptedException {
        int serving = 0;
        for (NodeProcess node : nodes) {
            Status status = node.runs() ? status(node) : null;
            serving += status != null && status.getReady() ? 1 : 0;
        }
        return serving;
    }

    /** Waits until a node gives that reason for not serving. */
    void says(NodeProcess node, String what) throws Exception {
        while (true) {
            if (!node.runs()) {
                throw new AssertionError(node.id() + " has ended:\n" + described());
            }
            Status status = status(node);
            if (status != null && status.getWaits().contains(what)) {
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Whether anybody acknowledges a request within a time. */
    boolean placedWithin(Duration patience) throws InterruptedException {
        try (StowageClient client = client(patience)) {
            client.submit(SubmitRequest.newBuilder()
                            .setRequestId("probe-" + System.nanoTime())
                            .setType("small")
                            .build())
                    .get(SHORT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** Whether a node says that it has a snapshot. */
    boolean hasSnapshot(NodeProcess node) throws InterruptedException {
        Status status = status(node);
        return status != null && status.getSnapshot() > 0;
    }

    NodeProcess follower() throws Exception {
        NodeProcess leader = leader();
        return nodes.stream()
                .filter(node -> node != leader && node.runs())
                .findFirst()
                .orElseThrow();
    }

    /** Waits until all nodes serve and say the same. */
    void agree() throws Exception {
        while (true) {
            allRun();
            List<Status> all = new ArrayList<>();
            for (NodeProcess node : nodes) {
                Status status = status(node);
                if (status != null && status.getReady()) {
                    all.add(status);
                }
            }
            boolean same = all.size() == nodes.size()
                    && all.stream().map(Status::getDigest).distinct().count() == 1
                    && all.stream().map(Status::getLiveRequests).distinct().count() == 1;
            if (same) {
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Waits until a node has applied what the leader had. */
    void agree(NodeProcess node) throws Exception {
        Status leader = status(leader());
        long wanted = leader == null ? 0 : leader.getApplied();
        while (true) {
            allRun();
            Status status = status(node);
            if (status != null && status.getReady() && status.getApplied() >= wanted) {
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** What runs fits the servers, and what the servers say is free is what they have less what runs on them. */
    void conserved() throws Exception {
        try (StowageClient client = client(PATIENCE)) {
            TreeMap<Integer, TreeMap<String, Long>> used = new TreeMap<>();
            String page = "";
            do {
                ListReply reply = client.list(ListRequest.newBuilder()
                                .setState(State.RUNNING)
                                .setPageSize(1000)
                                .setPageToken(page)
                                .build())
                        .get();
                for (Request request : reply.getRequestsList()) {
                    TreeMap<String, Long> on = used.computeIfAbsent(request.getServer(), key -> new TreeMap<>());
                    request.getDemandMap().forEach((resource, amount) -> on.merge(resource, amount, Long::sum));
                }
                page = reply.getNextPageToken();
            } while (!page.isEmpty());
            ListServersRequest all =
                    ListServersRequest.newBuilder().setPageSize(1000).build();
            ListServersReply servers = client.<ListServersReply>operations(
                            (stub, answer) -> stub.listServers(all, answer))
                    .get();
            assertThat(servers.getServersCount()).isEqualTo(serverCount);
            for (Server server : servers.getServersList()) {
                server.getCapacityMap().forEach((resource, capacity) -> {
                    long held = used.getOrDefault(server.getServer(), new TreeMap<>())
                            .getOrDefault(resource, 0L);
                    assertThat(held).as(server.toString()).isLessThanOrEqualTo(capacity);
                    assertThat(server.getFreeOrDefault(resource, 0L))
                            .as(server.toString())
                            .isEqualTo(capacity - held);
                });
            }
        }
    }

    /** How all nodes are and what they printed last: what to look at when a test has failed. */
    String described() throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder();
        for (NodeProcess node : nodes) {
            Status status = node.runs() ? status(node) : null;
            text.append(node.id()).append(node.runs() ? " runs" : " has ended");
            if (status != null) {
                text.append(", ").append(status.getRole()).append(status.getReady() ? ", ready" : ", not ready");
                text.append(", leader '")
                        .append(status.getLeader())
                        .append("', term ")
                        .append(status.getTerm());
                text.append(", applied ")
                        .append(status.getApplied())
                        .append(" of ")
                        .append(status.getCommitted());
                text.append(", snapshot ")
                        .append(status.getSnapshot())
                        .append(' ')
                        .append(status.getHalted());
            }
            text.append(":\n").append(node.lastLines()).append('\n');
        }
        return text.toString();
    }

    /** Tells how the nodes were when a test failed. */
    static TestExecutionExceptionHandler describedAtFailure(Supplier<@Nullable Group> group) {
        return (context, thrown) -> {
            Group present = group.get();
            if (present != null) {
                System.out.println(present.described());
            }
            throw thrown;
        };
    }

    /** As long as none is killed: no node may end by itself. */
    void allRun() throws IOException, InterruptedException {
        if (!nodes.stream().allMatch(NodeProcess::runs)) {
            throw new AssertionError("a node has ended by itself:\n" + described());
        }
    }

    /** All of them. */
    void kill() throws InterruptedException {
        for (NodeProcess node : nodes) {
            node.kill();
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
        asking.forEach(StowageClient::close);
    }
}

package dev.stowage.service.faults;

import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Nodes of one group on this machine. */
final class Group implements AutoCloseable {
    private static final Duration SHORT = Duration.ofSeconds(5);
    /** On a busy machine a process alone may take a minute to start. Nothing here is timed. */
    private static final long LIMIT = TimeUnit.MINUTES.toNanos(4);

    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();

    Group(String command, Path directory, int size, int snapshotEntries) throws IOException {
        List<Integer> ports = freePorts(2 * size);
        StringBuilder text = new StringBuilder("nodes:\n");
        for (int i = 0; i < size; i++) {
            addresses.add("127.0.0.1:" + ports.get(i));
            text.append("  - {id: n").append(i + 1).append(", api: \"").append(addresses.get(i));
            text.append("\", raft: \"127.0.0.1:").append(ports.get(size + i)).append("\"}\n");
        }
        text.append("data: ").append(directory).append('\n');
        text.append("cluster:\n  servers: {count: 50, cpu: 8, memory: 32 GiB}\n");
        text.append("types:\n  - {name: small, demand: {cpu: 1, memory: 1 GiB}}\n");
        text.append("policy: {policy: best-fit, when-full: queue}\n");
        text.append("log: {snapshot-entries: ").append(snapshotEntries).append(", check-every: 1 s}\n");
        Path configuration = Files.writeString(directory.resolve("service.yaml"), text);
        for (int i = 0; i < size; i++) {
            String id = "n" + (i + 1);
            nodes.add(new NodeProcess(command, configuration, directory.resolve(id), id));
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
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

    StowageClient client(Duration patience) {
        return StowageClient.of(ClientSettings.plain(addresses).withPatience(patience));
    }

    /** How a node is, or null if it does not say. */
    @Nullable
    Status status(NodeProcess node) throws InterruptedException {
        String address = addresses.get(nodes.indexOf(node));
        try (StowageClient one =
                StowageClient.of(ClientSettings.plain(List.of(address)).withPatience(Duration.ofMillis(1)))) {
            return one.status().get(SHORT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }

    /** Waits for a node that leads and serves. */
    NodeProcess leader() throws Exception {
        long end = System.nanoTime() + LIMIT;
        while (System.nanoTime() < end) {
            for (NodeProcess node : nodes) {
                Status status = node.runs() ? status(node) : null;
                if (status != null && status.getRole().equals("leader") && status.getReady()) {
                    return node;
                }
            }
            Thread.sleep(50);
        }
        throw new AssertionError("no leader after four minutes:\n" + lastLines());
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
        long end = System.nanoTime() + LIMIT;
        while (System.nanoTime() < end) {
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
            Thread.sleep(100);
        }
        throw new AssertionError("the nodes do not agree after four minutes:\n" + lastLines());
    }

    /** Waits until a node has applied what the leader had. */
    void agree(NodeProcess node) throws Exception {
        long end = System.nanoTime() + LIMIT;
        Status leader = status(leader());
        long wanted = leader == null ? 0 : leader.getApplied();
        while (System.nanoTime() < end) {
            Status status = status(node);
            if (status != null && status.getReady() && status.getApplied() >= wanted) {
                return;
            }
            Thread.sleep(50);
        }
        throw new AssertionError(node.id() + " has not come back after four minutes:\n" + lastLines());
    }

    private String lastLines() throws IOException {
        StringBuilder text = new StringBuilder();
        for (NodeProcess node : nodes) {
            text.append(node.id()).append(node.runs() ? " runs" : " is dead").append(":\n");
            text.append(node.lastLines()).append('\n');
        }
        return text.toString();
    }

    @Override
    public void close() throws InterruptedException {
        for (NodeProcess node : nodes) {
            node.kill();
        }
    }
}

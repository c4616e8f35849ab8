package dev.stowage.cli.serve;

import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.log.ServiceLog;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Failures;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.ReleaseBatchRequest;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * A training run for the JVM's cache of classes and profiles, once for each build. {@code run} is a small
 * experiment with its report, {@code start} is the same and one node that starts and answers a few calls; {@code group}
 * runs three nodes in one JVM with many requests and a change of leader. The launcher keeps the cache for all later
 * starts. A new leader gains most: it has never answered a call before, and all callers wait for it.
 */
final class TrainingRun {
    private static final int NODES = 3;
    private static final int ROUNDS = 40;
    /** A limit against hanging in the background, even on a busy machine. */
    private static final long LIMIT_MINUTES = 20;

    private static final int CALLS = 16;
    private static final int BATCH = 32;
    private static final Duration PATIENCE = Duration.ofMinutes(LIMIT_MINUTES);
    private static final long POLL_MILLIS = 10;

    /** Requests of the experiment: enough that what each of them runs through is known to be hot. */
    private static final int REQUESTS = 4000;

    private final ServiceConfiguration service;
    private final ToIntFunction<String[]> program;
    private final boolean serves;
    private final boolean group;
    private final List<RaftNode> nodes = new ArrayList<>();
    private final List<ApiServer> apis = new ArrayList<>();

    /**
     * A training run with the configuration of a service of one node.
     *
     * @param what {@code run}, {@code start} or {@code group}
     * @param program carries out a command of this program
     */
    TrainingRun(ServiceConfiguration one, String what, ToIntFunction<String[]> program) throws IOException {
        this.program = program;
        if (!List.of("run", "start", "group").contains(what)) {
            throw new BadInputException("--trial " + what + " must be run, start or group");
        }
        serves = !what.equals("run");
        group = what.equals("group");
        int count = group ? NODES : 1;
        List<ServiceConfiguration.Node> members = new ArrayList<>();
        List<InetSocketAddress> free = freeAddresses(2 * count);
        for (int i = 0; i < count; i++) {
            members.add(new ServiceConfiguration.Node("n" + (i + 1), free.get(i), free.get(count + i)));
        }
        service = one.on(members);
    }

    private static List<InetSocketAddress> freeAddresses(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        List<InetSocketAddress> free = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                free.add(InetSocketAddress.createUnresolved("127.0.0.1", socket.getLocalPort()));
            }
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
        return free;
    }

    /** Runs to the end. */
    int run() throws IOException, InterruptedException {
        ServiceLog.quiet();
        CompletableFuture<?> unusedLimit = CompletableFuture.runAsync(
                () -> Runtime.getRuntime().halt(Failures.FAILED),
                CompletableFuture.delayedExecutor(LIMIT_MINUTES, TimeUnit.MINUTES));
        if (!group && experiment(service.data()) != 0) {
            return Failures.FAILED;
        }
        if (!serves) {
            return 0;
        }
        try {
            for (ServiceConfiguration.Node node : service.nodes()) {
                RaftNode raft = RaftNode.start(
                        service.raft(node).withBootstrap(nodes.isEmpty()), new Policies(), service.setting());
                nodes.add(raft);
                apis.add(ApiServer.start(raft, service.api(node)));
            }
            while (!nodes.stream().allMatch(node -> node.status().ready())) {
                Thread.sleep(POLL_MILLIS);
            }
            List<String> addresses = service.nodes().stream()
                    .map(node -> node.api().getHostString() + ":" + node.api().getPort())
                    .toList();
            try (StowageClient client =
                    StowageClient.of(ClientSettings.plain(addresses).withPatience(PATIENCE))) {
                calls(client, "first", group ? ROUNDS : 1);
                if (group) {
                    endLeader();
                    calls(client, "second", ROUNDS);
                }
            }
        } finally {
            apis.forEach(ApiServer::close);
            nodes.forEach(RaftNode::close);
        }
        return 0;
    }

    /** A table of a user's own under the usual policies, with its report; its files are beside the data. */
    private int experiment(Path data) throws IOException {
        Path directory = Files.createDirectories(data.resolveSibling("experiment"));
        StringBuilder rows = new StringBuilder("arrival_s,duration_s,cpu,mem\n");
        for (int i = 0; i < REQUESTS; i++) {
            rows.append(i)
                    .append(".5,")
                    .append(100 + i % 97)
                    .append(',')
                    .append(1 + i % 5)
                    .append(',')
                    .append(2 + i % 7)
                    .append('\n');
        }
        Path trace = Files.writeString(directory.resolve("trace.csv"), rows);
        return program.applyAsInt(new String[] {
            "run",
            "--trace",
            trace.toString(),
            "--servers",
            "12 x 48 cores, 192 GiB",
            "--out",
            directory.resolve("results").toString()
        });
    }

    private void endLeader() throws InterruptedException {
        while (nodes.size() == NODES) {
            for (int i = 0; i < nodes.size(); i++) {
                if (nodes.get(i).leads()) {
                    apis.remove(i).close();
                    nodes.remove(i).close();
                    return;
                }
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** One by one and in batches: some are placed, some are read, all are released. */
    private static void calls(StowageClient client, String prefix, int rounds) {
        for (int round = 0; round < rounds; round++) {
            List<CompletableFuture<?>> under = new ArrayList<>();
            SubmitBatchRequest.Builder submits = SubmitBatchRequest.newBuilder();
            ReleaseBatchRequest.Builder releases = ReleaseBatchRequest.newBuilder();
            for (int i = 0; i < BATCH; i++) {
                submits.addRequests(submit(prefix + "-b" + round + "-" + i));
                releases.addRequests(ReleaseRequest.newBuilder().setRequestId(prefix + "-b" + round + "-" + i));
            }
            under.add(client.submit(submits.build()));
            for (int i = 0; i < CALLS; i++) {
                under.add(client.submit(submit(prefix + round + "-" + i)));
            }
            ClientOptions.answer(CompletableFuture.allOf(under.toArray(CompletableFuture[]::new)));
            under.clear();
            under.add(client.release(releases.build()));
            for (int i = 0; i < CALLS; i++) {
                String id = prefix + round + "-" + i;
                under.add(client.get(GetRequest.newBuilder().setRequestId(id).build()));
                under.add(client.release(
                        ReleaseRequest.newBuilder().setRequestId(id).build()));
            }
            ClientOptions.answer(CompletableFuture.allOf(under.toArray(CompletableFuture[]::new)));
        }
    }

    private static SubmitRequest submit(String id) {
        return SubmitRequest.newBuilder()
                .setRequestId(id)
                .putDemand("cpu_milli", 1000)
                .putDemand("mem_mib", 1024)
                .build();
    }
}

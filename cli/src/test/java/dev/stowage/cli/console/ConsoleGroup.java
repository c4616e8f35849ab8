package dev.stowage.cli.console;

import dev.stowage.cli.ProgramElsewhere;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.Access;
import dev.stowage.service.api.ApiLimits;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.api.Role;
import dev.stowage.service.api.Token;
import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitRequest;
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
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Nodes of one group in this process, with what runs there. */
final class ConsoleGroup implements AutoCloseable {
    static final Access TOKENS = new Access(List.of(
            new Token("ops", Token.hash("ops-token"), Role.OPERATOR, Token.ALL),
            new Token("eye", Token.hash("eye-token"), Role.READER, Token.ALL),
            new Token("acme", Token.hash("acme-token"), Role.SUBMITTER, Set.of("acme"))));

    private static final int BATCH = 500;

    private final Map<String, RaftNode> nodes = new TreeMap<>();
    private final Map<String, ApiServer> apis = new TreeMap<>();
    private final Map<String, String> addresses = new TreeMap<>();
    private final @Nullable String token;

    /**
     * Starts it.
     *
     * @param servers in two sites
     * @param access who may call
     * @param token of the one who submits, or null
     */
    ConsoleGroup(Path directory, int size, int servers, Access access, @Nullable String token) throws IOException {
        this.token = token;
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu_milli"), Resource.of("mem_mib")),
                List.of(),
                List.of(
                        Site.of("east", new ServerBlock(servers - servers / 3, Amounts.of(48_000, 131_072))),
                        Site.of("west", new ServerBlock(servers / 3, Amounts.of(64_000, 131_072)))),
                List.of());
        Setting setting = new Setting(
                cluster, PolicySpec.of("best-fit", Map.of("when-full", "queue")), 1, TimeUnit.MINUTES.toNanos(10));
        List<Integer> ports = FreePorts.some(2 * size);
        List<NodeSettings.Peer> peers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            peers.add(new NodeSettings.Peer("n" + (i + 1), "127.0.0.1:" + ports.get(i)));
            addresses.put("n" + (i + 1), "127.0.0.1:" + ports.get(size + i));
        }
        for (int i = 0; i < size; i++) {
            String id = peers.get(i).id();
            NodeSettings node = size == 1
                    ? NodeSettings.single(directory)
                    : NodeSettings.of(id, peers, directory.resolve(id)).withBootstrap(i == 0);
            nodes.put(id, RaftNode.start(node, new Policies(), setting));
            ApiSettings api = new ApiSettings(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(size + i)),
                    addresses,
                    ApiLimits.USUAL);
            Path data = size == 1 ? directory : directory.resolve(id);
            apis.put(
                    id,
                    ApiServer.start(
                            nodes.get(id),
                            api.secured(access, null)
                                    .withReplay(command(
                                            "replay", data.toAbsolutePath().toString()))
                                    .withPlan(command("consolidate", "--pages"))));
        }
        Await.until(
                "all serve",
                () -> nodes.values().stream()
                        .allMatch(node ->
                                node.status().ready() && node.status().peers().size() == size));
    }

    private static List<String> command(String... arguments) {
        return ProgramElsewhere.process(arguments).command();
    }

    String url(String id) {
        return "http://" + addresses.get(id) + "/";
    }

    String address(String id) {
        return String.valueOf(addresses.get(id));
    }

    /** The node that leads. */
    String leader() {
        String[] found = new String[1];
        Await.until("a leader", () -> {
            nodes.forEach((id, node) -> found[0] = node.leads() && node.status().ready() ? id : found[0]);
            return found[0] != null;
        });
        return found[0];
    }

    RaftNode node(String id) {
        return java.util.Objects.requireNonNull(nodes.get(id));
    }

    /** Ends a node. */
    void end(String id) {
        apis.remove(id).close();
        nodes.remove(id).close();
    }

    StowageClient client() {
        return StowageClient.of(new ClientSettings(
                List.copyOf(addresses.values()), false, null, null, null, token, Duration.ofDays(1)));
    }

    /** Submits so many requests of three tenants. */
    void fill(String prefix, int count) throws Exception {
        fill(prefix, count, 1000);
    }

    /**
     * The same.
     *
     * @param milli how large a core is; memory goes with it
     */
    void fill(String prefix, int count, int milli) throws Exception {
        Random random = new Random(count);
        List<String> tenants = List.of("acme", "globex", "initech");
        try (StowageClient client = client()) {
            SubmitBatchRequest.Builder batch = SubmitBatchRequest.newBuilder();
            for (int i = 0; i < count; i++) {
                long cores = 1L << random.nextInt(5);
                batch.addRequests(SubmitRequest.newBuilder()
                        .setRequestId(prefix + i)
                        .setTenant(tenants.get(random.nextInt(tenants.size())))
                        .putDemand("cpu_milli", cores * milli)
                        .putDemand("mem_mib", cores * 1024 * milli / 1000 * (1 + random.nextInt(4))));
                if (batch.getRequestsCount() == BATCH || i == count - 1) {
                    client.submit(batch.build()).get();
                    batch.clear();
                }
            }
        }
    }

    @Override
    public void close() {
        apis.values().forEach(ApiServer::close);
        nodes.values().forEach(RaftNode::close);
    }
}

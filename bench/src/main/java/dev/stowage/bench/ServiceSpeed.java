package dev.stowage.bench;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.raft.RatisSettings;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.NetUtils;

/**
 * The cost of the engine on top of the replicated log: durable operations a second through a node of the service,
 * beside the same operations through the same log with a state machine that does nothing. One process, no API, one
 * node; a placement is a Submit and a Release.
 *
 * <p>Arguments: servers, seconds of each measurement, operations without an answer.
 */
public final class ServiceSpeed {
    private static final int PER_ENTRY = 64;
    private static final int REQUESTS = 200_000;

    private final int servers;
    private final long nanos;
    private final int outstanding;
    private final BenchWorkload workload;
    private final int live;

    private ServiceSpeed(int servers, long nanos, int outstanding) {
        this.servers = servers;
        this.nanos = nanos;
        this.outstanding = outstanding;
        workload = BenchWorkload.generate(servers, REQUESTS, 1);
        live = (int) BenchWorkload.meanLive(servers);
    }

    /** Prints the table. */
    public static void main(String[] args) throws Exception {
        int servers = args.length > 0 ? Integer.parseInt(args[0]) : 5000;
        long seconds = args.length > 1 ? Long.parseLong(args[1]) : 10;
        int outstanding = args.length > 2 ? Integer.parseInt(args[2]) : 4096;
        ServiceSpeed speed = new ServiceSpeed(servers, TimeUnit.SECONDS.toNanos(seconds), outstanding);
        System.out.printf(
                Locale.ROOT,
                "%,d servers, %,d operations without an answer, %d s each%n",
                servers,
                outstanding,
                seconds);
        System.out.println("what                   placements/s   CPU us/placement");
        // In turns; the first turn of each is the warm-up.
        for (int turn = 0; turn < 3; turn++) {
            speed.empty();
            speed.service();
        }
    }

    private Operation.Submit submit(long number) {
        int at = (int) (number % REQUESTS);
        return new Operation.Submit(
                "",
                "r" + number,
                "",
                new long[] {workload.cpuMilli()[at], workload.memMib()[at]},
                new long[0],
                Operation.TYPE_REWARD,
                Operation.ANY_WAIT);
    }

    private void service() throws Exception {
        Path directory = Files.createTempDirectory("service-speed");
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu_milli"), Resource.of("mem_mib")),
                List.of(),
                List.of(Site.of(
                        "site",
                        new ServerBlock(
                                servers, Amounts.of(BenchWorkload.SERVER_CPU_MILLI, BenchWorkload.SERVER_MEM_MIB)))),
                List.of());
        Setting setting = new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.SECONDS.toNanos(1));
        try (RaftNode node = RaftNode.start(NodeSettings.single(directory), new Policies(), setting)) {
            while (!node.status().ready()) {
                Thread.sleep(10);
            }
            for (long i = 0; i < live; i += PER_ENTRY) {
                List<CompletableFuture<?>> filling = new ArrayList<>();
                for (long j = i; j < i + PER_ENTRY; j++) {
                    filling.add(node.submit(submit(j)));
                }
                CompletableFuture.allOf(filling.toArray(CompletableFuture[]::new))
                        .join();
            }
            measure("engine " + setting.policy(), next -> {
                CompletableFuture<?> placed = node.submit(submit(live + PER_ENTRY + next));
                CompletableFuture<?> ended = node.submit(new Operation.Release("", "r" + next));
                return CompletableFuture.allOf(placed, ended);
            });
        } finally {
            delete(directory);
        }
    }

    private void empty() throws Exception {
        Path directory = Files.createTempDirectory("service-speed");
        RaftPeerId self = RaftPeerId.valueOf("n1");
        int port = NetUtils.getFreePort();
        RaftGroup group = RaftGroup.valueOf(
                RaftGroupId.valueOf(UUID.randomUUID()),
                RaftPeer.newBuilder()
                        .setId(self)
                        .setAddress("127.0.0.1:" + port)
                        .build());
        ClientId client = ClientId.randomId();
        RaftServer server = RaftServer.newBuilder()
                .setServerId(self)
                .setGroup(group)
                .setProperties(RatisSettings.of(NodeSettings.single(directory), "127.0.0.1", port))
                .setStateMachine(new Nothing())
                .build();
        server.start();
        try {
            while (!server.getDivision(group.getGroupId()).getInfo().isLeaderReady()) {
                Thread.sleep(10);
            }
            List<Operation> operations = new ArrayList<>();
            long[] entries = {0};
            List<CompletableFuture<?>> waiting = new ArrayList<>();
            measure("nothing, same log", next -> {
                // One sender: entries fill up as in the service, and all in one share its answer.
                operations.add(submit(next));
                operations.add(new Operation.Release("", "r" + next));
                CompletableFuture<Void> done = new CompletableFuture<>();
                waiting.add(done);
                if (operations.size() >= PER_ENTRY) {
                    byte[] bytes = new Batch(ServiceState.VERSION, 0, entries[0], 0, operations).encode();
                    List<CompletableFuture<?>> answered = List.copyOf(waiting);
                    operations.clear();
                    waiting.clear();
                    CompletableFuture<?> unused = append(server, group, client, self, entries[0]++, bytes)
                            .whenComplete((reply, thrown) -> answered.forEach(one -> one.complete(null)));
                }
                return done;
            });
        } finally {
            server.close();
            delete(directory);
        }
    }

    private static CompletableFuture<RaftClientReply> append(
            RaftServer server, RaftGroup group, ClientId client, RaftPeerId self, long number, byte[] bytes) {
        try {
            return server.submitClientRequestAsync(RaftClientRequest.newBuilder()
                    .setClientId(client)
                    .setServerId(self)
                    .setGroupId(group.getGroupId())
                    .setCallId(number)
                    .setMessage(Message.valueOf(ByteString.copyFrom(bytes)))
                    .setType(RaftClientRequest.writeRequestType())
                    .build());
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private interface Placement {
        CompletableFuture<?> begin(long number);
    }

    private void measure(String what, Placement placement) throws InterruptedException {
        Semaphore room = new Semaphore(outstanding / 2);
        LongAdder failed = new LongAdder();
        long started = System.nanoTime();
        long cpu = ProcessTime.nanos();
        long done = 0;
        while (System.nanoTime() - started < nanos) {
            // Operations that wait for their entry to fill occupy their room; so there is more room than an entry has,
            // to avoid a standstill.
            room.acquire();
            CompletableFuture<?> unused = placement.begin(done++).whenComplete((ok, thrown) -> {
                failed.add(thrown == null ? 0 : 1);
                room.release();
            });
        }
        double seconds = (System.nanoTime() - started) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%-22s %,13.0f %18.1f%s%n",
                what,
                done / seconds,
                (ProcessTime.nanos() - cpu) / 1e3 / done,
                failed.sum() == 0 ? "" : "  " + failed.sum() + " failed");
    }

    private static void delete(Path directory) throws IOException {
        List<Path> all;
        try (var walk = Files.walk(directory)) {
            all = new ArrayList<>(walk.toList());
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            Files.deleteIfExists(all.get(i));
        }
    }

    /** A state machine without a state. */
    private static final class Nothing extends BaseStateMachine {
        @Override
        public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
            updateLastAppliedTermIndex(
                    transaction.getLogEntry().getTerm(),
                    transaction.getLogEntry().getIndex());
            return CompletableFuture.completedFuture(Message.EMPTY);
        }
    }
}

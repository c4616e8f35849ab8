package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.ReleaseBatchRequest;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import dev.stowage.testkit.Await;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that watch and do not read: others are told everything meanwhile, and nothing piles up for those. */
final class SlowWatchersTest {
    private static final int BATCH = 500;
    private static final int BATCHES = 30;
    private static final int CHANGES = 2 * BATCH * BATCHES;
    private static final String LONG_NAME = "x".repeat(60);

    @TempDir
    private Path directory;

    private final ClientFactory connections = ClientFactory.builder().build();
    private OneNode service;
    private PlacementGrpc.PlacementBlockingStub placement;

    @BeforeEach
    void start() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(1, Amounts.of(BATCH)))),
                List.of(RequestType.of("small", 1)));
        Setting setting = new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.MINUTES.toNanos(10));
        service = new OneNode(directory, setting);
        placement = service.stub(PlacementGrpc.PlacementBlockingStub.class);
    }

    @AfterEach
    void stop() {
        connections.close();
        service.close();
    }

    private long metric(String name) {
        String all = WebClient.of(service.address())
                .get("/metrics")
                .aggregate()
                .join()
                .contentUtf8();
        Matcher line =
                Pattern.compile("^" + name + " (\\d+)$", Pattern.MULTILINE).matcher(all);
        assertThat(line.find()).as(name).isTrue();
        return Long.parseLong(line.group(1));
    }

    private void change() {
        for (int batch = 0; batch < BATCHES; batch++) {
            SubmitBatchRequest.Builder submits = SubmitBatchRequest.newBuilder();
            ReleaseBatchRequest.Builder releases = ReleaseBatchRequest.newBuilder();
            for (int i = 0; i < BATCH; i++) {
                String id = LONG_NAME + (batch * BATCH + i);
                submits.addRequests(SubmitRequest.newBuilder()
                        .setRequestId(id)
                        .setType("small")
                        .build());
                releases.addRequests(
                        ReleaseRequest.newBuilder().setRequestId(id).build());
            }
            placement.submitBatch(submits.build());
            placement.releaseBatch(releases.build());
        }
    }

    /** A connection that has asked to watch from the beginning and reads nothing. */
    private Socket overHttp() throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port()));
        socket.getOutputStream()
                .write("GET /v1/watch?after_position=-1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Takes a reply when it is asked to, or all. */
    private static final class Replies implements ClientResponseObserver<WatchRequest, WatchReply> {
        final AtomicLong changes = new AtomicLong();
        private final boolean all;
        private volatile ClientCallStreamObserver<WatchRequest> call;

        Replies(boolean all) {
            this.all = all;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
            call = stream;
            if (!all) {
                stream.disableAutoRequestWithInitial(1);
            }
        }

        @Override
        public void onNext(WatchReply reply) {
            changes.addAndGet(reply.getChangesCount());
        }

        @Override
        public void onError(Throwable thrown) {}

        @Override
        public void onCompleted() {}
    }

    /** On a connection of its own: what one stream does not take fills the window of all that share one. */
    private Replies overGrpc(ClientFactory factory, boolean all) {
        Replies replies = new Replies(all);
        GrpcClients.builder("gproto+http://127.0.0.1:" + service.port())
                .factory(factory)
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .build(PlacementGrpc.PlacementStub.class)
                .watch(WatchRequest.newBuilder().setAfterPosition(-1).build(), replies);
        return replies;
    }

    @Test
    void whoDoesNotReadIsLeftBehindAndGoesOnWhereItWas() throws Exception {
        Replies slow = overGrpc(connections, false);
        Replies quick = overGrpc(ClientFactory.ofDefault(), true);
        try (Socket socket = overHttp()) {
            Await.until("three watch", () -> metric("stowage_watchers") == 3);
            change();
            Await.until("the quick one has all", () -> quick.changes.get() == CHANGES);
            // More than 10 MB of text: the connections take some MB, the rest is not written.
            long behind = metric("stowage_watchers_behind");
            assertThat(behind).isPositive();
            Thread.sleep(200);
            assertThat(metric("stowage_watchers_behind")).isGreaterThanOrEqualTo(behind);
            assertThat(slow.changes.get()).isLessThanOrEqualTo(BATCH * 2);
            assertThat(readAll(socket)).isEqualTo(CHANGES);
            // The other still reads nothing, then it goes.
            assertThat(metric("stowage_watchers_behind")).isPositive();
            slow.call.cancel("enough", null);
            Await.until("nobody is behind", () -> metric("stowage_watchers_behind") == 0);
        }
        quick.call.cancel("enough", null);
        Await.until("nobody watches", () -> metric("stowage_watchers") == 0);
    }

    /** Reads until all changes were told, each once and in order. */
    private static int readAll(Socket socket) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        ObjectMapper json = new ObjectMapper();
        List<String> submitted = new ArrayList<>();
        int changes = 0;
        long position = -1;
        // Lines of JSON, between those of the chunked encoding.
        StringBuilder line = new StringBuilder();
        for (String text = in.readLine(); changes < CHANGES; text = in.readLine()) {
            assertThat(text).as("the end of the stream").isNotNull();
            line.append(text.startsWith("{") || line.length() > 0 ? text : "");
            if (line.length() > 0 && text.endsWith("}")) {
                JsonNode reply = json.readTree(line.toString());
                line.setLength(0);
                assertThat(reply.at("/position").asLong()).isGreaterThanOrEqualTo(position);
                position = reply.at("/position").asLong();
                for (JsonNode change : reply.at("/changes")) {
                    changes++;
                    if (change.at("/state").asText().equals("RUNNING")) {
                        submitted.add(change.at("/requestId").asText());
                    }
                }
            }
        }
        assertThat(submitted).hasSize(CHANGES / 2);
        for (int i = 0; i < submitted.size(); i++) {
            assertThat(submitted.get(i)).isEqualTo(LONG_NAME + i);
        }
        return changes;
    }
}

package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.Reasons;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.KnownHistory;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.History;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import dev.stowage.testkit.FreePorts;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A watch goes on over restarts of the node, from any position, as if there had been none. */
final class HistoryWatchTest {
    private static final int REQUESTS = 60;

    @TempDir
    private Path directory;

    private RaftNode node;
    private ApiServer api;
    private PlacementGrpc.PlacementBlockingStub placement;

    private void start() throws Exception {
        node = Raw.node(directory);
        api = ApiServer.start(node, ApiSettings.loopback(0));
        placement = GrpcClients.builder("gproto+http://127.0.0.1:" + api.port())
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .build(PlacementGrpc.PlacementBlockingStub.class);
    }

    private void restart() throws Exception {
        stop();
        start();
    }

    @AfterEach
    void stop() {
        api.close();
        node.close();
    }

    private void change(String prefix) {
        for (int i = 0; i < REQUESTS; i++) {
            placement.submit(SubmitRequest.newBuilder()
                    .setRequestId(prefix + i)
                    .setType("small")
                    .build());
            placement.release(
                    ReleaseRequest.newBuilder().setRequestId(prefix + i).build());
        }
    }

    /** All replies with changes after a position, up to the newest there is. */
    private List<WatchReply> watch(long after) {
        long last = node.feed().last();
        Iterator<WatchReply> replies = placement.watch(
                WatchRequest.newBuilder().setAfterPosition(after).build());
        List<WatchReply> all = new ArrayList<>();
        for (WatchReply reply = replies.next(); ; reply = replies.next()) {
            if (reply.getChangesCount() > 0) {
                all.add(reply);
            }
            if (reply.getPosition() >= last) {
                return all;
            }
        }
    }

    @Test
    void nothingIsMissingAndNothingIsToldTwice() throws Exception {
        start();
        change("a");
        List<WatchReply> first = watch(-1);
        assertThat(first).hasSizeGreaterThanOrEqualTo(REQUESTS);
        node.snapshot();
        // A node that knows of no snapshot tells all again by its log; this one begins behind it.
        restart();
        assertThat(node.feed().floor()).isPositive();
        assertThat(watch(-1)).isEqualTo(first);
        WatchReply middle = first.get(first.size() / 2);
        assertThat(watch(middle.getPosition())).isEqualTo(first.subList(first.size() / 2 + 1, first.size()));
        change("b");
        List<WatchReply> both = watch(-1);
        assertThat(both.subList(0, first.size())).isEqualTo(first);
        assertThat(both.size()).isGreaterThan(first.size());
        // Without a snapshot after the second half: that comes from the log.
        restart();
        assertThat(watch(-1)).isEqualTo(both);
        node.snapshot();
        restart();
        assertThat(watch(-1)).isEqualTo(both);
    }

    private History history(String id) {
        return placement.getHistory(GetRequest.newBuilder().setRequestId(id).build());
    }

    @Test
    void theLifeOfARequestIsToldFromTheDiskAsFromMemory() throws Exception {
        start();
        change("a");
        List<History> first = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            first.add(history("a" + i));
            assertThat(first.get(i).getComplete()).isTrue();
            assertThat(first.get(i).getVersionsCount()).isGreaterThan(2);
        }
        long at = node.snapshot();
        restart();
        change("b");
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(history("a" + i)).isEqualTo(first.get(i));
            assertThat(history("b" + i).getComplete()).isTrue();
        }
        // One that the state knows no more.
        assertThat(KnownHistory.of(node.history().past("", "a7", Long.MIN_VALUE).changes(), KnownHistory.NEWEST)
                        .versions())
                .hasSameSizeAs(first.get(7).getVersionsList());
        assertThatThrownBy(() -> history("never"))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("no such request has changed since the first entry of the log")
                .satisfies(thrown -> assertThat(Reasons.reason(thrown)).isEqualTo("NOT_FOUND"));
        stop();
        deleteHistory();
        start();
        // What is older than all that the node has says so.
        History after = history("a3");
        assertThat(after.getComplete()).isFalse();
        assertThat(after.getAfterPosition()).isGreaterThanOrEqualTo(at);
        assertThat(after.getVersionsCount()).isEqualTo(1);
    }

    @Test
    void whatIsNotThereIsRefusedWithTheOldestPosition() throws Exception {
        start();
        change("a");
        long at = node.snapshot();
        stop();
        deleteHistory();
        start();
        assertThatThrownBy(() -> watch(at - 1))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("the oldest known position is " + at)
                .satisfies(thrown -> assertThat(Reasons.reason(thrown)).isEqualTo("POSITION_FORGOTTEN"))
                .satisfies(thrown -> assertThat(Reasons.field(thrown)).isEqualTo("after_position"));
        // Nor is that hidden behind a node that is not there.
        String live = "127.0.0.1:" + api.port();
        String dead = "127.0.0.1:" + FreePorts.one();
        for (List<String> addresses : List.of(List.of(live, dead), List.of(dead, live))) {
            try (StowageClient client = StowageClient.ofRunning(ClientSettings.plain(addresses))) {
                assertThatThrownBy(() -> client.watch(
                                WatchRequest.newBuilder()
                                        .setAfterPosition(at - 1)
                                        .build(),
                                reply -> {}))
                        .hasMessageContaining("the oldest known position is " + at);
            }
        }
        assertThat(watch(at)).isEmpty();
        change("b");
        List<WatchReply> behind = watch(at);
        restart();
        assertThat(watch(at)).isEqualTo(behind);
    }

    private void deleteHistory() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file :
                    all.filter(path -> path.toString().endsWith(".changes")).toList()) {
                Files.delete(file);
            }
        }
    }
}

package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.v1.ConsolidationPlan;
import dev.stowage.service.v1.Empty;
import dev.stowage.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans that take longer to make than a call usually may. */
final class ConsolidationPlansTest {
    @TempDir
    private Path directory;

    private Path started;
    private Path goOn;
    private RaftNode node;
    private ApiServer api;

    /** A command that says that it has begun, and plans when the file {@code go-on} is there. */
    @BeforeEach
    void start() throws Exception {
        started = Files.createFile(directory.resolve("started"));
        goOn = directory.resolve("go-on");
        Path program = Files.writeString(directory.resolve("plan.sh"), """
                cat >/dev/null
                echo begun >>'%s'
                while [ ! -e '%s' ]; do sleep 0.05; done
                echo '{"serversInUse": 3, "fewest": {"bound": 2}, "notes": ["made up"]}'
                """.formatted(started, goOn));
        node = Raw.node(directory.resolve("data"));
        api = ApiServer.start(node, ApiSettings.loopback(0).withPlan(List.of("sh", program.toString())));
    }

    @AfterEach
    void stop() {
        api.close();
        node.close();
    }

    private StowageClient client() {
        return StowageClient.of(
                ClientSettings.plain(List.of("127.0.0.1:" + api.port())).withPatience(Duration.ofDays(1)));
    }

    private static CompletableFuture<ConsolidationPlan> plan(StowageClient client) {
        return client.operations((stub, answer) -> stub.planConsolidation(Empty.getDefaultInstance(), answer));
    }

    private long begun() {
        try {
            return Files.readAllLines(started).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theClientWaitsLongerThanForOtherCalls() throws Exception {
        try (StowageClient client = client()) {
            CompletableFuture<ConsolidationPlan> plan = plan(client);
            Await.until("the plan is begun", () -> begun() == 1);
            // Longer than an attempt at any other call.
            Thread.sleep(4000);
            Files.createFile(goOn);
            assertThat(plan.get().getServersInUse()).isEqualTo(3);
            assertThat(plan.get().getFewestServers()).isEqualTo(2);
            assertThat(begun()).isEqualTo(1);
        }
    }

    /** One that begins it and leaves takes it from nobody. */
    @Test
    void whatOneBeganAnotherGets() throws Exception {
        try (StowageClient client = client()) {
            try (Socket impatient = Raw.connect("127.0.0.1", api.port())) {
                impatient
                        .getOutputStream()
                        .write("GET /v1/consolidation:plan HTTP/1.1\r\nhost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                Await.until("the plan is begun", () -> begun() == 1);
            }
            CompletableFuture<ConsolidationPlan> plan = plan(client);
            // Several times as long as it takes to notice that somebody has gone.
            Thread.sleep(500);
            Files.createFile(goOn);
            assertThat(plan.get().getNotesList()).containsExactly("made up");
            assertThat(begun()).isEqualTo(1);
        }
    }
}

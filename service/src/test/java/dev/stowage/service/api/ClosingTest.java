package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import dev.stowage.service.raft.RaftNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever calls while a node closes is told to ask another, never that the service made a mistake. */
final class ClosingTest {
    private static final int CALLERS = 8;

    @TempDir
    private Path directory;

    @Test
    void aCallDuringTheEndIsSentElsewhere() throws Exception {
        Queue<String> mistakes = new ConcurrentLinkedQueue<>();
        AtomicInteger answered = new AtomicInteger();
        try (RaftNode node = Raw.node(directory)) {
            for (int round = 0; round < 5; round++) {
                ApiServer api = ApiServer.start(node, ApiSettings.loopback(0));
                String address = "http://127.0.0.1:" + api.port();
                List<Thread> callers = new ArrayList<>();
                AtomicInteger begun = new AtomicInteger();
                for (int i = 0; i < CALLERS; i++) {
                    String id = round + "-" + i + "-";
                    boolean watches = i % 2 == 0;
                    Thread caller =
                            new Thread(() -> call(address, id, watches, begun, answered, mistakes), "caller-" + i);
                    caller.start();
                    callers.add(caller);
                }
                while (begun.get() < CALLERS) {
                    Thread.sleep(1);
                }
                api.close();
                for (Thread caller : callers) {
                    caller.join();
                }
            }
        }
        assertThat(answered).hasPositiveValue();
        assertThat(mistakes).isEmpty();
    }

    /** Until nobody answers any more. */
    private static void call(
            String address, String id, boolean watches, AtomicInteger begun, AtomicInteger answered, Queue<String> no) {
        try (ClientFactory connection = ClientFactory.builder().build()) {
            WebClient web = WebClient.builder(address)
                    .factory(connection)
                    .maxResponseLength(0)
                    .build();
            for (int n = 0; ; n++) {
                HttpRequest request = watches
                        ? HttpRequest.of(HttpMethod.GET, "/v1/watch?after_position=" + (n == 0 ? 1_000_000 : -1))
                        : HttpRequest.of(
                                HttpMethod.POST,
                                "/v1/requests",
                                MediaType.JSON,
                                "{\"request_id\": \"" + id + n + "\", \"type\": \"small\", \"max_wait_nanos\": 0}");
                AggregatedHttpResponse answer = web.execute(request).aggregate().join();
                answered.incrementAndGet();
                if (n == 0) {
                    begun.incrementAndGet();
                }
                if (answer.status().code() == 500) {
                    no.add(request.path() + ": " + answer.contentUtf8());
                }
            }
        } catch (CompletionException refused) {
            // It does not listen any more.
        }
    }
}

package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.service.raft.RaftNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No caller and no address takes what others need: watches, connections, calls under way, calls a second. */
@Tag("once")
final class LimitsTest {
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    private static Path directory;

    private static RaftNode node;
    private final List<Socket> sockets = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        node = Raw.node(directory);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @AfterEach
    void closeSockets() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private static Token token(String name) {
        return new Token(name, Token.hash(name), Role.SUBMITTER, Set.of(name));
    }

    private static ApiServer server(ApiLimits limits) throws IOException {
        return ApiServer.start(
                node,
                ApiSettings.loopback(0)
                        .limited(limits)
                        .secured(
                                new Access(List.of(
                                        token("greedy"),
                                        token("other"),
                                        new Token("ops", Token.hash("ops"), Role.OPERATOR, Token.ALL))),
                                null));
    }

    private static ApiLimits limits(int connectionsOfAddress, int watches, int watchesOfCaller, Duration header) {
        return new ApiLimits(
                1 << 20, 1000, 4096, connectionsOfAddress, 4096, 8192, 256, watches, watchesOfCaller, header, LONG);
    }

    private Socket open(String from, ApiServer api, String... lines) throws IOException {
        Socket socket = Raw.connect(from, api.port());
        sockets.add(socket);
        // What is never closed fails here, not when the whole test does.
        socket.setSoTimeout(300_000);
        socket.getOutputStream().write(String.join("\r\n", lines).getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    /** Begins to watch, and returns the first line of the answer. */
    private String watch(String from, ApiServer api, String tenant) throws IOException {
        Socket socket = open(
                from,
                api,
                "GET /v1/watch?tenant=" + tenant + " HTTP/1.1",
                "host: localhost",
                "authorization: Bearer " + tenant,
                "",
                "");
        StringBuilder line = new StringBuilder();
        for (int next = socket.getInputStream().read();
                next >= 0 && next != '\r';
                next = socket.getInputStream().read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    private static String submit(ApiServer api, String tenant, String id) throws IOException {
        return Raw.send(
                "127.0.0.9",
                api.port(),
                "{\"request_id\":\"" + id + "\",\"tenant\":\"" + tenant + "\",\"type\":\"small\",\"max_wait_nanos\":0}",
                "POST /v1/requests HTTP/1.1",
                "host: localhost",
                "content-type: application/json",
                "authorization: Bearer " + tenant);
    }

    private static String metrics(ApiServer api) throws IOException {
        return Raw.send(api.port(), "", "GET /metrics HTTP/1.1", "host: localhost", "authorization: Bearer ops");
    }

    @Test
    void oneCallerLeavesWatchesToOthers() throws Exception {
        try (ApiServer api = server(limits(1000, 12, 5, LONG))) {
            for (int i = 0; i < 5; i++) {
                assertThat(watch("127.0.0.2", api, "greedy")).contains("200");
            }
            // From wherever it comes.
            assertThat(watch("127.0.0.2", api, "greedy")).contains("429");
            assertThat(watch("127.0.0.3", api, "greedy")).contains("429");
            for (int i = 0; i < 5; i++) {
                assertThat(watch("127.0.0.2", api, "other")).contains("200");
            }
            assertThat(metrics(api)).contains("stowage_calls_total{method=\"Watch\",result=\"TOO_MANY_WATCHERS\"} 2");
            // Those that go on count too, with the time until they were let in: how long they last is no time to
            // answer.
            assertThat(metrics(api))
                    .contains("stowage_call_seconds_count{method=\"Watch\"} 12")
                    .doesNotContain("stowage_calls_total{method=\"Watch\",result=\"OK\"}");
            // What ends makes room.
            sockets.get(0).close();
            while (metrics(api).contains("stowage_watchers 10")) {
                Thread.sleep(10);
            }
            assertThat(watch("127.0.0.2", api, "greedy")).contains("200");
        }
    }

    @Test
    void oneAddressLeavesConnectionsToOthers() throws Exception {
        try (ApiServer api = server(limits(20, 100, 100, LONG))) {
            for (int i = 0; i < 21; i++) {
                open("127.0.0.2", api, "GET /v1/sta");
            }
            // One of them is closed without an answer; which is for the threads that take them to decide.
            while (metrics(api).contains("stowage_connections_refused_total 0\n")) {
                Thread.sleep(10);
            }
            assertThat(submit(api, "other", "beside-many")).startsWith("HTTP/1.1 200");
            assertThat(metrics(api)).contains("stowage_connections_refused_total 1\n");
        }
    }

    /** Without a limit of time these are there for ever. */
    @Test
    void halfOpenConnectionsKeepNobodyOutAndEnd() throws Exception {
        try (ApiServer api = server(limits(1000, 100, 100, Duration.ofSeconds(10)))) {
            for (int i = 0; i < 100; i++) {
                open("127.0.0.2", api);
                open("127.0.0.2", api, "GE");
                open("127.0.0.2", api, "POST /v1/requests HTTP/1.1", "host: localhost", "content-le");
            }
            assertThat(submit(api, "other", "beside-half-open")).startsWith("HTTP/1.1 200");
            for (Socket socket : sockets) {
                assertThat(socket.getInputStream().read()).isNegative();
            }
            assertThat(metrics(api)).contains("stowage_connections_silent_total 300\n");
        }
    }

    /** A connection that has asked something lives on, until it has been idle. */
    @Test
    void aConnectionThatAskedIsNotSilent() throws Exception {
        ApiLimits limits = new ApiLimits(
                1 << 20, 1000, 4096, 10, 4096, 8192, 256, 10, 10, Duration.ofSeconds(10), Duration.ofSeconds(15));
        try (ApiServer api = server(limits)) {
            Socket socket = open("127.0.0.2", api, "GET /healthz HTTP/1.1", "host: localhost", "", "");
            StringBuilder all = new StringBuilder();
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                all.append((char) next);
            }
            assertThat(all.toString()).contains("200 OK").endsWith("ok\n");
            assertThat(metrics(api)).contains("stowage_connections_silent_total 0\n");
        }
    }

    @Test
    void sharesOfCallersAndAddresses() {
        Shares shares = new Shares("FULL", "things", 10, 3, 5);
        Caller a = new Caller(token("a"));
        Caller b = new Caller(token("b"));
        Shares.Held first = shares.take(a, "x", 2);
        shares.take(a, "y", 1);
        refused(() -> shares.take(a, "z", 1), "caller 'a' may have at most 3 things");
        shares.take(b, "x", 3);
        refused(() -> shares.take(Caller.ANYBODY, "x", 1), "address x may have at most 5 things");
        shares.take(Caller.ANYBODY, "z", 4);
        refused(() -> shares.take(new Caller(token("c")), "v", 1), "this node may have at most 10 things");
        assertThat(shares.taken()).isEqualTo(10);
        first.free();
        shares.take(a, "x", 2);
        assertThat(shares.taken()).isEqualTo(10);
    }

    private static void refused(Runnable take, String words) {
        assertThatThrownBy(take::run).hasMessageContaining(words);
    }

    @Test
    void releasesAndReadsHaveRatesToo() throws Exception {
        // One, and the next in a quarter of an hour: no machine is that slow.
        Rates slow = new Rates(null, 0.001, 0.001);
        try (ApiServer api = ApiServer.start(node, ApiSettings.loopback(0).withRates(Map.of("slow", slow)))) {
            String get = "GET /v1/requests/none?tenant=slow HTTP/1.1";
            assertThat(Raw.send(api.port(), "", get, "host: localhost")).contains("NOT_FOUND");
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                answers.add(Raw.send(api.port(), "", get, "host: localhost"));
                answers.add(Raw.send(
                        api.port(),
                        "{\"tenant\":\"slow\"}",
                        "POST /v1/requests/none:release HTTP/1.1",
                        "host: localhost",
                        "content-type: application/json"));
            }
            assertThat(answers).anyMatch(answer -> answer.contains("RATE_LIMIT: tenant 'slow' may read 0.001"));
            assertThat(answers).anyMatch(answer -> answer.contains("RATE_LIMIT: tenant 'slow' may release 0.001"));
            assertThat(Raw.send(api.port(), "", "GET /v1/requests/none HTTP/1.1", "host: localhost"))
                    .contains("NOT_FOUND");
        }
    }

    @Test
    void addressesOfOneNetworkAreOne() throws Exception {
        for (String[] pair :
                new String[][] {{"2001:db8::1", "2001:db8:0:0:ffff::2"}, {"10.0.0.1", "10.0.0.1"}, {"::1", "::1"}}) {
            assertThat(address(pair[0])).isEqualTo(address(pair[1]));
        }
        assertThat(address("2001:db8:0:1::1")).isNotEqualTo(address("2001:db8::1"));
        assertThat(address("10.0.0.1")).isNotEqualTo(address("10.0.0.2"));
    }

    private static String address(String ip) throws IOException {
        return Connections.address(new java.net.InetSocketAddress(java.net.InetAddress.getByName(ip), 1));
    }
}

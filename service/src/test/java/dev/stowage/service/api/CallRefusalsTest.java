package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.stowage.service.client.Reasons;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitRequest;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a message is told: with a reason, counted, in words and without names of Java's classes. */
final class CallRefusalsTest {
    private static final String JSON = "content-type: application/json";

    @TempDir
    private static Path directory;

    private static RaftNode node;
    private static ApiServer api;

    @BeforeAll
    static void start() throws Exception {
        node = Raw.node(directory);
        ApiLimits usual = ApiLimits.USUAL;
        ApiLimits small = new ApiLimits(
                100_000,
                usual.batch(),
                usual.connections(),
                usual.connectionsOfAddress(),
                usual.streams(),
                usual.changes(),
                usual.reads(),
                usual.watches(),
                usual.watchesOfCaller(),
                usual.header(),
                usual.idle());
        api = ApiServer.start(node, ApiSettings.loopback(0).limited(small));
    }

    @AfterAll
    static void stop() {
        api.close();
        node.close();
    }

    private static String post(String path, String type, String body) throws IOException {
        return Raw.send(api.port(), body, "POST " + path + " HTTP/1.1", "host: localhost", type);
    }

    private static String get(String path) throws IOException {
        return Raw.send(api.port(), "", "GET " + path + " HTTP/1.1", "host: localhost");
    }

    /** Mistakes, and what must be said of each. */
    private static Map<String, String> mistakes() throws IOException {
        Map<String, String> said = new LinkedHashMap<>();
        said.put(
                post("/v1/requests", JSON, "{\"request_id\":\"a\",\"type\":\"small\",\"max_wait_nano\":5}"),
                "UNKNOWN_FIELD: field 'max_wait_nano' is unknown; did you mean max_wait_nanos?");
        said.put(
                post("/v1/requests:batch", JSON, "{\"requests\":[{\"requestID\":\"a\",\"type\":\"small\"}]}"),
                "UNKNOWN_FIELD: field 'requestID' is unknown; did you mean request_id?");
        said.put(post("/v1/requests:batch", JSON, "{\"request\":[]}"), "did you mean requests?");
        said.put(
                get("/v1/requests?page-size=5"),
                "UNKNOWN_FIELD: parameter 'page-size' is unknown; did you mean page_size?");
        said.put(get("/v1/requests?page_size=many"), "page_size is 'many', must be a whole number");
        said.put(get("/v1/requests?page_size=99999999999"), "must be a whole number");
        said.put(get("/v1/requests?pageSize=1&page_size=2"), "BAD_MESSAGE: 'page_size' is given twice");
        said.put(
                post("/v1/requests?max_wait=1", JSON, "{\"request_id\":\"a\",\"type\":\"small\"}"),
                "UNKNOWN_FIELD: parameter 'max_wait'");
        said.put(
                post("/v1/requests", "content-type: application/x-www-form-urlencoded", "{\"request_id\":\"a\"}"),
                "send the header 'content-type: application/json'");
        said.put(post("/v1/requests", JSON, "{\"request_id\":"), "BAD_MESSAGE: the body is not JSON");
        said.put(post("/v1/requests", JSON, "nonsense"), "BAD_MESSAGE: the body is not JSON");
        said.put(post("/v1/requests", JSON, "[1]"), "the body must be a JSON object");
        said.put(post("/v1/requests", JSON, "null"), "the body must be a JSON object");
        said.put(post("/v1/requests", JSON, "{\"request_id\":[]}"), "BAD_MESSAGE");
        said.put(
                post("/v1/requests", JSON, "{\"demand\":{\"cpu\":\"\"}}"),
                "BAD_MESSAGE: demand.cpu is '', must be a whole number");
        said.put(
                post("/v1/requests", JSON, "{\"demand\":{\"cpu\":\"4 cores\"}}"),
                "BAD_MESSAGE: demand.cpu is '4 cores', must be a whole number up to 9223372036854775807");
        said.put(
                post("/v1/requests", JSON, "{\"request_id\":\"a\",\"demand\":{\"cpus\":4}}"),
                "UNKNOWN_RESOURCE: demand: 'cpus' is not a resource here; the resources are 'cpu'; did you mean cpu?");
        said.put(post("/v1/requests", JSON, "{\"demand\":{\"cpu\":4.5}}"), "demand.cpu is 4.5, must be a whole number");
        said.put(
                post("/v1/requests", JSON, "{\"maxWaitNanos\":\"5 min\"}"),
                "max_wait_nanos is '5 min', must be a whole number of nanoseconds");
        said.put(
                post("/v1/requests:batch", JSON, "{\"requests\":[{},{\"priority\":99999999999}]}"),
                "requests[1].priority is 99999999999, must be a whole number from -2147483648 to 2147483647");
        said.put(post("/v1/requests", JSON, "{\"agent\":\"yes\"}"), "agent is 'yes', must be true or false");
        said.put(post("/v1/requests", JSON, "{\"where\":\"a=b\"}"), "where must be a list");
        said.put(
                post("/v1/servers/0:change", JSON, "{\"change_id\":\"c\",\"change\":\"drain\"}"),
                "change is 'drain', must be one of DRAIN, RETURN, REMOVE, LOST");
        said.put(
                get("/v1/requests?state=waiting"),
                "state is 'waiting', must be one of WAITING, RUNNING, RELEASED, REJECTED, EXPIRED");
        said.put(post("/v1/requests", JSON, "{\"demand\":5}"), "BAD_MESSAGE");
        for (String number : List.of("1e400", "-1e400")) {
            said.put(
                    post("/v1/requests", JSON, "{\"request_id\":\"a\",\"demand\":{\"cpu\":" + number + "}}"),
                    "BAD_MESSAGE: the number " + number + " is too large");
        }
        said.put(
                post("/v1/requests", JSON + "; charset=utf-16", "{\"request_id\":\"a\",\"type\":\"small\"}"),
                "BAD_MESSAGE: the charset of the body is 'utf-16', must be utf-8");
        said.put(post("/v1/requests", JSON, "{\"request_id\":\"" + "x".repeat(200_000) + "\"}"), "TOO_LONG");
        said.put(
                post("/v1/requests", JSON, "{\"request_id\": \"h2\", \"demand\": {\"cpu_milli\": 4000}"),
                "not JSON: it ends at line 1, column 51, before the } of the object that begins at line 1, column 1\"}");
        said.put(
                post("/v1/requests", JSON, "{\"where\": [\"a\""),
                "before the ] of the list that begins at line 1, column 11");
        said.put(post("/v1/requests", JSON, "{\"request_i"), "it ends at line 1, column 12, within a name or a value");
        said.put(get("/v1/nothing"), "NO_SUCH_PATH: there is no /v1/nothing");
        said.put(get("/v1/requests/"), "there is no /v1/requests/; did you mean /v1/requests?; see /openapi.json");
        said.put(
                post("/v1/requests", JSON, "{\"request_id\":\"a\",\"pooled_demand\":{\"licenses\":1}}"),
                "'licenses' is not a resource here; there are none");
        said.put(
                get("/v1/request?page_size=1"),
                "there is no /v1/request; did you mean /v1/requests?; see /openapi.json");
        said.put(
                Raw.send(api.port(), "", "DELETE /v1/requests/h1 HTTP/1.1", "host: localhost"),
                "BAD_METHOD: /v1/requests/h1 takes only GET; see /openapi.json");
        said.put(Raw.send(api.port(), "", "DELETE /v1/policy HTTP/1.1", "host: localhost"), "allow: GET, PUT");
        said.put(get("/v1/server/n1/x"), "there is no /v1/server/n1/x");
        said.put(get("/v1/requests/h1:explane"), "no request 'h1:explane' is known; did you mean :explain?");
        said.put(get("/v1/requests/h1:abc"), "is known; it may have been refused");
        said.put(post("/v1/status", JSON, "{}"), "/v1/status takes only GET; see /openapi.json");
        said.put(get("/v1/requests/none"), "NOT_FOUND");
        said.put(post("/v1/status", JSON, "{}"), "BAD_METHOD");
        said.put(get("/v1/watch?tenant=a%20b"), "BAD_NAME");
        said.put(get("/v1/%zz"), "BAD_MESSAGE");
        said.put(post("/stowage.v1.Placement/Submit", JSON, "{}"), "BAD_MESSAGE: this path is for gRPC");
        said.put(get("/stowage.v1.Operations/GetStatus"), "BAD_MESSAGE");
        said.put(
                post("/v1/requests", JSON, "{\"request_id\":\"a\",\"demand\":{\"cpu\":9223372036854775808}}"),
                "demand.cpu is 9223372036854775808, must be a whole number up to 9223372036854775807\"}");
        said.put(
                post("/stowage.v1.Placement/Nothing", "content-type: application/grpc", ""),
                "stowage-reason: NO_SUCH_PATH");
        said.put(
                post("/stowage.v1.Placement/Submit", "content-type: application/grpc", "\0\0\0\0\3\377\377\377"),
                "stowage-reason: BAD_MESSAGE");
        // Holes: the last of two equal names was taken, what follows the object was left out, and a frame that is none
        // counted as the service's mistake.
        String request = "{\"request_id\":\"twice\",%s\"demand\":{\"cpu\":1%s}}%s";
        said.put(
                post("/v1/requests", JSON, request.formatted("\"request_id\":\"other\",", "", "")),
                "BAD_MESSAGE: Duplicate field 'request_id': a name may be given only once");
        said.put(
                post("/v1/requests", JSON, request.formatted("", ",\"cpu\":2", "")),
                "BAD_MESSAGE: Duplicate field 'cpu': a name may be given only once");
        said.put(
                post("/v1/requests", JSON, request.formatted("", "", " {\"request_id\":\"b\"}")),
                "BAD_MESSAGE: there is more after the body's JSON object");
        said.put(post("/v1/requests", JSON, request.formatted("", "", "}")), "there is more after");
        said.put(
                post("/v1/requests", JSON, "{\"request_id\":\"a\",\"requestId\":\"b\",\"demand\":{\"cpu\":1}}"),
                "BAD_MESSAGE");
        for (String frame : List.of("\1\0\0\0\1x", "\11\0\0\0\0")) {
            said.put(
                    post("/stowage.v1.Placement/Submit", "content-type: application/grpc", frame),
                    "BAD_MESSAGE: these bytes are not a gRPC frame");
        }
        return said;
    }

    @Test
    void everyMistakeHasAReasonAndPlainWords() throws IOException {
        mistakes()
                .forEach((answer, words) -> assertThat(answer)
                        .contains(words)
                        .containsIgnoringCase("stowage-reason: ")
                        .doesNotContainPattern("[a-z]+\\.[a-z]+\\.[A-Za-z.]*[A-Z]")
                        .doesNotContain("Exception")
                        .doesNotContain("Node"));
    }

    /** Hole: it was answered after 20 s, and its connection lived on as long as bytes came. */
    @Test
    void aBodyThatDribblesEndsItsConnection() throws Exception {
        try (Socket socket = Raw.connect("127.0.0.1", api.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(
                    ("POST /v1/requests HTTP/1.1\r\nhost: localhost\r\n" + JSON + "\r\ncontent-length: 90000\r\n\r\n{")
                            .getBytes(StandardCharsets.US_ASCII));
            Thread dribble = new Thread(() -> {
                try {
                    for (int i = 0; i < 80_000; i++) {
                        out.write(' ');
                        Thread.sleep(50);
                    }
                } catch (IOException | InterruptedException e) {
                    // The connection has ended.
                }
            });
            dribble.start();
            assertThat(untilItEnds(socket)).startsWith("HTTP/1.1 504").contains("TIMEOUT");
            dribble.interrupt();
            dribble.join();
        }
    }

    /** What is received until the connection ends, which it also does by a reset: bytes are still coming. */
    private static String untilItEnds(Socket socket) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try {
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                answer.write(next);
            }
        } catch (SocketException e) {
            // Reset.
        }
        return answer.toString(StandardCharsets.UTF_8);
    }

    /** Whatever is taken can be asked for, explained and released over HTTP. */
    @Test
    void everyIdCanBeNamedInAnAddress() throws IOException {
        PlacementGrpc.PlacementBlockingStub stub = GrpcClients.newClient(
                "gproto+http://127.0.0.1:" + api.port(), PlacementGrpc.PlacementBlockingStub.class);
        for (String id : List.of(
                "a:b",
                "a/b",
                "a:b:c",
                "a:release:b",
                "ns/pod/1",
                "@x+y",
                "..x",
                "x..",
                "a.b",
                "a/..b",
                "release",
                "-",
                "+")) {
            SubmitRequest submit =
                    SubmitRequest.newBuilder().setRequestId(id).setType("small").build();
            stub.submit(submit);
            String path = "/v1/requests/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
            assertThat(get(path)).as(id).contains("\"requestId\":\"" + id + "\"");
            assertThat(get(path + ":explain"))
                    .as(id)
                    .contains("\"requestId\":\"" + id + "\"")
                    .contains("\"summary\"");
            assertThat(post(path + ":release", JSON, "{}")).as(id).contains("\"RELEASED\"");
        }
        for (String id :
                List.of(".", "..", "a/..", "../a", "a/./b", "a//b", "/a", "a/", "a:release", "a:explain", ":batch")) {
            SubmitRequest submit =
                    SubmitRequest.newBuilder().setRequestId(id).setType("small").build();
            assertThatThrownBy(() -> stub.submit(submit))
                    .as(id)
                    .satisfies(e -> assertThat(Reasons.reason(e)).isEqualTo("BAD_NAME"));
        }
    }

    @Test
    void jsonErrorsHaveFields() throws IOException {
        String answer = get("/v1/requests/none");
        assertThat(answer)
                .contains("\"code\":5,\"grpc-code\":\"NOT_FOUND\",\"reason\":\"NOT_FOUND\",\"message\":\"NOT_FOUND: ");
    }

    @Test
    void everyMistakeIsCounted() throws IOException {
        for (String[] each : new String[][] {
            {"Submit", "UNKNOWN_FIELD"},
            {"Submit", "BAD_MESSAGE"},
            {"Submit", "TOO_LONG"},
            {"List", "UNKNOWN_FIELD"},
            {"other", "NO_SUCH_PATH"},
            {"Watch", "BAD_NAME"},
            {"Get", "NOT_FOUND"}
        }) {
            String line = "stowage_calls_total{method=\"" + each[0] + "\",result=\"" + each[1] + "\"} ";
            long before = counted(line);
            mistakes();
            assertThat(counted(line)).as(line).isGreaterThan(before);
        }
    }

    private static long counted(String line) throws IOException {
        return get("/metrics")
                .lines()
                .filter(each -> each.startsWith(line))
                .mapToLong(each -> Long.parseLong(each.substring(line.length())))
                .sum();
    }

    @Test
    void whatIsTooLongIsToldOverGrpc() {
        PlacementGrpc.PlacementBlockingStub stub = GrpcClients.newClient(
                "gproto+http://127.0.0.1:" + api.port(), PlacementGrpc.PlacementBlockingStub.class);
        for (int length : new int[] {100_001, 102_000, 5_000_000}) {
            SubmitBatchRequest batch = SubmitBatchRequest.newBuilder()
                    .addRequests(SubmitRequest.newBuilder().setRequestId("x".repeat(length)))
                    .build();
            assertThatThrownBy(() -> stub.submitBatch(batch))
                    .as("%s bytes", length)
                    .isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
                        assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
                        assertThat(Reasons.reason(e)).isEqualTo("TOO_LONG");
                    });
        }
    }

    @Test
    void aCallThatDoesNotExistIsToldOverGrpc() {
        PlacementGrpc.PlacementBlockingStub stub = GrpcClients.newClient(
                "gproto+http://127.0.0.1:" + api.port(), PlacementGrpc.PlacementBlockingStub.class);
        MethodDescriptor<SubmitRequest, ?> nothing = PlacementGrpc.getSubmitMethod().toBuilder()
                .setFullMethodName("stowage.v1.Placement/Nothing")
                .build();
        assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(
                        stub.getChannel(), nothing, CallOptions.DEFAULT, SubmitRequest.getDefaultInstance()))
                .satisfies(e -> assertThat(Reasons.reason(e)).isEqualTo("NO_SUCH_PATH"));
    }
}

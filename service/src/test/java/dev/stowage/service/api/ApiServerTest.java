package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.AddServerRequest;
import dev.stowage.service.v1.ChangeServerRequest;
import dev.stowage.service.v1.ChangeSiteRequest;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.ExplainRequest;
import dev.stowage.service.v1.Explanation;
import dev.stowage.service.v1.Forecast;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.ListServersRequest;
import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.Policy;
import dev.stowage.service.v1.ReleaseBatchReply;
import dev.stowage.service.v1.ReleaseBatchRequest;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.Server;
import dev.stowage.service.v1.ServerChange;
import dev.stowage.service.v1.SetPolicyRequest;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.SubmitBatchReply;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitReply;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The API of a single node, over gRPC and JSON; and that no input, however wrong, brings anything but a typed error.
 */
final class ApiServerTest {
    @TempDir
    private static Path directory;

    private static OneNode service;
    private static PlacementGrpc.PlacementBlockingStub placement;
    private static OperationsGrpc.OperationsBlockingStub operations;
    private static WebClient web;

    @BeforeAll
    static void start() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu_milli"), Resource.of("mem_mib")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(2, Amounts.of(4000, 1000)))),
                List.of(RequestType.of("small", 1000, 100)));
        Setting setting = new Setting(cluster, PolicySpec.of("fifo-ff"), 1, TimeUnit.MINUTES.toNanos(10));
        service = new OneNode(directory, setting);
        placement = service.stub(PlacementGrpc.PlacementBlockingStub.class);
        operations = service.stub(OperationsGrpc.OperationsBlockingStub.class);
        web = service.web();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static SubmitRequest submit(String tenant, String id, long cpu) {
        return SubmitRequest.newBuilder()
                .setTenant(tenant)
                .setRequestId(id)
                .putDemand("cpu_milli", cpu)
                .build();
    }

    private static ExplainRequest why(String id, int rollouts) {
        return ExplainRequest.newBuilder()
                .setTenant("life")
                .setRequestId(id)
                .setRollouts(rollouts)
                .build();
    }

    private static GetRequest key(String tenant, String id) {
        return GetRequest.newBuilder().setTenant(tenant).setRequestId(id).build();
    }

    private static ReleaseRequest release(String tenant, String id) {
        return ReleaseRequest.newBuilder().setTenant(tenant).setRequestId(id).build();
    }

    @Test
    void aRequestThroughItsLife() {
        SubmitReply reply = placement.submit(submit("life", "a", 3000));
        assertThat(reply.getRepeated()).isFalse();
        assertThat(reply.getRequest().getState()).isEqualTo(State.RUNNING);
        assertThat(reply.getRequest().getSite()).isEqualTo("here");
        assertThat(reply.getRequest().getDemandMap())
                .containsEntry("cpu_milli", 3000L)
                .containsEntry("mem_mib", 0L);
        SubmitReply again = placement.submit(submit("life", "a", 3000));
        assertThat(again.getRepeated()).isTrue();
        assertThat(again.getRequest()).isEqualTo(reply.getRequest());
        placement.submit(submit("life", "b", 3000));
        assertThat(placement.submit(submit("life", "c", 3000)).getRequest().getState())
                .isEqualTo(State.WAITING);

        // 4000 a server, 3000 taken on both: c lacks 2000 on either.
        Explanation why = placement.explain(why("c", 0));
        assertThat(why.getSummary()).contains("waits for room");
        assertThat(why.getServersUp()).isEqualTo(2);
        assertThat(why.getServersLargeEnough()).isEqualTo(2);
        assertThat(why.getServersWithRoom()).isZero();
        assertThat(why.getCandidates(0).getLacksMap()).containsEntry("cpu_milli", 2000L);
        assertThat(why.hasForecast()).isFalse();
        // Whether something has ended here before depends on the tests that came before; one of the two is said.
        Forecast forecast = placement.explain(why("c", 100)).getForecast();
        assertThat(forecast.getRollouts()).isEqualTo(forecast.getProblem().isEmpty() ? 100 : 0);
        assertThat(forecast.getWaitLowNanos()).isNotNegative();
        assertThatThrownBy(() -> placement.explain(why("c", 1001)))
                .hasMessageContaining("rollouts 1001 must be 0 to 1000");
        assertThat(placement.explain(why("a", 100)).getSummary())
                .contains("runs on server")
                .doesNotContain("room now");

        ListReply page = placement.list(
                ListRequest.newBuilder().setTenant("life").setPageSize(2).build());
        assertThat(page.getRequestsList()).extracting(r -> r.getRequestId()).containsExactly("a", "b");
        ListReply next = placement.list(ListRequest.newBuilder()
                .setTenant("life")
                .setPageSize(2)
                .setPageToken(page.getNextPageToken())
                .build());
        assertThat(next.getRequestsList()).extracting(r -> r.getRequestId()).containsExactly("c");
        assertThat(next.getNextPageToken()).isEmpty();

        assertThat(placement.release(release("life", "a")).getState()).isEqualTo(State.RELEASED);
        assertThat(placement.get(key("life", "c")).getState()).isEqualTo(State.RUNNING);
        placement.release(release("life", "b"));
        // In order of arrival, then what is over, the last to end first.
        placement.submit(submit("life", "d", 100));
        assertThat(listed(ListRequest.newBuilder().setTenant("life").setPageSize(1)))
                .containsExactly("c", "d", "b", "a");
        assertThat(listed(ListRequest.newBuilder().setTenant("life").setState(State.RELEASED)))
                .containsExactly("b", "a");
        assertThat(listed(ListRequest.newBuilder().setTenant("life").setState(State.RUNNING)))
                .containsExactly("c", "d");
        placement.release(release("life", "d"));
        placement.release(release("life", "c"));
        // Another tenant does not see it.
        assertThatThrownBy(() -> placement.get(key("other", "a"))).hasMessageContaining("NOT_FOUND");
    }

    /** Ids on all pages. */
    private static List<String> listed(ListRequest.Builder request) {
        List<String> all = new ArrayList<>();
        ListReply page;
        do {
            page = placement.list(request.build());
            page.getRequestsList().forEach(one -> all.add(one.getRequestId()));
            request.setPageToken(page.getNextPageToken());
        } while (!page.getNextPageToken().isEmpty());
        return all;
    }

    @Test
    void watchingTellsEveryChangeOnceAndResumes() {
        WatchRequest all = WatchRequest.newBuilder()
                .setTenant("watch")
                .setAfterPosition(-1)
                .build();
        placement.submit(submit("watch", "a", 100));
        placement.submit(submit("other", "b", 100));
        placement.release(release("watch", "a"));
        placement.release(release("other", "b"));
        Iterator<WatchReply> watching = placement.watch(all);
        List<String> told = new ArrayList<>();
        long position = -1;
        while (told.size() < 2) {
            WatchReply reply = watching.next();
            assertThat(reply.getPosition()).isGreaterThanOrEqualTo(position);
            position = reply.getPosition();
            reply.getChangesList().forEach(change -> told.add(change.getRequestId() + " " + change.getState()));
        }
        assertThat(told).containsExactly("a RUNNING", "a RELEASED");
        Iterator<WatchReply> resumed =
                placement.watch(all.toBuilder().setAfterPosition(position).build());
        placement.submit(submit("watch", "c", 100));
        WatchReply next = resumed.next();
        while (next.getChangesCount() == 0) {
            next = resumed.next();
        }
        assertThat(next.getChanges(0).getRequestId()).isEqualTo("c");
        placement.release(release("watch", "c"));
        assertThatThrownBy(() -> placement
                        .watch(all.toBuilder().setAfterPosition(1L << 60).build())
                        .next())
                .hasMessageContaining("BAD_POSITION");
    }

    @Test
    void watchingAsJsonLinesWithAnyHttpClient() throws Exception {
        SubmitReply first = placement.submit(submit("lines", "a", 100));
        placement.submit(submit("other", "lines-b", 100));
        placement.release(release("lines", "a"));
        placement.release(release("other", "lines-b"));
        long before = first.getRequest().getPosition() - 1;
        long released;
        try (Stream<String> lines = lines("tenant=lines&after_position=" + before, "*/*", null, 200)) {
            Iterator<JsonNode> watching = lines.map(ApiServerTest::json).iterator();
            JsonNode placed = watching.next();
            // The same fields in the same form as those of the other calls.
            assertThat(placed.at("/changes/0").fieldNames())
                    .toIterable()
                    .containsExactlyElementsOf(() -> json(web.get("/v1/requests/a?tenant=lines")
                                    .aggregate()
                                    .join()
                                    .contentUtf8())
                            .fieldNames());
            assertThat(placed.at("/changes/0/state").asText()).isEqualTo("RUNNING");
            assertThat(placed.at("/position").asLong())
                    .isEqualTo(first.getRequest().getPosition());
            JsonNode end = watching.next();
            assertThat(end.at("/changes/0/state").asText()).isEqualTo("RELEASED");
            assertThat(end.at("/changes").size()).isEqualTo(1);
            released = end.at("/position").asLong();
            // What comes while it watches.
            placement.submit(submit("lines", "c", 100));
            assertThat(nextChange(watching).at("/changes/0/requestId").asText()).isEqualTo("c");
        }
        // A browser's way: the last id counts, not the address.
        try (Stream<String> events =
                lines("tenant=lines&afterPosition=" + before, "text/event-stream", Long.toString(released), 200)) {
            List<String> two = events.filter(line -> !line.isEmpty()).limit(2).toList();
            assertThat(two).anyMatch(line -> line.startsWith("data:") && line.contains("\"c\""));
            assertThat(two).anyMatch(line -> line.matches("id: ?\\d+"));
        }
        placement.release(release("lines", "c"));
    }

    @Test
    void whatCannotBeWatchedIsTold() throws Exception {
        Map<String, String> mistakes = Map.of(
                "after_position=1152921504606846976", "BAD_POSITION",
                "after_position=-2", "BAD_POSITION",
                "after_position=x", "BAD_MESSAGE",
                "after_position=1e400", "BAD_MESSAGE",
                "after_position=1&after_position=2", "BAD_MESSAGE",
                "afterposition=1", "did you mean after_position?",
                "tenant=a%20b", "BAD_NAME");
        for (Map.Entry<String, String> mistake : mistakes.entrySet()) {
            try (Stream<String> lines = lines(mistake.getKey(), "*/*", null, 400)) {
                assertThat(lines.findFirst().orElseThrow())
                        .as(mistake.getKey())
                        .contains("\"INVALID_ARGUMENT\"")
                        .contains(mistake.getValue());
            }
        }
        assertThat(post("/v1/watch", "{}").status()).isEqualTo(HttpStatus.METHOD_NOT_ALLOWED);
    }

    private static Stream<String> lines(String query, String accept, String lastEvent, int status) throws Exception {
        java.net.http.HttpRequest.Builder request = java.net.http.HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + service.port() + "/v1/watch?" + query))
                .header("accept", accept);
        if (lastEvent != null) {
            request.header("last-event-id", lastEvent);
        }
        HttpResponse<Stream<String>> answer =
                HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofLines());
        assertThat(answer.statusCode()).as(query).isEqualTo(status);
        return answer.body();
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static JsonNode nextChange(Iterator<JsonNode> watching) {
        JsonNode next = watching.next();
        while (next.at("/changes").isEmpty()) {
            next = watching.next();
        }
        return next;
    }

    /** Hole: a demand of nothing ran, and a forgotten memory was taken without a word. */
    @Test
    void whatADemandDoesNotNameIsSaid() {
        for (String nothing : List.of("{}", "{\"cpu_milli\":0}", "{\"cpu_milli\":0,\"mem_mib\":0}")) {
            AggregatedHttpResponse refused =
                    post("/v1/requests", "{\"requestId\":\"n\",\"tenant\":\"named\",\"demand\":" + nothing + "}");
            assertThat(refused.status()).isEqualTo(HttpStatus.BAD_REQUEST);
            assertThat(refused.contentUtf8()).contains("NO_DEMAND").contains("above 0");
        }
        String demand = "{\"requestId\":\"n\",\"tenant\":\"named\",\"demand\":{\"cpu_milli\":1}}";
        for (String path : List.of("/v1/requests:dryRun", "/v1/requests")) {
            assertThat(post(path, demand).contentUtf8())
                    .contains("\"warnings\":[\"the demand names no memory, so n gets none\"]");
        }
        assertThat(post("/v1/requests:gang", "{\"requests\":[" + demand.replace("\"n\"", "\"g\"") + "]}")
                        .contentUtf8())
                .contains("\"warnings\":[\"the demand names no memory, so g gets none\"]");
        for (String whole : List.of("\"demand\":{\"cpu_milli\":1,\"mem_mib\":0}", "\"type\":\"small\"")) {
            assertThat(post("/v1/requests:dryRun", "{\"requestId\":\"m\",\"tenant\":\"named\"," + whole + "}")
                            .contentUtf8())
                    .doesNotContain("names no");
        }
        for (String id : List.of("n", "g")) {
            placement.release(release("named", id));
        }
    }

    @Test
    void aBatchAnswersEach() {
        SubmitBatchReply reply = placement.submitBatch(SubmitBatchRequest.newBuilder()
                .addRequests(submit("batch", "a", 100))
                .addRequests(submit("batch", "b", 5000))
                .addRequests(SubmitRequest.newBuilder().setRequestId("c"))
                .addRequests(SubmitRequest.newBuilder()
                        .setTenant("batch")
                        .setRequestId("d")
                        .setType("small"))
                .build());
        assertThat(reply.getItems(0).getReply().getRequest().getState()).isEqualTo(State.RUNNING);
        assertThat(reply.getItems(1).getProblem().getReason()).isEqualTo("FITS_NO_SERVER");
        assertThat(reply.getItems(1).getProblem().getRetry()).isFalse();
        assertThat(reply.getItems(2).getProblem().getReason()).isEqualTo("NO_DEMAND");
        assertThat(reply.getItems(3).getReply().getRequest().getDemandMap()).containsEntry("mem_mib", 100L);
        ReleaseBatchReply released = placement.releaseBatch(ReleaseBatchRequest.newBuilder()
                .addRequests(release("batch", "a"))
                .addRequests(release("batch", "none"))
                .addRequests(release("batch", "d"))
                .build());
        assertThat(released.getItems(0).getRequest().getState()).isEqualTo(State.RELEASED);
        assertThat(released.getItems(1).getProblem().getReason()).isEqualTo("NOT_FOUND");
        assertThat(released.getItems(2).getRequest().getState()).isEqualTo(State.RELEASED);
    }

    @Test
    void serversAndPolicy() {
        long added = operations
                .addServer(AddServerRequest.newBuilder()
                        .setChangeId("add-1")
                        .setSite("here")
                        .putCapacity("cpu_milli", 8000)
                        .putCapacity("mem_mib", 10)
                        .build())
                .getNumber();
        for (ServerChange change : List.of(
                ServerChange.DRAIN, ServerChange.RETURN, ServerChange.LOST, ServerChange.RETURN, ServerChange.REMOVE)) {
            operations.changeServer(ChangeServerRequest.newBuilder()
                    .setChangeId("change-" + change + System.nanoTime())
                    .setServer((int) added)
                    .setChange(change)
                    .build());
        }
        assertThat(operations
                        .listServers(ListServersRequest.getDefaultInstance())
                        .getServers((int) added)
                        .getStatus())
                .isEqualTo("gone");
        // A typing error is in the trail as well, and such a server has no name.
        assertThatThrownBy(() -> operations.changeServer(ChangeServerRequest.newBuilder()
                        .setChangeId("typed")
                        .setServer(99)
                        .setChange(ServerChange.DRAIN)
                        .build()))
                .hasMessageContaining("UNKNOWN_SERVER");
        assertThat(operations.getAudit(Empty.getDefaultInstance()).getLinesList())
                .anySatisfy(line -> assertThat(line.getChange()).endsWith("server=99"));
        ChangeSiteRequest site = ChangeSiteRequest.newBuilder()
                .setChangeId("site-1")
                .setSite("here")
                .setChange(ServerChange.DRAIN)
                .build();
        assertThat(operations.changeSite(site).getNumber()).isZero();
        assertThat(operations.changeSite(site).getRepeated()).isTrue();
        assertThat(operations
                        .listServers(ListServersRequest.getDefaultInstance())
                        .getServersList())
                .extracting(Server::getStatus)
                .containsOnly("draining", "gone");
        assertThatThrownBy(() -> operations.changeSite(site.toBuilder()
                        .setChangeId("site-2")
                        .setSite("nowhere")
                        .build()))
                .hasMessageContaining("nowhere");
        operations.changeSite(site.toBuilder()
                .setChangeId("site-3")
                .setChange(ServerChange.RETURN)
                .build());
        SetPolicyRequest policy = SetPolicyRequest.newBuilder()
                .setChangeId("policy-1")
                .setPolicy(Policy.newBuilder().setName("first-fit").putParameters("when-full", "queue"))
                .build();
        assertThat(operations.setPolicy(policy).getRepeated()).isFalse();
        assertThat(operations.setPolicy(policy).getRepeated()).isTrue();
        assertThat(operations.getPolicy(Empty.getDefaultInstance()).getName()).isEqualTo("first-fit");
        assertThat(operations.getAudit(Empty.getDefaultInstance()).getLinesList())
                .anyMatch(line -> line.getChange().startsWith("set-policy policy=first-fit"))
                .noneMatch(line -> line.getChange().contains("at=0"));
        assertThatThrownBy(() -> operations.setPolicy(SetPolicyRequest.newBuilder()
                        .setChangeId("policy-2")
                        .setPolicy(Policy.newBuilder().setName("nonsense"))
                        .build()))
                .hasMessageContaining("UNKNOWN_POLICY")
                .hasMessageContaining("known: ");
        assertThatThrownBy(() -> operations.setPolicy(SetPolicyRequest.newBuilder()
                        .setChangeId("policy-2")
                        .setPolicy(Policy.newBuilder().setName("first-fit").putParameters("when-full", "wait"))
                        .build()))
                .hasMessageContaining("UNKNOWN_POLICY")
                .hasMessageContaining("when-full");
        // What was refused as bad input used no id, and is no change.
        assertThat(operations.getAudit(Empty.getDefaultInstance()).getLinesList())
                .noneMatch(line -> line.getChange().contains("nonsense"));
        operations.setPolicy(SetPolicyRequest.newBuilder()
                .setChangeId("policy-2")
                .setPolicy(Policy.newBuilder().setName("fifo-ff"))
                .build());
    }

    @Test
    void jsonOverHttp() throws Exception {
        AggregatedHttpResponse placed =
                post("/v1/requests", "{\"requestId\":\"j\",\"tenant\":\"json\",\"type\":\"small\"}");
        assertThat(placed.status()).isEqualTo(HttpStatus.OK);
        assertThat(placed.contentUtf8()).contains("\"RUNNING\"");
        AggregatedHttpResponse got =
                web.get("/v1/requests/j?tenant=json").aggregate().join();
        assertThat(got.contentUtf8()).contains("\"requestId\"").contains("\"RUNNING\"");
        assertThat(web.get("/v1/requests/none?tenant=json").aggregate().join().status())
                .isEqualTo(HttpStatus.NOT_FOUND);
        assertThat(post("/v1/requests/j:release", "{\"tenant\":\"json\"}").contentUtf8())
                .contains("RELEASED");
        assertThat(web.get("/metrics").aggregate().join().contentUtf8())
                .contains("stowage_used{site=\"here\",resource=\"cpu_milli\"}")
                .contains("stowage_calls_total{method=\"Submit\",result=\"OK\"}");
        assertThat(web.get("/readyz").aggregate().join().status()).isEqualTo(HttpStatus.OK);
        assertThat(web.get("/healthz").aggregate().join().status()).isEqualTo(HttpStatus.OK);
        // Every path and every reference of the OpenAPI document is there.
        JsonNode document = new ObjectMapper()
                .readTree(web.get("/openapi.json").aggregate().join().contentUtf8());
        assertThat(document.at("/paths/~1v1~1requests~1{request_id}:release/post/operationId")
                        .asText())
                .isEqualTo("Release");
        assertThat(document.at("/paths/~1v1~1requests").size()).isEqualTo(2);
        assertThat(document.at("/paths/~1v1~1watch/get/responses/200/content").fieldNames())
                .toIterable()
                .containsExactly("application/x-ndjson", "text/event-stream");
        assertThat(document.at("/paths/~1v1~1watch/get/parameters").findValuesAsText("name"))
                .containsExactly("tenant", "afterPosition", "gapNanos");
        document.findValuesAsText("$ref")
                .forEach(reference -> assertThat(
                                document.at(reference.substring(1)).isObject())
                        .as(reference)
                        .isTrue());
        assertThat(document.at("/servers/0/url").asText()).isEqualTo("/");
        assertThat(document.at("/components/schemas/Error/required"))
                .extracting(JsonNode::asText)
                .containsExactly("code", "grpc-code", "reason", "message");
        document.at("/paths")
                .forEach(path -> path.forEach(operation -> assertThat(operation
                                .at("/responses/default/content/application~1json/schema/$ref")
                                .asText())
                        .as("error of " + operation.at("/operationId"))
                        .isEqualTo("#/components/schemas/Error")));
        // What a refusal has is what the document says.
        JsonNode refusal = new ObjectMapper()
                .readTree(web.get("/v1/requests/none?tenant=json")
                        .aggregate()
                        .join()
                        .contentUtf8());
        assertThat(refusal.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("code", "grpc-code", "reason", "message");
        assertThat(refusal.at("/reason").asText()).isEqualTo("NOT_FOUND");
        AggregatedHttpResponse named = web.execute(
                        RequestHeaders.of(HttpMethod.GET, "/v1/status", "x-request-id", "mine-1"))
                .aggregate()
                .join();
        assertThat(named.headers().get("x-request-id")).isEqualTo("mine-1");
        assertThat(web.get("/docs/").aggregate().join().status()).isEqualTo(HttpStatus.OK);
    }

    @Test
    void onlyLoopback() {
        InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
        assertThatThrownBy(
                        () -> ApiServer.start(service.node(), new ApiSettings(everywhere, Map.of(), ApiLimits.USUAL)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("only loopback");
    }

    @Test
    void wrongInputBringsATypedErrorAndChangesNothing() {
        String before = operations.getStatus(Empty.getDefaultInstance()).getDigest();
        long seed = 7;
        Random random = new Random(seed);
        String[] numbers = {
            "-1",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "1e400",
            "NaN",
            "\"NaN\"",
            "\"\"",
            "null",
            "[]",
            "{}",
            "true",
            "0.5",
            "\"x\"",
            "4398046511105"
        };
        String[] texts = {
            "\"\"",
            "\"" + "x".repeat(200) + "\"",
            "\"a b\"",
            "\"\\u0000\"",
            "\"../../etc\\n\"",
            "7",
            "null",
            "[\"a\"]",
            "{\"a\":1}",
            "\"\\ud800\"",
            "\"ünïcode\"",
            "true"
        };
        for (int i = 0; i < 400; i++) {
            String number = numbers[random.nextInt(numbers.length)];
            String text = texts[random.nextInt(texts.length)];
            String[] bodies = {
                "{\"requestId\":" + text + ",\"tenant\":" + text + ",\"demand\":{\"cpu_milli\":" + number + "}}",
                "{\"requestId\":\"f\",\"tenant\":\"fuzz\",\"demand\":{\"nothing\":" + number + "}}",
                "{\"requestId\":\"f\",\"tenant\":\"fuzz\",\"type\":" + text + "}",
                "{\"requestId\":\"f\",\"tenant\":\"fuzz\",\"type\":\"small\",\"maxWaitNanos\":\"-" + i + "9\"}",
                "{\"requestId\":\"f\",\"tenant\":\"fuzz\",\"type\":\"small\",\"rewardMicros\":\"-5\"}",
                "{\"requestId\":\"f\",\"tenant\":\"fuzz\",\"type\":\"small\",\"demand\":{\"cpu_milli\":-4}}",
                "{\"requestId\":\"f\",",
                "[]",
                "",
                "\u0000\u0001",
                "{\"requests\":" + number + "}",
                "{\"requests\":[]}",
                "{\"changeId\":" + text + ",\"change\":\"DRAIN\",\"server\":" + number + "}",
                "{\"changeId\":\"f\",\"change\":" + text + "}",
                "{\"changeId\":" + text + ",\"site\":\"here\",\"capacity\":{\"cpu_milli\":" + number + "}}",
                "{\"changeId\":\"f" + i + "\",\"policy\":{\"name\":" + text + "}}"
            };
            String[] paths = {
                "/v1/requests",
                "/v1/requests:batch",
                "/v1/requests/nobody:release",
                "/v1/servers/99:change",
                "/v1/servers/x:change",
                "/v1/sites"
            };
            String path = paths[random.nextInt(paths.length)];
            String body = bodies[random.nextInt(bodies.length)];
            AggregatedHttpResponse answer = post(path, body);
            assertThat(answer.status().code())
                    .as("seed %s, %s %s: %s", seed, path, body, answer.contentUtf8())
                    .isBetween(400, 499);
        }
        Status after = operations.getStatus(Empty.getDefaultInstance());
        assertThat(after.getDigest()).isEqualTo(before);
        assertThat(after.getReady()).isTrue();
        byte[] bytes = new byte[200];
        for (int i = 0; i < 100; i++) {
            random.nextBytes(bytes);
            AggregatedHttpResponse answer = web.execute(HttpRequest.of(
                            HttpMethod.POST,
                            "/stowage.v1.Placement/Submit",
                            MediaType.parse("application/grpc"),
                            com.linecorp.armeria.common.HttpData.wrap(bytes.clone())))
                    .aggregate()
                    .join();
            assertThat(answer.trailers().get("grpc-status", answer.headers().get("grpc-status", "none")))
                    .isNotEqualTo("0");
        }
        String huge = "{\"requestId\":\"" + "x".repeat(5 << 20) + "\"}";
        assertThat(post("/v1/requests", huge).status().code()).isBetween(400, 499);
        assertThat(operations.getStatus(Empty.getDefaultInstance()).getDigest()).isEqualTo(before);
    }

    @Test
    void errorsSayTheirReason() {
        assertThatThrownBy(() -> placement.submit(submit("errors", "x", 4001)))
                .isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
                    assertThat(e.getStatus().getCode()).isEqualTo(io.grpc.Status.Code.FAILED_PRECONDITION);
                    assertThat(e.getTrailers().get(Failure.REASON)).isEqualTo("FITS_NO_SERVER");
                    assertThat(e).hasMessageContaining("4.001 vCPU");
                });
    }

    private static AggregatedHttpResponse post(String path, String body) {
        return web.execute(HttpRequest.of(HttpMethod.POST, path, MediaType.JSON, body))
                .aggregate()
                .join();
    }
}

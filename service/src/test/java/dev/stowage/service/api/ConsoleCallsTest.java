package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.raft.Tls;
import dev.stowage.service.state.Setting;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the console needs of the API: occupancy, history, dry runs of moves, the catalog, and who asks. */
final class ConsoleCallsTest {
    private static final Token OPERATOR = new Token("op", Token.hash("op"), Role.OPERATOR, Token.ALL);
    private static final Token ACME = new Token("acme", Token.hash("acme"), Role.SUBMITTER, Set.of("acme"));

    @TempDir
    private Path directory;

    private OneNode service;

    /** Servers n0 and n1 with 10 each in oslo, and one without a name and with 20 in bergen. */
    @BeforeEach
    void start() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(
                        Site.of(
                                "oslo",
                                ServerBlock.named("n0", Labels.of(Map.of("zone", "a")), 10),
                                ServerBlock.named("n1", Labels.of(Map.of("zone", "b")), 10)),
                        Site.of("bergen", ServerBlock.named("n2", Labels.of(Map.of("zone", "a")), 20))),
                List.of(RequestType.of("vm", 6)));
        Setting setting = new Setting(
                cluster, PolicySpec.of("first-fit", Map.of("when-full", "queue")), 1, TimeUnit.MINUTES.toNanos(10));
        service = new OneNode(
                directory,
                new Policies(),
                setting,
                ApiSettings.loopback(0).secured(new Access(List.of(OPERATOR, ACME)), null));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private JsonNode send(Token who, HttpMethod method, String path, String body, HttpStatus status) throws Exception {
        AggregatedHttpResponse response = service.send(who, method, path, body);
        assertThat(response.status()).as(response.contentUtf8()).isEqualTo(status);
        return new ObjectMapper().readTree(response.contentUtf8());
    }

    private JsonNode post(String path, String body) throws Exception {
        return send(OPERATOR, HttpMethod.POST, path, body, HttpStatus.OK);
    }

    private JsonNode get(String path) throws Exception {
        return send(OPERATOR, HttpMethod.GET, path, "", HttpStatus.OK);
    }

    private void submit(String tenant, String id, boolean agent) throws Exception {
        post(
                "/v1/requests",
                "{'requestId': '" + id + "', 'tenant': '" + tenant + "', 'type': 'vm', 'agent': " + agent + "}");
    }

    @Test
    void occupancyHasEveryServerInColumns() throws Exception {
        submit("acme", "a", false);
        post("/v1/servers/n1:change", "{'change_id': 'd', 'change': 'DRAIN'}");
        JsonNode seen = get("/v1/occupancy");
        assertThat(seen.at("/resources").toString()).isEqualTo("[\"cpu\"]");
        assertThat(seen.at("/free").toString()).isEqualTo("[\"4\",\"10\",\"20\"]");
        assertThat(seen.at("/running").toString()).isEqualTo("[1,0,0]");
        assertThat(seen.at("/status").toString()).isEqualTo("[0,1,0]");
        assertThat(seen.at("/kind").toString()).isEqualTo("[0,1,2]");
        assertThat(seen.at("/kinds/2/site").asText()).isEqualTo("bergen");
        assertThat(seen.at("/kinds/2/capacity/0").asText()).isEqualTo("20");
        assertThat(seen.at("/kinds/1/labels/zone").asText()).isEqualTo("b");
        assertThat(send(ACME, HttpMethod.GET, "/v1/occupancy", "", HttpStatus.FORBIDDEN)
                        .at("/reason")
                        .asText())
                .isEqualTo("FOREIGN_TENANT");
    }

    private AggregatedHttpResponse occupancy(Token who, String... headers) {
        RequestHeadersBuilder asked = RequestHeaders.builder(HttpMethod.GET, "/v1/occupancy")
                .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + who.name());
        for (int i = 0; i < headers.length; i += 2) {
            asked.set(headers[i], headers[i + 1]);
        }
        return service.web().execute(asked.build()).aggregate().join();
    }

    @Test
    void whoHasTheOccupancyIsToldThatNothingHasChanged() throws Exception {
        submit("acme", "a", false);
        Set<String> tags = new HashSet<>();
        for (String[] change : new String[][] {
            {"/v1/servers/n1:change", "{'change_id': 'c1', 'change': 'DRAIN'}"},
            {"/v1/servers/n1:change", "{'change_id': 'c2', 'change': 'RETURN'}"},
            {"/v1/servers/n1:label", "{'change_id': 'c3', 'labels': {'zone': 'c'}}"},
            {"/v1/servers/n1:resize", "{'change_id': 'c4', 'capacity': {'cpu': '12'}}"},
            {"/v1/servers", "{'change_id': 'c5', 'site': 'oslo', 'capacity': {'cpu': '8'}}"},
            {"/v1/requests/a:release", "{'tenant': 'acme'}"},
        }) {
            AggregatedHttpResponse seen = occupancy(OPERATOR);
            String tag = seen.headers().get(HttpHeaderNames.ETAG, "");
            assertThat(tags.add(tag)).as("%s before %s", tag, change[0]).isTrue();
            AggregatedHttpResponse again = occupancy(OPERATOR, "if-none-match", "\"other\", W/" + tag);
            assertThat(again.status()).isEqualTo(HttpStatus.NOT_MODIFIED);
            assertThat(again.content().isEmpty()).isTrue();
            assertThat(again.headers().get(HttpHeaderNames.ETAG)).isEqualTo(tag);
            // What another may not see is not told by its tag either.
            assertThat(occupancy(ACME, "if-none-match", tag).status()).isEqualTo(HttpStatus.FORBIDDEN);
            post(change[0], change[1]);
            // An answer of before serves those who say that it may be so old; others get the present.
            AggregatedHttpResponse old = occupancy(OPERATOR, "cache-control", "max-age=3600");
            assertThat(old.contentUtf8()).isEqualTo(seen.contentUtf8());
            assertThat(occupancy(OPERATOR, "cache-control", "max-age=3600", "if-none-match", tag)
                            .status())
                    .isEqualTo(HttpStatus.NOT_MODIFIED);
            AggregatedHttpResponse present = occupancy(OPERATOR, "if-none-match", tag);
            assertThat(present.status()).isEqualTo(HttpStatus.OK);
            assertThat(present.contentUtf8()).isNotEqualTo(seen.contentUtf8());
            assertThat(occupancy(OPERATOR, "cache-control", "no-cache, max-age=3600")
                            .contentUtf8())
                    .isEqualTo(present.contentUtf8());
        }
        assertThat(get("/v1/occupancy").at("/kinds").toString())
                .contains("\"c\"")
                .contains("\"8\"");
        send(OPERATOR, HttpMethod.GET, "/v1/occupancy?page=1", "", HttpStatus.BAD_REQUEST);
    }

    @Test
    void historyHasEveryChangeOfOneRequest() throws Exception {
        submit("acme", "a", true);
        submit("acme", "b", true);
        post("/v1/requests/a:started", "{'tenant': 'acme', 'attempt': 1}");
        post("/v1/requests/a:release", "{'tenant': 'acme'}");
        post("/v1/requests/a:stopped", "{'tenant': 'acme', 'attempt': 1}");
        JsonNode history = send(ACME, HttpMethod.GET, "/v1/requests/a:history?tenant=acme", "", HttpStatus.OK);
        assertThat(history.at("/complete").asBoolean()).isTrue();
        assertThat(history.findValuesAsText("state"))
                .containsExactly("WAITING", "RUNNING", "RUNNING", "RUNNING", "RELEASED");
        assertThat(history.findValuesAsText("phase"))
                .containsExactly("PHASE_UNSPECIFIED", "PLACED", "STARTED", "STOPPING", "PHASE_UNSPECIFIED");
        assertThat(history.findValuesAsText("requestId")).containsOnly("a");
        send(ACME, HttpMethod.GET, "/v1/requests/a:history?tenant=globex", "", HttpStatus.FORBIDDEN);
        send(ACME, HttpMethod.GET, "/v1/requests/none:history?tenant=acme", "", HttpStatus.NOT_FOUND);
    }

    /**
     * First fit puts one on n0 (10, needs 6), one on n1, three on n2 (20). Emptying n0 leaves 20 - 3 x 6 = 2 on n2 and
     * 4 on n1: what ran on n0 waits. Without one of n2 it goes there.
     */
    @Test
    void aDryRunOfADrainSaysWhatGoesWhere() throws Exception {
        for (String id : List.of("a", "b", "c", "d", "e")) {
            submit("acme", id, id.equals("a"));
        }
        String digest = get("/v1/status").at("/digest").asText();
        JsonNode full = post("/v1/moves:dryRun", "{'server': 'n0'}");
        assertThat(full.at("/moves").size()).isEqualTo(1);
        assertThat(full.at("/moves/0/requestId").asText()).isEqualTo("a");
        assertThat(full.at("/moves/0/fromServerName").asText()).isEqualTo("n0");
        assertThat(full.at("/moves/0/toServer").asInt()).isEqualTo(-1);
        assertThat(full.at("/moves/0/state").asText()).isEqualTo("WAITING");
        assertThat(full.at("/stay").asInt()).isZero();
        assertThat(get("/v1/status").at("/digest").asText()).isEqualTo(digest);
        post("/v1/requests/e:release", "{'tenant': 'acme'}");
        JsonNode room = post("/v1/moves:dryRun", "{'server': '0'}");
        assertThat(room.at("/moves/0/toServerName").asText()).isEqualTo("n2");
        JsonNode evicted = post("/v1/moves:dryRun", "{'request_id': 'b', 'tenant': 'acme'}");
        assertThat(evicted.at("/moves/0/fromServer").asInt()).isEqualTo(1);
        assertThat(evicted.at("/moves/0/toServer").asInt()).isEqualTo(2);
        assertThat(evicted.at("/stay").asInt()).isZero();
        // And so it happens.
        post("/v1/servers/n0:change", "{'change_id': 'd', 'change': 'DRAIN', 'move_gap_nanos': 1000000}");
        post("/v1/requests/a:stopped", "{'tenant': 'acme', 'attempt': 1}");
        assertThat(get("/v1/requests/a?tenant=acme").at("/serverName").asText()).isEqualTo("n2");
    }

    @Test
    void aDryRunOfMovesIsForOperatorsAndOfOneThing() throws Exception {
        send(ACME, HttpMethod.POST, "/v1/moves:dryRun", "{'server': 'n0'}", HttpStatus.FORBIDDEN);
        send(OPERATOR, HttpMethod.POST, "/v1/moves:dryRun", "{}", HttpStatus.BAD_REQUEST);
        send(
                OPERATOR,
                HttpMethod.POST,
                "/v1/moves:dryRun",
                "{'server': 'n0', 'request_id': 'a'}",
                HttpStatus.BAD_REQUEST);
        send(OPERATOR, HttpMethod.POST, "/v1/moves:dryRun", "{'server': 'n9'}", HttpStatus.NOT_FOUND);
        send(OPERATOR, HttpMethod.POST, "/v1/moves:dryRun", "{'request_id': 'a'}", HttpStatus.NOT_FOUND);
    }

    @Test
    void listsByPartOfTheIdAndByAge() throws Exception {
        submit("acme", "web-1", false);
        submit("globex", "web-2", false);
        submit("acme", "db-1", false);
        post("/v1/requests/db-1:release", "{'tenant': 'acme'}");
        assertThat(get("/v1/requests?all_tenants=true&id_part=web").findValuesAsText("requestId"))
                .containsExactly("web-1", "web-2");
        assertThat(get("/v1/requests?all_tenants=true&id_part=-1").findValuesAsText("requestId"))
                .containsExactly("web-1", "db-1");
        String first =
                get("/v1/requests/web-1?tenant=acme").at("/arrivedAtNanos").asText();
        assertThat(get("/v1/requests?all_tenants=true&arrived_until_nanos=" + first)
                        .findValuesAsText("requestId"))
                .containsExactly("web-1");
        send(OPERATOR, HttpMethod.GET, "/v1/requests?all_tenants=true&id_part=%3Cimg", "", HttpStatus.BAD_REQUEST);
    }

    @Test
    void theCatalogIsThatOfTheRegistry() throws Exception {
        JsonNode catalog = get("/v1/policies").at("/policies");
        assertThat(catalog).hasSameSizeAs(Policies.all());
        JsonNode first = catalog.get(0);
        assertThat(first.at("/name").asText()).isEqualTo(Policies.all().get(0).key());
        assertThat(first.at("/paper").asText()).isEqualTo(Policies.all().get(0).paper());
        assertThat(first.at("/parameters/0/name").asText())
                .isEqualTo(Policies.all().get(0).parameters().get(0).name());
    }

    @Test
    void statusSaysWhoAsks() throws Exception {
        submit("acme", "a", false);
        submit("globex", "b", false);
        JsonNode operator = get("/v1/status");
        assertThat(operator.at("/you").toString())
                .isEqualTo("{\"name\":\"op\",\"role\":\"operator\",\"tenants\":[],\"allTenants\":true}");
        assertThat(operator.at("/siteFigures/0/used/cpu").asText()).isEqualTo("12");
        assertThat(operator.at("/siteFigures/1/capacity/cpu").asText()).isEqualTo("20");
        JsonNode tenant = send(ACME, HttpMethod.GET, "/v1/status", "", HttpStatus.OK);
        assertThat(tenant.at("/you/tenants/0").asText()).isEqualTo("acme");
        assertThat(tenant.at("/siteFigures")).isEmpty();
        assertThat(tenant.at("/waitingRequests").asText()).isEqualTo("0");
    }

    /** What has happened before is there at once: entry for entry without a gap, in one reply with one. */
    @Test
    void aWatchWithAGapHasSeveralEntriesInAReply() throws Exception {
        for (String id : List.of("a", "b", "c")) {
            submit("acme", id, false);
        }
        assertThat(firstReply("")).contains("\"a\"").doesNotContain("\"b\"");
        assertThat(firstReply("&gap_nanos=1000000"))
                .contains("\"a\"")
                .contains("\"b\"")
                .contains("\"c\"");
        send(OPERATOR, HttpMethod.GET, "/v1/watch?gap_nanos=5000000001", "", HttpStatus.BAD_REQUEST);
    }

    private String firstReply(String more) throws Exception {
        java.net.http.HttpRequest asked = java.net.http.HttpRequest.newBuilder(
                        URI.create(service.address() + "/v1/watch?after_position=-1" + more))
                .header("authorization", "Bearer op")
                .build();
        try (Stream<String> lines =
                HttpClient.newHttpClient().send(asked, BodyHandlers.ofLines()).body()) {
            return lines.findFirst().orElseThrow();
        }
    }

    @Test
    void theEndOfACertificateIsRead() throws Exception {
        Tls tls = Certificates.make(directory, "ends", false);
        long days = TimeUnit.NANOSECONDS.toHours(TlsFiles.endNanos(tls))
                - TimeUnit.MILLISECONDS.toHours(System.currentTimeMillis());
        assertThat(days).isBetween(46L, 48L);
        assertThat(TlsFiles.endNanos(null)).isZero();
    }
}

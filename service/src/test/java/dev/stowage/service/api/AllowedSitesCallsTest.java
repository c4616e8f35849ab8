package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that only some sites may run, as a client without gRPC submits, reads and understands them. */
final class AllowedSitesCallsTest {
    @TempDir
    private Path directory;

    private OneNode service;

    @BeforeEach
    void start() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(
                        Site.of("oslo", new ServerBlock(2, Amounts.of(10))),
                        Site.of("rome", new ServerBlock(1, Amounts.of(8)))),
                List.of(RequestType.of("vm", 4)));
        Setting setting = new Setting(cluster, PolicySpec.of("fifo-ff"), 1, TimeUnit.MINUTES.toNanos(10));
        service = new OneNode(directory, setting);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private AggregatedHttpResponse send(HttpMethod method, String path, String body) {
        return service.send(null, method, path, body);
    }

    private AggregatedHttpResponse submit(String id, String sites) {
        return send(
                HttpMethod.POST,
                "/v1/requests",
                "{\"requestId\":\"" + id + "\",\"type\":\"vm\",\"allowedSites\":" + sites + "}");
    }

    private static void fails(AggregatedHttpResponse response, HttpStatus status, String... parts) {
        assertThat(response.status()).as(response.contentUtf8()).isEqualTo(status);
        assertThat(response.contentUtf8()).contains(parts);
    }

    @Test
    void aRequestRunsWhereItMayAndExplainSaysSo() {
        AggregatedHttpResponse placed = submit("a", "[\"rome\"]");
        assertThat(placed.status()).as(placed.contentUtf8()).isEqualTo(HttpStatus.OK);
        assertThat(placed.contentUtf8().replaceAll("\\s", ""))
                .contains("\"site\":\"rome\"", "\"allowedSites\":[\"rome\"]");
        submit("b", "[\"rome\", \"rome\"]");
        assertThat(submit("c", "[\"rome\"]").contentUtf8()).contains("WAITING");
        String why = send(HttpMethod.GET, "/v1/requests/c:explain", "").contentUtf8();
        // 4 + 4 fill rome's 8; oslo's two empty servers do not count.
        assertThat(why)
                .contains(
                        "the only server that is up in the sites it is limited to, [rome], is large enough but has no")
                .doesNotContain("oslo");
        // First come, first served: c holds up what comes after it, also where it could not go itself.
        assertThat(submit("d", "[]").contentUtf8()).contains("WAITING");
    }

    @Test
    void mistakesAreTyped() {
        fails(
                submit("a", "[\"bonn\"]"),
                HttpStatus.NOT_FOUND,
                "UNKNOWN_SITE",
                "site 'bonn' is not one of [oslo, rome]");
        fails(submit("a", "[\"\"]"), HttpStatus.BAD_REQUEST, "BAD_NAME", "allowed_sites");
        String many =
                IntStream.range(0, 101).mapToObj(i -> "\"s" + i + "\"").collect(Collectors.joining(",", "[", "]"));
        fails(submit("a", many), HttpStatus.BAD_REQUEST, "BAD_SITES", "101 sites, must be at most 100");
        AggregatedHttpResponse large = send(
                HttpMethod.POST,
                "/v1/requests",
                "{\"requestId\":\"a\",\"demand\":{\"cpu\":\"9\"},\"allowedSites\":[\"rome\"]}");
        fails(large, HttpStatus.BAD_REQUEST, "FITS_NO_SERVER", "at the sites it is limited to");
        submit("b", "[\"oslo\"]");
        String vqs = "{\"changeId\":\"1\",\"policy\":{\"name\":\"vqs\"}}";
        fails(
                send(HttpMethod.PUT, "/v1/policy", vqs),
                HttpStatus.BAD_REQUEST,
                "SITE_LIMIT",
                "requests in the system that have one: 1");
        send(HttpMethod.POST, "/v1/requests/b:release", "{}");
        send(HttpMethod.PUT, "/v1/policy", vqs.replace("1", "2"));
        fails(submit("c", "[\"oslo\"]"), HttpStatus.BAD_REQUEST, "SITE_LIMIT", "requests must leave out allowed_sites");
    }
}

package dev.stowage.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.stowage.service.api.Access;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps other pages away from the console and its calls; without a browser. */
final class ConsoleFilesTest {
    @TempDir
    private static Path directory;

    private static ConsoleGroup group;
    private static WebClient web;
    private static String own;

    @BeforeAll
    static void start() throws Exception {
        group = new ConsoleGroup(directory, 3, 6, Access.OPEN, null);
        own = group.address("n1");
        web = WebClient.of("http://" + own);
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private static AggregatedHttpResponse get(String path, String... headers) {
        RequestHeadersBuilder builder = RequestHeaders.builder(HttpMethod.GET, path);
        for (int i = 0; i < headers.length; i += 2) {
            builder.add(headers[i], headers[i + 1]);
        }
        return web.execute(builder.build()).aggregate().join();
    }

    @Test
    void theFilesAllowNothingFromElsewhereAndNoFrame() {
        for (String path : List.of("/", "/console/main.js", "/console/console.css", "/console/uplot/uPlot.esm.js")) {
            AggregatedHttpResponse file = get(path);
            assertThat(file.status().code()).as(path).isEqualTo(200);
            String policy = String.valueOf(file.headers().get("content-security-policy"));
            assertThat(policy)
                    .contains("default-src 'none'")
                    .contains("script-src 'self';")
                    .contains("style-src 'self';")
                    .contains("frame-ancestors 'none'")
                    .contains("connect-src 'self' http://")
                    .contains(" http://" + group.address("n3"))
                    .doesNotContain("unsafe")
                    .doesNotContain("*");
            assertThat(file.headers().get("x-frame-options")).isEqualTo("DENY");
            assertThat(file.headers().get("x-content-type-options")).isEqualTo("nosniff");
            assertThat(file.headers().get("referrer-policy")).isEqualTo("no-referrer");
        }
        assertThat(get("/").contentUtf8())
                .doesNotContain("style=")
                .doesNotContain("onclick")
                .doesNotContain("://");
        assertThat(get("/console/../docs/docs.js").status().code()).isIn(400, 404);
        assertThat(get("/console/none.js").status().code()).isEqualTo(404);
    }

    @Test
    void anotherPageGetsNothing() {
        for (String origin : List.of(
                "http://evil.example",
                "https://" + group.address("n2"),
                "http://127.0.0.1:1",
                "http://evil.example:" + own.split(":", -1)[1],
                "null")) {
            for (String path : List.of("/", "/v1/status", "/v1/occupancy")) {
                AggregatedHttpResponse refused = get(path, "origin", origin);
                assertThat(refused.status().code()).as(origin + path).isEqualTo(403);
                assertThat(refused.headers().contains("access-control-allow-origin"))
                        .isFalse();
            }
            AggregatedHttpResponse preflight = web.execute(RequestHeaders.builder(HttpMethod.OPTIONS, "/v1/policy")
                            .add("origin", origin)
                            .add("access-control-request-method", "PUT")
                            .add("access-control-request-headers", "content-type")
                            .build())
                    .aggregate()
                    .join();
            assertThat(preflight.headers().contains("access-control-allow-origin"))
                    .isFalse();
        }
        assertThat(get("/", "host", "rebound.example").contentUtf8()).contains("FOREIGN_HOST");
    }

    /** A form of another page sends no JSON, and names its origin. */
    @Test
    void aFormElsewhereChangesNothing() {
        String body = "{\"change_id\": \"x\", \"change\": \"DRAIN\"}";
        for (String[] headers : new String[][] {{"origin", "http://evil.example"}, {"x-none", "1"}}) {
            for (MediaType type : List.of(MediaType.PLAIN_TEXT, MediaType.FORM_DATA)) {
                AggregatedHttpResponse refused = web.execute(
                                RequestHeaders.builder(HttpMethod.POST, "/v1/servers/0:change")
                                        .contentType(type)
                                        .add(headers[0], headers[1])
                                        .build(),
                                HttpData.ofUtf8(body))
                        .aggregate()
                        .join();
                assertThat(refused.status().code()).isIn(400, 403);
            }
        }
        assertThat(get("/v1/audit").contentUtf8()).doesNotContain("drain").doesNotContain("set-policy");
    }

    /** The console of one node goes on with another one, under any name that this machine has for itself. */
    @Test
    void aNodeOfTheGroupMayBeAskedByThePageOfAnother() {
        String port = group.address("n2").split(":", -1)[1];
        for (String origin : List.of("http://" + group.address("n2"), "http://localhost:" + port)) {
            AggregatedHttpResponse answer = get("/v1/status", "origin", origin);
            assertThat(answer.status().code()).isEqualTo(200);
            assertThat(answer.headers().get("access-control-allow-origin")).isEqualTo(origin);
            assertThat(answer.headers().contains("access-control-allow-credentials"))
                    .isFalse();
            AggregatedHttpResponse preflight = web.execute(RequestHeaders.builder(HttpMethod.OPTIONS, "/v1/policy")
                            .add("origin", origin)
                            .add("access-control-request-method", "PUT")
                            .add("access-control-request-headers", "authorization,content-type")
                            .build())
                    .aggregate()
                    .join();
            assertThat(preflight.headers().get("access-control-allow-headers")).contains("authorization");
        }
    }
}

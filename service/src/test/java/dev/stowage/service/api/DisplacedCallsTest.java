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
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who lost a server to whom, or with it, is told to those who may know. */
final class DisplacedCallsTest {
    private static final Token OPS = new Token("ops", Token.hash("ops"), Role.OPERATOR, Token.ALL);
    private static final Token ACME = new Token("acme", Token.hash("acme"), Role.SUBMITTER, Set.of("acme"));

    @TempDir
    private Path directory;

    private Setting setting;
    private OneNode service;

    /** Two servers, 0 and 1, each for one request. */
    @BeforeEach
    void start() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("oslo", new ServerBlock(2, Amounts.of(10)))),
                List.of(RequestType.of("vm", 10)));
        setting = new Setting(
                cluster, PolicySpec.of("best-fit", Map.of("when-full", "queue")), 1, TimeUnit.MINUTES.toNanos(10));
        service = serve();
    }

    private OneNode serve() throws Exception {
        ApiSettings settings = ApiSettings.loopback(0).secured(new Access(List.of(OPS, ACME)), null);
        return new OneNode(directory, new Policies(), setting, settings);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private String send(Token who, HttpMethod method, String path, String body) {
        AggregatedHttpResponse response = service.send(who, method, path, body);
        assertThat(response.status()).as(response.contentUtf8()).isEqualTo(HttpStatus.OK);
        return OneNode.text(response);
    }

    private void submit(String tenant, String id, String more) {
        send(
                OPS,
                HttpMethod.POST,
                "/v1/requests",
                "{'requestId':'" + id + "','tenant':'" + tenant + "','type':'vm'" + more + "}");
    }

    private String get(Token who, String path) {
        return send(who, HttpMethod.GET, path, "");
    }

    private void isNow(String id, String state, String displaced) {
        assertThat(get(OPS, "/v1/requests/" + id + "?tenant=acme")).contains(state, displaced);
    }

    @Test
    void aPreemptedRequestSaysWhoTookItsPlace() {
        submit("acme", "low", "");
        submit("acme", "other", "");
        submit("acme", "high", ",'priority':5");
        String needed = "\"itsroomisneededbyrequesthighofpriority5\"";
        assertThat(get(ACME, "/v1/requests/low?tenant=acme"))
                .contains("WAITING", "\"reason\":\"fitsnoservernow\"")
                .contains("\"displaced\":{\"server\":0,", "\"reason\":" + needed, "\"byNumber\":\"2\"");
        assertThat(get(ACME, "/v1/requests/low:explain?tenant=acme"))
                .contains(";itlostserver0at2", "Z:itsroomisneededbyrequesthighofpriority5");
        assertThat(get(ACME, "/v1/requests/high:explain?tenant=acme"))
                .contains(";ittooktheplaceoflow", "\"tookPlaceOf\":[\"low\"]");
        assertThat(get(ACME, "/v1/requests/low:history?tenant=acme")).contains(needed);
        assertThat(get(ACME, "/v1/requests/low:explain?tenant=acme"))
                .contains("waitsbytherule'fitsnoservernow'")
                .doesNotContain("inqueue");
        // Placed again, and nothing else about it is forgotten.
        send(OPS, HttpMethod.POST, "/v1/requests/other:release", "{'tenant':'acme'}");
        isNow("low", "RUNNING", needed);
    }

    @Test
    void anotherTenantIsNamedOnlyToThoseWhoSeeAll() {
        submit("acme", "low", "");
        submit("acme", "other", "");
        submit("rival", "secret", ",'priority':5");
        assertThat(get(ACME, "/v1/requests/low:explain?tenant=acme"))
                .contains("itsroomisneededbyrequest2ofpriority5")
                .doesNotContain("secret", "rival");
        assertThat(get(OPS, "/v1/requests/low:explain?tenant=acme"))
                .contains("itsroomisneededbyrequestrival/secretofpriority5");
        assertThat(get(OPS, "/v1/requests/secret:explain?tenant=rival")).contains("\"tookPlaceOf\":[\"acme/low\"]");
    }

    @Test
    void aLostServerIsToldAndKeptOverARestart() throws Exception {
        submit("acme", "a", "");
        submit("acme", "b", "");
        send(OPS, HttpMethod.POST, "/v1/servers/1:change", "{'changeId':'c','change':'LOST'}");
        isNow("b", "WAITING", "\"reason\":\"theserverwaslost\"");
        send(OPS, HttpMethod.POST, "/v1/snapshot", "{}");
        service.close();
        service = serve();
        assertThat(get(OPS, "/v1/requests/b:explain?tenant=acme")).contains(";itlostserver1at2", "Z:theserverwaslost");
        assertThat(get(OPS, "/v1/requests/a?tenant=acme")).doesNotContain("\"displaced\"");
        send(OPS, HttpMethod.POST, "/v1/servers/0:change", "{'changeId':'d','change':'LOST'}");
        assertThat(get(OPS, "/v1/requests/a:explain?tenant=acme"))
                .contains("itwaitsforroom;noserverisup;2wereremovedorreportedlost;itlostserver0");
        send(OPS, HttpMethod.POST, "/v1/requests/a:release", "{'tenant':'acme'}");
        assertThat(get(OPS, "/v1/requests/a:explain?tenant=acme")).contains("isover:releasedbytheclient;itlost");
    }
}

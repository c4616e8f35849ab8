package dev.stowage.openstack.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tokens, catalogs and calls against a small stand-in for Keystone, Nova and Placement that answers as their references
 * say (Identity API v3: POST /v3/auth/tokens; Compute API: microversions, pages; Placement API: errors).
 */
final class CloudSessionTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = "very-secret-word";

    @TempDir
    private Path directory;

    private HttpServer server;
    private String root = "";
    private final List<JsonNode> logins = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private int tokensGood = 1000;
    private int busy;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        root = "http://127.0.0.1:" + server.getAddress().getPort();
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        String method = exchange.getRequestMethod();
        String token = exchange.getRequestHeaders().getFirst("X-Auth-Token");
        calls.add(method + " " + path + " " + exchange.getRequestHeaders().getFirst("OpenStack-API-Version"));
        if (path.equals("/v3/auth/tokens")) {
            JsonNode login = JSON.readTree(exchange.getRequestBody());
            logins.add(login);
            if (login.toString().contains("wrong")) {
                reply(
                        exchange,
                        401,
                        "{\"error\": {\"code\": 401, \"message\": \"The request you have made requires"
                                + " authentication.\", \"title\": \"Unauthorized\"}}");
                return;
            }
            exchange.getResponseHeaders().add("X-Subject-Token", "token-" + logins.size());
            reply(
                    exchange,
                    201,
                    "{\"token\": {\"catalog\": [" + entry("compute", "/nova/v2.1") + ","
                            + entry("placement", "/placement") + "]}}");
        } else if (path.equals("/nova/v3/auth/tokens")) {
            reply(exchange, 300, "{\"choices\": [{\"id\": \"v2.0\"}]}");
        } else if (!("token-" + logins.size()).equals(token) || tokensGood-- <= 0) {
            tokensGood = 1000;
            reply(exchange, 401, "{\"error\": {\"message\": \"expired\"}}");
        } else if (path.equals("/nova/v2.1/")) {
            reply(exchange, 200, "{\"version\": {\"version\": \"2.99\", \"min_version\": \"2.1\"}}");
        } else if (path.equals("/nova/")) {
            reply(exchange, 200, "{\"versions\": [{\"id\": \"v2.0\", \"version\": \"\"}]}");
        } else if (path.equals("/placement/")) {
            reply(exchange, 200, "{\"versions\": [{\"min_version\": \"1.0\", \"max_version\": \"1.30\"}]}");
        } else if (path.startsWith("/nova/v2.1/servers/detail")) {
            boolean second = path.contains("marker=b");
            reply(
                    exchange,
                    200,
                    second
                            ? "{\"servers\": [{\"id\": \"c\"}]}"
                            : "{\"servers\": [{\"id\": \"a\"}, {\"id\": \"b\"}], \"servers_links\": [{\"rel\":"
                                    + " \"next\"}]}");
        } else if (busy-- > 0) {
            reply(exchange, 503, "busy");
        } else if (path.equals("/placement/proxy")) {
            reply(exchange, 403, "{\"error\":\n \"quota of ann\"}");
        } else if (path.equals("/placement/silent")) {
            reply(exchange, 403, "{}");
        } else if (path.equals("/placement/traits/NONE")) {
            reply(
                    exchange,
                    404,
                    "{\"errors\": [{\"status\": 404, \"title\": \"Not Found\", \"detail\": \"No such" + " trait.\"}]}");
        } else {
            reply(exchange, 200, "{\"fine\": true}");
        }
    }

    private String entry(String type, String path) {
        return "{\"type\": \"" + type + "\", \"endpoints\": [" + endpoint("internal", "R1", "/wrong") + ","
                + endpoint("public", "R2", "/wrong") + "," + endpoint("public", "R1", path) + "]}";
    }

    private String endpoint(String reach, String region, String path) {
        return "{\"interface\": \"" + reach + "\", \"region_id\": \"" + region + "\", \"url\": \"" + root + path
                + "/\"}";
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private CloudSettings settings(String auth, String more) throws IOException {
        Path file = directory.resolve("clouds.yaml");
        Files.writeString(
                file,
                "clouds:\n  one:\n    region_name: R1\n" + more + "    auth:\n      auth_url: " + root + "/v3\n"
                        + auth);
        return CloudSettings.read("", List.of(file));
    }

    private CloudSession session(String auth) throws IOException {
        return new CloudSession(settings(auth, ""));
    }

    private static String password(String password) {
        return "      username: ann\n      password: " + password + "\n      user_domain_name: Default\n"
                + "      project_name: ops\n      project_domain_id: default\n";
    }

    @Test
    void aPasswordBecomesATokenAndTheCatalogIsUsed() throws Exception {
        CloudSession session = session(password(SECRET));
        assertThat(session.get(CloudSession.COMPUTE, "/x").path("fine").asBoolean())
                .isTrue();
        assertThat(session.get(CloudSession.PLACEMENT, "/y").path("fine").asBoolean())
                .isTrue();
        assertThat(logins)
                .containsExactly(
                        JSON.readTree("{\"auth\": {\"identity\": {\"methods\": [\"password\"], \"password\": {\"user\":"
                                + " {\"name\": \"ann\", \"domain\": {\"name\": \"Default\"},"
                                + " \"password\": \"" + SECRET + "\"}}},"
                                + " \"scope\":"
                                + " {\"project\":"
                                + " {\"name\":"
                                + " \"ops\","
                                + " \"domain\":"
                                + " {\"id\":"
                                + " \"default\"}}}}}"));
        // The newest microversion that both know: of 2.99 the one that was read, of 1.30 that one.
        assertThat(calls).contains("GET /nova/v2.1/x compute 2.96", "GET /placement/y placement 1.30");
        assertThat(session.computeVersion()).isEqualTo(96);
    }

    @Test
    void aTokenOrAnApplicationCredentialDoes() throws Exception {
        Path file = directory.resolve("clouds.yaml");
        String head = "clouds:\n  one:\n    region_name: R1\n    auth_type: ";
        String auth = "    auth:\n      auth_url: " + root + "\n";
        Files.writeString(file, head + "v3token\n" + auth + "      token: t0\n      project_id: p1\n");
        JsonNode first = new CloudSession(CloudSettings.read("one", List.of(file))).get(CloudSession.COMPUTE, "/x");
        assertThat(logins.get(0))
                .isEqualTo(JSON.readTree("{\"auth\": {\"identity\": {\"methods\": [\"token\"], \"token\":"
                        + " {\"id\": \"t0\"}}, \"scope\": {\"project\": {\"id\": \"p1\"}}}}"));
        Files.writeString(
                file,
                head + "v3applicationcredential\n" + auth + "      application_credential_id: a1\n"
                        + "      application_credential_secret: s1\n");
        JsonNode second = new CloudSession(CloudSettings.read("one", List.of(file))).get(CloudSession.COMPUTE, "/x");
        assertThat(logins.get(1))
                .isEqualTo(JSON.readTree("{\"auth\": {\"identity\": {\"methods\": [\"application_credential\"],"
                        + " \"application_credential\": {\"id\": \"a1\", \"secret\": \"s1\"}}}}"));
        assertThat(second).isEqualTo(first);
    }

    @Test
    void aTokenThatRanOutIsRenewedOnce() throws Exception {
        CloudSession session = session(password(SECRET));
        JsonNode first = session.get(CloudSession.COMPUTE, "/x");
        assertThat(first.path("fine").asBoolean()).isTrue();
        tokensGood = 0;
        assertThat(session.get(CloudSession.COMPUTE, "/x").path("fine").asBoolean())
                .isTrue();
        assertThat(logins).hasSize(2);
    }

    @Test
    void pagesAreFollowedToTheEnd() throws Exception {
        assertThat(session(password(SECRET)).list("/servers/detail?limit=2", "servers"))
                .extracting(one -> one.path("id").asText())
                .containsExactly("a", "b", "c");
    }

    @Test
    void aQuestionIsAskedAgainAndAChangeIsNot() throws Exception {
        CloudSession session = session(password(SECRET));
        JsonNode first = session.get(CloudSession.COMPUTE, "/x");
        busy = 1;
        assertThat(session.get(CloudSession.COMPUTE, "/x")).isEqualTo(first);
        busy = 1;
        assertThatThrownBy(() -> session.change(CloudSession.COMPUTE, "POST", "/x", null))
                .hasMessage("POST compute /x: 503 busy");
    }

    @Test
    void refusalsSayWhatWasSaidAndNoSecret() throws Exception {
        CloudSession good = session(password(SECRET));
        assertThatThrownBy(() -> good.get(CloudSession.PLACEMENT, "/traits/NONE"))
                .isInstanceOf(CloudException.class)
                .hasMessage("GET placement /traits/NONE: 404 No such trait.");
        assertThatThrownBy(() -> good.get(CloudSession.PLACEMENT, "/proxy"))
                .hasMessage("GET placement /proxy: 403 {\"error\": \"quota of ann\"}");
        assertThatThrownBy(() -> good.get(CloudSession.PLACEMENT, "/silent"))
                .hasMessage("GET placement /silent: 403 without a reason");
        CloudSession bad = session(password("wrong-" + SECRET));
        assertThatThrownBy(() -> bad.get(CloudSession.COMPUTE, "/x"))
                .hasMessageContaining("401 The request you have made requires authentication.")
                .hasMessageNotContaining(SECRET);
        assertThat(settings(password(SECRET), "").toString()).doesNotContain(SECRET);
        Path broken = directory.resolve("broken.yaml");
        Files.writeString(broken, "clouds:\n  one:\n   auth: {password: " + SECRET + "\n  - x");
        assertThatThrownBy(() -> CloudSettings.read("", List.of(broken)))
                .hasMessageContaining("is not YAML")
                .hasMessageNotContaining(SECRET);
        CloudSession nobody =
                new CloudSession(settings(password(SECRET), "    compute_endpoint_override: http://127.0.0.1:1\n"));
        assertThatThrownBy(() -> nobody.get(CloudSession.COMPUTE, "/x"))
                .hasMessageContaining("does not answer")
                .hasMessageNotContaining("token-");
    }

    private void says(String more, String... words) throws IOException {
        CloudSession session = new CloudSession(settings(password(SECRET), more));
        assertThatThrownBy(() -> {
                    JsonNode unused = session.get(CloudSession.COMPUTE, "/x");
                    unused = session.get(CloudSession.PLACEMENT, "/x");
                })
                .isInstanceOf(CloudException.class)
                .satisfies(thrown -> assertThat(thrown.getMessage()).contains(words));
    }

    /** These said ConnectException, a wrong version, or six lines of JSON. */
    @Test
    void wrongAddressesAreSaidToBeSo() throws Exception {
        says("    compute_endpoint_override: http://127.0.0.1:1\n", "connection refused, nothing listens there");
        says("    compute_endpoint_override: http://nova.invalid\n", "host name nova.invalid is not known");
        says(
                "    compute_endpoint_override: " + root + "/placement\n",
                "compute at " + root + "/placement is not Nova (version 1.30): set compute_endpoint_override of",
                "cloud one");
        says(
                "    placement_endpoint_override: " + root + "/nova/v2.1\n",
                "placement at " + root
                        + "/nova/v2.1 is not Placement (version 2.99): set placement_endpoint_override of");
        says(
                "    compute_endpoint_override: " + root + "/nova\n",
                "compute at " + root + "/nova does not say its microversion: the address of Nova ends with /v2.1");
        Path file = directory.resolve("clouds.yaml");
        Files.writeString(file, Files.readString(file).replace(root + "/v3", root + "/nova/v3"));
        assertThatThrownBy(
                        () -> new CloudSession(CloudSettings.read("", List.of(file))).get(CloudSession.COMPUTE, "/x"))
                .hasMessage("Keystone at " + root + "/nova/v3/auth/tokens gives no token: 300"
                        + " {\"choices\": [{\"id\": \"v2.0\"}]};"
                        + " is auth_url the address of Keystone?");
    }

    @Test
    void whatIsNotUnderstoodIsRefused() throws Exception {
        assertThatThrownBy(() -> settings(password(SECRET), "    profile: vexxhost\n"))
                .hasMessageContaining("'profile' is not supported");
        assertThatThrownBy(() -> settings("      otp: 1\n", "")).hasMessageContaining("auth.otp is not supported");
        assertThatThrownBy(() -> settings(password(SECRET), "    auth_type: v3oidcpassword\n"))
                .hasMessageContaining("auth_type 'v3oidcpassword'");
        assertThatThrownBy(() -> session("      username: ann\n").get(CloudSession.COMPUTE, "/x"))
                .hasMessageContaining("auth.user_domain_name is missing");
        assertThatThrownBy(() -> new CloudSession(settings(password(SECRET), "    interface: admin\n"))
                        .get(CloudSession.COMPUTE, "/x"))
                .hasMessageContaining("no admin endpoint for compute in region R1");
        assertThatThrownBy(() -> CloudSettings.read("two", List.of(directory.resolve("clouds.yaml"))))
                .hasMessageContaining("there is no cloud 'two'; it has one");
    }

    @Test
    void secretsMayStandBeside() throws Exception {
        Files.writeString(directory.resolve("secure.yaml"), "clouds: {one: {auth: {password: beside}}}");
        JsonNode reply = session("      username: ann\n      user_domain_id: d\n      project_id: p\n")
                .get(CloudSession.COMPUTE, "/x");
        assertThat(reply.path("fine").asBoolean()).isTrue();
        assertThat(logins.get(0).findValue("user"))
                .isEqualTo(JSON.readTree("{\"name\": \"ann\", \"domain\": {\"id\": \"d\"}, \"password\": \"beside\"}"));
    }
}

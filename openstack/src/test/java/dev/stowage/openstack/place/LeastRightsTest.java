package dev.stowage.openstack.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.api.CloudSession;
import dev.stowage.openstack.api.CloudSettings;
import dev.stowage.openstack.api.ServerMoves;
import dev.stowage.openstack.snapshot.CloudReader;
import dev.stowage.openstack.snapshot.RoomReader;
import dev.stowage.policies.Policies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which calls each command makes, against a stand-in for Keystone, Nova and Placement that lets an account make some
 * calls and refuses others: the table of rights in docs/openstack.md is complete, each refusal names its call, and no
 * password or token is in any message or log.
 */
final class LeastRightsTest {
    private static final String PASSWORD = "a-password-for-nobody";
    private static final String TOKEN = "gAAAA-a-token-for-nobody";
    private static final String SERVER_TOKEN = "a-token-of-the-plug-in";

    private static final Set<String> OF_PLACEMENT = Set.of(
            "GET /resource_providers",
            "GET /resource_providers/{id}/inventories",
            "GET /resource_providers/{id}/allocations");

    @TempDir
    private Path directory;

    private HttpServer server;
    private final Set<String> made = new TreeSet<>();
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Handler ears = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.add(record.getMessage()
                    + (record.getParameters() == null ? "" : Arrays.toString(record.getParameters()))
                    + record.getThrown());
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    };

    private volatile String refused = "";
    private volatile boolean disabled;

    static {
        // Otherwise each reply waits 40 ms for an acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        Logger.getLogger("").addHandler(ears);
    }

    @AfterEach
    void stop() {
        server.stop(0);
        Logger.getLogger("").removeHandler(ears);
        assertThat(logged).noneMatch(LeastRightsTest::isTelling);
    }

    private static boolean isTelling(String words) {
        return words.contains(PASSWORD) || words.contains(TOKEN) || words.contains(SERVER_TOKEN);
    }

    private String root() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange call) throws IOException {
        String path = call.getRequestURI().getPath();
        call.getRequestBody().readAllBytes();
        if (path.equals("/v3/auth/tokens")) {
            call.getResponseHeaders().add("X-Subject-Token", TOKEN);
            reply(
                    call,
                    201,
                    "{\"token\": {\"catalog\": [" + entry("compute", "/nova") + "," + entry("placement", "/placement")
                            + "]}}");
            return;
        }
        if (!TOKEN.equals(call.getRequestHeaders().getFirst("X-Auth-Token"))) {
            reply(call, 401, "{}");
            return;
        }
        String kind = call.getRequestMethod() + " " + kind(path);
        if (path.equals("/nova/")) {
            reply(call, 200, "{\"version\": {\"version\": \"2.93\"}}");
        } else if (path.equals("/placement/")) {
            reply(call, 200, "{\"versions\": [{\"max_version\": \"1.36\"}]}");
        } else {
            made.add(kind);
            if (kind.equals(refused)) {
                reply(
                        call,
                        403,
                        "{\"forbidden\": {\"code\": 403, \"message\": \"Policy doesn't allow this to be"
                                + " performed.\"}}");
            } else {
                disabled = kind.startsWith("PUT ") ? !disabled : disabled;
                reply(call, 200, said(kind));
            }
        }
    }

    private static String kind(String path) {
        return path.replaceAll("^/(nova|placement)", "")
                .replaceAll("/(provider-1|f-1|server-1|service-1)", "/{id}")
                .replaceAll("/req-1$", "");
    }

    private String said(String kind) {
        return switch (kind) {
            case "GET /os-hypervisors/detail" ->
                "{\"hypervisors\": [{\"hypervisor_hostname\": \"h-1\", \"service\": {\"host\": \"h-1\"}}]}";
            case "GET /os-services" ->
                "{\"services\": [{\"host\": \"h-1\", \"state\": \"up\", \"status\": "
                        + (disabled
                                ? "\"disabled\", \"disabled_reason\": \"stowage: being emptied\"}]}"
                                : "\"enabled\"}]}");
            case "PUT /os-services/{id}", "POST /servers/{id}/action" -> "{}";
            case "GET /servers/{id}/os-instance-actions" ->
                "{\"instanceActions\": [{\"action\": \"live-migration\", \"request_id\": \"req-1\"}],"
                        + " \"instanceAction\": {\"events\": [{\"event\": \"e\", \"result\": \"Error\","
                        + " \"details\": \"no room\"}]}}";
            case "GET /os-aggregates" -> "{\"aggregates\": []}";
            case "GET /servers/detail" ->
                "{\"servers\": [{\"id\": \"server-1\", \"status\": \"ERROR\", \"OS-EXT-SRV-ATTR:host\": null,"
                        + " \"metadata\": {\"stowage_request\": \"other\"}}]}";
            case "GET /servers/{id}" ->
                "{\"server\": {\"id\": \"server-1\", \"status\": \"ERROR\", \"OS-EXT-SRV-ATTR:host\": null,"
                        + " \"OS-EXT-STS:task_state\": null, \"fault\":"
                        + " {\"message\": \"No valid host\"}}}";
            case "GET /flavors/detail" -> "{\"flavors\": []}";
            case "GET /flavors/{id}" -> "{\"flavor\": {\"name\": \"one\", \"vcpus\": 1, \"ram\": 1024, \"disk\": 1}}";
            case "GET /os-server-groups" -> "{\"server_groups\": []}";
            case "GET /resource_providers" ->
                "{\"resource_providers\": [{\"uuid\": \"provider-1\", \"name\": \"h-1\","
                        + " \"parent_provider_uuid\": null}]}";
            case "GET /resource_providers/{id}/inventories" ->
                "{\"inventories\": {\"VCPU\": {\"total\": 16}, \"MEMORY_MB\": {\"total\": 65536}, \"DISK_GB\":"
                        + " {\"total\": 100}}}";
            case "GET /resource_providers/{id}/traits" -> "{\"traits\": []}";
            case "GET /resource_providers/{id}/allocations" -> "{\"allocations\": {}}";
            case "POST /servers" -> "{\"server\": {\"id\": \"server-2\"}}";
            default -> throw new IllegalStateException("not foreseen: " + kind);
        };
    }

    private String entry(String type, String path) {
        return "{\"type\": \"" + type + "\", \"endpoints\": [{\"interface\": \"public\", \"region_id\": \"R\", \"url\":"
                + " \"" + root() + path + "\"}]}";
    }

    private static void reply(HttpExchange call, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(status, body.length);
        call.getResponseBody().write(body);
        call.close();
    }

    private CloudSession session() throws IOException {
        Path clouds = Files.writeString(
                directory.resolve("clouds.yaml"),
                "clouds:\n  one:\n    region_name: R\n    auth: {auth_url: \"" + root()
                        + "/v3\", username: u, password: " + PASSWORD
                        + ", project_name: p, user_domain_name: d, project_domain_name: d}\n");
        return new CloudSession(CloudSettings.read("one", List.of(clouds)));
    }

    private static HostEngine engine() {
        return HostEngine.ofOne(PolicySpec.of("bf-js"), new Policies(), System::nanoTime, 1);
    }

    private void advise() throws IOException {
        assertThat(CloudReader.live(session()).hosts()).hasSize(1);
    }

    private void serve() throws IOException {
        RoomReader reader = new RoomReader(session());
        assertThat(reader.all()).hasSize(1);
        assertThat(reader.named(List.of("h-1"))).hasSize(1);
    }

    private void submit() throws IOException {
        Path file = Files.writeString(
                directory.resolve("requests"),
                "{\"server\": {\"name\": \"n\", \"flavorRef\": \"f-1\", \"imageRef\": \"i\"}}");
        Files.deleteIfExists(directory.resolve("requests.sent"));
        List<String> told = new ArrayList<>();
        try (ServerQueue queue = new ServerQueue(
                file,
                engine(),
                Map.of("one", new LiveServers(session())),
                System::nanoTime,
                InstantSource.system(),
                told::add)) {
            queue.step();
            assertThat(told).noneMatch(LeastRightsTest::isTelling);
            if (queue.failed() > 0) {
                throw new CloudException(told.get(told.size() - 1), 403);
            }
            assertThat(told).anyMatch(words -> words.startsWith("n goes to h-1 as server server-2"));
        }
    }

    private void consolidate() throws IOException {
        CloudSession session = session();
        disabled = false;
        assertThat(CloudReader.live(session).hosts()).hasSize(1);
        ServerMoves moves = new ServerMoves(session);
        assertThat(moves.disable("service-1", "h-1")).isTrue();
        moves.begin("server-1", "h-2");
        assertThat(moves.of("server-1", "h-2")).isEqualTo(ServerMoves.Migration.FAILED);
        String why = moves.why("server-1");
        assertThat(isTelling(why)).isFalse();
        moves.enable("service-1", "h-1");
        if (why.contains("is not known")) {
            throw new CloudException(why, 403);
        }
        assertThat(why).contains("no room");
        assertThat(disabled).isFalse();
    }

    /** Something that a command does with the cloud. */
    private interface Work {
        void run() throws IOException;
    }

    @Test
    void theTableOfRightsHasEachCall() throws IOException {
        Map<String, Work> commands =
                new TreeMap<>(Map.of("advise", this::advise, "serve", this::serve, "submit", this::submit));
        commands.put("consolidate", this::consolidate);
        List<String> rows = Files.readAllLines(Path.of("..", "docs", "openstack.md")).stream()
                .filter(line -> line.startsWith("| ") && line.contains("`") && line.split("\\|", -1).length == 6)
                .toList();
        Map<String, Set<String>> calls = new TreeMap<>();
        for (Map.Entry<String, Work> command : commands.entrySet()) {
            made.clear();
            // A run that was refused something may have left its host disabled.
            disabled = false;
            command.getValue().run();
            Set<String> kinds = new TreeSet<>(made);
            calls.put(command.getKey(), kinds);
            for (String kind : kinds) {
                String path = kind.substring(kind.indexOf(' ') + 1);
                String method = kind.substring(0, kind.indexOf(' '));
                String last =
                        path.startsWith("/resource_providers/") ? path.substring(path.lastIndexOf('/') + 1) : path;
                assertThat(rows).as(command.getKey() + ": " + kind).anyMatch(row -> {
                    String[] cells = row.split("\\|", -1);
                    boolean its = cells[2].contains(command.getKey())
                            || (!command.getKey().equals("serve") && cells[2].contains("advise"));
                    return its && cells[1].contains(method) && cells[1].contains(last);
                });
                refused = kind;
                assertThatThrownBy(command.getValue()::run)
                        .as(command.getKey() + " without " + kind)
                        .isInstanceOf(CloudException.class)
                        .hasMessageContaining("403")
                        .hasMessageContaining(path.replaceAll("\\{id}.*", ""))
                        .satisfies(e -> assertThat(isTelling(e.toString())).isFalse());
                refused = "";
            }
        }
        assertThat(calls.get("serve")).isEqualTo(OF_PLACEMENT);
        assertThat(calls.get("advise")).hasSize(11).noneMatch(kind -> !kind.startsWith("GET "));
        assertThat(calls.get("consolidate"))
                .filteredOn(kind -> !kind.startsWith("GET "))
                .containsExactlyInAnyOrder("PUT /os-services/{id}", "POST /servers/{id}/action");
        assertThat(calls.get("submit"))
                .filteredOn(kind -> !kind.startsWith("GET "))
                .containsExactly("POST /servers");
    }

    /** Without rights at Placement the service answers nothing, and its log says why. */
    @Test
    void aServiceThatMayNotReadAnswersNothing() throws Exception {
        refused = "GET /resource_providers";
        HostService service = new HostService(engine(), new RoomReader(session()), System::nanoTime, Long.MAX_VALUE);
        assertThat(service.read()).isFalse();
        assertThat(service.isReady()).isFalse();
        assertThat(logged).anyMatch(words -> words.contains("403"));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        String question = "{\"server\": \"s\", \"resources\": {\"VCPU\": 1}, \"hosts\": [\"h-1\"], \"group\": null}";
        try (HostServer hosts = new HostServer(any, SERVER_TOKEN, service)) {
            assertThat(ask(hosts, "Bearer " + SERVER_TOKEN, question)).startsWith("503 ");
            refused = "";
            assertThat(service.read()).isTrue();
            assertThat(ask(hosts, "Bearer " + SERVER_TOKEN, question))
                    .startsWith("200 ")
                    .contains("[\"h-1\"]");
            assertThat(ask(hosts, "Bearer wrong", question)).startsWith("401 ");
            assertThat(ask(hosts, "", question)).startsWith("401 ");
            assertThat(ask(hosts, "Bearer " + SERVER_TOKEN, "{}")).startsWith("400 ");
            assertThat(ask(hosts, "Bearer " + SERVER_TOKEN, "[")).startsWith("400 ");
        }
    }

    private static String ask(HostServer hosts, String header, String body) throws Exception {
        var request = java.net.http.HttpRequest.newBuilder(
                        java.net.URI.create("http://127.0.0.1:" + hosts.port() + "/hosts"))
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString(body));
        if (!header.isEmpty()) {
            request.header("Authorization", header);
        }
        var reply = java.net.http.HttpClient.newHttpClient()
                .send(request.build(), java.net.http.HttpResponse.BodyHandlers.ofString());
        return reply.statusCode() + " " + reply.body();
    }
}

package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.Reasons;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.raft.Tls;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.ListServersRequest;
import dev.stowage.service.v1.OperationsGrpc;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a page in a browser of this machine could do: be sent from a name that leads here, or from another service. */
final class HostsTest {
    private static final Duration ENDLESS = Duration.ofDays(1);
    private static final String DRAIN = "{\"change_id\":\"%s\",\"change\":\"DRAIN\"}";

    @TempDir
    private static Path directory;

    private static RaftNode node;
    private static ApiServer open;
    private static ApiServer guarded;

    @BeforeAll
    static void start() throws Exception {
        node = Raw.node(directory);
        open = ApiServer.start(node, ApiSettings.loopback(0));
        guarded = ApiServer.start(
                node,
                ApiSettings.loopback(0)
                        .secured(
                                new Access(List.of(new Token("ops", Token.hash("t"), Role.OPERATOR, Token.ALL))),
                                null));
    }

    @AfterAll
    static void stop() {
        open.close();
        guarded.close();
        node.close();
    }

    private static String drain(int server, String... headers) throws IOException {
        String[] lines = new String[headers.length + 2];
        lines[0] = "POST /v1/servers/" + server + ":change HTTP/1.1";
        lines[1] = "content-type: application/json";
        System.arraycopy(headers, 0, lines, 2, headers.length);
        return Raw.send(open.port(), DRAIN.formatted("drain-" + server), lines);
    }

    private static String status(int server) {
        OperationsGrpc.OperationsBlockingStub stub = GrpcClients.newClient(
                "gproto+http://127.0.0.1:" + open.port(), OperationsGrpc.OperationsBlockingStub.class);
        return stub.listServers(ListServersRequest.getDefaultInstance())
                .getServers(server)
                .getStatus();
    }

    @Test
    void aNameThatIsNotThisMachinesIsRefused() throws IOException {
        for (String host : List.of(
                "evil.example",
                "evil.example:" + open.port(),
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "10.0.0.1",
                "[2001:db8::1]:80",
                "user@evil.example",
                "0.0.0.0")) {
            assertThat(drain(0, "host: " + host))
                    .as(host)
                    .startsWith("HTTP/1.1 403")
                    .contains("stowage-reason: FOREIGN_HOST")
                    .contains("\"reason\":\"FOREIGN_HOST\"");
        }
        assertThat(Raw.send(open.port(), "", "GET http://evil.example/v1/status HTTP/1.1", "host: evil.example"))
                .startsWith("HTTP/1.1 4");
        assertThat(status(0)).isEqualTo("up");
        OperationsGrpc.OperationsBlockingStub over2 = GrpcClients.builder("gproto+http://127.0.0.1:" + open.port())
                .setHeader(HttpHeaderNames.AUTHORITY, "evil.example")
                .build(OperationsGrpc.OperationsBlockingStub.class);
        assertThatThrownBy(() -> over2.getStatus(Empty.getDefaultInstance()))
                .satisfies(e -> assertThat(Reasons.reason(e)).isEqualTo("FOREIGN_HOST"));
    }

    /** Hole: of several only the first was looked at. */
    @Test
    void aSecondHostOrOriginCountsToo() throws IOException {
        String own = "host: localhost:" + open.port();
        assertThat(drain(0, own, "host: evil.example"))
                .startsWith("HTTP/1.1 403")
                .contains("FOREIGN_HOST");
        assertThat(drain(0, "host: evil.example", own))
                .startsWith("HTTP/1.1 403")
                .contains("FOREIGN_HOST");
        assertThat(drain(0, own, "host: 127.0.0.1"))
                .startsWith("HTTP/1.1 400")
                .contains("the header 'host' is given 2 times, must be once");
        assertThat(drain(0, own, "origin: http://localhost:" + open.port(), "origin: http://evil.example"))
                .startsWith("HTTP/1.1 403")
                .contains("FOREIGN_ORIGIN");
        assertThat(status(0)).isEqualTo("up");
    }

    /** RFC 9112, section 3.2; Armeria would take the name of its own. */
    @Test
    void aRequestWithoutAHostIsRefused() throws IOException {
        for (int port : List.of(open.port(), guarded.port())) {
            for (String[] lines : List.of(
                    new String[] {"GET /healthz HTTP/1.1"},
                    new String[] {"GET /healthz HTTP/1.1", "host:"},
                    new String[] {"GET /healthz HTTP/1.1", "accept: */*"})) {
                assertThat(Raw.send(port, "", lines))
                        .as(String.join("|", lines))
                        .contains("HTTP/1.1 400")
                        .contains("the header 'host' is missing or empty");
            }
        }
        assertThat(drain(0)).startsWith("HTTP/1.1 400").contains("BAD_MESSAGE");
        assertThat(status(0)).isEqualTo("up");
    }

    @Test
    void thisMachinesOwnNamesAreTaken() throws IOException {
        int server = 1;
        for (String host : List.of(
                "localhost:" + open.port(),
                "LOCALHOST",
                "localhost.",
                "127.0.0.1",
                "127.8.9.1:1",
                "[::1]:80",
                "[::1]")) {
            assertThat(drain(server++, "host: " + host)).as(host).startsWith("HTTP/1.1 200");
        }
        assertThat(Raw.send(open.port(), "", "GET /healthz HTTP/1.0")).contains(" 200 ");
    }

    @Test
    void aPageOfAnotherServiceIsRefused() throws IOException {
        String own = "host: localhost:" + open.port();
        for (String origin :
                List.of("http://evil.example", "null", "http://localhost:1", "http://localhost", "file://", "x y")) {
            assertThat(drain(9, own, "origin: " + origin))
                    .as(origin)
                    .startsWith("HTTP/1.1 403")
                    .contains("FOREIGN_ORIGIN");
        }
        assertThat(status(9)).isEqualTo("up");
        assertThat(drain(9, own, "origin: http://localhost:" + open.port())).startsWith("HTTP/1.1 200");
    }

    /** Who knows a token is no page. */
    @Test
    void withTokensEveryNameIsTaken() throws IOException {
        String answer = Raw.send(
                guarded.port(), "", "GET /v1/status HTTP/1.1", "host: stowage.example", "authorization: Bearer t");
        assertThat(answer).startsWith("HTTP/1.1 200");
        assertThat(Raw.send(
                        guarded.port(),
                        "",
                        "GET /v1/status HTTP/1.1",
                        "host: stowage.example",
                        "origin: https://evil.example",
                        "authorization: Bearer t"))
                .startsWith("HTTP/1.1 403");
    }

    /** Under the names that the operator gave, of the same scheme; on one machine, by any of its names. */
    @Test
    void onlyNodesOfTheGroupMayAskEachOther() {
        Hosts group = new Hosts(true, List.of("n1.example:7411", "[::1]:7412"), true);
        assertThat(group.origins()).containsExactly("https://[::1]:7412", "https://n1.example:7411");
        assertThat(group.ofGroup("https://n1.example:7411")).isTrue();
        assertThat(group.ofGroup("https://N1.example:7411")).isTrue();
        assertThat(group.ofGroup("https://[::1]:7412")).isTrue();
        for (String foreign : List.of(
                "http://n1.example:7411",
                "https://n1.example:7412",
                "https://n1.example",
                "https://localhost:7411",
                "https://n1.example:7411.evil.example",
                "https://evil@n1.example:7411",
                "https://n1.example:7411:80",
                "null",
                "",
                "https://",
                "\u0000")) {
            assertThat(group.ofGroup(foreign)).as(foreign).isFalse();
        }
        Hosts machine = new Hosts(false, List.of("127.0.0.1:7411"), false);
        assertThat(machine.ofGroup("http://localhost:7411")).isTrue();
        assertThat(machine.ofGroup("http://localhost:7412")).isFalse();
        assertThat(machine.ofGroup("http://evil.example:7411")).isFalse();
    }

    /** Hole: Armeria tells the port of loopback and wildcard addresses only, so such a node ended at once. */
    @Test
    void anAddressOfTheMachineThatIsNotLoopbackIsServed(@TempDir Path certificates) throws Exception {
        Optional<InetAddress> own = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        assumeThat(own).as("an address that is not loopback").isPresent();
        String host = own.orElseThrow().getHostAddress();
        Tls tls = Certificates.make(certificates, "node", false, List.of(host));
        ApiSettings settings = new ApiSettings(new InetSocketAddress(host, 0), Map.of(), ApiLimits.USUAL)
                .secured(new Access(List.of(new Token("ops", Token.hash("t"), Role.OPERATOR, Token.ALL))), tls);
        try (ApiServer there = ApiServer.start(node, settings);
                StowageClient client = StowageClient.of(new ClientSettings(
                        List.of(host + ":" + there.port()), true, tls.authority(), null, null, "t", ENDLESS))) {
            assertThat(there.port()).isPositive();
            assertThat(client.status().get().getNode()).isEqualTo(node.status().id());
            for (String version : List.of("HTTP/1.1", "HTTP/1.0")) {
                assertThat(Raw.encrypted(tls, host, there.port(), "GET /healthz " + version))
                        .startsWith(version.endsWith("1") ? "HTTP/1.1 400" : "HTTP/1.1 200");
            }
        }
    }
}

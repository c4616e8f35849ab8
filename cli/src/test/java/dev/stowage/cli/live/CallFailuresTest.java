package dev.stowage.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.cli.serve.ServiceConfiguration;
import dev.stowage.cli.serve.ServiceFile;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.testkit.FreePorts;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of addresses at which no service answers. */
final class CallFailuresTest {
    @TempDir
    private Path directory;

    @Test
    void wrongAddressesAreToldApart() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread speaks = new Thread(() -> {
                while (!other.isClosed()) {
                    try (Socket caller = other.accept()) {
                        caller.getOutputStream().write("SSH-2.0-Other\r\n".getBytes(StandardCharsets.US_ASCII));
                        caller.getOutputStream().flush();
                        // Until the caller has had enough.
                        caller.getInputStream().readAllBytes();
                    } catch (IOException e) {
                        return;
                    }
                }
            });
            speaks.setDaemon(true);
            speaks.start();
            Program wrong = Program.run("get", "x", "--at", "127.0.0.1:" + other.getLocalPort(), "--patience", "0 s");
            assertThat(wrong.code()).isEqualTo(1);
            assertThat(wrong.err()).contains("another program answers there, or a service that uses TLS");
        }
        assertThat(String.valueOf(CallFailures.of(Status.UNAVAILABLE
                                .withCause(new UnknownHostException(
                                        "Failed to resolve: [DnsQuestion(nowhere.invalid IN A)]"))
                                .asRuntimeException())
                        .getMessage()))
                .isEqualTo("there is no host 'nowhere.invalid': check the name in --at");
        assertThat(String.valueOf(CallFailures.of(Status.UNAVAILABLE
                                .withCause(new SSLHandshakeException("PKIX path building failed"))
                                .asRuntimeException())
                        .getMessage()))
                .isEqualTo(
                        "the TLS handshake failed (PKIX path building failed): give with --authority FILE the certificate"
                                + " that signed those of the nodes, and with --at an address that is in theirs");
        for (String alert : List.of(
                "Received fatal alert: bad_certificate",
                "error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED")) {
            assertThat(CallFailures.of(Status.UNAVAILABLE
                            .withCause(new SSLHandshakeException(alert))
                            .asRuntimeException()))
                    .hasMessage("the TLS handshake failed (" + alert + "): give with --certificate FILE a certificate"
                            + " that the nodes trust, and with --key FILE its key");
        }
    }

    /** The one that runs was not named, and a service was to be started. */
    @Test
    void aNodeThatKnowsNoLeaderIsNamedBesideOneThatIsNotThere() throws Exception {
        List<NodeSettings.Peer> peers = List.of(
                new NodeSettings.Peer("n1", "127.0.0.1:" + FreePorts.one()),
                new NodeSettings.Peer("n2", "127.0.0.1:" + FreePorts.one()));
        ServiceConfiguration service = ServiceFile.read("service.yaml", """
            nodes: [{id: n1, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
            cluster: {servers: {count: 1, cpu: 8}}
            policy: best-fit
            """, directory);
        String dead = "127.0.0.1:" + FreePorts.one();
        // Not the one that founds the group.
        try (RaftNode second = RaftNode.start(
                        NodeSettings.of("n2", peers, directory.resolve("second")), new Policies(), service.setting());
                ApiServer alone = ApiServer.start(second, ApiSettings.loopback(0))) {
            String alive = "127.0.0.1:" + alone.port();
            String said = "";
            // A busy machine may not answer in time.
            for (int i = 0; i < 100 && !said.contains("there is no leader"); i++) {
                said = Program.run("get", "x", "--at", dead + "," + alive, "--patience", "500 ms")
                        .err()
                        .replaceAll("\\s+", " ");
            }
            assertThat(said)
                    .contains("there is no leader: " + alive + " answers and knows of none; nothing listens at " + dead)
                    .doesNotContain("start a service");
        }
    }
}

package dev.stowage.kube.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.kube.AllTrusted;
import dev.stowage.kube.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Invalid certificates or keys are reported; new files are reloaded. GuardTest uses valid ones. */
final class ServerCertificateTest {
    @TempDir
    Path directory;

    @Test
    void whatIsNoCertificateOrNoKeyIsSaid() throws IOException {
        Path key = Files.writeString(directory.resolve("tls.key"), "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n");
        Path certificate = Files.writeString(directory.resolve("tls.crt"), "none");
        assertThatThrownBy(() -> new ServerCertificate(certificate, key))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tls.crt");
        Files.writeString(certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertThatThrownBy(() -> new ServerCertificate(key, certificate))
                .hasMessageContaining("tls.key is not a file of PEM")
                .hasMessageContaining("certificate and key are swapped");
        assertThatThrownBy(() -> new ServerCertificate(directory.resolve("missing"), key))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aDirectoryAndWhatHasEndedAreNamed() throws IOException {
        assertThatThrownBy(() -> new ServerCertificate(directory, directory.resolve("tls.key")))
                .hasMessage(directory + " is a directory; a PEM file is needed");
        Path certificate = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        TestCertificate.make(directory, "EC", certificate, key, "-startdate", "-200d", "-validity", "100");
        assertThatThrownBy(() -> new ServerCertificate(certificate, key))
                .hasMessageMatching("certificate .* and key .* cannot be used: the certificate ended at 20.*Z");
    }

    @Test
    void newFilesAreSeenByConnectionsFromThenOnAndHalfOfThemAreNot() throws Exception {
        Path certificate = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        TestCertificate.make(directory, "RSA", certificate, key);
        ServerCertificate serving = new ServerCertificate(certificate, key);
        X509Certificate first = read(certificate);
        try (SSLServerSocket listening = (SSLServerSocket)
                serving.context().getServerSocketFactory().createServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            assertThat(seen(listening)).isEqualTo(first);
            assertThat(serving.reload()).isFalse();
            Path nextKey = directory.resolve("next.key");
            TestCertificate.make(directory, "RSA", certificate, nextKey);
            // Only one of the two has been replaced.
            assertThatThrownBy(serving::reload).hasMessageContaining("the key is not the certificate's");
            assertThat(seen(listening)).isEqualTo(first);
            Files.copy(nextKey, key, StandardCopyOption.REPLACE_EXISTING);
            assertThat(serving.reload()).isTrue();
            assertThat(seen(listening)).isEqualTo(read(certificate)).isNotEqualTo(first);
        }
    }

    private static X509Certificate read(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    /** The certificate that a new connection sees; the server's end answers from another thread. */
    private static Certificate seen(SSLServerSocket listening) throws Exception {
        CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> {
            try (SSLSocket accepted = (SSLSocket) listening.accept()) {
                accepted.startHandshake();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (SSLSocket socket = (SSLSocket)
                AllTrusted.sockets().createSocket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
            socket.startHandshake();
            Certificate seen = socket.getSession().getPeerCertificates()[0];
            answered.join();
            return seen;
        }
    }
}

package dev.stowage.kube.guard;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is no certificate or key is said; that good ones serve is seen in GuardTest. */
final class ServerCertificateTest {
    @TempDir
    Path directory;

    @Test
    void whatIsNoCertificateOrNoKeyIsSaid() throws IOException {
        Path key = Files.writeString(directory.resolve("tls.key"), "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n");
        Path certificate = Files.writeString(directory.resolve("tls.crt"), "none");
        assertThatThrownBy(() -> ServerCertificate.tls(certificate, key))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tls.crt");
        assertThatThrownBy(() -> ServerCertificate.tls(directory.resolve("missing"), key))
                .isInstanceOf(IOException.class);
    }
}

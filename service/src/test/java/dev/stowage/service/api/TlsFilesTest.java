package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.raft.Tls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of TLS with which a node cannot serve. */
final class TlsFilesTest {
    @TempDir
    private Path directory;

    private Tls own;
    private Tls other;

    @BeforeEach
    void make() throws Exception {
        own = Certificates.make(directory, "own", false);
        other = Certificates.make(directory, "other", false);
    }

    private static List<String> mistakes(Path certificate, Path key, Path authority, Instant now) throws Exception {
        return TlsFiles.mistakes(new Tls(certificate, key, authority, false), now).stream()
                .map(mistake -> mistake.part() + ": " + mistake.what())
                .toList();
    }

    private List<String> mistakes(Path certificate, Path key, Path authority) throws Exception {
        return mistakes(certificate, key, authority, Instant.now());
    }

    @Test
    void whatIsSignedByTheAuthorityServes() throws Exception {
        keytool("-certreq", "-keystore", "own.p12", "-file", "own.csr");
        keytool("-gencert", "-keystore", "other.p12", "-rfc", "-infile", "own.csr", "-outfile", "signed.pem");
        Path signed = directory.resolve("signed.pem");
        assertThat(mistakes(signed, own.key(), other.certificate())).isEmpty();
        assertThat(mistakes(signed, own.key(), own.certificate()))
                .containsExactly("certificate: " + signed + " is not signed by " + own.certificate()
                        + ", so that other nodes and clients would refuse it");
    }

    @Test
    void aCertificateMayBeItsOwnAuthority() throws Exception {
        assertThat(mistakes(own.certificate(), own.key(), own.authority())).isEmpty();
    }

    @Test
    void theKeyMustBeTheCertificates() throws Exception {
        assertThat(mistakes(own.certificate(), other.key(), own.authority()))
                .containsExactly("key: " + other.key() + " is not the key of " + own.certificate());
    }

    @Test
    void eachFileMustHoldWhatItIsFor() throws Exception {
        Path empty = Files.createFile(directory.resolve("empty.pem"));
        assertThat(mistakes(empty, own.key(), own.key()))
                .containsExactly(
                        "certificate: " + empty + " has no certificate (PEM: BEGIN CERTIFICATE)",
                        "authority: " + own.key() + " has no certificate (PEM: BEGIN CERTIFICATE)");
        assertThat(mistakes(own.certificate(), empty, own.authority()))
                .singleElement()
                .asString()
                .startsWith("key: " + empty + " has no private key");
    }

    @Test
    void theCertificateMustBeValidNow() throws Exception {
        Instant now = Instant.now();
        assertThat(mistakes(own.certificate(), own.key(), own.authority(), now.plus(Duration.ofDays(3))))
                .singleElement()
                .asString()
                .contains("own.pem ended at ");
        assertThat(mistakes(own.certificate(), own.key(), own.authority(), now.minus(Duration.ofDays(1))))
                .singleElement()
                .asString()
                .contains("own.pem is valid only from ");
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", "changeit", "-alias", "node"));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}

package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.raft.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of TLS with which a node cannot serve, or others may refuse it. */
final class TlsFilesTest {
    @TempDir
    private static Path directory;

    private static Tls own;
    private static Tls other;
    private static Path root;
    /** What {@code other} signed for the key of {@code own}. */
    private static Path signed;

    /** Once for all tests: each takes seconds of processor time. */
    @BeforeAll
    static void make() throws Exception {
        own = Certificates.make(directory, "own", false);
        other = Certificates.make(directory, "other", false);
        root = Certificates.make(directory, "root", false).certificate();
        keytool("-certreq", "-keystore", "own.p12", "-file", "own.csr");
        keytool("-certreq", "-keystore", "other.p12", "-file", "other.csr");
        keytool("-gencert", "-keystore", "other.p12", "-rfc", "-infile", "own.csr", "-outfile", "signed.pem");
        signed = directory.resolve("signed.pem");
    }

    private static List<String> mistakes(Path certificate, Path key, Path authority, Instant now) throws Exception {
        return TlsFiles.mistakes(new Tls(certificate, key, authority, false), true, now).stream()
                .map(mistake -> (mistake.fatal() ? "" : "warning: ") + mistake.part() + ": " + mistake.what())
                .toList();
    }

    private List<String> mistakes(Path certificate, Path key, Path authority) throws Exception {
        return mistakes(certificate, key, authority, Instant.now());
    }

    @Test
    void whatIsSignedByTheAuthorityServes() throws Exception {
        assertThat(mistakes(signed, own.key(), other.certificate())).isEmpty();
        assertThat(mistakes(signed, own.key(), own.certificate()))
                .containsExactly("warning: certificate: " + signed + " is not signed by " + own.certificate()
                        + "; nodes and clients that trust no other authority refuse this node");
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
                .startsWith("warning: certificate: ")
                .contains("own.pem is valid only from ");
    }

    /** A chain of two: what was signed, and what signed it, which the authority signed. */
    private Path chain(String... days) throws Exception {
        List<String> between =
                new ArrayList<>(List.of("-gencert", "-keystore", "root.p12", "-rfc", "-ext", "BC=ca:true"));
        between.addAll(List.of("-infile", "other.csr", "-outfile", "between.pem"));
        between.addAll(List.of(days));
        keytool(between.toArray(String[]::new));
        return Files.writeString(
                directory.resolve("chain.pem"),
                Files.readString(signed) + "explained\n" + Files.readString(directory.resolve("between.pem")));
    }

    @Test
    void aChainServes() throws Exception {
        Path chain = chain();
        assertThat(mistakes(chain, own.key(), root)).isEmpty();
        assertThat(mistakes(signed, own.key(), root))
                .singleElement()
                .asString()
                .contains("signed.pem is not signed by " + root);
        assertThat(mistakes(chain, own.key(), join("both.pem", own.certificate(), root)))
                .isEmpty();
    }

    @Test
    void whatHasEndedBehindTheCertificateIsNamed() throws Exception {
        Path chain = chain("-startdate", "-3d", "-validity", "1");
        assertThat(mistakes(chain, own.key(), root))
                .singleElement()
                .asString()
                .startsWith("warning: certificate: " + chain + ": the certificate of CN=other in it ended at ");
    }

    @Test
    void whatAServerReadsIsNotRefused() throws Exception {
        Path both = join("both.pem", own.key(), own.certificate());
        assertThat(mistakes(both, both, own.authority())).isEmpty();
        Path marked = Files.writeString(
                directory.resolve("marked.pem"),
                "\ufeff" + Files.readString(own.certificate()),
                StandardCharsets.UTF_8);
        assertThat(mistakes(marked, own.key(), marked)).isEmpty();
    }

    /** Of such keys a node alone reads some, and a group none. */
    @Test
    void aGroupNeedsKeysOfOneKind() throws Exception {
        Path old = Files.writeString(
                directory.resolve("old.key"), Files.readString(own.key()).replace(" PRIVATE", " RSA PRIVATE"));
        assertThat(mistakes(own.certificate(), old, own.authority()))
                .singleElement()
                .asString()
                .startsWith("key: " + old + " has no private key")
                .contains("-out NEW.key");
    }

    private Path join(String name, Path one, Path other) throws IOException {
        return Files.writeString(directory.resolve(name), Files.readString(one) + Files.readString(other));
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
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

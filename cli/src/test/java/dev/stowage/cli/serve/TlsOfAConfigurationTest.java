package dev.stowage.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.service.api.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates and keys that are not there, or are something else, of a service and of its callers. */
final class TlsOfAConfigurationTest {
    @TempDir
    private Path directory;

    @Test
    void filesWithWhichANodeCannotServeAreNamedBeforeItStarts() throws IOException {
        Path key = Files.writeString(directory.resolve("node.key"), "no key");
        Path file = Files.writeString(directory.resolve("service.yaml"), """
                nodes: [{id: a, api: "127.0.0.1:7411", raft: "127.0.0.1:7511"}]
                cluster: {servers: {count: 3, cpu: 8, memory: 16 GiB}}
                tls: {certificate: "{id}.pem", key: nod.key, authority: .}
                """);
        Program refused = Program.run("serve", "--config", file.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().replaceAll("\\n\\s*", " "))
                .contains("3 mistakes")
                .contains("tls.certificate: " + directory.resolve("a.pem") + ": no such file")
                .contains("tls.key: " + directory.resolve("nod.key") + ": no such file; did you mean " + key)
                .contains("tls.authority: " + directory.resolve(".") + ": it is a directory");
        Files.writeString(directory.resolve("a.pem"), "no certificate");
        Files.writeString(
                file,
                Files.readString(file).replace("nod.key", "node.key").replace("authority: .", "authority: a.pem"));
        assertThat(Program.run("serve", "--config", file.toString()).err().replaceAll("\\n\\s*", " "))
                .contains("tls.certificate: " + directory.resolve("a.pem") + " has no certificate");
        Program client = Program.run("status", "--authority", key.toString());
        assertThat(client.code()).isEqualTo(2);
        assertThat(client.err().replaceAll("\\n\\s*", " "))
                .contains("node.key is not a file with the authority's certificate (PEM)");
        assertThat(Program.run("status", "--authority", directory.toString()).err())
                .contains("it is a directory");
    }

    /** What is to be exported named addresses without TLS, at which a service with TLS does not answer. */
    @Test
    void whereAServiceHasTlsItsAddressesSaySo() {
        String file = """
                nodes: [{id: a, api: "0.0.0.0:7411", raft: "0.0.0.0:7511"}]
                cluster: {servers: {count: 3, cpu: 8, memory: 16 GiB}}
                tls: {certificate: a.pem, key: a.key, authority: ca.pem}
                tokens: [{name: ops, role: operator, tenants: all, sha256: HASH}]
                """.replace("HASH", Token.hash("x"));
        assertThat(ServedGroup.at(ServiceFile.read("service.yaml", file, directory)))
                .isEqualTo("https://0.0.0.0:7411");
    }
}

package dev.stowage.service.api;

import dev.stowage.service.raft.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** Certificates for tests, each its own authority, made by the JDK's keytool. */
public final class Certificates {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private Certificates() {}

    static Tls make(Path directory, String name, boolean clients) throws IOException, InterruptedException {
        return make(directory, name, clients, List.of());
    }

    /** The same for further addresses, too. */
    public static Tls make(Path directory, String name, boolean clients, List<String> addresses)
            throws IOException, InterruptedException {
        StringBuilder names = new StringBuilder("SAN=ip:127.0.0.1,dns:localhost");
        addresses.forEach(address -> names.append(",ip:").append(address));
        Path store = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD),
                        "-storetype",
                        "PKCS12",
                        "-alias",
                        "node",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        names.toString(),
                        "-ext",
                        "BC=ca:true",
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException(said);
        }
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD);
            Path certificate = pem(
                    directory.resolve(name + ".pem"),
                    "CERTIFICATE",
                    keys.getCertificate("node").getEncoded());
            Path key = pem(
                    directory.resolve(name + ".key"),
                    "PRIVATE KEY",
                    keys.getKey("node", PASSWORD).getEncoded());
            return new Tls(certificate, key, certificate, clients);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static Path pem(Path file, String what, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
    }
}

package dev.stowage.kube;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A self-signed certificate for 127.0.0.1, and its key. */
public final class TestCertificate {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private TestCertificate() {}

    /**
     * Writes both as PEM; temporary files go into the directory. The algorithm is EC or RSA, whose key takes twice the
     * processor time; keytool takes more arguments.
     */
    public static void make(Path directory, String algorithm, Path certificate, Path key, String... more)
            throws IOException {
        Path store = Files.createTempDirectory(directory, "key").resolve("store.p12");
        try {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-J-XX:TieredStopAtLevel=1",
                    "-J-XX:+UseSerialGC",
                    "-genkeypair",
                    "-keyalg",
                    algorithm,
                    "-alias",
                    "guard",
                    "-dname",
                    "CN=guard",
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    new String(PASSWORD)));
            command.addAll(List.of(more));
            Process keytool = new ProcessBuilder(command).inheritIO().start();
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool failed");
            }
            KeyStore made = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                made.load(in, PASSWORD);
            }
            Files.writeString(
                    certificate, pem("CERTIFICATE", made.getCertificate("guard").getEncoded()));
            Files.writeString(
                    key, pem("PRIVATE KEY", made.getKey("guard", PASSWORD).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }
}

package dev.stowage.kube.guard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The certificate and key of a server, from PEM files as {@code kubectl create secret tls} takes them. */
final class ServerCertificate {
    private static final Pattern PKCS8 = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
    private static final char[] NO_PASSWORD = new char[0];

    private ServerCertificate() {}

    /**
     * What a server needs for TLS.
     *
     * @throws IOException if the files cannot be read, or are not what they should be
     */
    static SSLContext tls(Path certificate, Path key) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            Certificate[] chain = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .toArray(Certificate[]::new);
            PrivateKey secret = privateKey(key, chain[0].getPublicKey().getAlgorithm());
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("server", secret, NO_PASSWORD, chain);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, NO_PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | ArrayIndexOutOfBoundsException e) {
            throw new IOException("certificate " + certificate + " and key " + key + " cannot be used: " + e, e);
        }
    }

    private static PrivateKey privateKey(Path file, String algorithm) throws IOException, GeneralSecurityException {
        Matcher pem = PKCS8.matcher(Files.readString(file, StandardCharsets.US_ASCII));
        if (!pem.find()) {
            throw new IOException(file + " has no 'BEGIN PRIVATE KEY' (PKCS #8); of another form of key"
                    + " 'openssl pkcs8 -topk8 -nocrypt -in FILE' makes one");
        }
        byte[] bytes = Base64.getMimeDecoder().decode(pem.group(1));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    }
}

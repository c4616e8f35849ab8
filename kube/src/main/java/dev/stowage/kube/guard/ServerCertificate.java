package dev.stowage.kube.guard;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate and key of a server, from PEM files as {@code kubectl create secret tls} takes them. They are read
 * again by {@link #reload}: connections that are made from then on see the new ones.
 */
final class ServerCertificate extends X509ExtendedKeyManager {
    private static final Pattern PKCS8 = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
    private static final String ALIAS = "server";
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private record ChainAndKey(String certificateText, String keyText, X509Certificate[] chain, PrivateKey key) {}

    private final Path certificate;
    private final Path key;
    private volatile ChainAndKey pair;

    /**
     * With the present content of the files.
     *
     * @throws IOException if they cannot be read, or are invalid
     */
    ServerCertificate(Path certificate, Path key) throws IOException {
        this.certificate = certificate;
        this.key = key;
        pair = read();
    }

    /** The TLS context of a server; it uses the files that were read last. */
    SSLContext context() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {this}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /**
     * Reads the files again. Returns whether they have changed.
     *
     * @throws IOException if they are invalid, or do not match because only one of them has been replaced so far: then
     *     the old ones stay in use
     */
    boolean reload() throws IOException {
        ChainAndKey before = pair;
        if (text(certificate).equals(before.certificateText()) && text(key).equals(before.keyText())) {
            return false;
        }
        pair = read();
        return true;
    }

    private static String text(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + " is a directory; a PEM file is needed");
        }
        return Files.readString(file, StandardCharsets.US_ASCII);
    }

    private ChainAndKey read() throws IOException {
        String certificateText = text(certificate);
        String keyText = text(key);
        mustHave("certificate " + certificate, certificateText, "CERTIFICATE", keyText);
        mustHave("key " + key, keyText, "PRIVATE KEY", certificateText);
        try {
            X509Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificateText.getBytes(StandardCharsets.US_ASCII)))
                    .stream()
                    .toArray(X509Certificate[]::new);
            PrivateKey secret = privateKey(keyText, chain[0].getPublicKey().getAlgorithm());
            checkTogether(chain[0].getPublicKey(), secret);
            if (Instant.now().isAfter(chain[0].getNotAfter().toInstant())) {
                throw new CertificateExpiredException(
                        "the certificate ended at " + chain[0].getNotAfter().toInstant());
            }
            return new ChainAndKey(certificateText, keyText, chain, secret);
        } catch (CertificateExpiredException | InvalidKeyException e) {
            throw new IOException(
                    "certificate " + certificate + " and key " + key + " cannot be used: " + e.getMessage(), e);
        } catch (GeneralSecurityException | ArrayIndexOutOfBoundsException | IllegalArgumentException e) {
            throw new IOException("certificate " + certificate + " and key " + key + " cannot be used: " + e, e);
        }
    }

    /** Refuses a file of PEM that has no block of a kind. */
    private static void mustHave(String what, String text, String kind, String other) throws IOException {
        String end = kind + "-----";
        if (!text.contains(end)) {
            throw new IOException(what + " is not a file of PEM with -----BEGIN " + kind + "-----"
                    + (other.contains(end) ? "; the other file is: certificate and key are swapped" : ""));
        }
    }

    private PrivateKey privateKey(String text, String algorithm) throws IOException, GeneralSecurityException {
        Matcher pem = PKCS8.matcher(text);
        if (!pem.find()) {
            throw new IOException(key + " has no 'BEGIN PRIVATE KEY' (PKCS #8); convert another form of key with"
                    + " 'openssl pkcs8 -topk8 -nocrypt -in FILE'");
        }
        byte[] bytes = Base64.getMimeDecoder().decode(pem.group(1));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    }

    private static void checkTogether(PublicKey known, PrivateKey secret) throws GeneralSecurityException {
        String signature = SIGNATURES.get(secret.getAlgorithm());
        if (signature == null) {
            throw new InvalidKeyException(secret.getAlgorithm() + " keys are not supported");
        }
        byte[] text = ALIAS.getBytes(StandardCharsets.US_ASCII);
        Signature signing = Signature.getInstance(signature);
        signing.initSign(secret);
        signing.update(text);
        Signature verifying = Signature.getInstance(signature);
        verifying.initVerify(known);
        verifying.update(text);
        if (!verifying.verify(signing.sign())) {
            throw new InvalidKeyException("the key is not the certificate's");
        }
    }

    // ---- methods called by TLS

    private boolean has(String keyType) {
        String algorithm = pair.key().getAlgorithm();
        return keyType.equals(algorithm) || keyType.startsWith(algorithm + "_") || keyType.startsWith("Ed");
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return has(keyType) ? new String[] {ALIAS} : null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return has(keyType) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return has(keyType) ? ALIAS : null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return pair.chain().clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return pair.key();
    }
}

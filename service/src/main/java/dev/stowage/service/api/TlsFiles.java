package dev.stowage.service.api;

import com.linecorp.armeria.common.TlsKeyPair;
import dev.stowage.service.raft.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the files of {@link Tls} hold. */
public final class TlsFiles {
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");
    private static final byte[] ANY_TEXT = {1, 2, 3};

    /**
     * Why a node cannot serve with the files.
     *
     * @param part the part of {@link Tls}
     * @param what what is wrong with its file
     */
    public record Mistake(String part, String what) {}

    private TlsFiles() {}

    /** When the certificate ends, nanoseconds since 1970; 0 if there is none, or its file is no longer valid. */
    static long endNanos(@Nullable Tls tls) {
        if (tls == null) {
            return 0;
        }
        try {
            Instant end = certificates(tls.certificate()).get(0).getNotAfter().toInstant();
            return TimeUnit.SECONDS.toNanos(end.getEpochSecond());
        } catch (IOException | CertificateException e) {
            return 0;
        }
    }

    /**
     * All that keeps a node from serving, or others from calling it: TLS itself says it late, and without a file.
     *
     * @throws IOException if a file cannot be read
     */
    public static List<Mistake> mistakes(Tls tls, Instant now) throws IOException {
        List<Mistake> mistakes = new ArrayList<>();
        List<X509Certificate> own = certificates("certificate", tls.certificate(), mistakes);
        List<X509Certificate> authority = certificates("authority", tls.authority(), mistakes);
        PrivateKey key = null;
        try {
            key = TlsKeyPair.of(tls.key().toFile(), tls.certificate().toFile()).privateKey();
        } catch (IllegalArgumentException e) {
            if (!own.isEmpty()) {
                mistakes.add(new Mistake(
                        "key",
                        tls.key() + " has no private key (PEM, PKCS #8: BEGIN PRIVATE KEY); 'openssl pkcs8 -topk8"
                                + " -nocrypt -in FILE' converts others"));
            }
        }
        if (own.isEmpty()) {
            return mistakes;
        }
        X509Certificate first = own.get(0);
        if (key != null && !together(first, key)) {
            mistakes.add(new Mistake("key", tls.key() + " is not the key of " + tls.certificate()));
        }
        Instant begin = first.getNotBefore().toInstant();
        Instant end = first.getNotAfter().toInstant();
        if (now.isAfter(end)) {
            mistakes.add(new Mistake("certificate", tls.certificate() + " ended at " + end + "; make a new one"));
        } else if (now.isBefore(begin)) {
            mistakes.add(new Mistake(
                    "certificate",
                    tls.certificate() + " is valid only from " + begin + " on; this machine's clock says "
                            + now.truncatedTo(ChronoUnit.SECONDS)));
        } else if (!authority.isEmpty() && !authority.contains(first) && !signed(own, authority, now)) {
            mistakes.add(new Mistake(
                    "certificate",
                    tls.certificate() + " is not signed by " + tls.authority()
                            + ", so that other nodes and clients would refuse it"));
        }
        return mistakes;
    }

    private static List<X509Certificate> certificates(String part, Path file, List<Mistake> mistakes)
            throws IOException {
        try {
            return certificates(file);
        } catch (CertificateException e) {
            mistakes.add(new Mistake(part, file + " has no certificate (PEM: BEGIN CERTIFICATE)"));
            return List.of();
        }
    }

    /** The certificates of a file, at least one; the first of a node's is its own. */
    private static List<X509Certificate> certificates(Path file) throws IOException, CertificateException {
        try (InputStream in = Files.newInputStream(file)) {
            List<X509Certificate> all = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (all.isEmpty()) {
                throw new CertificateException("none");
            }
            return all;
        }
    }

    private static boolean together(X509Certificate certificate, PrivateKey key) {
        String algorithm = SIGNATURES.get(key.getAlgorithm());
        if (algorithm == null) {
            return true; // TLS says what it does not support
        }
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(ANY_TEXT);
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(certificate.getPublicKey());
            verifying.update(ANY_TEXT);
            return verifying.verify(signing.sign());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static boolean signed(List<X509Certificate> own, List<X509Certificate> authority, Instant now) {
        try {
            Set<TrustAnchor> anchors =
                    authority.stream().map(one -> new TrustAnchor(one, null)).collect(Collectors.toSet());
            X509CertSelector first = new X509CertSelector();
            first.setCertificate(own.get(0));
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, first);
            parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(own)));
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(now));
            CertPathBuilder.getInstance("PKIX").build(parameters);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}

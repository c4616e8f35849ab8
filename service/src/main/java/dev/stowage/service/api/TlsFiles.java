package dev.stowage.service.api;

import com.linecorp.armeria.common.TlsKeyPair;
import dev.stowage.service.raft.Tls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXReason;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the files of {@link Tls} hold. */
public final class TlsFiles {
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");
    private static final byte[] ANY_TEXT = {1, 2, 3};

    /** What a server looks for in a file of certificates; it may have keys and explanations beside them. */
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN [^-]*CERTIFICATE-----.*?-----END [^-]*CERTIFICATE-----", Pattern.DOTALL);

    /**
     * What is wrong with the files.
     *
     * @param part the part of {@link Tls}
     * @param what what is wrong with its file
     * @param fatal whether the node cannot serve with it; else that depends on what others have
     */
    public record Mistake(String part, String what, boolean fatal) {
        Mistake(String part, String what) {
            this(part, what, true);
        }
    }

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
     * All that keeps a node from serving, or may keep others from calling it: TLS itself says it late, and without a
     * file.
     *
     * @param group whether there are other nodes
     * @throws IOException if a file cannot be read
     */
    public static List<Mistake> mistakes(Tls tls, boolean group, Instant now) throws IOException {
        List<Mistake> mistakes = new ArrayList<>();
        List<X509Certificate> own = certificates("certificate", tls.certificate(), mistakes);
        List<X509Certificate> authority = certificates("authority", tls.authority(), mistakes);
        PrivateKey key = own.isEmpty() ? null : key(tls, group, mistakes);
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
                            + now.truncatedTo(ChronoUnit.SECONDS),
                    false));
        } else if (!authority.isEmpty() && !authority.contains(first)) {
            String why = notTrusted(own, authority, tls, now);
            if (why != null) {
                mistakes.add(new Mistake(
                        "certificate",
                        why + "; nodes and clients that trust no other authority refuse this node",
                        false));
            }
        }
        return mistakes;
    }

    private static @Nullable PrivateKey key(Tls tls, boolean group, List<Mistake> mistakes) throws IOException {
        try {
            // Between nodes only PKCS #8 is read.
            if (!group
                    || Files.readString(tls.key(), StandardCharsets.ISO_8859_1).contains("BEGIN PRIVATE KEY")) {
                return TlsKeyPair.of(tls.key().toFile(), tls.certificate().toFile())
                        .privateKey();
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        mistakes.add(new Mistake(
                "key",
                tls.key() + " has no private key (PEM, PKCS #8: BEGIN PRIVATE KEY); 'openssl pkcs8 -topk8 -nocrypt"
                        + " -in OLD.key -out NEW.key' converts others"));
        return null;
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
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> all = new ArrayList<>();
        Matcher blocks = CERTIFICATE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        while (blocks.find()) {
            byte[] block = blocks.group().getBytes(StandardCharsets.ISO_8859_1);
            all.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
        }
        if (all.isEmpty()) {
            throw new CertificateException("none");
        }
        return all;
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

    /** Why those who trust an authority do not trust a certificate with those behind it, or null. */
    private static @Nullable String notTrusted(
            List<X509Certificate> own, List<X509Certificate> authority, Tls tls, Instant now) {
        Set<TrustAnchor> anchors =
                authority.stream().map(one -> new TrustAnchor(one, null)).collect(Collectors.toSet());
        try {
            X509CertSelector first = new X509CertSelector();
            first.setCertificate(own.get(0));
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, first);
            parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(own)));
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(now));
            CertPathBuilder.getInstance("PKIX").build(parameters);
            return null;
        } catch (GeneralSecurityException e) {
            return whyNot(own.stream().filter(one -> !authority.contains(one)).toList(), anchors, tls, now);
        }
    }

    /** What is wrong with a path: building one only says that there is none. */
    private static String whyNot(List<X509Certificate> path, Set<TrustAnchor> anchors, Tls tls, Instant now) {
        String unsigned = tls.certificate() + " is not signed by " + tls.authority();
        try {
            PKIXParameters parameters = new PKIXParameters(anchors);
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(now));
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
            return unsigned;
        } catch (CertPathValidatorException e) {
            if (e.getReason() == PKIXReason.NO_TRUST_ANCHOR) {
                return unsigned;
            }
            X509Certificate at = e.getIndex() < 0 ? path.get(0) : path.get(e.getIndex());
            return tls.certificate() + ": "
                    + (e.getReason() == BasicReason.EXPIRED
                            ? "the certificate of " + at.getSubjectX500Principal() + " in it ended at "
                                    + at.getNotAfter().toInstant()
                            : "the certificate of " + at.getSubjectX500Principal() + " in it: " + e.getMessage());
        } catch (GeneralSecurityException e) {
            return unsigned;
        }
    }
}

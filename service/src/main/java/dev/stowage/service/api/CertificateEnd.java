package dev.stowage.service.api;

import dev.stowage.service.raft.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** When a node's certificate ends. */
final class CertificateEnd {
    private CertificateEnd() {}

    /** Nanoseconds since 1970; 0 if there is no certificate, or its file is no longer valid. */
    static long nanos(@Nullable Tls tls) {
        if (tls == null) {
            return 0;
        }
        try (InputStream in = Files.newInputStream(tls.certificate())) {
            // The first of the file is the node's own.
            Instant end = ((X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in))
                    .getNotAfter()
                    .toInstant();
            return TimeUnit.SECONDS.toNanos(end.getEpochSecond());
        } catch (IOException | CertificateException e) {
            return 0;
        }
    }
}

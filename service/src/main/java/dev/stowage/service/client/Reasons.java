package dev.stowage.service.client;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a call failed, from its trailers. */
public final class Reasons {
    private static final Metadata.Key<String> REASON = key("stowage-reason");
    private static final Metadata.Key<String> FIELD = key("stowage-field");
    private static final Metadata.Key<String> LEADER = key("stowage-leader");
    private static final Metadata.Key<String> RETRY = key("stowage-retry-after-millis");

    /** As in TLSV1_ALERT_CERTIFICATE_REQUIRED of OpenSSL, and "fatal alert: bad_certificate" of the JDK. */
    private static final Pattern CERTIFICATE_ALERT =
            Pattern.compile("alert.*(certificate|unknown_ca)", Pattern.CASE_INSENSITIVE);

    private Reasons() {}

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** The stable reason, as FITS_NO_SERVER; the name of the gRPC status where the service gave none. */
    public static String reason(Throwable thrown) {
        String reason = trailer(thrown, REASON);
        return reason == null ? Status.fromThrowable(thrown).getCode().name() : reason;
    }

    /** The field of the request that the service's message begins with; null if it is about none. */
    public static @Nullable String field(Throwable thrown) {
        return trailer(thrown, FIELD);
    }

    /** Whether the same call may succeed if it is repeated at once or a little later. */
    static boolean passing(Throwable thrown) {
        if (!(thrown instanceof StatusRuntimeException || thrown instanceof StatusException)) {
            return false;
        }
        return switch (Status.fromThrowable(thrown).getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> true;
            case RESOURCE_EXHAUSTED -> overloaded(thrown);
            // A connection that broke in the middle of an answer.
            case UNKNOWN, INTERNAL -> !isOfService(thrown);
            default -> false;
        };
    }

    /** Whether a service said why, as only a service does. */
    static boolean isOfService(Throwable thrown) {
        return trailer(thrown, REASON) != null;
    }

    /**
     * Whether no service is to be expected at the address: nothing listens, there is no such host, or a certificate is
     * not accepted, the node's or the caller's.
     */
    static boolean refused(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof UnknownHostException
                    || at instanceof CertificateException
                    || speaksNoTls(at)
                    || wantsCertificate(at)) {
                return true;
            }
            if (at instanceof ConnectException) {
                return String.valueOf(at.getMessage()).contains("refused");
            }
        }
        return false;
    }

    /** Whether what answers does not use TLS. */
    public static boolean speaksNoTls(Throwable thrown) {
        return thrown instanceof SSLException
                && String.valueOf(thrown.getMessage()).contains("not an SSL/TLS record");
    }

    /** Whether the node refuses the caller's certificate, or the lack of one: an alert is about what it was sent. */
    public static boolean wantsCertificate(Throwable thrown) {
        return thrown instanceof SSLException
                && CERTIFICATE_ALERT
                        .matcher(String.valueOf(thrown.getMessage()))
                        .find();
    }

    /** Whether the node that answered does not remember what another may. */
    static boolean forgotten(Throwable thrown) {
        return "POSITION_FORGOTTEN".equals(trailer(thrown, REASON));
    }

    /** Whether the node that answered has too much to do: another would not help. */
    static boolean overloaded(Throwable thrown) {
        return Status.fromThrowable(thrown).getCode() == Status.Code.RESOURCE_EXHAUSTED
                && trailer(thrown, RETRY) != null;
    }

    /** Address of the leader, if the failure has it. */
    static @Nullable String leader(Throwable thrown) {
        return trailer(thrown, LEADER);
    }

    private static @Nullable String trailer(Throwable thrown, Metadata.Key<String> key) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            Metadata trailers = at instanceof StatusRuntimeException runtime
                    ? runtime.getTrailers()
                    : at instanceof StatusException checked ? checked.getTrailers() : null;
            if (trailers != null) {
                return trailers.get(key);
            }
        }
        return null;
    }
}

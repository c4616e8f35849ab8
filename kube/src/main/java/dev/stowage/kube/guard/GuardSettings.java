package dev.stowage.kube.guard;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a guard works.
 *
 * @param port port, 0 for a free one
 * @param certificate PEM file with the certificate that the API server is to see, and those that it was made with
 * @param key PEM file with its key
 * @param allowsWhenUnsure lets bindings through that it cannot judge, because it has not listed the cluster yet or the
 *     API server does not answer
 * @param settle it judges only so long after it has listed the cluster: what an earlier one let through may take effect
 *     until then. The API server gives a request up after a minute ({@code --request-timeout})
 */
public record GuardSettings(int port, Path certificate, Path key, boolean allowsWhenUnsure, Duration settle) {
    /** So long a binding that was let through may still take effect. */
    public static final Duration LONGEST_REQUEST = Duration.ofSeconds(60);
}

package dev.stowage.kube.guard;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a guard works.
 *
 * @param port port, 0 for a free one
 * @param certificate PEM file with the certificate to show to the API server, and its chain
 * @param key PEM file with its key
 * @param allowsWhenUnsure allows bindings that it cannot judge, because it has not listed the cluster yet or the API
 *     server does not answer
 * @param settle time after listing the cluster from which it judges: until then a binding that an earlier guard allowed
 *     may take effect. The API server gives a request up after a minute ({@code --request-timeout})
 */
public record GuardSettings(int port, Path certificate, Path key, boolean allowsWhenUnsure, Duration settle) {
    /** For this long an allowed binding may still take effect. */
    public static final Duration LONGEST_REQUEST = Duration.ofSeconds(60);
}

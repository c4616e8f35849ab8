package dev.stowage.kube.guard;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a guard works.
 *
 * @param port port, 0 for a free one
 * @param certificate PEM file with the certificate to show to the API server, and its chain
 * @param key PEM file with its key
 * @param allowsWhenUnsure allows bindings that it cannot check, because it has not listed the cluster yet or the API
 *     server does not answer
 * @param namespace where guards write down what they have allowed: a ConfigMap for each node
 * @param longestRequest for this long an allowed binding may still take effect: after that the API server has given the
 *     request up ({@code --request-timeout})
 */
public record GuardSettings(
        int port, Path certificate, Path key, boolean allowsWhenUnsure, String namespace, Duration longestRequest) {
    /** The limit of an API server that is not told another. */
    public static final Duration USUAL_REQUEST = Duration.ofSeconds(60);
}

package dev.stowage.service.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a service.
 *
 * @param addresses {@code host:port} of one or more of its nodes; the leader is found from any
 * @param tls whether it is reached over TLS
 * @param authority certificates that sign the nodes', PEM; null for those that the JVM trusts
 * @param certificate own certificate for mutual TLS, PEM, or null
 * @param key its private key, PEM, or null
 * @param token bearer token, or null
 * @param patience how long a call is retried before it fails
 */
public record ClientSettings(
        List<String> addresses,
        boolean tls,
        @Nullable Path authority,
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable String token,
        Duration patience) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Takes a copy. */
    public ClientSettings {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("no address to reach the service at");
        }
    }

    /** Without TLS or token: a service on this machine. */
    public static ClientSettings plain(List<String> addresses) {
        return new ClientSettings(addresses, false, null, null, null, null, PATIENCE);
    }

    /** The same with another patience. */
    public ClientSettings withPatience(Duration longest) {
        return new ClientSettings(addresses, tls, authority, certificate, key, token, longest);
    }
}

package dev.stowage.service.agent;

import dev.stowage.service.v1.AttemptRequest;
import dev.stowage.service.v1.Request;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * One stay of a request on this server.
 *
 * @param tenant whose request
 * @param id the client's id
 * @param attempt number of this stay, counting the request's stays on any server
 */
record Stay(String tenant, String id, int attempt) {
    private static final String BETWEEN = "~";

    static Stay of(Request request) {
        return new Stay(request.getTenant(), request.getRequestId(), request.getAttempt());
    }

    /** A key that names it, also in file names. */
    String key() {
        return encoded(tenant) + BETWEEN + encoded(id) + BETWEEN + attempt;
    }

    /**
     * That of a word.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Stay ofKey(String key) {
        String[] parts = key.split(BETWEEN, -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'" + key + "' does not name an attempt of a request");
        }
        return new Stay(decoded(parts[0]), decoded(parts[1]), Integer.parseInt(parts[2]));
    }

    AttemptRequest message() {
        return AttemptRequest.newBuilder()
                .setTenant(tenant)
                .setRequestId(id)
                .setAttempt(attempt)
                .build();
    }

    /** For people. */
    @Override
    public String toString() {
        return "request " + id + (tenant.isEmpty() ? "" : " of tenant " + tenant) + ", attempt " + attempt;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("*", "%2A");
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}

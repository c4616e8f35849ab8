package dev.stowage.service.api;

import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may call: everybody if there are no tokens, else only callers with one. The tokens may be replaced while the
 * service runs.
 */
public final class Access {
    /** Everybody may do everything; for loopback only. */
    public static final Access OPEN = new Access(List.of());

    private static final String BEARER = "Bearer ";

    private final boolean guarded;
    private final InstantSource clock;
    private volatile Known known;

    /** Tokens and their hashes, in the same order. */
    private record Known(List<Token> tokens, List<byte[]> hashes) {
        static Known of(List<Token> tokens) {
            return new Known(
                    List.copyOf(tokens),
                    tokens.stream()
                            .map(token -> HexFormat.of().parseHex(token.sha256()))
                            .toList());
        }
    }

    /** With the tokens that are known. */
    public Access(List<Token> tokens) {
        this(tokens, InstantSource.system());
    }

    Access(List<Token> tokens, InstantSource clock) {
        guarded = !tokens.isEmpty();
        known = Known.of(tokens);
        this.clock = clock;
    }

    /** Whether a token is needed. */
    public boolean guarded() {
        return guarded;
    }

    /** The known tokens, including expired ones. */
    public List<Token> tokens() {
        return known.tokens();
    }

    /**
     * Replaces the known tokens.
     *
     * @throws IllegalArgumentException if a service with tokens were to have none, or one without were to have some
     */
    public void replace(List<Token> tokens) {
        if (tokens.isEmpty() == guarded) {
            throw new IllegalArgumentException(
                    guarded
                            ? "no token is left; a service that started with tokens needs at least one"
                            : "a service that started without tokens gets them only at its next start");
        }
        known = Known.of(tokens);
    }

    /** Whether the token of a caller is still valid. */
    boolean stillKnows(Caller caller) {
        Token token = caller.token();
        return token == null || (known.tokens().contains(token) && !expired(token));
    }

    private boolean expired(Token token) {
        Instant end = token.expires();
        return end != null && !clock.instant().isBefore(end);
    }

    /** The caller for this value of the header {@code authorization}; one without rights if it is unknown. */
    Caller caller(@Nullable String authorization) {
        if (!guarded) {
            return Caller.ANYBODY;
        }
        if (authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Caller.WITHOUT_TOKEN;
        }
        byte[] hash = Token.digest(authorization.substring(BEARER.length()).strip());
        Known now = known;
        Token found = null;
        // All are compared, each in constant time, so that timing reveals nothing.
        for (int i = 0; i < now.hashes().size(); i++) {
            if (MessageDigest.isEqual(hash, now.hashes().get(i))) {
                found = now.tokens().get(i);
            }
        }
        if (found == null) {
            return Caller.WRONG_TOKEN;
        }
        return expired(found) ? Caller.expired(found) : new Caller(found);
    }
}

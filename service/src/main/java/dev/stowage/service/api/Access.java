package dev.stowage.service.api;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may call: everybody where there are no tokens, else those with one. */
public final class Access {
    /** Everybody may do everything; for loopback only. */
    public static final Access OPEN = new Access(List.of());

    private static final String BEARER = "Bearer ";

    private final List<Token> tokens;
    private final byte[][] hashes;

    /** With the tokens that are known. */
    public Access(List<Token> tokens) {
        this.tokens = List.copyOf(tokens);
        hashes = this.tokens.stream()
                .map(token -> HexFormat.of().parseHex(token.sha256()))
                .toArray(byte[][]::new);
    }

    /** Whether a token is needed. */
    public boolean guarded() {
        return hashes.length > 0;
    }

    /** Who sends this value of the header {@code authorization}; a caller without rights if nobody knows. */
    Caller caller(@Nullable String authorization) {
        if (!guarded()) {
            return Caller.ANYBODY;
        }
        if (authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Caller.WITHOUT_TOKEN;
        }
        byte[] hash = Token.digest(authorization.substring(BEARER.length()).strip());
        Caller found = Caller.WRONG_TOKEN;
        // All are compared, each in constant time: how long it takes tells nothing.
        for (int i = 0; i < hashes.length; i++) {
            if (MessageDigest.isEqual(hash, hashes[i])) {
                found = new Caller(tokens.get(i));
            }
        }
        return found;
    }
}

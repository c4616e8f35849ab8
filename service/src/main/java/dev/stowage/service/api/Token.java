package dev.stowage.service.api;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A bearer token as it is stored. Tokens are random and long, so a plain hash is enough: there is nothing to guess.
 *
 * @param name whose it is, for the audit trail
 * @param sha256 hash of the token, 64 hexadecimal digits
 * @param role what it allows
 * @param tenants its tenants, or {@link #ALL}
 * @param expires when it expires, or null
 */
public record Token(
        String name,
        String sha256,
        Role role,
        Set<String> tenants,
        @Nullable Instant expires) {
    /** For all tenants. No tenant has this name. */
    public static final Set<String> ALL = Set.of("*");

    /** Takes a copy, and checks the hash. */
    public Token {
        tenants = Set.copyOf(new TreeSet<>(tenants));
        if (!sha256.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("sha256 of token " + name + " must be 64 hexadecimal digits");
        }
        if (tenants.isEmpty()) {
            throw new IllegalArgumentException(
                    "token " + name + " names no tenant; name those that it is for, or 'all'");
        }
        if ((role == Role.OPERATOR || role == Role.AGENT) && !tenants.equals(ALL)) {
            throw new IllegalArgumentException("token " + name + " has the role "
                    + role.name().toLowerCase(Locale.ROOT) + ", which is not bound to tenants");
        }
    }

    /** One that does not expire. */
    public Token(String name, String sha256, Role role, Set<String> tenants) {
        this(name, sha256, role, tenants, null);
    }

    /** The stored hash of a token. */
    public static String hash(String token) {
        return HexFormat.of().formatHex(digest(token));
    }

    static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}

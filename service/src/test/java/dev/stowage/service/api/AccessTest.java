package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tokens that expire and are replaced, in a time that the test makes. */
final class AccessTest {
    private static final Instant END = Instant.parse("2026-06-01T00:00:00Z");
    private Instant now = END.minusSeconds(1);

    private static Token token(String name, Instant expires) {
        return new Token(name, Token.hash(name + "-token"), Role.READER, Set.of("acme"), expires);
    }

    private static String said(Caller caller) {
        try {
            caller.mustBeKnown();
            return "let in";
        } catch (Failure e) {
            return e.text();
        }
    }

    @Test
    void aTokenExpires() {
        Access access = new Access(List.of(token("a", END), token("b", null)), () -> now);
        Caller a = access.caller("Bearer a-token");
        assertThat(said(a)).isEqualTo("let in");
        assertThat(access.stillKnows(a)).isTrue();
        now = END;
        assertThat(said(access.caller("Bearer a-token")))
                .isEqualTo("NOT_KNOWN: token 'a' expired at 2026-06-01T00:00:00Z; ask an operator for a new one");
        assertThat(access.stillKnows(a)).isFalse();
        assertThat(said(access.caller("Bearer b-token"))).isEqualTo("let in");
    }

    @Test
    void tokensAreReplacedAllAtOnce() {
        Access access = new Access(List.of(token("a", null)), () -> now);
        Caller a = access.caller("Bearer a-token");
        access.replace(List.of(token("b", null)));
        assertThat(said(access.caller("Bearer a-token"))).startsWith("NOT_KNOWN");
        assertThat(said(access.caller("Bearer b-token"))).isEqualTo("let in");
        assertThat(access.stillKnows(a)).isFalse();
        // Nobody is let in by mistake.
        assertThatThrownBy(() -> access.replace(List.of())).hasMessageContaining("no token is left");
        assertThat(said(access.caller(null))).startsWith("NOT_KNOWN");
        assertThatThrownBy(() -> new Access(List.of()).replace(List.of(token("a", null))))
                .hasMessageContaining("next start");
    }

    @Test
    void aTokenSaysForWhomItIs() {
        assertThatThrownBy(() -> new Token("x", Token.hash("x"), Role.READER, Set.of()))
                .hasMessageContaining("names no tenant");
        assertThatThrownBy(() -> new Token("x", Token.hash("x"), Role.OPERATOR, Set.of("acme")))
                .hasMessageContaining("not bound to tenants");
        assertThat(new Caller(new Token("x", Token.hash("x"), Role.READER, Token.ALL)).seesAll())
                .isTrue();
    }
}

package dev.stowage.service.state;

import dev.stowage.core.engine.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an operation.
 *
 * @param kind how it went
 * @param request the request it was about, as it is afterwards
 * @param refusal why the engine refused it
 * @param number number of a new server or site, else that of the command
 * @param detail for people
 */
public record Outcome(
        Kind kind, @Nullable Request request, @Nullable Refusal refusal, long number, String detail) {
    /** How an operation can go. */
    public enum Kind {
        /** Done. */
        DONE,
        /** Was done before; nothing changed. */
        REPEATED,
        /** The id belongs to another request. */
        CONFLICT,
        /** The tenant has no request with this id. */
        NOT_FOUND,
        /** It cannot be done; nothing changed. */
        REFUSED,
        /** The tenant has as much in the system as it may; nothing changed. */
        OVER_QUOTA,
        /** Nothing was decided about the request there that could be confirmed; nothing changed. */
        NO_SUCH_EFFECT,
        /** What was decided there no longer holds; nothing changed. */
        SUPERSEDED
    }

    static final Outcome NOTHING = new Outcome(Kind.DONE, null, null, -1, "");

    static Outcome of(Kind kind, Request request) {
        return new Outcome(kind, request, null, request.number(), "");
    }

    static Outcome refused(@Nullable Refusal refusal, String detail) {
        return new Outcome(Kind.REFUSED, null, refusal, -1, detail);
    }
}

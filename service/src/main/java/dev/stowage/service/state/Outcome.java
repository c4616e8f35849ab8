package dev.stowage.service.state;

import dev.stowage.core.engine.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an operation.
 *
 * @param kind how it went
 * @param request the request it was about, as it is afterwards
 * @param refusal why the engine refused it
 * @param number number of a new server or site, else that of the command
 * @param detail for people
 * @param requests of a gang: all of them; of a report: those that run there and should
 * @param strays of a report: what should not run there
 */
public record Outcome(
        Kind kind,
        @Nullable Request request,
        @Nullable Refusal refusal,
        long number,
        String detail,
        List<Request> requests,
        List<Operation.Attempt> strays) {
    /** Takes copies. */
    public Outcome {
        requests = List.copyOf(requests);
        strays = List.copyOf(strays);
    }

    /** The answer to an operation about one request, or none. */
    public Outcome(Kind kind, @Nullable Request request, @Nullable Refusal refusal, long number, String detail) {
        this(kind, request, refusal, number, detail, List.of(), List.of());
    }

    /** The result of an operation. */
    public enum Kind {
        /** Done. */
        DONE,
        /** Done earlier; nothing changed. */
        REPEATED,
        /** The id belongs to another request. */
        CONFLICT,
        /** The tenant has no request with this id. */
        NOT_FOUND,
        /** It cannot be done; nothing changed. */
        REFUSED,
        /** The tenant has as much in the system as it may; nothing changed. */
        OVER_QUOTA,
        /** It is more than the tenant may ever have in the system; nothing changed. */
        BEYOND_QUOTA,
        /** Nothing was decided about the request there that could be confirmed; nothing changed. */
        NO_SUCH_EFFECT,
        /** Replaced by a later decision; nothing changed. */
        SUPERSEDED
    }

    static final Outcome NOTHING = new Outcome(Kind.DONE, null, null, -1, "");

    static Outcome of(Kind kind, Request request) {
        return new Outcome(kind, request, null, request.number(), "");
    }

    /** The answer to a gang. */
    static Outcome of(Kind kind, List<Request> gang) {
        return new Outcome(kind, gang.get(0), null, gang.get(0).number(), "", gang, List.of());
    }

    static Outcome refused(@Nullable Refusal refusal, String detail) {
        return new Outcome(Kind.REFUSED, null, refusal, -1, detail);
    }
}

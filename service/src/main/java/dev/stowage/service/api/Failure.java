package dev.stowage.service.api;

import dev.stowage.core.engine.Refusal;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.service.raft.NotServedException;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.v1.Problem;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The failure of a call: a gRPC status, a stable reason, and what to do. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;
    /** Stable name of the reason. */
    static final Metadata.Key<String> REASON = key("stowage-reason");
    /** Address of the leader's API. */
    static final String LEADER = "stowage-leader";
    /** When to try again. */
    static final String RETRY_AFTER_MILLIS = "stowage-retry-after-millis";
    /** Name of the field that the text begins with; absent where it is about none. */
    static final String FIELD = "stowage-field";
    /** Headers that carry the reason over HTTP, in addition to the body. */
    static final List<String> HEADERS = List.of(REASON.name(), LEADER, RETRY_AFTER_MILLIS, FIELD);

    static final String TOO_LONG = "TOO_LONG";

    /** Why a request may not be known. */
    static final String WHY_UNKNOWN =
            "; it may have been refused, have finished too long ago, or be another tenant's (tenant=NAME)";

    private static final long RETRY_MILLIS = 100;
    private static final int SHOWN = 64;
    private static final String TYPE = "type";
    private static final Pattern CLASS_NAME = Pattern.compile(
            "\\b(?:(?:[a-z_]\\w*\\.)+[A-Z][\\w$.]*|[A-Z]\\w*(?:Exception|Error|Node)\\b)(?:@[0-9a-f]+)?:?\\s*");

    private final Status.Code code;
    private final String reason;
    private final @Nullable String leader;
    private final long retryMillis;
    private final @Nullable String field;

    private Failure(Status.Code code, String reason, String message, @Nullable String leader) {
        this(code, reason, message, leader, RETRY_MILLIS, null);
    }

    private Failure(
            Status.Code code,
            String reason,
            String message,
            @Nullable String leader,
            long retryMillis,
            @Nullable String field) {
        super(message, null, false, false);
        this.field = field;
        this.retryMillis = retryMillis;
        this.code = code;
        this.reason = reason;
        this.leader = leader;
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    static Failure invalid(String reason, String message) {
        return new Failure(Status.Code.INVALID_ARGUMENT, reason, message, null);
    }

    /**
     * A field with a wrong value.
     *
     * @param message what is wrong, after the field's name
     */
    static Failure field(String reason, String field, String message) {
        return field(Status.Code.INVALID_ARGUMENT, reason, field, message);
    }

    static Failure field(Status.Code code, String reason, String field, String message) {
        return new Failure(code, reason, field + message, null, RETRY_MILLIS, field);
    }

    /** A field, a parameter or the like that does not exist. */
    static Failure unknown(String what, String name, Collection<String> known) {
        String shown = shown(name);
        String hint = Suggestion.of(shown, known);
        return invalid(
                "UNKNOWN_FIELD",
                what + " '" + shown + "' is unknown"
                        + (hint.isEmpty() ? "; there are " + String.join(", ", known) : hint));
    }

    /** What a caller gave, cut off where it is long. */
    static String shown(String given) {
        return given.length() > SHOWN ? given.substring(0, SHOWN) + "..." : given;
    }

    static Failure notFound(String message) {
        return new Failure(Status.Code.NOT_FOUND, "NOT_FOUND", message, null);
    }

    /** A node that is not one of the group's. */
    static Failure noMember(String node, List<String> members, @Nullable String leader) {
        return of(
                Status.Code.NOT_FOUND,
                "UNKNOWN_NODE",
                "node '" + shown(node) + "' is not a member of the group; its members are "
                        + members.stream()
                                .map(each -> each.equals(leader) ? each + " (the leader)" : each)
                                .collect(Collectors.joining(", "))
                        + "; nothing is changed");
    }

    static Failure of(Status.Code code, String reason, String message) {
        return new Failure(code, reason, message, null);
    }

    /** Why an operation was not done. */
    static Failure of(Outcome outcome) {
        return switch (outcome.kind()) {
            case NOT_FOUND -> notFound(outcome.detail() + " is known" + WHY_UNKNOWN);
            case CONFLICT ->
                of(
                        Status.Code.ALREADY_EXISTS,
                        "ID_IN_USE",
                        "the id belongs to another request or change; use a new id, or repeat that one exactly");
            case OVER_QUOTA ->
                of(
                        Status.Code.RESOURCE_EXHAUSTED,
                        "OVER_QUOTA",
                        outcome.detail() + "; release something, or ask an operator for more");
            case BEYOND_QUOTA ->
                of(
                        Status.Code.FAILED_PRECONDITION,
                        "BEYOND_QUOTA",
                        outcome.detail() + "; no release makes room for it: ask for less, or an operator for more");
            case NO_SUCH_EFFECT, SUPERSEDED ->
                of(Status.Code.FAILED_PRECONDITION, outcome.kind().name(), outcome.detail());
            default -> refused(outcome.refusal(), outcome.detail());
        };
    }

    private static Failure refused(@Nullable Refusal refusal, String detail) {
        if (refusal == null) {
            return of(Status.Code.UNAVAILABLE, "NOT_STARTED", detail);
        }
        Status.Code code = switch (refusal) {
            case FITS_NO_SERVER, WRONG_STATUS, LATE, SITE_LIMIT, CONSTRAINT, UNSUPPORTED, WRONG_PHASE, LEASE ->
                Status.Code.FAILED_PRECONDITION;
            case UNKNOWN_ID, UNKNOWN_SERVER, UNKNOWN_SITE -> Status.Code.NOT_FOUND;
            case DUPLICATE_ID, BAD_NAME -> Status.Code.ALREADY_EXISTS;
            case UNKNOWN_TYPE, BAD_DEMAND, BAD_CAPACITY, BAD_TIME, UNKNOWN_POLICY -> Status.Code.INVALID_ARGUMENT;
        };
        if (refusal == Refusal.UNKNOWN_TYPE && detail.startsWith(TYPE)) {
            boolean none = detail.endsWith(" is not one of []");
            String said =
                    none ? detail.replace(" is not one of []", ": this service has no types; give a demand") : detail;
            return field(code, refusal.name(), TYPE, said.substring(TYPE.length()));
        }
        String hint = refusal == Refusal.SITE_LIMIT ? "; requests must leave out allowed_sites" : "";
        return of(code, refusal.name(), detail + hint);
    }

    /** The failure for an exception. */
    static Failure of(Throwable thrown, UnaryOperator<@Nullable String> addressOfNode) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof Failure known) {
            return known;
        }
        if (cause instanceof NotServedException no) {
            String message = plain(String.valueOf(no.getMessage()));
            return switch (no.kind()) {
                case TOO_MANY_WAITING -> of(Status.Code.RESOURCE_EXHAUSTED, "TOO_MANY_WAITING", message);
                case OVERLOADED -> of(Status.Code.RESOURCE_EXHAUSTED, "OVERLOADED", message);
                case NO_TRANSFER -> of(Status.Code.FAILED_PRECONDITION, "NO_TRANSFER", message);
                case UNAVAILABLE -> of(Status.Code.UNAVAILABLE, "UNAVAILABLE", message);
                case NOT_LEADER -> {
                    String address = addressOfNode.apply(no.leader());
                    yield new Failure(
                            Status.Code.UNAVAILABLE,
                            "NOT_LEADER",
                            message + (address == null ? "" : "; its API is at " + address),
                            address);
                }
            };
        }
        return internal();
    }

    /** The node ends: another one answers. */
    static Failure closing(String message) {
        return of(Status.Code.UNAVAILABLE, "CLOSING", message);
    }

    /** A mistake of the service, whose details are only in its log. */
    static Failure internal() {
        return of(
                Status.Code.INTERNAL,
                "INTERNAL",
                "internal error; see the service's log for the x-request-id of this answer");
    }

    /** A library's message without the names of Java's classes, and without Jackson's position in the input. */
    static String plain(String message) {
        int source = message.indexOf("\n at [Source");
        String said = source < 0 ? message : message.substring(0, source);
        return CLASS_NAME.matcher(said).replaceAll("").strip();
    }

    /** Too many calls of a tenant. */
    static Failure tooFast(String tenant, String verb, double perSecond, long afterMillis) {
        return new Failure(
                Status.Code.RESOURCE_EXHAUSTED,
                "RATE_LIMIT",
                "tenant '" + tenant + "' may " + verb + " " + perSecond + " requests a second; try again in "
                        + afterMillis + " ms",
                null,
                afterMillis,
                null);
    }

    boolean retry() {
        return code == Status.Code.UNAVAILABLE
                || (code == Status.Code.RESOURCE_EXHAUSTED && !reason.equals("OVER_QUOTA") && !reason.equals(TOO_LONG));
    }

    Status.Code code() {
        return code;
    }

    String reason() {
        return reason;
    }

    /** Its text, beginning with the reason. */
    String text() {
        return reason + ": " + getMessage();
    }

    StatusRuntimeException toGrpc() {
        Metadata trailers = new Metadata();
        addTo(trailers);
        return status().asRuntimeException(trailers);
    }

    Status status() {
        return code.toStatus().withDescription(text());
    }

    void addTo(Metadata trailers) {
        headers().forEach((name, value) -> trailers.put(key(name), value));
    }

    /** Trailers of gRPC, and headers of HTTP. */
    Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(REASON.name(), reason);
        if (leader != null) {
            headers.put(LEADER, leader);
        }
        if (field != null) {
            headers.put(FIELD, field);
        }
        if (retry()) {
            headers.put(RETRY_AFTER_MILLIS, Long.toString(retryMillis));
        }
        return headers;
    }

    Problem toProblem() {
        return Problem.newBuilder()
                .setCode(code.name())
                .setReason(reason)
                .setMessage(String.valueOf(getMessage()))
                .setRetry(retry())
                .build();
    }
}

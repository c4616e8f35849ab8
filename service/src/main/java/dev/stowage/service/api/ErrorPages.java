package dev.stowage.service.api;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ShuttingDownException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.service.openapi.KnownPaths;
import io.grpc.Status;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Errors of HTTP before a call is reached (invalid JSON, no such path, too long) are reported in the same form as
 * refusals by calls.
 */
final class ErrorPages implements ServerErrorHandler {
    private static final Pattern NOT_CLOSED = Pattern.compile(
            "expected close marker for (Object|Array) \\(start marker at .*line: (\\d+), column: (\\d+)");

    private final KnownPaths paths = new KnownPaths(WatchPage.PATH);
    private final CallRefusals refusals;

    ErrorPages(CallRefusals refusals) {
        this.refusals = refusals;
    }

    @Override
    public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof Failure known) {
                return refusals.refuse(context, context.request().headers(), known);
            }
            if (at instanceof RequestTimeoutException) {
                Connections.endAfter(context);
                return refusals.refuse(context, context.request().headers(), CallRefusals.timeout());
            }
            if (at instanceof ShuttingDownException) {
                return refusals.refuse(context, context.request().headers(), CallRefusals.closing());
            }
        }
        return null;
    }

    @Override
    public @Nullable AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext context,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        String path = headers == null ? "" : headers.path().replaceFirst("\\?.*", "");
        AggregatedHttpResponse answer =
                refusals.answer(context, headers, status, failure(status, path, description, cause));
        if (status.code() != HttpStatus.METHOD_NOT_ALLOWED.code()) {
            return answer;
        }
        ResponseHeaders allowing = answer.headers().toBuilder()
                .set(HttpHeaderNames.ALLOW, String.join(", ", allowed(path)))
                .build();
        return AggregatedHttpResponse.of(allowing, answer.content());
    }

    /** What is not a call of the API, such as /metrics, is read only. */
    private Set<String> allowed(String path) {
        Set<String> methods = paths.methods(path);
        return methods.isEmpty() ? Set.of(HttpMethod.GET.name()) : methods;
    }

    private Failure failure(HttpStatus status, String path, @Nullable String description, @Nullable Throwable cause) {
        String why = description == null ? status.reasonPhrase() : Failure.plain(description);
        return switch (status.code()) {
            case 404 ->
                Failure.of(
                        Status.Code.NOT_FOUND,
                        "NO_SUCH_PATH",
                        "there is no " + Failure.shown(path) + paths.nearest(Failure.shown(path))
                                + "; see /openapi.json");
            case 405 ->
                Failure.of(
                        Status.Code.INVALID_ARGUMENT,
                        "BAD_METHOD",
                        Failure.shown(path) + " takes only " + String.join(", ", allowed(path))
                                + "; see /openapi.json");
            case 413 -> CallRefusals.tooLong();
            case 503 -> Failure.of(Status.Code.UNAVAILABLE, "UNAVAILABLE", why);
            default ->
                status.isClientError() ? Failure.invalid("BAD_MESSAGE", unread(cause, why)) : refusals.mistake(cause);
        };
    }

    private static String notJson(JsonProcessingException json) {
        JsonLocation where = json.getLocation();
        if (where == null) {
            return "the body is nested too deeply, or a number or a name in it is too long";
        }
        String place = "line " + where.getLineNr() + ", column " + where.getColumnNr();
        String said = json.getOriginalMessage();
        if (json instanceof JsonEOFException) {
            Matcher begun = NOT_CLOSED.matcher(said);
            return "the body is not JSON: it ends at " + place
                    + (begun.find()
                            ? ", before the " + (begun.group(1).equals("Object") ? "} of the object" : "] of the list")
                                    + " that begins at line " + begun.group(2) + ", column " + begun.group(3)
                            : ", within a name or a value");
        }
        return "the body is not JSON: " + Failure.plain(said) + " (" + place + ")";
    }

    /** Why the body could not be read; transcoding's own message names classes. */
    private static String unread(@Nullable Throwable thrown, String otherwise) {
        String said = otherwise;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof JsonProcessingException json) {
                return notJson(json);
            }
            if (message.startsWith("Missing or invalid content-type")) {
                return "the body has no JSON content type; send the header 'content-type: application/json'";
            }
            if (message.startsWith("Unexpected JSON")) {
                return "the body must be a JSON object, as in {\"request_id\": \"a\"}";
            }
            if (cause instanceof IllegalArgumentException) {
                said = Failure.plain(message);
            }
        }
        return said;
    }
}

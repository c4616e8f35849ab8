package dev.stowage.service.api;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ShuttingDownException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Errors of HTTP before a call is reached (invalid JSON, no such path, too long) are reported in the same form as
 * refusals by calls.
 */
final class ErrorPages implements ServerErrorHandler {
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
        return refusals.answer(context, headers, status, failure(status, description, cause));
    }

    private Failure failure(HttpStatus status, @Nullable String description, @Nullable Throwable cause) {
        String why = description == null ? status.reasonPhrase() : Failure.plain(description);
        return switch (status.code()) {
            case 404 -> Failure.of(Status.Code.NOT_FOUND, "NO_SUCH_PATH", why + "; see /openapi.json");
            case 405 -> Failure.of(Status.Code.INVALID_ARGUMENT, "BAD_METHOD", why + "; see /openapi.json");
            case 413 -> CallRefusals.tooLong();
            case 503 -> Failure.of(Status.Code.UNAVAILABLE, "UNAVAILABLE", why);
            default ->
                status.isClientError() ? Failure.invalid("BAD_MESSAGE", unread(cause, why)) : refusals.mistake(cause);
        };
    }

    /** Why the body could not be read; transcoding's own message names classes. */
    private static String unread(@Nullable Throwable thrown, String otherwise) {
        String said = otherwise;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof JsonProcessingException json) {
                JsonLocation where = json.getLocation();
                return where == null
                        ? "the body is nested too deeply, or a number or a name in it is too long"
                        : "the body is not JSON: " + Failure.plain(json.getOriginalMessage()) + " (line "
                                + where.getLineNr() + ", column " + where.getColumnNr() + ")";
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

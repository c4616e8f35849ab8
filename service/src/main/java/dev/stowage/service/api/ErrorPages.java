package dev.stowage.service.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** What HTTP refuses before a call sees it (no JSON, no such path, too long) is told as calls tell what they refuse. */
final class ErrorPages implements ServerErrorHandler {
    @Override
    public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
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
        String why = description != null ? description : cause == null ? status.reasonPhrase() : cause.toString();
        return AggregatedHttpResponse.of(status, MediaType.JSON, Json.error(failure(status, why)));
    }

    private static Failure failure(HttpStatus status, String why) {
        return switch (status.code()) {
            case 404 -> Failure.of(Status.Code.NOT_FOUND, "NO_SUCH_PATH", why + "; see /openapi.json");
            case 405 -> Failure.of(Status.Code.INVALID_ARGUMENT, "BAD_METHOD", why + "; see /openapi.json");
            case 413 -> Failure.of(Status.Code.RESOURCE_EXHAUSTED, "TOO_LONG", why);
            case 503 -> Failure.of(Status.Code.UNAVAILABLE, "UNAVAILABLE", why);
            default ->
                status.isClientError()
                        ? Failure.invalid("BAD_MESSAGE", why)
                        : Failure.of(Status.Code.INTERNAL, "INTERNAL", why);
        };
    }
}

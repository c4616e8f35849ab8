package dev.stowage.service.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.ShuttingDownException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.GrpcService;
import io.grpc.Metadata;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Refusals outside of a call: of requests that cannot be read, must not be sent, or match no call. They are counted,
 * logged and answered as in calls: with a reason, over gRPC as a status with trailers, else as JSON with headers of the
 * same names.
 */
record CallRefusals(Counters counters, CallLog log) {
    /** Method name under which requests that match no call are counted. */
    private static final String NO_CALL = "other";

    private static final String GRPC = "application/grpc";

    /** Refuses a request before a call sees it. */
    HttpResponse refuse(ServiceRequestContext context, RequestHeaders headers, Failure failure) {
        return answer(context, headers, Json.status(failure.code()), failure).toHttpResponse();
    }

    /** The same with another status of HTTP. */
    AggregatedHttpResponse answer(
            @Nullable ServiceRequestContext context,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            Failure failure) {
        note(context, failure);
        String type = headers == null ? null : headers.get("content-type");
        return type != null && type.startsWith(GRPC) ? trailersOnly(type, failure) : Json.response(status, failure);
    }

    private void note(@Nullable ServiceRequestContext context, Failure failure) {
        String method = context == null ? NO_CALL : method(context);
        counters.count(method, failure.reason());
        if (context != null) {
            Caller caller = context.attr(Caller.KEY);
            log.note(context, method, caller == null ? Caller.WITHOUT_TOKEN.name() : caller.name(), failure, 0);
        }
    }

    /** Name of the call that a request is for, as counted. */
    static String method(ServiceRequestContext context) {
        HttpCall call = context.config().service().as(HttpCall.class);
        if (call != null) {
            return call.method();
        }
        GrpcService grpc = context.config().service().as(GrpcService.class);
        ServerMethodDefinition<?, ?> method = grpc == null ? null : grpc.methodDefinition(context);
        String name = method == null ? null : method.getMethodDescriptor().getBareMethodName();
        return name == null ? NO_CALL : name;
    }

    /** The form of gRPC errors without an answer: everything in the headers, with HTTP status 200. */
    private static AggregatedHttpResponse trailersOnly(String type, Failure failure) {
        ResponseHeadersBuilder headers = ResponseHeaders.builder(HttpStatus.OK)
                .set("content-type", type)
                .setInt("grpc-status", failure.code().value())
                .set("grpc-message", escaped(failure.text()));
        failure.headers().forEach(headers::set);
        return AggregatedHttpResponse.of(headers.build());
    }

    /** gRPC over HTTP/2: printable ASCII without the per cent sign stays as it is. */
    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            if (one >= ' ' && one <= '~' && one != '%') {
                out.append((char) one);
            } else {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(one));
            }
        }
        return out.toString();
    }

    /** For errors that gRPC itself raised, or that a call did not answer. */
    Status grpc(RequestContext context, Status status, Throwable cause, Metadata trailers) {
        if (trailers.containsKey(Failure.REASON) || status.isOk()) {
            return status;
        }
        Failure failure = failure(status, cause);
        MessageFields.Body body = context instanceof ServiceRequestContext ? context.attr(MessageFields.BODY) : null;
        Failure exact = body != null && failure.reason().equals("BAD_MESSAGE") ? MessageFields.wrongValue(body) : null;
        failure = exact == null ? failure : exact;
        failure.addTo(trailers);
        if (failure.code() != Status.Code.CANCELLED && context instanceof ServiceRequestContext served) {
            note(served, failure);
        }
        return failure.status();
    }

    private Failure failure(Status status, Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof Failure known) {
                return known;
            }
            if (cause instanceof ContentTooLargeException) {
                return tooLong();
            }
            if (cause instanceof RequestTimeoutException) {
                return timeout();
            }
            if (cause instanceof ShuttingDownException) {
                return closing();
            }
            if (cause instanceof ClosedStreamException) {
                return gone();
            }
        }
        return switch (status.getCode()) {
            case RESOURCE_EXHAUSTED -> tooLong();
            case CANCELLED -> gone();
            case DEADLINE_EXCEEDED -> timeout();
            case UNAVAILABLE -> closing();
            case UNIMPLEMENTED ->
                Failure.of(Status.Code.UNIMPLEMENTED, "BAD_METHOD", described(status, "there is no such call"));
            default -> unreadable(status, thrown);
        };
    }

    /** A message that cannot be read is the caller's mistake; everything else is the service's. */
    private Failure unreadable(Status status, Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException
                    || cause instanceof IllegalArgumentException
                    || cause instanceof IndexOutOfBoundsException) {
                return MessageFields.unreadable(cause);
            }
        }
        // With this text Armeria 1.36 reports wrong flags of a frame, as if it were a mistake of the server.
        if (String.valueOf(status.getDescription()).contains("MessageDeframer")) {
            return Failure.invalid("BAD_MESSAGE", "these bytes are not a gRPC frame that this service accepts");
        }
        if (status.getCode() == Status.Code.INVALID_ARGUMENT) {
            return Failure.invalid("BAD_MESSAGE", described(status, "the message cannot be read"));
        }
        return mistake(thrown);
    }

    /** A mistake of the service, with its stack trace in the log. */
    Failure mistake(@Nullable Throwable thrown) {
        log.mistake(thrown);
        return Failure.internal();
    }

    static Failure closing() {
        return Failure.closing("this node is shutting down; try another node");
    }

    private static String described(Status status, String otherwise) {
        String text = status.getDescription();
        return text == null ? otherwise : Failure.plain(text);
    }

    private static Failure gone() {
        return Failure.of(Status.Code.CANCELLED, "CANCELLED", "the caller has disconnected");
    }

    static Failure tooLong() {
        return Failure.of(
                Status.Code.RESOURCE_EXHAUSTED,
                Failure.TOO_LONG,
                "the message is longer than this service accepts; send less per call");
    }

    static Failure timeout() {
        return Failure.of(
                Status.Code.DEADLINE_EXCEEDED,
                "TIMEOUT",
                "not answered in time; it is safe to send it again with the same id");
    }
}

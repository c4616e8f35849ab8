package dev.stowage.service.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.service.v1.Occupancy;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * JSON where gRPC's transcoding is not enough: streams (in the form of single messages), errors, and complete checks of
 * a body.
 */
final class Json {
    private static final JsonMessages MESSAGES = new JsonMessages(
            Set.of(WatchRequest.getDefaultInstance(), WatchReply.getDefaultInstance(), Occupancy.getDefaultInstance()));

    private static final JsonFactory STRICT = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private Json() {}

    /** Whether a request has a JSON body according to its headers. */
    static boolean isBody(RequestHeaders headers) {
        MediaType type = headers.contentType();
        return headers.method() != HttpMethod.GET && type != null && type.is(MediaType.JSON);
    }

    /** Lets a call read a body only if nothing in it would be ignored: transcoding uses the last of two equal names. */
    static HttpResponse checked(
            ServiceRequestContext context, HttpRequest request, @Nullable Descriptor type, HttpService call) {
        return HttpResponse.of(request.aggregate().thenApply(whole -> {
            try {
                checkCharset(whole.headers());
                String body = whole.contentUtf8();
                checkWhole(body);
                if (type != null) {
                    context.setAttr(MessageFields.BODY, new MessageFields.Body(body, type));
                }
                Callable<HttpResponse> serve = () -> call.serve(context, whole.toHttpRequest());
                return context.run(serve);
            } catch (Exception e) {
                return HttpResponse.ofFailure(e);
            }
        }));
    }

    private static void checkCharset(RequestHeaders headers) {
        MediaType type = headers.contentType();
        List<String> named = type == null ? List.of() : type.parameters().getOrDefault("charset", List.of());
        for (String name : named) {
            if (!name.equalsIgnoreCase("utf-8") && !name.equalsIgnoreCase("us-ascii")) {
                throw Failure.invalid(
                        "BAD_MESSAGE", "the charset of the body is '" + Failure.plain(name) + "', must be utf-8");
            }
        }
    }

    /**
     * Refuses duplicate names, numbers that are too large for all, and text after the value. The reader itself
     * reports invalid JSON.
     */
    private static void checkWhole(String body) throws IOException {
        int depth = 0;
        boolean over = false;
        try (JsonParser parser = STRICT.createParser(body)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (over) {
                    throw tooMuch();
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                over = depth == 0;
                if (token == JsonToken.VALUE_NUMBER_FLOAT && !Double.isFinite(parser.getDoubleValue())) {
                    String number = parser.getText();
                    throw Failure.invalid(
                            "BAD_MESSAGE",
                            "the number " + number.substring(0, Math.min(number.length(), 64)) + " is too large");
                }
            }
        } catch (JsonProcessingException e) {
            String what = e.getOriginalMessage();
            if (over) {
                throw tooMuch();
            }
            if (what.startsWith("Duplicate")) {
                throw Failure.invalid("BAD_MESSAGE", what + ": a name may be given only once");
            }
        }
    }

    private static Failure tooMuch() {
        return Failure.invalid("BAD_MESSAGE", "there is more after the body's JSON object");
    }

    static String compact(Message message) {
        try {
            return MESSAGES.text(message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static <B extends Message.Builder> B read(String json, B into) {
        try {
            MESSAGES.merge(json, into);
            return into;
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw MessageFields.unreadable(e);
        }
    }

    /** An error, in the form of the service's OpenAPI document. */
    static String error(Failure failure) {
        return error(failure.code(), failure.reason(), failure.text());
    }

    private static String error(Status.Code code, String reason, String message) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("code", code.value())
                .put("grpc-code", code.name())
                .put("reason", reason)
                .put("message", message)
                .toString();
    }

    static AggregatedHttpResponse response(HttpStatus status, Failure failure) {
        ResponseHeadersBuilder headers = ResponseHeaders.builder(status).contentType(MediaType.JSON);
        failure.headers().forEach(headers::set);
        return AggregatedHttpResponse.of(headers.build(), HttpData.ofUtf8(error(failure)));
    }

    /** The error response of a call that came as JSON. */
    static HttpResponse error(ServiceRequestContext context, Status status, AggregatedHttpResponse grpc) {
        HttpHeaders trailers = grpc.trailers().isEmpty() ? grpc.headers() : grpc.trailers();
        ResponseHeadersBuilder headers =
                ResponseHeaders.builder(status(status.getCode())).contentType(MediaType.JSON);
        for (String name : Failure.HEADERS) {
            String value = trailers.get(name);
            if (value != null) {
                headers.set(name, value);
            }
        }
        String reason = trailers.get(Failure.REASON.name(), "INTERNAL");
        String message = String.valueOf(status.getDescription());
        return HttpResponse.of(headers.build(), HttpData.ofUtf8(error(status.getCode(), reason, message)));
    }

    static HttpStatus status(Status.Code code) {
        return switch (code) {
            case OK -> HttpStatus.OK;
            case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> HttpStatus.BAD_REQUEST;
            case UNAUTHENTICATED -> HttpStatus.UNAUTHORIZED;
            case PERMISSION_DENIED -> HttpStatus.FORBIDDEN;
            case NOT_FOUND -> HttpStatus.NOT_FOUND;
            case ALREADY_EXISTS, ABORTED -> HttpStatus.CONFLICT;
            case RESOURCE_EXHAUSTED -> HttpStatus.TOO_MANY_REQUESTS;
            case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
            case DEADLINE_EXCEEDED -> HttpStatus.GATEWAY_TIMEOUT;
            case UNIMPLEMENTED -> HttpStatus.NOT_IMPLEMENTED;
            default -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
    }
}

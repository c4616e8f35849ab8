package dev.stowage.service.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpStatus;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.curioswitch.common.protobuf.json.MessageMarshaller;

/** The JSON form of what gRPC's transcoding does not do: streams. The same as that of single messages. */
final class Json {
    private static final MessageMarshaller MARSHALLER = MessageMarshaller.builder()
            .register(WatchRequest.getDefaultInstance())
            .register(WatchReply.getDefaultInstance())
            .includingDefaultValueFields(true)
            .omittingInsignificantWhitespace(true)
            .build();

    private Json() {}

    static String compact(Message message) {
        try {
            return MARSHALLER.writeValueAsString(message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static <B extends Message.Builder> B read(String json, B into) {
        try {
            MARSHALLER.mergeValue(json, into);
            return into;
        } catch (IOException | IllegalArgumentException e) {
            throw Failure.invalid("BAD_MESSAGE", String.valueOf(e.getMessage()));
        } catch (IndexOutOfBoundsException e) {
            // So the parser says that a number is an empty text.
            throw Failure.invalid("BAD_MESSAGE", "a number is empty");
        }
    }

    /** As the other calls answer. */
    static String error(Failure failure) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("code", failure.code().value())
                .put("grpc-code", failure.code().name())
                .put("message", failure.reason() + ": " + failure.getMessage())
                .toString();
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
            default -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
    }
}

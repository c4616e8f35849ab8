package dev.stowage.service.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.grpc.GrpcJsonMarshaller;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServiceDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.curioswitch.common.protobuf.json.MessageMarshaller;

/**
 * Messages as JSON: with default values such as server 0; a misspelt name is not ignored; and characters are escaped
 * only where JSON must, while the library's own generator also escapes those of HTML, such as {@code =}.
 */
final class JsonMessages implements GrpcJsonMarshaller {
    private static final JsonFactory PLAIN = new JsonFactory();

    private final MessageMarshaller marshaller;

    /** For some types of messages. */
    JsonMessages(Set<Message> prototypes) {
        MessageMarshaller.Builder types =
                MessageMarshaller.builder().includingDefaultValueFields(true).omittingInsignificantWhitespace(true);
        prototypes.forEach(types::register);
        marshaller = types.build();
    }

    /** For the calls of a service. */
    static JsonMessages of(ServiceDescriptor service) {
        Set<Message> prototypes = new LinkedHashSet<>();
        for (MethodDescriptor<?, ?> method : service.getMethods()) {
            prototypes.add(prototype(method.getRequestMarshaller()));
            prototypes.add(prototype(method.getResponseMarshaller()));
        }
        return new JsonMessages(prototypes);
    }

    private static Message prototype(Marshaller<?> of) {
        return (Message) Objects.requireNonNull(((PrototypeMarshaller<?>) of).getMessagePrototype());
    }

    @Override
    public <T> void serializeMessage(Marshaller<T> type, T message, OutputStream out) throws IOException {
        try (JsonGenerator generator = PLAIN.createGenerator(out)) {
            marshaller.writeValue((Message) message, generator);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T deserializeMessage(Marshaller<T> type, InputStream in) throws IOException {
        Message.Builder into = prototype(type).newBuilderForType();
        marshaller.mergeValue(in, into);
        return (T) into.build();
    }

    String text(Message message) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = PLAIN.createGenerator(text)) {
            marshaller.writeValue(message, generator);
        }
        return text.toString();
    }

    void merge(String json, Message.Builder into) throws IOException {
        marshaller.mergeValue(json, into);
    }
}

package dev.stowage.service.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.QueryParams;
import dev.stowage.service.v1.StowageProto;
import io.netty.util.AttributeKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The fields of messages: checks that a query names existing ones, each once and with a valid value, and explains why a
 * message cannot be read.
 */
final class MessageFields {
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,19}");

    private static final Pattern UNKNOWN_FIELD = Pattern.compile("Cannot find field: (\\S*) in message (\\S+)");

    private static final int LONGEST_VALUE = 64;
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /** The body of a JSON call, to say what is wrong with it. */
    static final AttributeKey<Body> BODY = AttributeKey.valueOf(MessageFields.class, "BODY");

    /**
     * A body of JSON.
     *
     * @param type what it should be
     */
    record Body(String text, Descriptor type) {}

    private MessageFields() {}

    /** Why a message cannot be read. */
    static Failure unreadable(Throwable cause) {
        if (cause instanceof IndexOutOfBoundsException) {
            // With this text the parser reports an empty string in place of a number.
            return Failure.invalid("BAD_MESSAGE", "a number is empty");
        }
        String text = String.valueOf(cause.getMessage());
        Matcher unknown = UNKNOWN_FIELD.matcher(text);
        if (unknown.find()) {
            return unknown(unknown.group(1), unknown.group(2));
        }
        boolean binary = cause instanceof InvalidProtocolBufferException && text.startsWith("Protocol message");
        return Failure.invalid(
                "BAD_MESSAGE", binary ? "these bytes are not the message of this call" : Failure.plain(text));
    }

    /** A field that a message does not have. */
    static Failure unknown(String field, String message) {
        Descriptor type =
                StowageProto.getDescriptor().findMessageTypeByName(message.substring(message.lastIndexOf('.') + 1));
        return Failure.unknown("field", field, type == null ? List.of() : names(type));
    }

    private static List<String> names(Descriptor type) {
        List<String> names = new ArrayList<>();
        for (FieldDescriptor field : type.getFields()) {
            names.add(field.getName());
        }
        return names;
    }

    /**
     * Checks a query, of which transcoding leaves out what it does not know.
     *
     * @param type what it is to be a part of
     * @throws Failure if something in it is not
     */
    static void check(QueryParams query, Descriptor type) {
        Set<String> seen = new HashSet<>();
        query.forEach((name, value) -> {
            FieldDescriptor field = find(type, name);
            if (field == null) {
                throw Failure.unknown("parameter", name, names(type));
            }
            if (!seen.add(field.getName()) && !field.isRepeated()) {
                throw Failure.invalid("BAD_MESSAGE", "'" + name + "' is given twice");
            }
            if (field.isMapField() || field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                throw Failure.invalid("BAD_MESSAGE", "'" + name + "' belongs in the body, not in the URL");
            }
            checkValue(field, value);
        });
    }

    private static void checkValue(FieldDescriptor field, String value) {
        boolean good = switch (field.getJavaType()) {
            case INT, LONG -> WHOLE.matcher(value).matches() && inRange(field, value);
            case BOOLEAN -> value.equals("true") || value.equals("false");
            case ENUM -> field.getEnumType().findValueByName(value) != null;
            default -> true;
        };
        if (!good) {
            throw wrong(field, field.getName(), "'" + value + "'");
        }
    }

    private static boolean inRange(FieldDescriptor field, String value) {
        try {
            BigDecimal number = new BigDecimal(value);
            long unused = field.getJavaType() == FieldDescriptor.JavaType.LONG
                    ? number.longValueExact()
                    : number.intValueExact();
            return true;
        } catch (ArithmeticException | NumberFormatException e) {
            return false;
        }
    }

    private static Failure wrong(FieldDescriptor field, String path, String value) {
        String shown = value.length() <= LONGEST_VALUE ? value : value.substring(0, LONGEST_VALUE) + "...";
        return Failure.field("BAD_MESSAGE", path, " is " + shown + ", must be " + allowed(field));
    }

    private static String allowed(FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case INT -> "a whole number from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE;
            case LONG ->
                "a whole number" + (field.getName().endsWith("_nanos") ? " of nanoseconds" : "") + " up to "
                        + Long.MAX_VALUE;
            case BOOLEAN -> "true or false";
            case ENUM ->
                "one of "
                        + field.getEnumType().getValues().stream()
                                .map(EnumValueDescriptor::getName)
                                .filter(name -> !name.endsWith("_UNSPECIFIED"))
                                .collect(Collectors.joining(", "));
            case MESSAGE -> "an object";
            case FLOAT, DOUBLE -> "a number";
            default -> "a text";
        };
    }

    /** The first value in a body that its field cannot have, or null if there is none. */
    static @Nullable Failure wrongValue(Body body) {
        try {
            return wrongValue(MAPPER.readTree(body.text()), body.type(), "");
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    private static @Nullable Failure wrongValue(JsonNode object, Descriptor type, String before) {
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            FieldDescriptor field = find(type, entry.getKey());
            JsonNode value = entry.getValue();
            if (field == null || value.isNull()) {
                continue;
            }
            String path = before + field.getName();
            Failure wrong = null;
            if (field.isMapField()) {
                wrong = value.isObject() ? null : Failure.field("BAD_MESSAGE", path, " must be an object");
                for (Map.Entry<String, JsonNode> each : value.properties()) {
                    FieldDescriptor of = field.getMessageType().findFieldByName("value");
                    wrong = wrong == null ? wrongOne(each.getValue(), of, path + "." + each.getKey()) : wrong;
                }
            } else if (field.isRepeated()) {
                wrong = value.isArray() ? null : Failure.field("BAD_MESSAGE", path, " must be a list");
                for (int i = 0; i < value.size() && wrong == null; i++) {
                    wrong = wrongOne(value.get(i), field, path + "[" + i + "]");
                }
            } else {
                wrong = wrongOne(value, field, path);
            }
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    private static @Nullable Failure wrongOne(JsonNode value, FieldDescriptor field, String path) {
        boolean good = switch (field.getJavaType()) {
            case MESSAGE -> value.isObject();
            case INT, LONG -> (value.isNumber() || value.isTextual()) && inRange(field, value.asText());
            case BOOLEAN ->
                value.isBoolean()
                        || value.asText().equals("true")
                        || value.asText().equals("false");
            case ENUM -> value.isNumber() || field.getEnumType().findValueByName(value.asText()) != null;
            default -> value.isValueNode() && !value.isNull();
        };
        return !good
                ? wrong(field, path, value.isTextual() ? "'" + value.asText() + "'" : value.toString())
                : value.isObject() ? wrongValue(value, field.getMessageType(), path + ".") : null;
    }

    private static @Nullable FieldDescriptor find(Descriptor type, String name) {
        for (FieldDescriptor field : type.getFields()) {
            if (field.getName().equals(name) || field.getJsonName().equals(name)) {
                return field;
            }
        }
        return null;
    }
}

package dev.stowage.service.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.QueryParams;
import dev.stowage.service.v1.StowageProto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of messages: checks that a query names existing ones, each once and with a valid value, and explains why a
 * message cannot be read.
 */
final class MessageFields {
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,19}");

    private static final Pattern UNKNOWN_FIELD = Pattern.compile("Cannot find field: (\\S*) in message (\\S+)");

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
            default -> true;
        };
        if (!good) {
            throw Failure.invalid(
                    "BAD_MESSAGE",
                    field.getName() + " is '" + value.substring(0, Math.min(value.length(), 64)) + "', must be "
                            + (field.getJavaType() == FieldDescriptor.JavaType.BOOLEAN
                                    ? "true or false"
                                    : "a whole number"));
        }
    }

    private static boolean inRange(FieldDescriptor field, String value) {
        try {
            long number = Long.parseLong(value);
            return field.getJavaType() == FieldDescriptor.JavaType.LONG || number == (int) number;
        } catch (NumberFormatException e) {
            return false;
        }
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

package dev.stowage.service.state;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of an export, or an object in it, whose fields are read by name. Each throws {@link IOException} with
 * file and line where the field is missing or of another type.
 *
 * @param file where it stands
 * @param line number of its line, from 1
 * @param value the object
 */
record JsonLine(Path file, long line, JsonNode value) {
    IOException wrong(String what) {
        return new IOException(file + ", line " + line + " " + what);
    }

    private JsonNode field(String name, boolean typed, String type) throws IOException {
        if (!value.has(name)) {
            throw wrong("has no '" + name + "'");
        }
        if (!typed) {
            throw wrong("has '" + name + "': " + value.get(name) + ", which is no " + type);
        }
        return value.get(name);
    }

    String text(String name) throws IOException {
        return field(name, value.path(name).isTextual(), "text").textValue();
    }

    String text(String name, String otherwise) throws IOException {
        return value.has(name) ? text(name) : otherwise;
    }

    boolean flag(String name) throws IOException {
        return field(name, value.path(name).isBoolean(), "true or false").booleanValue();
    }

    long number(String name) throws IOException {
        JsonNode number = value.path(name);
        return field(name, number.isIntegralNumber() && number.canConvertToLong(), "whole number of 64 bits")
                .longValue();
    }

    long number(String name, long otherwise) throws IOException {
        return value.has(name) ? number(name) : otherwise;
    }

    /** 64 bits in hexadecimal digits. */
    long hash(String name) throws IOException {
        String text = text(name);
        try {
            return Long.parseUnsignedLong(text, 16);
        } catch (NumberFormatException e) {
            throw wrong("has '" + name + "': \"" + text + "\", which is no hexadecimal number of 64 bits");
        }
    }

    /** Texts of an array; empty if there is no such field. */
    List<String> texts(String name) throws IOException {
        List<String> texts = new ArrayList<>();
        for (JsonNode one : array(name)) {
            if (!one.isTextual()) {
                throw wrong("has '" + name + "' with " + one + ", which is no text");
            }
            texts.add(one.textValue());
        }
        return texts;
    }

    /** Objects of an array; empty if there is no such field. */
    List<JsonLine> objects(String name) throws IOException {
        List<JsonLine> objects = new ArrayList<>();
        for (JsonNode one : array(name)) {
            objects.add(new JsonLine(file, line, one));
        }
        return objects;
    }

    private Iterable<JsonNode> array(String name) throws IOException {
        return value.has(name) ? field(name, value.get(name).isArray(), "array") : List.of();
    }

    @Nullable
    JsonLine object(String name) {
        return value.has(name) ? new JsonLine(file, line, value.get(name)) : null;
    }

    /** Amounts by the name of their resource. */
    long[] amounts(String name, List<String> resources, long otherwise) throws IOException {
        long[] amounts = new long[resources.size()];
        Arrays.fill(amounts, otherwise);
        JsonLine of = object(name);
        if (of != null) {
            for (int r = 0; r < amounts.length; r++) {
                amounts[r] = of.number(resources.get(r), otherwise);
            }
        }
        return amounts;
    }
}

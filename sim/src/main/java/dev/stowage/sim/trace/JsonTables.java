package dev.stowage.sim.trace;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The tables in a JSON document, or in one of a JSON value a line: each list of objects is one, the same list in
 * several objects too ({@code Reservations[].Instances[]}). What is nested in an object is a column,
 * {@code State.Name}; lists of {@code Key} and {@code Value} are columns of those names.
 */
final class JsonTables {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private final Map<String, DocumentTable.Builder> tables = new LinkedHashMap<>();

    private JsonTables() {}

    static List<DocumentTable> read(byte[] text) throws IOException {
        JsonTables found = new JsonTables();
        List<JsonNode> roots = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(text);
                MappingIterator<JsonNode> values =
                        JSON.readerFor(JsonNode.class).readValues(parser)) {
            while (values.hasNextValue()) {
                roots.add(values.nextValue());
            }
        }
        if (roots.size() > 1) {
            found.list("", roots);
        } else {
            roots.forEach(root -> found.in("", root));
        }
        return found.tables.values().stream().map(DocumentTable.Builder::build).toList();
    }

    private void in(String path, JsonNode node) {
        if (node.isArray()) {
            List<JsonNode> all = new ArrayList<>();
            node.forEach(all::add);
            list(path, all);
        } else if (node.isObject()) {
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                in(path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue());
            }
        }
    }

    private void list(String path, List<JsonNode> all) {
        if (all.isEmpty() || !all.stream().allMatch(JsonNode::isObject)) {
            return;
        }
        DocumentTable.Builder table = tables.computeIfAbsent(path, DocumentTable.Builder::new);
        long number = 0;
        for (JsonNode each : all) {
            Map<String, String> row = new LinkedHashMap<>();
            flatten("", each, row);
            table.add(row, ++number);
            in(path, each);
        }
    }

    private static void flatten(String path, JsonNode node, Map<String, String> row) {
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            JsonNode value = field.getValue();
            if (value.isObject()) {
                flatten(name, value, row);
            } else if (value.isArray()) {
                flattenList(name, value, row);
            } else {
                row.put(
                        name,
                        value.isNull()
                                ? ""
                                : value.isNumber() ? value.decimalValue().toPlainString() : value.asText());
            }
        }
    }

    private static void flattenList(String name, JsonNode list, Map<String, String> row) {
        StringJoiner texts = new StringJoiner(" ");
        for (JsonNode each : list) {
            if (each.hasNonNull("Key") && each.has("Value")) {
                row.put(name + "." + each.get("Key").asText(), each.get("Value").asText());
            } else if (each.isValueNode()) {
                texts.add(each.asText());
            }
        }
        if (texts.length() > 0) {
            row.put(name, texts.toString());
        }
    }
}

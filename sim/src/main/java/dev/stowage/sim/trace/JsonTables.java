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
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The tables in a JSON document, or in one of a JSON value a line: each list of objects is one, the same list in
 * several objects too ({@code Reservations[].Instances[]}). What is nested in an object is a column,
 * {@code State.Name}; lists of {@code Key} and {@code Value} are columns of those names.
 */
final class JsonTables {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** How clouds say where the next page of a list is. */
    private static final Pattern NEXT =
            Pattern.compile("(?i)(@odata\\.)?next_?(page_?)?(token|link|marker|url|uri)?|has_?more|is_?truncated");

    private static final Pattern TOTAL = Pattern.compile(
            "(?i)(grand_?)?total_?(matches|count|entries|entities|results|records|items|elements|available_?results)");
    /** Of a list only at the top, or where pages are spoken of: elsewhere it may be of anything. */
    private static final Pattern PLAIN_TOTAL = Pattern.compile("(?i)(grand_?)?total");

    private static final Pattern PAGE = Pattern.compile(
            "(?i)_?(meta|meta_?data|paginat(ion|or)|paging|((per|current|last)_?)?pages?(_?(info|size))?)");

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
        String more = more(roots);
        return found.tables.values().stream().map(table -> table.build(more)).toList();
    }

    /** What says that the last of these is one page of a list, and not the last: a mark of the next, or a total. */
    private static String more(List<JsonNode> pages) {
        long items = pages.stream()
                .mapToLong(page -> page.valueStream()
                        .filter(JsonNode::isArray)
                        .mapToLong(JsonNode::size)
                        .max()
                        .orElse(0))
                .sum();
        return items == 0 || pages.stream().anyMatch(JsonNode::isArray)
                ? ""
                : more("", pages.get(pages.size() - 1), items);
    }

    private static String more(String path, JsonNode node, long items) {
        boolean ofPages = path.isEmpty()
                || Stream.of(path.split("[.]"))
                        .anyMatch(name -> PAGE.matcher(name).matches())
                || node.propertyStream()
                        .anyMatch(field -> PAGE.matcher(field.getKey()).matches());
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String name = path + field.getKey();
            JsonNode value = field.getValue();
            if (value.isObject()) {
                String found = more(name + ".", value, items);
                if (!found.isEmpty()) {
                    return found;
                }
            } else if (NEXT.matcher(field.getKey()).matches() && isSaid(value)) {
                return name + " says that there are more";
            } else if (field.getKey().endsWith("links")
                    && value.valueStream()
                            .anyMatch(link -> link.path("rel").asText().equals("next"))) {
                return name + " has the next page";
            } else if ((TOTAL.matcher(field.getKey()).matches()
                            || (ofPages && PLAIN_TOTAL.matcher(field.getKey()).matches())
                            || name.equals("count"))
                    && value.isIntegralNumber()
                    && value.asLong() > items) {
                return String.format(Locale.ROOT, "%,d of %,d (%s)", items, value.asLong(), name);
            }
        }
        return "";
    }

    private static boolean isSaid(JsonNode value) {
        return value.isBoolean()
                ? value.asBoolean()
                : value.isValueNode() && !value.asText("").isEmpty();
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

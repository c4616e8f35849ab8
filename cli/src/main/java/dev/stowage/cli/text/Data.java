package dev.stowage.cli.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.stowage.sim.result.Remark;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Output for machines. */
public final class Data {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Fields with numbers of servers. */
    private static final Set<String> SERVERS = Set.of("servers", "bound", "byReplication", "boundBy");

    private static final double MOST_EXACT = 1L << 53;

    private Data() {}

    /** Indented JSON, ended by a newline. */
    public static String json(Object value) {
        try {
            return JSON.writerWithDefaultPrettyPrinter()
                            .writeValueAsString(value)
                            .replace("\r\n", "\n") + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same, or JSON already, with what must be known beside it, in each object of a list: texts, often none. */
    public static String json(Object value, List<Remark> warnings) {
        JsonNode tree = whole(value instanceof String text ? tree(text) : JSON.valueToTree(value));
        for (JsonNode each : tree.isArray() ? tree : List.of(tree)) {
            ArrayNode list = ((ObjectNode) each).putArray("warnings");
            warnings.forEach(note -> list.add(note.toString()));
        }
        return json(tree);
    }

    /** The same, with numbers that are whole as integers: 1, and not 1.0. */
    private static JsonNode whole(JsonNode tree) {
        if (tree instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, whole(list.get(i)));
            }
        } else if (tree instanceof ObjectNode object) {
            object.properties().forEach(each -> each.setValue(whole(each.getValue())));
        } else if (tree.isDouble()
                && tree.doubleValue() == Math.rint(tree.doubleValue())
                && Math.abs(tree.doubleValue()) < MOST_EXACT) {
            return LongNode.valueOf(tree.longValue());
        }
        return tree;
    }

    /** The same with numbers of servers: null where no number is enough, which is the greatest integer. */
    public static String jsonOfServers(Object value, List<Remark> warnings) {
        JsonNode tree = JSON.valueToTree(value);
        leaveOutNoNumber(tree, false);
        return json(tree, warnings);
    }

    private static void leaveOutNoNumber(JsonNode tree, boolean ofServers) {
        if (tree instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                if (ofServers && isNoNumber(list.get(i))) {
                    list.setNull(i);
                }
                leaveOutNoNumber(list.get(i), ofServers);
            }
        } else if (tree instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> each : List.copyOf(object.properties())) {
                boolean its = ofServers || SERVERS.contains(each.getKey());
                if (its && isNoNumber(each.getValue())) {
                    object.putNull(each.getKey());
                }
                leaveOutNoNumber(each.getValue(), its);
            }
        }
    }

    private static boolean isNoNumber(JsonNode value) {
        return value.isNumber() && value.asDouble() >= Integer.MAX_VALUE;
    }

    /** Text that is JSON; null where there is none. */
    public static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An object that is JSON already, in one line, with what must be known beside it. */
    public static String jsonLine(String object, List<String> warnings) {
        ObjectNode tree = (ObjectNode) tree(object);
        ArrayNode list = tree.putArray("warnings");
        warnings.forEach(list::add);
        return jsonLine(tree);
    }

    /** JSON in one line, without its end. */
    public static String jsonLine(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A CSV table, RFC 4180, lines end in LF. */
    public static final class Csv {
        private final StringWriter out = new StringWriter();
        private final CsvWriter csv = CsvWriter.builder()
                .lineDelimiter(LineDelimiter.LF)
                .bufferSize(0)
                .build(out);

        public Csv(String... header) {
            csv.writeRecord(header);
        }

        public void row(String... fields) {
            csv.writeRecord(fields);
        }

        public String text() {
            return out.toString();
        }
    }
}

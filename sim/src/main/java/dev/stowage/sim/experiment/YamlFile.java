package dev.stowage.sim.experiment;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.yaml.snakeyaml.LoaderOptions;

/** The text of a YAML file as a tree. */
public final class YamlFile {
    private static final Pattern DUPLICATE = Pattern.compile("Duplicate field '(.*)'");

    private YamlFile() {}

    /** Reads and writes YAML: a key that occurs twice in one group is an error, instead of the last one winning. */
    static ObjectMapper mapper() {
        // The limit of snakeyaml, 3 MB, is against what comes from strangers; these files are the caller's own.
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(Integer.MAX_VALUE);
        return new ObjectMapper(YAMLFactory.builder()
                .loaderOptions(limits)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .build());
    }

    /**
     * The tree of a text.
     *
     * @param source name of the file, for messages
     * @param text YAML
     * @param expected what the file should be, for the message if it is not a group of keys
     * @throws ExperimentException if it is not YAML, or not a group of keys
     */
    public static ObjectNode parse(String source, String text, String expected) {
        try {
            JsonNode node = mapper().readTree(text);
            if (node instanceof ObjectNode root) {
                return root;
            }
            throw new ExperimentException(source, List.of(new Problem("", "is not " + expected)));
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : "line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ": ";
            throw new ExperimentException(source, List.of(new Problem("", where + what(text, e))));
        }
    }

    /** Mistakes, each with the line where its path, or the nearest part of it that is there, begins. */
    static List<Problem> onLines(String text, List<Problem> problems) {
        Map<String, Integer> lines = lines(text);
        return problems.stream()
                .map(problem -> problem.onLine(line(lines, problem.path())))
                .toList();
    }

    private static int line(Map<String, Integer> lines, String path) {
        String at = path;
        while (!at.isEmpty() && !lines.containsKey(at)) {
            at = at.substring(0, Math.max(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['))));
        }
        return lines.getOrDefault(at, 0);
    }

    /** The lines on which keys and elements begin, by their path; none of a text that cannot be read. */
    private static Map<String, Integer> lines(String text) {
        Map<String, Integer> lines = new HashMap<>();
        try (JsonParser parser = mapper().createParser(text)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                noteLines(parser, "", lines);
            }
        } catch (IOException e) {
            lines.clear();
        }
        return lines;
    }

    /** Notes what is in the group or list that the parser has just entered. */
    private static void noteLines(JsonParser parser, String path, Map<String, Integer> lines) throws IOException {
        boolean list = parser.currentToken() == JsonToken.START_ARRAY;
        for (int i = 0; ; i++) {
            JsonToken next = parser.nextToken();
            if (next == null || next.isStructEnd()) {
                return;
            }
            String key = list
                    ? path + "[" + i + "]"
                    : path.isEmpty() ? parser.currentName() : path + "." + parser.currentName();
            lines.put(key, parser.currentTokenLocation().getLineNr());
            if (!list) {
                next = parser.nextToken();
            }
            if (next != null && next.isStructStart()) {
                noteLines(parser, key, lines);
            }
        }
    }

    private static String what(String text, JsonProcessingException e) {
        List<String> lines = e.getOriginalMessage().lines().toList();
        Matcher duplicate = DUPLICATE.matcher(lines.get(0));
        if (duplicate.matches()) {
            return "the key '" + duplicate.group(1) + "' occurs twice in one group; leave one out";
        }
        // What is indented is the place; what comes before it, the context.
        String message = lines.stream()
                .filter(line -> !line.startsWith(" "))
                .reduce((context, problem) -> problem)
                .orElse("it cannot be read")
                .replaceFirst(" \\(start marker at .*", "")
                .replace("<stream end>", "the end of the file");
        return "not YAML: " + message
                + lineWithTab(text).map(line -> "; " + line).orElse("");
    }

    private static Optional<String> lineWithTab(String text) {
        List<String> lines = text.lines().toList();
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).matches(" *\\t.*"))
                .mapToObj(i -> "line " + (i + 1) + " begins with a tab: YAML is indented with spaces")
                .findFirst();
    }
}

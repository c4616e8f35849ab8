package dev.stowage.sim.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.util.List;
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

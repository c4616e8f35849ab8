package dev.stowage.sim.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.util.List;

/** The text of a YAML file as a tree. */
public final class YamlFile {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private YamlFile() {}

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
            JsonNode node = YAML.readTree(text);
            if (node instanceof ObjectNode root) {
                return root;
            }
            throw new ExperimentException(source, List.of(new Problem("", "is not " + expected)));
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : "line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ": ";
            String what = e.getOriginalMessage().lines().findFirst().orElse("not YAML");
            throw new ExperimentException(source, List.of(new Problem("", where + "not YAML: " + what)));
        }
    }
}

package dev.stowage.sim.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The text of an experiment as a tree, before its meaning is checked: overrides in place, labels taken out, and a tree
 * for each point of its sweep.
 */
public final class ExperimentTree {
    private static final int HASH_DIGITS = 16;
    private static final int MOST_POINTS = 10_000;

    private final ObjectMapper yaml = YamlFile.mapper();
    private final String source;
    private final String text;
    private final ObjectNode root;
    private final List<String> labels;
    private final List<Problem> problems = new ArrayList<>();

    /**
     * One point of a sweep.
     *
     * @param values value of every axis, in order
     * @param tree the experiment with these values in place
     */
    public record Point(Map<String, String> values, ObjectNode tree) {}

    /**
     * Reads a text.
     *
     * @param source name of the file, for messages
     * @param text YAML
     * @param overrides {@code path=value}
     * @throws ExperimentException with all mistakes
     */
    public ExperimentTree(String source, String text, List<String> overrides) {
        this.source = source;
        this.text = text;
        root = YamlFile.parse(source, text, "an experiment: expected keys such as cluster, workload, policies");
        for (String override : overrides) {
            override(override);
        }
        labels = labels(new YamlFields(root, "", problems).at("labels"));
        root.remove("labels");
        failIfProblems();
    }

    /** The words by which it can be chosen. They do not affect what is run, and are not part of text and hash. */
    public List<String> labels() {
        return labels;
    }

    /** The text of a key, empty if there is none. */
    public String text(String key) {
        return root.path(key).asText();
    }

    /** Whether it compares planners on single jobs ({@code planning}), and simulates nothing. */
    public boolean isPlanning() {
        return root.has("planning");
    }

    /** Whether it asks for the number of servers that a target needs ({@code size}). */
    public boolean hasSize() {
        return root.has("size");
    }

    /** Its policies by label, else by key, as in results; none where it compares planners. */
    public Map<String, JsonNode> policies() {
        Map<String, JsonNode> named = new LinkedHashMap<>();
        root.path("policies")
                .forEach(each ->
                        named.put(each.path("label").asText(each.path("policy").asText(each.asText())), each));
        return named;
    }

    /** Names of the trace files that it reads, as written in the text. */
    public List<String> traces() {
        return root.path("workload").findValues("file").stream()
                .map(JsonNode::asText)
                .toList();
    }

    /** Its keys, to read blocks that are the same at every point; mistakes go to the list. */
    YamlFields fields(List<Problem> problems) {
        return new YamlFields(root, "", problems);
    }

    /** The text as it was written. */
    public String written() {
        return text;
    }

    /** The text with overrides in place. */
    public String resolvedYaml() {
        return text(root);
    }

    private String text(ObjectNode tree) {
        try {
            return yaml.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an experiment that was read cannot be written", e);
        }
    }

    /** The same, where requests may have all that servers have: nothing overcommitted, nothing reserved. */
    public String withWholeServers() {
        JsonNode cluster = root.path("cluster").deepCopy();
        for (String key : List.of(PromisedCapacity.OVERCOMMIT, PromisedCapacity.RESERVE)) {
            cluster.findParents(key).forEach(each -> ((ObjectNode) each).remove(key));
        }
        ObjectNode whole = root.deepCopy();
        whole.set("cluster", cluster);
        return text(whole);
    }

    /** First 16 hex digits of the SHA-256 of {@link #resolvedYaml}. */
    public String hash() {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(resolvedYaml().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /**
     * The points of its sweep in order, the last axis fastest; a single one without a sweep.
     *
     * @throws ExperimentException if an axis or a path is wrong
     */
    public List<Point> points() {
        List<Point> points = new ArrayList<>();
        for (Map<String, SweepAxis.Value> combination : combinations(axes())) {
            ObjectNode tree = root.deepCopy();
            Map<String, String> values = new LinkedHashMap<>();
            combination.forEach((axis, value) -> {
                set(tree, value.path(), value.node());
                values.put(axis, value.node().asText());
            });
            points.add(new Point(values, tree));
        }
        failIfProblems();
        return points;
    }

    private static List<String> labels(YamlFields at) {
        List<String> labels = new ArrayList<>();
        for (YamlFields element : at.elements()) {
            String label = element.requiredText("a label");
            if (!label.matches("[a-z][a-z0-9-]*")) {
                element.problem("'" + label + "' must be a word of small letters, digits and '-', e.g. quick");
            } else if (labels.contains(label)) {
                element.problem("'" + label + "' is listed twice");
            }
            labels.add(label);
        }
        return List.copyOf(labels);
    }

    private void override(String override) {
        int equals = override.indexOf('=');
        if (equals < 1) {
            problems.add(new Problem("", "override '" + override + "' must be path=value"));
            return;
        }
        try {
            JsonNode value = yaml.readTree(override.substring(equals + 1));
            set(root, override.substring(0, equals).strip(), value);
        } catch (JsonProcessingException e) {
            problems.add(new Problem("", "override '" + override + "': the value is not YAML"));
        }
        failIfProblems();
    }

    private void set(ObjectNode tree, String path, JsonNode value) {
        try {
            YamlPath.of(path).set(tree, value);
        } catch (IllegalArgumentException e) {
            problems.add(new Problem("", "path '" + path + "' " + e.getMessage()));
        }
    }

    private List<SweepAxis> axes() {
        List<SweepAxis> axes = new ArrayList<>();
        for (YamlFields axis : new YamlFields(root, "", problems).at("sweep").elements()) {
            if (axis.isObject("{path: workload.trace.traffic-scaling, values: [1, 1.2, 1.4]}")) {
                String path = axis.at("path").requiredText("the place in the experiment that is swept");
                String name = axis.at("name").text(path.substring(path.lastIndexOf('.') + 1));
                List<JsonNode> values = axis.at("values").elements().stream()
                        .map(YamlFields::node)
                        .toList();
                if (path.matches("(name|title|description|labels|sweep)([.\\[].*)?")) {
                    axis.at("path").problem("'" + path + "' changes nothing that is run: all points would be the same");
                }
                if (values.isEmpty()) {
                    axis.at("values").problem("is empty: give at least one value");
                }
                axis.rejectUnknown();
                axes.add(new SweepAxis(name, path, values));
            }
        }
        failIfProblems();
        return axes;
    }

    private List<Map<String, SweepAxis.Value>> combinations(List<SweepAxis> axes) {
        List<Map<String, SweepAxis.Value>> all = List.of(Map.of());
        for (SweepAxis axis : axes) {
            List<Map<String, SweepAxis.Value>> longer = new ArrayList<>();
            for (Map<String, SweepAxis.Value> combination : all) {
                for (JsonNode value : axis.values()) {
                    Map<String, SweepAxis.Value> more = new LinkedHashMap<>(combination);
                    if (more.put(axis.name(), new SweepAxis.Value(axis.path(), value)) != null) {
                        problems.add(new Problem(
                                "sweep", "two axes are named '" + axis.name() + "'; give them different names"));
                    }
                    longer.add(more);
                }
            }
            all = longer;
        }
        if (all.size() > MOST_POINTS) {
            problems.add(new Problem("sweep", all.size() + " combinations are more than " + MOST_POINTS));
        }
        failIfProblems();
        return all;
    }

    private void failIfProblems() {
        if (!problems.isEmpty()) {
            throw new ExperimentException(
                    source, text, problems.stream().distinct().toList());
        }
    }
}

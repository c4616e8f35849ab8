package dev.stowage.sim.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.core.policy.PolicyFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads experiments from YAML; docs/experiments.md describes every key. All mistakes are found in one go. */
public final class ExperimentReader {
    private static final int HASH_DIGITS = 16;
    private static final int MOST_POINTS = 10_000;

    private final String source;
    private final Path base;
    private final PolicyFactory policies;
    private final ObjectMapper yaml = YamlFile.mapper();
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private ExperimentReader(String source, Path base, PolicyFactory policies) {
        this.source = source;
        this.base = base;
        this.policies = policies;
    }

    /**
     * Reads an experiment.
     *
     * @param source name of the file, for messages
     * @param text YAML
     * @param base directory against which file names in it are resolved
     * @param overrides {@code path=value}, applied before anything is checked
     * @param policies checks the policies
     * @throws ExperimentException with all mistakes
     */
    public static ReadExperiment read(
            String source, String text, Path base, List<String> overrides, PolicyFactory policies) {
        return new ExperimentReader(source, base, policies).read(text, overrides);
    }

    private ReadExperiment read(String text, List<String> overrides) {
        ObjectNode root =
                YamlFile.parse(source, text, "an experiment: expected keys such as cluster, workload, policies");
        for (String override : overrides) {
            override(root, override);
        }
        String resolved = resolved(root);
        String hash = hash(resolved);
        TraceCache traces = new TraceCache(base);
        List<Experiment> points = new ArrayList<>();
        for (Map<String, SweepAxis.Value> combination : combinations(axes(root))) {
            ObjectNode point = root.deepCopy();
            Map<String, String> labels = new LinkedHashMap<>();
            combination.forEach((axis, value) -> {
                set(point, value.path(), value.node());
                labels.put(axis, value.node().asText());
            });
            Experiment experiment = new PointReader(base, policies, traces, problems, notes).read(point, hash, labels);
            if (experiment != null) {
                points.add(experiment);
            }
            failIfProblems();
        }
        return new ReadExperiment(points, resolved, notes.stream().distinct().toList());
    }

    private void override(ObjectNode root, String override) {
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

    private void set(ObjectNode root, String path, JsonNode value) {
        try {
            YamlPath.of(path).set(root, value);
        } catch (IllegalArgumentException e) {
            problems.add(new Problem("", "path '" + path + "' " + e.getMessage()));
        }
    }

    private List<SweepAxis> axes(ObjectNode root) {
        List<SweepAxis> axes = new ArrayList<>();
        for (YamlFields axis : new YamlFields(root, "", problems).at("sweep").elements()) {
            if (axis.isObject("{path: workload.trace.traffic-scaling, values: [1, 1.2, 1.4]}")) {
                String path = axis.at("path").requiredText("the place in the experiment that is swept");
                String name = axis.at("name").text(path.substring(path.lastIndexOf('.') + 1));
                List<JsonNode> values = axis.at("values").elements().stream()
                        .map(YamlFields::node)
                        .toList();
                if (path.matches("(name|title|description|sweep)([.\\[].*)?")) {
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
                        problems.add(new Problem("sweep", "two axes are named '" + axis.name() + "'; give them names"));
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

    private String resolved(ObjectNode root) {
        try {
            return yaml.writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an experiment that was read cannot be written", e);
        }
    }

    private void failIfProblems() {
        if (!problems.isEmpty()) {
            throw new ExperimentException(source, problems.stream().distinct().toList());
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

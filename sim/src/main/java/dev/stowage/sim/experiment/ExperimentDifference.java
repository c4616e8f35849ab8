package dev.stowage.sim.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is different between two experiments, for people. */
public final class ExperimentDifference {
    private static final int MOST_TOLD = 5;

    private ExperimentDifference() {}

    /**
     * Places and values that differ, as in {@code seed: 7 there, 8 here; horizon: only there}.
     *
     * @param there resolved text of the one
     * @param here resolved text of the other
     */
    public static String between(String there, String here) {
        Map<String, String> first = new TreeMap<>();
        Map<String, String> second = new TreeMap<>();
        flatten("", YamlFile.parse("there", there, "an experiment"), first);
        flatten("", YamlFile.parse("here", here, "an experiment"), second);
        List<String> told = new ArrayList<>();
        first.forEach((path, value) -> {
            String other = second.get(path);
            if (other == null) {
                told.add(path + ": " + value + " only there");
            } else if (!other.equals(value)) {
                told.add(path + ": " + value + " there, " + other + " here");
            }
        });
        second.forEach((path, value) -> {
            if (!first.containsKey(path)) {
                told.add(path + ": " + value + " only here");
            }
        });
        int more = told.size() - MOST_TOLD;
        return String.join("; ", told.subList(0, Math.min(MOST_TOLD, told.size())))
                + (more > 0 ? "; and " + more + " more" : "")
                + (told.isEmpty() ? "the order of keys" : "");
    }

    private static void flatten(String path, JsonNode node, Map<String, String> into) {
        if (node.isObject() && !node.isEmpty()) {
            node.properties()
                    .forEach(field -> flatten(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), into));
        } else if (node.isArray() && !node.isEmpty()) {
            for (int i = 0; i < node.size(); i++) {
                flatten(path + "[" + i + "]", node.get(i), into);
            }
        } else {
            into.put(path, node.asText().isEmpty() ? node.toString() : node.asText());
        }
    }
}

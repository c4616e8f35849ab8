package dev.stowage.sim.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A place in an experiment, written {@code cluster.sites[0].servers[1].cpu}. */
final class YamlPath {
    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)((?:\\[\\d+])*)(?:\\.|$)");
    private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

    private final String text;
    /** Keys as texts, list positions as integers. */
    private final List<Object> steps;

    private YamlPath(String text, List<Object> steps) {
        this.text = text;
        this.steps = steps;
    }

    /** The path of a text, or {@link IllegalArgumentException}. */
    static YamlPath of(String text) {
        List<Object> steps = new ArrayList<>();
        Matcher step = STEP.matcher(text);
        int end = 0;
        while (end < text.length()) {
            if (!step.find(end) || step.start() != end) {
                throw new IllegalArgumentException("is not a path such as cluster.sites[0].name");
            }
            steps.add(step.group(1));
            Matcher index = INDEX.matcher(step.group(2));
            while (index.find()) {
                steps.add(Integer.valueOf(index.group(1)));
            }
            end = step.end();
        }
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("is empty");
        }
        return new YamlPath(text, steps);
    }

    /** Puts a value there; groups on the way are made, list elements must exist. */
    void set(ObjectNode root, JsonNode value) {
        JsonNode at = root;
        for (int i = 0; i + 1 < steps.size(); i++) {
            at = child(at, i);
        }
        Object last = steps.get(steps.size() - 1);
        if (last instanceof String key && at instanceof ObjectNode group) {
            group.set(key, value);
        } else if (last instanceof Integer index && at instanceof ArrayNode list && index < list.size()) {
            list.set(index, value);
        } else {
            throw nothingAt(steps.size() - 1);
        }
    }

    private JsonNode child(JsonNode at, int i) {
        if (steps.get(i) instanceof String key && at instanceof ObjectNode group) {
            JsonNode child = group.get(key);
            boolean wantsGroup = steps.get(i + 1) instanceof String;
            return child == null && wantsGroup ? group.putObject(key) : found(child, i);
        }
        return found(steps.get(i) instanceof Integer index ? at.get(index) : null, i);
    }

    private JsonNode found(@Nullable JsonNode child, int i) {
        if (child == null) {
            throw nothingAt(i);
        }
        return child;
    }

    private IllegalArgumentException nothingAt(int step) {
        String missing = steps.get(step).toString();
        boolean position = step > 0 && steps.get(step) instanceof String && missing.matches("\\d+");
        return new IllegalArgumentException("names nothing in the experiment: there is no '" + missing + "'"
                + (position ? "; lists are written " + steps.get(step - 1) + "[" + missing + "]" : ""));
    }

    @Override
    public String toString() {
        return text;
    }
}

package dev.stowage.sim.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.sim.trace.TraceException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One node of a YAML file with its path. Reading a wrong value notes a {@link Problem} and returns the default, so that
 * one pass finds all mistakes; {@link #rejectUnknown} notes the keys that nobody read.
 */
public final class YamlFields {
    private final JsonNode node;
    private final String path;
    private final List<Problem> problems;
    /** Remarks on values that are read in another way than they may be meant. */
    private final List<String> remarks;

    private final Set<String> known = new TreeSet<>();

    /** With the list that takes the problems. */
    public YamlFields(JsonNode node, String path, List<Problem> problems) {
        this(node, path, problems, new ArrayList<>());
    }

    /** The same, and one that takes remarks on how values are read. */
    YamlFields(JsonNode node, String path, List<Problem> problems, List<String> remarks) {
        this.node = node;
        this.path = path;
        this.problems = problems;
        this.remarks = remarks;
    }

    /** The node itself. */
    public JsonNode node() {
        return node;
    }

    /** Where it is in the file. */
    public String path() {
        return path;
    }

    /** Whether there is a value. */
    public boolean present() {
        return !node.isMissingNode() && !node.isNull();
    }

    /** Whether there is a value under a key. */
    public boolean has(String key) {
        known.add(key);
        return node.hasNonNull(key);
    }

    /** Names of the keys, in order. */
    public List<String> keys() {
        List<String> keys = new ArrayList<>();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    /** The value under a key, present or not. */
    public YamlFields at(String key) {
        known.add(key);
        JsonNode child = node.get(key);
        return new YamlFields(
                child == null ? MissingNode.getInstance() : child,
                path.isEmpty() ? key : path + "." + key,
                problems,
                remarks);
    }

    /** The same object without one of its keys. */
    public YamlFields without(String key) {
        ObjectNode copy = node.deepCopy();
        copy.remove(key);
        return new YamlFields(copy, path, problems, remarks);
    }

    /** The elements of a list, or the value itself as the only one. */
    public List<YamlFields> elements() {
        List<YamlFields> all = new ArrayList<>();
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                all.add(new YamlFields(node.get(i), path + "[" + i + "]", problems, remarks));
            }
        } else if (present()) {
            all.add(this);
        }
        return all;
    }

    /** How many problems were noted so far, anywhere. */
    public int problems() {
        return problems.size();
    }

    /** Notes a problem. */
    public void problem(String message) {
        problems.add(new Problem(path, message));
    }

    /** Notes a problem in place of those that were noted of this value, which follow from it; there are no fewer. */
    void onlyProblem(String message) {
        if (problems.stream().noneMatch(problem -> problem.path().equals(path))) {
            problem(message);
        }
        problems.replaceAll(problem -> problem.path().equals(path) ? new Problem(path, message) : problem);
    }

    /** Notes that a policy cannot handle the requests. */
    void problem(PolicyNeeds.Unmet unmet) {
        problems.add(new Problem(path, unmet.toString(), false, unmet));
    }

    /** Notes that a file cannot be read, or that what is in it cannot be used. */
    void problem(RuntimeException why) {
        problems.add(new Problem(path, String.valueOf(why.getMessage()), why instanceof TraceException.Missing, null));
    }

    /** A text, or the default. */
    public String text(String otherwise) {
        if (!present()) {
            return otherwise;
        }
        if (node.isContainerNode()) {
            problem("must be a text, not " + kind());
            return otherwise;
        }
        return node.asText();
    }

    /** A text that is required. */
    public String requiredText(String what) {
        if (!present() || node.isContainerNode() || node.asText().isBlank()) {
            problem("is missing: " + what);
            return "";
        }
        return node.asText();
    }

    /** True or false. */
    public boolean flag(boolean otherwise) {
        if (!present()) {
            return otherwise;
        }
        if (!node.isBoolean()) {
            problem("'" + node.asText() + "' must be true or false");
            return otherwise;
        }
        return node.asBoolean();
    }

    /** A whole number within bounds. */
    public long whole(long otherwise, long least, long most) {
        if (!present()) {
            return otherwise;
        }
        return parsed(otherwise, text -> {
            long value = Units.whole(text);
            if (value < least || value > most) {
                String allowed = most == Long.MAX_VALUE ? "at least " + least : least + " to " + most;
                throw new IllegalArgumentException("must be " + allowed);
            }
            return value;
        });
    }

    /** A finite number within bounds; per cents are allowed. */
    public double number(double otherwise, double least, double most) {
        return present()
                ? parsed(otherwise, text -> {
                    double value = Units.number(text);
                    if (value < least || value > most) {
                        boolean percent = most <= 1 && value > 1 && value <= 100 && !isPercentage(text);
                        throw new IllegalArgumentException("must be "
                                + (isPercentage(text)
                                        ? percentage(least) + " to " + percentage(most)
                                        : least + " to " + most)
                                + (percent ? ", or a percentage such as \"" + text + " %\"" : ""));
                    }
                    return value;
                })
                : otherwise;
    }

    private static boolean isPercentage(String text) {
        return text.strip().endsWith("%");
    }

    private static String percentage(double part) {
        return BigDecimal.valueOf(part).movePointRight(2).stripTrailingZeros().toPlainString() + " %";
    }

    /** Notes how a value is read. */
    void remark(String text) {
        remarks.add(text);
    }

    /** What {@code parser} makes of the text; if it throws, its message becomes the problem. */
    public <T> T parsed(T otherwise, Function<String, T> parser) {
        if (!present()) {
            problem("is missing");
            return otherwise;
        }
        if (node.isContainerNode()) {
            problem("must be a single value, not " + kind());
            return otherwise;
        }
        try {
            return parser.apply(node.asText());
        } catch (IllegalArgumentException e) {
            problem("'" + node.asText() + "' " + e.getMessage());
            return otherwise;
        }
    }

    /** Whether this is an object; notes a problem if not. */
    public boolean isObject(String example) {
        if (node.isObject()) {
            return true;
        }
        problem((present() ? "must be a group of keys, not " + kind() : "is missing") + "; e.g. " + example);
        return false;
    }

    /** Notes every key that was never asked for. */
    public void rejectUnknown() {
        for (String key : keys()) {
            if (!known.contains(key)) {
                problems.add(new Problem(
                        path.isEmpty() ? key : path + "." + key, "unknown key; " + NearestName.among(key, known)));
            }
        }
    }

    private String kind() {
        return node.isArray() ? "a list" : node.isObject() ? "a group of keys" : "'" + node.asText() + "'";
    }
}

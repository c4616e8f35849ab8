package dev.stowage.core.model;

import java.util.List;

/**
 * A condition on one label of a server, with the meaning that Kubernetes gives its operators: {@code NOT_IN} also holds
 * if the server does not have the label. The text form is {@code gpu=V100|P100}, {@code gpu!=V100|P100}, {@code gpu}
 * (exists) or {@code !gpu} (does not exist).
 *
 * @param key the label
 * @param operator the condition
 * @param values the values to compare with; empty if the operator needs none
 */
public record Requirement(String key, Operator operator, List<String> values) {
    /** What a label must be. */
    public enum Operator {
        /** It has one of the values. */
        IN,
        /** It has none of the values, or the server does not have it. */
        NOT_IN,
        /** The server has it. */
        EXISTS,
        /** The server does not have it. */
        DOES_NOT_EXIST
    }

    /**
     * Checks that there are values just where the operator needs them; takes a copy.
     *
     * @throws IllegalArgumentException if it is otherwise, or key or value is not a word
     */
    public Requirement {
        values = values.stream().sorted().distinct().toList();
        Labels.checkWord("label key", key, false);
        for (String value : values) {
            Labels.checkWord("value of label '" + key + "'", value, true);
        }
        boolean needsValues = operator == Operator.IN || operator == Operator.NOT_IN;
        if (needsValues == values.isEmpty()) {
            throw new IllegalArgumentException("label '" + key + "': " + operator
                    + (needsValues ? " needs at least one value" : " takes no values, not " + values));
        }
    }

    /**
     * The requirement of a text.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static Requirement parse(String text) {
        int equals = text.indexOf('=');
        if (equals > 0 && text.charAt(equals - 1) == '!') {
            return new Requirement(text.substring(0, equals - 1), Operator.NOT_IN, split(text.substring(equals + 1)));
        }
        if (equals >= 0) {
            return new Requirement(text.substring(0, equals), Operator.IN, split(text.substring(equals + 1)));
        }
        return text.startsWith("!")
                ? new Requirement(text.substring(1), Operator.DOES_NOT_EXIST, List.of())
                : new Requirement(text, Operator.EXISTS, List.of());
    }

    private static List<String> split(String values) {
        return List.of(values.split("\\|", -1));
    }

    /** Whether a server with these labels meets it. */
    public boolean isMetBy(Labels labels) {
        String value = labels.values().get(key);
        return switch (operator) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
        };
    }

    /** The text form. */
    @Override
    public String toString() {
        return switch (operator) {
            case IN -> key + "=" + String.join("|", values);
            case NOT_IN -> key + "!=" + String.join("|", values);
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "!" + key;
        };
    }
}

package dev.stowage.core.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Labels of a server: at most one value for each key, as Kubernetes has them on nodes. The text form is {@code
 * gpu=V100,zone=a}; a value may be empty.
 *
 * @param values value by key, in order of the keys
 */
public record Labels(SortedMap<String, String> values) {
    /** No label. */
    public static final Labels NONE = new Labels(new TreeMap<>());

    private static final int LONGEST = 253;
    private static final String OTHERS = "._/-+";

    /**
     * Takes a copy.
     *
     * @throws IllegalArgumentException if a key or a value is not a word ({@link #checkWord})
     */
    public Labels {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        values.forEach((key, value) -> {
            checkWord("label key", key, false);
            checkWord("value of label '" + key + "'", value, true);
        });
    }

    /** The labels of a map. */
    public static Labels of(Map<String, String> values) {
        return values.isEmpty() ? NONE : new Labels(new TreeMap<>(values));
    }

    /**
     * The labels of a text.
     *
     * @throws IllegalArgumentException if it is not one, or has a key twice
     */
    public static Labels parse(String text) {
        SortedMap<String, String> values = new TreeMap<>();
        for (String one : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = one.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("label '" + one + "' in '" + text + "' is not key=value");
            }
            if (values.put(one.substring(0, equals), one.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(
                        "label '" + one.substring(0, equals) + "' occurs twice in '" + text + "'");
            }
        }
        return of(values);
    }

    /**
     * Checks a name, a key or a value: letters, digits and {@code . _ / - +}, so that it is one word in logs and
     * expressions.
     *
     * @throws IllegalArgumentException if it is something else, too long, or empty where it may not be
     */
    public static void checkWord(String what, String text, boolean mayBeEmpty) {
        boolean good = text.length() <= LONGEST
                && (mayBeEmpty || !text.isEmpty())
                && text.chars().allMatch(c -> isLetterOrDigit(c) || OTHERS.indexOf(c) >= 0);
        if (!good) {
            throw new IllegalArgumentException(what + " '" + text + "' is not " + (mayBeEmpty ? "0" : "1") + " to "
                    + LONGEST + " letters, digits and . _ / - +");
        }
    }

    private static boolean isLetterOrDigit(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** The text form. */
    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }
}

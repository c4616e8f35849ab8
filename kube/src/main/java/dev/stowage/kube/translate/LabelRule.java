package dev.stowage.kube.translate;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/**
 * A condition on one label, of a node or a pod.
 *
 * @param key the label
 * @param operator the condition
 * @param values what the value is compared with
 */
public record LabelRule(String key, Operator operator, List<String> values) {
    private static final int SHOWN = 4;
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    /** The operators of Kubernetes. */
    public enum Operator {
        /** It has one of the values. */
        IN("In"),
        /** It has none of the values, or there is no such label. */
        NOT_IN("NotIn"),
        /** There is such a label. */
        EXISTS("Exists"),
        /** There is no such label. */
        DOES_NOT_EXIST("DoesNotExist"),
        /** Its value is a whole number above that given. */
        GREATER("Gt"),
        /** Its value is a whole number below that given. */
        LESS("Lt");

        private final String text;

        Operator(String text) {
            this.text = text;
        }

        /**
         * The operator for a word of the API.
         *
         * @throws IllegalArgumentException if it is another word
         */
        public static Operator of(String text) {
            for (Operator operator : values()) {
                if (operator.text.equals(text)) {
                    return operator;
                }
            }
            throw new IllegalArgumentException("operator '" + text + "' is not known");
        }
    }

    /** Takes a copy. */
    public LabelRule {
        values = List.copyOf(values);
    }

    /** Whether labels meet it. */
    public boolean isMetBy(Map<String, String> labels) {
        String value = labels.get(key);
        return switch (operator) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
            case GREATER -> value != null && compare(value) > 0;
            case LESS -> value != null && compare(value) < 0;
        };
    }

    /** Compares the label's number with the given one; 0 if either is not a number of 64 bits. */
    private int compare(String value) {
        BigInteger label = number(value);
        BigInteger given = values.size() == 1 ? number(values.get(0)) : null;
        return label == null || given == null ? 0 : label.compareTo(given);
    }

    private static @org.jspecify.annotations.Nullable BigInteger number(String text) {
        if (!text.matches("[+-]?[0-9]+")) {
            return null;
        }
        BigInteger number = new BigInteger(text);
        return number.compareTo(LEAST) < 0 || number.compareTo(LARGEST) > 0 ? null : number;
    }

    /** As {@code disk In [hdd, ssd]}; of many values the first. */
    @Override
    public String toString() {
        int more = values.size() - SHOWN;
        return key + " " + operator.text
                + (values.isEmpty() ? "" : " " + values.subList(0, Math.min(SHOWN, values.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }
}

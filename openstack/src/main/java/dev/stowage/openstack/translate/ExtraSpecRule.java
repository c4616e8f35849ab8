package dev.stowage.openstack.translate;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/**
 * The small language in which an extra spec says what a value must be: {@code = 3}, {@code s== ssd}, {@code <in> x},
 * {@code <or> a <or> b}, or just the value (Nova 26, {@code nova.scheduler.filters.extra_specs_ops}).
 */
final class ExtraSpecRule {
    private ExtraSpecRule() {}

    /** Whether a value is as a requirement says; a number that cannot be read is not. */
    static boolean matches(String value, String requirement) {
        List<String> words = Arrays.asList(requirement.strip().split("\\s+"));
        String word = words.size() > 1 ? words.get(1) : "";
        boolean said = words.size() > 1;
        return switch (words.get(0)) {
            case "<or>" -> or(words, value);
            case "<in>" -> said && value.contains(word);
            case "<all-in>" -> said && words.stream().skip(1).allMatch(value::contains);
            case "s==", "s!=", "s<", "s<=", "s>", "s>=" ->
                said && holds(words.get(0).substring(1), value.compareTo(word));
            // "=" means "at least", for historical reasons.
            case "=", "==", "!=", ">=", "<=" ->
                said
                        && number(value)
                        && number(word)
                        && holds(
                                words.get(0).equals("=") ? ">=" : words.get(0),
                                new BigDecimal(value.strip()).compareTo(new BigDecimal(word)));
            default -> value.equals(requirement);
        };
    }

    private static boolean or(List<String> words, String value) {
        for (int i = 1; i < words.size(); i += 2) {
            if (words.get(i).equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean number(String text) {
        return text.strip().matches("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d{1,3})?");
    }

    private static boolean holds(String operator, int order) {
        return switch (operator) {
            case "==" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }
}

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
        switch (words.get(0)) {
            case "<or>":
                for (int i = 1; i < words.size(); i += 2) {
                    if (words.get(i).equals(value)) {
                        return true;
                    }
                }
                return false;
            case "<in>":
                return words.size() > 1 && value.contains(word);
            case "<all-in>":
                return words.size() > 1
                        && words.subList(1, words.size()).stream().allMatch(value::contains);
            case "s==", "s!=", "s<", "s<=", "s>", "s>=":
                return words.size() > 1 && holds(words.get(0).substring(1), value.compareTo(word));
            case "=", "==", "!=", ">=", "<=":
                // "=" means "at least", for historical reasons.
                return words.size() > 1
                        && number(value)
                        && number(word)
                        && holds(
                                words.get(0).equals("=") ? ">=" : words.get(0),
                                new BigDecimal(value.strip()).compareTo(new BigDecimal(word)));
            default:
                return value.equals(requirement);
        }
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

package dev.stowage.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Requirements on labels in the syntax of a label selector of Kubernetes, with commas for "and":
 * {@code gpu in (V100, T4), !spot}. A requirement is {@code key in (a, b)}, {@code key notin (a, b)}, {@code key=a},
 * {@code key!=a}, {@code key} (has the label) or {@code !key} (does not have it); {@code ==} is {@code =}, and
 * {@code not in} is {@code notin}.
 */
public final class Selector {
    private static final String WORD = "[A-Za-z0-9._/+-]+";
    private static final Pattern SET =
            Pattern.compile("(" + WORD + ")\\s+(in|notin|not\\s+in)\\s*\\(([^()]*)\\)", Pattern.CASE_INSENSITIVE);
    private static final Pattern COMPARED = Pattern.compile("(" + WORD + ")\\s*(==|=|!=)\\s*(" + WORD + "|)");
    private static final Pattern PRESENT = Pattern.compile("(!?)\\s*(" + WORD + ")");
    private static final Pattern COMMA = Pattern.compile("\\s*(,|$)\\s*");

    private Selector() {}

    /**
     * The requirements of a text; a selected server meets all of them.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static List<Requirement> parse(String text) {
        String stripped = text.strip();
        List<Requirement> all = new ArrayList<>();
        int at = 0;
        do {
            Matcher found = one(stripped, at);
            all.add(requirement(found));
            at = comma(stripped, found.end());
        } while (at < stripped.length());
        if (stripped.endsWith(",")) {
            throw mistake(stripped, stripped.length());
        }
        return all;
    }

    private static Matcher one(String text, int at) {
        for (Pattern pattern : List.of(SET, COMPARED, PRESENT)) {
            Matcher matcher = pattern.matcher(text).region(at, text.length());
            if (matcher.lookingAt() && endsThere(text, matcher.end())) {
                return matcher;
            }
        }
        throw mistake(text, at);
    }

    private static boolean endsThere(String text, int at) {
        return COMMA.matcher(text).region(at, text.length()).lookingAt();
    }

    private static int comma(String text, int at) {
        Matcher comma = COMMA.matcher(text).region(at, text.length());
        if (!comma.lookingAt()) {
            throw mistake(text, at);
        }
        return comma.end();
    }

    private static Requirement requirement(Matcher found) {
        if (found.pattern() == PRESENT) {
            return new Requirement(
                    found.group(2),
                    found.group(1).isEmpty() ? Requirement.Operator.EXISTS : Requirement.Operator.DOES_NOT_EXIST,
                    List.of());
        }
        if (found.pattern() == COMPARED) {
            boolean not = found.group(2).equals("!=");
            return new Requirement(found.group(1), operator(!not), List.of(found.group(3)));
        }
        boolean in = found.group(2).toLowerCase(Locale.ROOT).equals("in");
        List<String> values = List.of(found.group(3).split(",", -1)).stream()
                .map(String::strip)
                .toList();
        return new Requirement(found.group(1), operator(in), values);
    }

    private static Requirement.Operator operator(boolean in) {
        return in ? Requirement.Operator.IN : Requirement.Operator.NOT_IN;
    }

    private static IllegalArgumentException mistake(String text, int at) {
        String rest = text.substring(Math.min(at, text.length()));
        return new IllegalArgumentException("'" + text + "' is not a label selector: '" + rest
                + "' does not have one of the forms key in (a, b), key notin (a, b), key=a, key!=a, key or !key");
    }

    /** The text of some requirements, which {@link #parse} reads. */
    public static String text(List<Requirement> requirements) {
        return requirements.stream().map(Selector::text).collect(Collectors.joining(", "));
    }

    private static String text(Requirement one) {
        String values = String.join(", ", one.values());
        boolean single = one.values().size() == 1;
        return switch (one.operator()) {
            case IN -> single ? one.key() + "=" + values : one.key() + " in (" + values + ")";
            case NOT_IN -> single ? one.key() + "!=" + values : one.key() + " notin (" + values + ")";
            case EXISTS -> one.key();
            case DOES_NOT_EXIST -> "!" + one.key();
        };
    }
}

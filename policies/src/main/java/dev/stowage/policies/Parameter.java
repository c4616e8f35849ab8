package dev.stowage.policies;

import java.util.List;

/**
 * A parameter of a policy, whose value is one of a few words.
 *
 * @param name name, as in {@code when-full=queue}
 * @param meaning what it decides, in one line
 * @param allowed the allowed values
 * @param defaultValue the value where none is given, one of those allowed
 */
public record Parameter(String name, String meaning, List<String> allowed, String defaultValue) {
    /** Checks the default. */
    public Parameter {
        allowed = List.copyOf(allowed);
        if (!allowed.contains(defaultValue)) {
            throw new IllegalArgumentException("default " + defaultValue + " of " + name + " is not one of " + allowed);
        }
    }

    /** What a value is. */
    public String type() {
        return "word";
    }

    /** What is allowed, for people. */
    public String range() {
        return String.join(" | ", allowed);
    }
}

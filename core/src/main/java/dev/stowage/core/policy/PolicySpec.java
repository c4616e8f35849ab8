package dev.stowage.core.policy;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A policy by name and parameters, as an experiment or a command names it.
 *
 * @param name key of the policy in the registry
 * @param parameters values as text, sorted by name; a parameter that is absent has its default
 */
public record PolicySpec(String name, SortedMap<String, String> parameters) {
    /** Takes a copy of the parameters. */
    public PolicySpec {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    /** A policy with its default parameters. */
    public static PolicySpec of(String name) {
        return new PolicySpec(name, new TreeMap<>());
    }

    /** A policy with parameters. */
    public static PolicySpec of(String name, Map<String, String> parameters) {
        return new PolicySpec(name, new TreeMap<>(parameters));
    }

    /** As options and results write it: {@code name} or {@code name:a=1:b=2}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        parameters.forEach((parameter, value) ->
                text.append(':').append(parameter).append('=').append(value));
        return text.toString();
    }
}

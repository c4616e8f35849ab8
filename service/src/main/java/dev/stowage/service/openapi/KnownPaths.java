package dev.stowage.service.openapi;

import dev.stowage.policies.catalog.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** The paths of the JSON form of the API, for callers that took a wrong one. */
public final class KnownPaths {
    /** Methods by path, in which {name} stands for a variable. */
    private final SortedMap<String, Set<String>> methods;

    /**
     * All of them.
     *
     * @param watchPath where the call that streams is served
     */
    public KnownPaths(String watchPath) {
        methods = OpenApi.methods(watchPath);
    }

    /** The methods with which a path may be called; empty if there is no such path. */
    public Set<String> methods(String path) {
        Set<String> all = new TreeSet<>();
        methods.forEach((template, its) -> {
            if (filled(template, path).equals(path)) {
                all.addAll(its);
            }
        });
        return all;
    }

    /** {@code "; did you mean /v1/requests?"} for the nearest path; empty if none is near. */
    public String nearest(String path) {
        List<String> all = new ArrayList<>();
        methods.keySet().forEach(template -> all.add(filled(template, path)));
        // A path that ends in "/" has an empty name.
        all.removeIf(path::equals);
        return Suggestion.of(path, all);
    }

    /** The template with the variables of the path, where it has as many parts. */
    private static String filled(String template, String path) {
        String[] parts = template.split("/", -1);
        String[] given = path.split("/", -1);
        for (int i = 0; i < parts.length && parts.length == given.length; i++) {
            int end = parts[i].indexOf('}');
            if (end >= 0) {
                String verb = parts[i].substring(end + 1);
                int colon = given[i].lastIndexOf(':');
                parts[i] = verb.isEmpty() ? given[i] : given[i].substring(0, Math.max(0, colon)) + verb;
            }
        }
        return String.join("/", parts);
    }
}

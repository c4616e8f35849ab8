package dev.stowage.cli;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A policy on the command line: {@code key} or {@code key:name=value:name=value}.
 *
 * @param key key in the registry
 * @param label the key, or the whole argument where another policy has the same key
 * @param parameters those given
 */
record PolicyArgument(String key, String label, Map<String, String> parameters) {
    /** One of several arguments. */
    static PolicyArgument parse(String argument, List<String> all) {
        String[] parts = parts(argument);
        Map<String, String> parameters = new TreeMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals < 1) {
                throw new BadInputException("--policy '" + argument + "': '" + parts[i]
                        + "' must be name=value, as in first-fit:when-full=queue");
            }
            parameters.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
        }
        long alike =
                all.stream().filter(other -> parts(other)[0].equals(parts[0])).count();
        return new PolicyArgument(parts[0], alike > 1 ? argument.strip() : parts[0], parameters);
    }

    private static String[] parts(String argument) {
        return argument.strip().split(":", -1);
    }
}

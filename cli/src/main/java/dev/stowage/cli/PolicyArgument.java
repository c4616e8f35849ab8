package dev.stowage.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A policy on the command line: {@code key} or {@code key:name=value:name=value}. */
final class PolicyArgument {
    private PolicyArgument() {}

    /** As experiments write it. The label is the key, or all of it where another of {@code all} has the same key. */
    static JsonNode parse(String argument, List<String> all) {
        String[] parts = argument.strip().split(":", -1);
        if (parts.length == 1) {
            return JsonNodeFactory.instance.textNode(parts[0]);
        }
        ObjectNode policy = JsonNodeFactory.instance.objectNode();
        policy.put("policy", parts[0]);
        long alike = all.stream()
                .filter(other -> other.strip().split(":", -1)[0].equals(parts[0]))
                .count();
        policy.put("label", alike > 1 ? argument.strip() : parts[0]);
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals < 1) {
                throw new BadInputException("--policy '" + argument + "': '" + parts[i]
                        + "' must be name=value, as in first-fit:when-full=queue");
            }
            policy.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
        }
        return policy;
    }
}

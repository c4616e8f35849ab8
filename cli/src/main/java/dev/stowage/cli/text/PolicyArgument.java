package dev.stowage.cli.text;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.LabelledPolicy;
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
public record PolicyArgument(String key, String label, Map<String, String> parameters) {
    /** One of several arguments. */
    public static PolicyArgument parse(String argument, List<String> all) {
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

    /**
     * The policy of an argument, made once to see that it can be.
     *
     * @throws BadInputException if it is unknown, or a parameter is wrong
     */
    public static LabelledPolicy labelled(String argument, List<String> all) {
        PolicyArgument policy = parse(argument, all);
        PolicySpec spec = PolicySpec.of(policy.key(), policy.parameters());
        try {
            new Policies().create(spec);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--policy " + argument + ": " + e.getMessage(), e);
        }
        return new LabelledPolicy(policy.label(), spec);
    }
}

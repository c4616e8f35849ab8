package dev.stowage.cli.text;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.LabelledPolicy;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * A policy on the command line: {@code key} or {@code key:name=value:name=value}.
 *
 * @param key key in the registry
 * @param label the key, and the parameters that were given
 * @param parameters those given
 */
public record PolicyArgument(String key, String label, Map<String, String> parameters) {
    /** Parses an argument. */
    public static PolicyArgument parse(String argument) {
        String[] parts = argument.strip().split(":", -1);
        Map<String, String> parameters = new TreeMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals < 1) {
                throw new BadInputException("policy '" + argument + "': '" + parts[i]
                        + "' must be name=value, as in first-fit:when-full=queue");
            }
            if (parts[i].matches(".*,[a-z-]+=.*")) {
                throw new BadInputException("policy '" + argument
                        + "': parameters are separated by ':', as in best-fit:when-full=queue:score=even");
            }
            parameters.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
        }
        return new PolicyArgument(parts[0], LabelledPolicy.label(parts[0], parameters), parameters);
    }

    /**
     * The policy of an argument, which is created once to check it.
     *
     * @throws BadInputException if it is unknown, or a parameter is wrong
     */
    public static LabelledPolicy labelled(String argument) {
        PolicyArgument policy = parse(argument);
        PolicySpec spec = PolicySpec.of(policy.key(), policy.parameters());
        try {
            Policies policies = new Policies();
            policies.create(spec);
            return new LabelledPolicy(policy.label(), policies.pinned(spec));
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--policy " + argument + ": " + e.getMessage(), e);
        }
    }

    /** The keys of all policies, for completion in the shell. */
    public static final class PolicyKeys implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return new Policies().names().iterator();
        }
    }
}

package dev.stowage.policies.catalog;

import java.util.List;

/**
 * Description of a policy, for its choice.
 *
 * @param key name in experiments and commands
 * @param summary what it does, in one line
 * @param paper where it comes from
 * @param guarantee what is proven about it, and under which conditions
 * @param parameters its parameters
 * @param traits what else must be known of it
 */
public record PolicyInfo(
        String key, String summary, String paper, String guarantee, List<Parameter> parameters, List<Trait> traits) {
    /** Takes copies. */
    public PolicyInfo {
        parameters = List.copyOf(parameters);
        traits = List.copyOf(traits);
    }

    /** Without traits. */
    public PolicyInfo(String key, String summary, String paper, String guarantee, List<Parameter> parameters) {
        this(key, summary, paper, guarantee, parameters, List.of());
    }

    /** What is true of some policies. */
    public enum Trait {
        /** It draws at random: what it does with given requests depends on the seed. */
        DRAWS,
        /** It rejects everything in a cluster that has no divisible resource. */
        NEEDS_DIVISIBLE_RESOURCE
    }
}

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
 */
public record PolicyInfo(String key, String summary, String paper, String guarantee, List<Parameter> parameters) {
    /** Takes a copy of the list. */
    public PolicyInfo {
        parameters = List.copyOf(parameters);
    }
}

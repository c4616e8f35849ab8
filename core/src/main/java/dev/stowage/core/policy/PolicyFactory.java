package dev.stowage.core.policy;

import java.util.List;

/** Makes a policy object from its name and parameters; the registry of all policies is one. */
@FunctionalInterface
public interface PolicyFactory {
    /**
     * A new policy object.
     *
     * @throws IllegalArgumentException if the name or a parameter is unknown or out of range; the message names what is
     *     allowed
     */
    Policy create(PolicySpec spec);

    /**
     * The specification, with all that makes the policy the same one elsewhere: who records decisions, or agrees on
     * them with others, records this.
     *
     * @throws IllegalArgumentException as {@link #create}
     */
    default PolicySpec pinned(PolicySpec spec) {
        return spec;
    }

    /** Names of the policies it makes without any parameter, as far as they are known; for messages. */
    default List<String> names() {
        return List.of();
    }
}

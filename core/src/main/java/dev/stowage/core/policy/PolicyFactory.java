package dev.stowage.core.policy;

import java.util.List;

/** Makes a policy object from its name and parameters; for example the registry of all policies. */
@FunctionalInterface
public interface PolicyFactory {
    /**
     * A new policy object.
     *
     * @throws IllegalArgumentException if the name or a parameter is unknown or out of range; the message names the
     *     allowed values
     */
    Policy create(PolicySpec spec);

    /**
     * The specification completed with everything that other processes need to make the same policy: to be recorded
     * with decisions, and to be agreed on in a group.
     *
     * @throws IllegalArgumentException as {@link #create}
     */
    default PolicySpec pinned(PolicySpec spec) {
        return spec;
    }

    /** Names of the policies that it makes without parameters, as far as known; for messages. */
    default List<String> names() {
        return List.of();
    }
}

package dev.stowage.policies.catalog;

import dev.stowage.core.policy.Policy;
import java.util.List;
import java.util.function.Function;

/**
 * A policy in the registry.
 *
 * @param info its description
 * @param maker makes it from the values of its parameters
 */
public record Entry(PolicyInfo info, Function<Values, Policy> maker) {
    /** A policy by key, summary, paper, guarantee and parameters; see {@link PolicyInfo}. */
    public static Entry of(
            String key,
            String summary,
            String paper,
            String guarantee,
            List<Parameter> parameters,
            Function<Values, Policy> maker) {
        return new Entry(new PolicyInfo(key, summary, paper, guarantee, parameters), maker);
    }

    /** The same with what else must be known of it. */
    public Entry with(PolicyInfo.Trait... traits) {
        return new Entry(
                new PolicyInfo(
                        info.key(), info.summary(), info.paper(), info.guarantee(), info.parameters(), List.of(traits)),
                maker);
    }
}

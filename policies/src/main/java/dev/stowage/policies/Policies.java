package dev.stowage.policies;

import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.baseline.Baselines;
import dev.stowage.policies.bestfit.BestFitPolicies;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.PolicyInfo;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.parallel.online.OnlinePolicies;
import dev.stowage.policies.randomized.RandomizedPolicies;
import dev.stowage.policies.reservation.ReservationPolicies;
import dev.stowage.policies.shadow.ShadowPolicies;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The registry: every policy there is, by key. Adding a policy is adding an entry to the list of its package. */
public final class Policies implements PolicyFactory {
    private static final List<Entry> ENTRIES = Stream.of(
                    Baselines.ENTRIES,
                    BestFitPolicies.ENTRIES,
                    RandomizedPolicies.ENTRIES,
                    ShadowPolicies.ENTRIES,
                    ReservationPolicies.ENTRIES,
                    OnlinePolicies.ENTRIES)
            .flatMap(List::stream)
            .toList();

    /** All policies, in the order in which people should read them. */
    public static List<PolicyInfo> all() {
        return ENTRIES.stream().map(Entry::info).toList();
    }

    /**
     * Makes a policy.
     *
     * @throws IllegalArgumentException if the policy, a parameter or a value is unknown; the message lists what exists
     */
    @Override
    public Policy create(PolicySpec spec) {
        Entry entry = find(spec.name());
        return entry.maker().apply(Values.of(spec, entry.info().parameters()));
    }

    @Override
    public List<String> names() {
        return ENTRIES.stream().map(entry -> entry.info().key()).toList();
    }

    private static Entry find(String key) {
        List<String> keys = new ArrayList<>();
        for (Entry entry : ENTRIES) {
            if (entry.info().key().equals(key)) {
                return entry;
            }
            keys.add(entry.info().key());
        }
        throw new IllegalArgumentException(
                "unknown policy \"" + key + "\"; there are " + String.join(", ", keys) + Suggestion.of(key, keys));
    }
}

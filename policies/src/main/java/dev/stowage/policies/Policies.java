package dev.stowage.policies;

import dev.stowage.core.model.Spelling;
import dev.stowage.core.policy.MissingPolicyException;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.baseline.Baselines;
import dev.stowage.policies.bestfit.BestFitPolicies;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.PolicyInfo;
import dev.stowage.policies.catalog.PolicyOrigin;
import dev.stowage.policies.catalog.PolicyProvider;
import dev.stowage.policies.catalog.Suggestion;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.devices.DevicePolicies;
import dev.stowage.policies.lifetime.LifetimePolicies;
import dev.stowage.policies.parallel.online.OnlinePolicies;
import dev.stowage.policies.randomized.RandomizedPolicies;
import dev.stowage.policies.reservation.ReservationPolicies;
import dev.stowage.policies.shadow.ShadowPolicies;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The registry: all policies, by key. To add a policy to Stowage, add an entry to the list of its package; policies of
 * others come from every {@link PolicyProvider} that the thread's context class loader finds when the registry is made.
 */
public final class Policies implements PolicyFactory {
    /** Parameter of every policy whose class loader is a {@link PolicyOrigin}: the digest of its origin. */
    public static final String ORIGIN = "jar";

    private static final List<Entry> ENTRIES = Stream.of(
                    Baselines.ENTRIES,
                    BestFitPolicies.ENTRIES,
                    LifetimePolicies.ENTRIES,
                    DevicePolicies.ENTRIES,
                    RandomizedPolicies.ENTRIES,
                    ShadowPolicies.ENTRIES,
                    ReservationPolicies.ENTRIES,
                    OnlinePolicies.ENTRIES)
            .flatMap(List::stream)
            .toList();

    private final Map<String, Registered> policies = new LinkedHashMap<>();

    /** @param origin digest of its {@link PolicyOrigin}, empty if it has none */
    private record Registered(Entry entry, String origin, String from) {}

    /**
     * The built-in policies, and those that are found.
     *
     * @throws IllegalArgumentException if two policies have one key; the message names where they come from
     */
    public Policies() {
        ENTRIES.forEach(entry -> add(new Registered(entry, "", "Stowage")));
        ServiceLoader.load(PolicyProvider.class).stream()
                .sorted(Comparator.comparing(provider -> provider.type().getName()))
                .map(ServiceLoader.Provider::get)
                .forEach(this::add);
    }

    private void add(PolicyProvider provider) {
        String origin = provider.getClass().getClassLoader() instanceof PolicyOrigin known ? known.digest() : "";
        for (Entry entry : provider.policies()) {
            add(new Registered(entry, origin, provider.getClass().getName()));
        }
    }

    private void add(Registered policy) {
        String key = policy.entry.info().key();
        Registered other = policies.putIfAbsent(key, policy);
        if (other != null) {
            throw new IllegalArgumentException(
                    "policy \"" + key + "\" exists twice: in " + other.from + " and in " + policy.from);
        }
    }

    /** Whether a policy certainly draws nothing at random; of one of a plug-in it is not known. */
    public static boolean drawsNothing(String key) {
        return ENTRIES.stream()
                .map(Entry::info)
                .anyMatch(info -> info.key().equals(key) && !info.traits().contains(PolicyInfo.Trait.DRAWS));
    }

    /** All policies, in the order in which people should read them. */
    public static List<PolicyInfo> all() {
        return new Policies()
                .policies.values().stream().map(policy -> policy.entry.info()).toList();
    }

    /**
     * Makes a policy.
     *
     * @throws IllegalArgumentException if the policy, a parameter or a value is unknown; the message lists what exists.
     *     Also if the specification names another jar than the one that is loaded here
     */
    @Override
    public Policy create(PolicySpec spec) {
        Registered policy = find(spec);
        return policy.entry
                .maker()
                .apply(Values.of(
                        withoutOrigin(spec, policy), policy.entry.info().parameters()));
    }

    /** The specification, with the digest of the jar that the policy comes from, if any. */
    @Override
    public PolicySpec pinned(PolicySpec spec) {
        Registered policy = find(spec);
        if (policy.origin.isEmpty()) {
            return spec;
        }
        SortedMap<String, String> parameters =
                new TreeMap<>(withoutOrigin(spec, policy).parameters());
        parameters.put(ORIGIN, policy.origin);
        return new PolicySpec(spec.name(), parameters);
    }

    private static PolicySpec withoutOrigin(PolicySpec spec, Registered policy) {
        String asked = spec.parameters().get(ORIGIN);
        if (asked == null || policy.origin.isEmpty()) {
            return spec;
        }
        if (!asked.equals(policy.origin)) {
            throw new MissingPolicyException(
                    "policy " + spec.name() + " is from another jar: digest " + asked + " was asked for, this one has "
                            + policy.origin,
                    true);
        }
        SortedMap<String, String> parameters = new TreeMap<>(spec.parameters());
        parameters.remove(ORIGIN);
        return new PolicySpec(spec.name(), parameters);
    }

    @Override
    public List<String> names() {
        return List.copyOf(policies.keySet());
    }

    private Registered find(PolicySpec spec) {
        String key = spec.name();
        Registered policy = policies.get(key);
        if (policy == null && spec.parameters().containsKey(ORIGIN)) {
            throw new MissingPolicyException(
                    "policy " + key + " is from a jar that is not here (digest "
                            + spec.parameters().get(ORIGIN) + "); give it with --plugins JAR",
                    true);
        }
        if (policy == null) {
            Collection<String> keys = policies.keySet();
            String near = Suggestion.of(key, List.copyOf(keys));
            throw new MissingPolicyException(
                    "unknown policy \"" + key + "\""
                            + (near.isEmpty() ? "; known: " + Spelling.choice(key, keys) + "." : near)
                            + " 'stowage policies' lists all; one of your own needs --plugins JAR",
                    false);
        }
        return policy;
    }
}

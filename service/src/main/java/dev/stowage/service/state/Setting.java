package dev.stowage.service.state;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a service starts with.
 *
 * @param cluster resources, sites, servers, types
 * @param policy the policy
 * @param seed seed of the policy's random numbers
 * @param keep how long a finished request, and the answer to a change, is kept for those who ask again
 * @param quotas by tenant; {@link Quota#EVERYBODY} for those without one of their own
 */
public record Setting(Cluster cluster, PolicySpec policy, long seed, Retention keep, SortedMap<String, Quota> quotas) {
    /** Takes a copy. */
    public Setting {
        quotas = Collections.unmodifiableSortedMap(new TreeMap<>(quotas));
    }

    /** Keeps any number of finished requests for a time. */
    public Setting(Cluster cluster, PolicySpec policy, long seed, long keepNanos, SortedMap<String, Quota> quotas) {
        this(cluster, policy, seed, new Retention(keepNanos, Retention.ALL), quotas);
    }

    /** The same without quotas. */
    public Setting(Cluster cluster, PolicySpec policy, long seed, long keepNanos) {
        this(cluster, policy, seed, keepNanos, new TreeMap<>());
    }
}

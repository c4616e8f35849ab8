package dev.stowage.service.state;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;

/**
 * What a service starts with.
 *
 * @param cluster resources, sites, servers, types
 * @param policy the policy
 * @param seed seed of the policy's random numbers
 * @param keepNanos how long a finished request, and the answer to a change, is kept for those who ask again
 */
public record Setting(Cluster cluster, PolicySpec policy, long seed, long keepNanos) {
    /** Checks the time. */
    public Setting {
        if (keepNanos < 1) {
            throw new IllegalArgumentException("time to keep finished requests is " + keepNanos + " ns, at least 1");
        }
    }
}

package dev.stowage.policies.catalog;

import java.util.List;

/**
 * Policies from another jar, found by {@link java.util.ServiceLoader}: list the name of the implementation in the jar's
 * {@code META-INF/services/dev.stowage.policies.catalog.PolicyProvider}. It must be public and have a public
 * constructor without parameters.
 */
public interface PolicyProvider {
    /**
     * Its policies, in the order in which people should read them. Their keys must differ from those of all other
     * policies.
     */
    List<Entry> policies();
}

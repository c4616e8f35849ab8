package dev.stowage.policies.catalog;

import java.util.List;

/**
 * Policies that somebody else has written: found by {@link java.util.ServiceLoader}, so its name stands in the jar's
 * {@code META-INF/services/dev.stowage.policies.catalog.PolicyProvider}. It is public and has a public constructor
 * without parameters.
 */
public interface PolicyProvider {
    /** Its policies, in the order in which people should read them. Their keys are those of no other policy. */
    List<Entry> policies();
}

package dev.stowage.core.policy;

/**
 * What a request may ask for beyond room, and not every policy gives. A policy declares what it can do in {@link
 * Policy#capabilities}; under one that cannot, the engine refuses such requests.
 */
public enum Capability {
    /** Requests limited to sites run only at those ({@link View#allowsSite}). */
    SITE_LIMITS,
    /** Requests run only where their constraints admit them: labels, servers to avoid, spread ({@link View#admits}). */
    CONSTRAINTS,
    /**
     * Servers change their capacity and requests are adopted, so that a server may hold more than it has; nothing is
     * placed there then ({@link View#overcommitted}, {@link Policy#adopted}).
     */
    OVERCOMMITMENT,
    /** Requests of a gang are placed at once or not at all, and wait as one ({@link View#gang}). */
    GANGS,
    /**
     * A request may be taken off a server that goes on, and be placed again ({@link Policy#evicted}): it was evicted or
     * failed to start. So requests may have agents. Goes with {@link #CONSTRAINTS}: the server is avoided then.
     */
    EVICTION,
    /** A request that runs can be moved off a server that drains, without an end ({@link Policy#moveOff}). */
    MIGRATION,
    /** Requests have priorities: those with a higher one go first, and may take the place of lower ones. */
    PRIORITIES
}

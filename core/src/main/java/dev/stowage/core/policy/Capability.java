package dev.stowage.core.policy;

/**
 * A feature that not every policy supports. A policy declares its capabilities in {@link Policy#capabilities}; under a
 * policy without one, the engine refuses requests and commands that need it.
 */
public enum Capability {
    /** Requests limited to sites run only at those ({@link View#allowsSite}). */
    SITE_LIMITS,
    /** Requests run only where their constraints admit them: labels, servers to avoid, spread ({@link View#admits}). */
    CONSTRAINTS,
    /**
     * Servers may change their capacity and requests may be adopted, so that a server may be overcommitted; then
     * nothing is placed there ({@link View#overcommitted}, {@link Policy#adopted}).
     */
    OVERCOMMITMENT,
    /** Requests of a gang are placed all together or not at all, and wait together ({@link View#gang}). */
    GANGS,
    /**
     * A request may be taken off a server that stays up, and be placed again ({@link Policy#evicted}), because it was
     * evicted or failed to start. So requests may have agents. Requires {@link #CONSTRAINTS}, because the request then
     * avoids the server.
     */
    EVICTION,
    /** A running request can be moved off a draining server without being stopped ({@link Policy#moveOff}). */
    MIGRATION,
    /**
     * A resource may come in devices: a request fits only where whole devices, or a large enough part of one, are free
     * ({@link View#fits}, {@link View#room}). A policy without it is not used in a cluster that has them.
     */
    DEVICES,
    /**
     * A request gets a server of the least penalty among those that could take it, before the policy's own order counts
     * ({@link View#penalty}). One that has waited gets the first room. Requires {@link #CONSTRAINTS}.
     */
    PENALTIES,
    /** Requests have priorities: those with a higher one go first, and may preempt lower ones. */
    PRIORITIES
}

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
    OVERCOMMITMENT
}

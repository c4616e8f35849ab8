package dev.stowage.core.policy;

/**
 * What a request may ask for beyond room, and not every policy gives. A policy declares what it can do in {@link
 * Policy#capabilities}; under one that cannot, the engine refuses such requests.
 */
public enum Capability {
    /** Requests limited to sites run only at those ({@link View#siteLimit}). */
    SITE_LIMITS
}

package dev.stowage.policies.baseline;

/** What happens to a request that fits nowhere. */
enum WhenFull {
    /** It is rejected. */
    REJECT,
    /** It waits in a central queue. */
    QUEUE
}

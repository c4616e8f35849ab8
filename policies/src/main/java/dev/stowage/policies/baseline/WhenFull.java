package dev.stowage.policies.baseline;

/** What becomes of a request that fits nowhere. */
enum WhenFull {
    /** It is rejected. */
    REJECT,
    /** It waits in a central queue. */
    QUEUE
}

package dev.stowage.policies.devices;

/** Which of equally good servers a request goes to. */
enum Ties {
    /** The lowest-numbered. */
    FIRST,
    /** The highest-numbered. */
    LAST
}

package dev.stowage.core.policy;

/** Status of a server. */
public enum ServerStatus {
    /** Takes requests. */
    UP,
    /** Takes no new requests; what runs goes on. */
    DRAINING,
    /** Removed or lost: holds nothing and takes nothing until it returns. */
    GONE,
    /** Its agent is silent: takes no new requests; what runs may go on until its lease has run out. */
    SUSPECTED,
    /** Its agent is there and has yet to report what runs: takes no new requests. */
    RETURNING
}

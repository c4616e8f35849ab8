package dev.stowage.core.policy;

/** Status of a server. */
public enum ServerStatus {
    /** Takes requests. */
    UP,
    /** Takes no new requests; running ones go on. */
    DRAINING,
    /** Removed or lost: holds nothing and takes nothing until it returns. */
    GONE,
    /** Its agent is silent: takes no new requests; running ones may go on until its lease has run out. */
    SUSPECTED,
    /** Its agent is back but has not yet reported what runs there: takes no new requests. */
    RETURNING
}

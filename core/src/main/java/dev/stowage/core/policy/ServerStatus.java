package dev.stowage.core.policy;

/** Status of a server. */
public enum ServerStatus {
    /** Takes requests. */
    UP,
    /** Takes no new requests; what runs goes on. */
    DRAINING,
    /** Removed or lost: holds nothing and takes nothing until it returns. */
    GONE
}

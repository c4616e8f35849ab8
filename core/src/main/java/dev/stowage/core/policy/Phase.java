package dev.stowage.core.policy;

/**
 * How far a request on a server is. One without an agent has {@link #STARTED} as soon as it is placed. Whatever the
 * phase, it holds its demand on the server.
 */
public enum Phase {
    /** Placed; its agent has yet to say that it runs. */
    PLACED,
    /** It runs. */
    STARTED,
    /** It is to stop; its agent has yet to say that it did. */
    STOPPING
}

package dev.stowage.core.policy;

/**
 * State of a request on its server. A request without an agent is {@link #STARTED} as soon as it is placed. In every
 * phase it holds its demand on the server.
 */
public enum Phase {
    /** Placed; its agent has not yet reported that it runs. */
    PLACED,
    /** It runs. */
    STARTED,
    /** It must stop; its agent has not yet reported that it has. */
    STOPPING
}

package dev.stowage.core.policy;

/**
 * A policy broke a rule (overfilled a server, left a request undecided, named an unknown id). It stops the run.
 */
public final class PolicyBugException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** With a message that carries the values. */
    public PolicyBugException(String message) {
        super(message);
    }
}

package dev.stowage.optimize.lp;

/** A solver gave up, or its answer did not pass the check. */
public final class SolverException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** With what happened. */
    public SolverException(String message) {
        super(message);
    }
}

package dev.stowage.service.simulation;

/** Something happened that must never happen. */
final class BrokenLawError extends AssertionError {
    private static final long serialVersionUID = 1;

    BrokenLawError(String message) {
        super(message);
    }
}

package dev.stowage.cli;

/** The service did not do what it was asked; the message says why. Exit code 1. */
final class CallFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CallFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}

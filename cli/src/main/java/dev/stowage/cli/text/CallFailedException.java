package dev.stowage.cli.text;

/** The service did not do what it was asked; the message says why. Exit code 1. */
public final class CallFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CallFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}

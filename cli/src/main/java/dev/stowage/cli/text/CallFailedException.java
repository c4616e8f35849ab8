package dev.stowage.cli.text;

/** A call to the service failed; the message says why. Exit code 1. */
public final class CallFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CallFailedException(String message) {
        super(message);
    }

    public CallFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}

package dev.stowage.cli.text;

/** The user's input cannot be used; the message says what, why, and what is allowed. Exit code 2. */
public final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadInputException(String message) {
        super(message);
    }

    public BadInputException(String message, Throwable cause) {
        super(message, cause);
    }
}

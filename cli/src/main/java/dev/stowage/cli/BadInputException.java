package dev.stowage.cli;

/** What the user gave cannot be used; the message says what, why, and what is allowed. Exit code 2. */
final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BadInputException(String message) {
        super(message);
    }

    BadInputException(String message, Throwable cause) {
        super(message, cause);
    }
}

package dev.stowage.cli.text;

/** No servers are enough: a request fits none of them, or no number that was tried meets the target. Exit code 3. */
public final class NotEnoughException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotEnoughException(String message) {
        super(message);
    }

    public NotEnoughException(String message, Throwable cause) {
        super(message, cause);
    }
}

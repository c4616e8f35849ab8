package dev.stowage.testkit;

/** A law is broken. */
public final class LawError extends AssertionError {
    private static final long serialVersionUID = 1;

    private final Law law;

    LawError(Law law, String message) {
        super("law " + law + ": " + message);
        this.law = law;
    }

    LawError(Law law, String message, Throwable cause) {
        super("law " + law + ": " + message, cause);
        this.law = law;
    }

    /** The broken law. */
    public Law law() {
        return law;
    }
}

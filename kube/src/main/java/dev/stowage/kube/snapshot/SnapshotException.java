package dev.stowage.kube.snapshot;

/** A snapshot that cannot be read; the message says what, where, and what is allowed. */
public final class SnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SnapshotException(String message) {
        super(message);
    }

    public SnapshotException(String message, Throwable cause) {
        super(message, cause);
    }
}

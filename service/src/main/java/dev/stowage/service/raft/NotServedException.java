package dev.stowage.service.raft;

import org.jspecify.annotations.Nullable;

/**
 * This node did not take an operation, or does not know what became of it. Retrying with the same id is always
 * safe.
 */
public final class NotServedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What to do. */
    public enum Kind {
        /** Ask the leader. */
        NOT_LEADER,
        /** Ask again a little later. */
        OVERLOADED,
        /** Ask again when requests have got their servers. */
        TOO_MANY_WAITING,
        /** Ask again, here or elsewhere. */
        UNAVAILABLE
    }

    private final Kind kind;
    private final @Nullable String leader;

    NotServedException(Kind kind, @Nullable String leader, String message) {
        super(message, null, false, false);
        this.kind = kind;
        this.leader = leader;
    }

    /** What to do. */
    public Kind kind() {
        return kind;
    }

    /** Id of the leader, or null if it is not known. */
    public @Nullable String leader() {
        return leader;
    }
}

package dev.stowage.service.raft;

import org.jspecify.annotations.Nullable;

/**
 * This node did not accept an operation, or does not know its outcome. Retrying with the same id is always safe.
 */
public final class NotServedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why changes and reads are not answered while a majority is down, or is electing a leader. */
    public static final String NO_LEADER = "there is no leader with a majority of the nodes";

    /** What to do. */
    public enum Kind {
        /** Retry at the leader. */
        NOT_LEADER,
        /** Retry a little later. */
        OVERLOADED,
        /** Retry when waiting requests have been placed. */
        TOO_MANY_WAITING,
        /** Leadership was not handed to the named node: name another one. */
        NO_TRANSFER,
        /** Retry, here or at another node. */
        UNAVAILABLE
    }

    private final Kind kind;
    private final @Nullable String leader;

    NotServedException(Kind kind, @Nullable String leader, String message) {
        this(kind, leader, message, null);
    }

    NotServedException(Kind kind, @Nullable String leader, String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
        this.kind = kind;
        this.leader = leader;
    }

    static NotServedException noLeader() {
        return new NotServedException(Kind.UNAVAILABLE, null, NO_LEADER);
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

package dev.stowage.core.policy;

/** Where a job handle stands. */
public enum JobState {
    /** The handle belongs to nobody. */
    FREE,
    /** Arrived or displaced, not yet decided. */
    PENDING,
    /** In a queue. */
    WAITING,
    /** On a server. */
    RUNNING,
    /** Capacity held by no request. */
    DUMMY
}

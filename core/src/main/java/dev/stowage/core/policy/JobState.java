package dev.stowage.core.policy;

/** State of a job. */
public enum JobState {
    /** The handle is not in use. */
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

package dev.stowage.service.simulation;

/** Mistakes that the simulation must find, each within the seeds of the ordinary tests. */
enum Mutation {
    NONE,
    /** The table that answers a retry forgets at once. */
    NO_RETRY_TABLE,
    /** A log entry is acknowledged before it is on the disk. */
    NO_SYNC,
    /** The leader answers when its own disk has the entry, whatever the others have. */
    NO_MAJORITY,
    /** A node forgets at a crash whom it voted for. */
    NO_VOTE_KEPT,
    /** A node applies two entries in the wrong order now and then. */
    OUT_OF_ORDER,
    /** Damaged bytes of the log are believed. */
    NO_CHECKSUM,
    /** A log that lost acknowledged entries is cut there, and the node goes on voting. */
    CUT_DAMAGED_LOG,
    /** Each node takes the time of its own clock instead of the entry's. */
    OWN_CLOCK,
    /** The leader answers reads without asking whether it still leads. */
    STALE_READS,
    /** A state that differs from the leader's is not told. */
    NO_DIGEST_CHECK,
    /** A snapshot is the log's truth one entry too far: an entry is left out after a restart. */
    SNAPSHOT_ONE_AHEAD
}

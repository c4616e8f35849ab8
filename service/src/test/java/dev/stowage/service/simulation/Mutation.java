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
    SNAPSHOT_ONE_AHEAD,
    /**
     * Where the leader's process has ended, a follower asks for votes by its place, though another has more of the log.
     */
    LESS_LOG_ASKS,
    /** A follower on which an append failed waits for ever. */
    NEVER_ASKS,
    /** After the leader's snapshot a node goes on from the ones that it took itself before. */
    SNAPSHOT_GOES_BACK,
    /** The log goes up to the newest snapshot, not to the one before. */
    PURGE_TO_NEWEST,
    /** A node whose vote a full disk has lost goes on in the last term of its log. */
    LAST_TERM_OF_LOG,
    /** A follower takes a batch of entries for a shorter one that is under way and begins alike. */
    COMPOSED_APPENDS,
    /** A node without a directory takes part at once, as what it was. */
    WIPED_STARTS;

    /** Seeds within which it is found. */
    int seeds() {
        return 200;
    }
}

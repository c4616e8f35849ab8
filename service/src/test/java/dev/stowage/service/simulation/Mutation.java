package dev.stowage.service.simulation;

import java.util.stream.LongStream;

/** Mistakes that the simulation must find, each within the seeds of the ordinary tests. */
enum Mutation {
    NONE(0),
    /** The table that answers a retry forgets at once. */
    NO_RETRY_TABLE(0),
    /** A log entry is acknowledged before it is on the disk. */
    NO_SYNC(1),
    /** The leader answers when its own disk has the entry, whatever the others have. */
    NO_MAJORITY(0),
    /** A node forgets at a crash whom it voted for. */
    NO_VOTE_KEPT(55),
    /** A node applies two entries in the wrong order now and then. */
    OUT_OF_ORDER(0),
    /** Damaged bytes of the log are believed. */
    NO_CHECKSUM(11),
    /** A log that lost acknowledged entries is cut there, and the node goes on voting. */
    CUT_DAMAGED_LOG(22),
    /** Each node takes the time of its own clock instead of the entry's. */
    OWN_CLOCK(0),
    /** The leader answers reads without asking whether it still leads. */
    STALE_READS(18),
    /** A state that differs from the leader's is not told. */
    NO_DIGEST_CHECK(0),
    /** A snapshot is the log's truth one entry too far: an entry is left out after a restart. */
    SNAPSHOT_ONE_AHEAD(0),
    /**
     * Where the leader's process has ended, a follower asks for votes by its place, though another has more of the log.
     */
    LESS_LOG_ASKS(25),
    /** A follower on which an append failed waits for ever. */
    NEVER_ASKS(2),
    /** After the leader's snapshot a node goes on from the ones that it took itself before. */
    SNAPSHOT_GOES_BACK(3),
    /** The log goes up to the newest snapshot, not to the one before. */
    PURGE_TO_NEWEST(2),
    /** A node whose vote a full disk has lost goes on in the last term of its log. */
    LAST_TERM_OF_LOG(105),
    /** A follower takes a batch of entries for a shorter one that is under way and begins alike. */
    COMPOSED_APPENDS(7),
    /** A node without a directory takes part at once, as what it was. */
    WIPED_STARTS(31);

    private static final long SEEDS = 200;

    private final long found;

    Mutation(long found) {
        this.found = found;
    }

    /** Seeds one of which must find it; first the one that did when it was planted, so that others are seldom tried. */
    LongStream seeds() {
        return LongStream.concat(LongStream.of(found), LongStream.range(0, SEEDS));
    }
}

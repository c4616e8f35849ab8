package dev.stowage.service.raft;

/**
 * Which snapshots a node has, and how much of the log may be purged. The log is kept from the snapshot <em>before</em>
 * the newest, so that a newest one that turns out damaged can be replaced by the older one and the log. Not
 * thread-safe.
 */
final class KeptSnapshots {
    static final long NONE = -1;

    private volatile long newest = NONE;
    private volatile long older = NONE;

    /**
     * The state now comes from another snapshot, at the start or after the leader's was installed.
     *
     * @param index of the snapshot, or {@link #NONE}
     */
    void loaded(long index) {
        // Earlier snapshots are not known to be older than this one, and Raft must never get an index that goes back.
        older = NONE;
        newest = index;
    }

    /** One was written. */
    void taken(long index) {
        older = newest;
        newest = index;
    }

    /** Index of the newest, or {@link #NONE}. */
    long newest() {
        return newest;
    }

    /** Index up to which the log is no longer needed, or {@link #NONE}. */
    long purgeTo() {
        return older;
    }
}

package dev.stowage.service.raft;

import java.util.function.LongSupplier;

/** When a node takes a snapshot by itself. The nodes of a group take theirs one after the other. */
final class SnapshotDuty {
    private final LongSupplier applied;
    private final Runnable snapshot;
    private final long entries;
    private long last;

    /**
     * A node that has just started.
     *
     * @param applied index of the last entry applied
     * @param snapshot begins a snapshot
     * @param entries between two snapshots
     * @param turn place of the node among all, from 0
     * @param nodes how many there are
     */
    SnapshotDuty(LongSupplier applied, Runnable snapshot, long entries, int turn, int nodes) {
        this.applied = applied;
        this.snapshot = snapshot;
        this.entries = entries;
        // The later a node's place, the earlier its first snapshot.
        last = Math.max(0, applied.getAsLong()) - entries * turn / nodes;
    }

    /** Must be called often. */
    void step() {
        long now = applied.getAsLong();
        if (now - last >= entries) {
            last = now;
            snapshot.run();
        }
    }
}

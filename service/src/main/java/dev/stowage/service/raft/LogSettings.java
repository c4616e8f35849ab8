package dev.stowage.service.raft;

import java.time.Duration;

/**
 * How the log of a group is written.
 *
 * @param queue operations that may wait for it; more are turned away
 * @param window how long an operation waits for others to share an entry with
 * @param snapshotEntries entries between two snapshots
 * @param checkEvery how often the leader logs its digest
 * @param electionTimeout how long the leader may be silent until another is elected, plus up to half of that at random
 */
public record LogSettings(
        int queue, Duration window, long snapshotEntries, Duration checkEvery, Duration electionTimeout) {
    /** What is usual. A shorter election timeout makes elections storm when a node is busy for some 100 ms. */
    public static final LogSettings USUAL =
            new LogSettings(16_384, Duration.ofMillis(1), 50_000, Duration.ofSeconds(5), Duration.ofSeconds(1));
}

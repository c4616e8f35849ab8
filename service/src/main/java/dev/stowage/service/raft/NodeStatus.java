package dev.stowage.service.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a node is.
 *
 * @param id its id
 * @param role leader, follower, candidate, or down
 * @param ready whether it serves
 * @param leader id of the leader, or null
 * @param term Raft term
 * @param applied index of the last log entry applied
 * @param committed index of the last log entry committed
 * @param snapshot index of the newest snapshot, or -1
 * @param snapshotPauseNanos how long the last snapshot stopped the service
 * @param queued operations waiting for the log
 * @param digest hash of all that was decided
 * @param checked last entry after which the digest was the leader's, or -1
 * @param halted why it does not serve, or null
 * @param peers ids of the group
 */
public record NodeStatus(
        String id,
        String role,
        boolean ready,
        @Nullable String leader,
        long term,
        long applied,
        long committed,
        long snapshot,
        long snapshotPauseNanos,
        int queued,
        long digest,
        long checked,
        @Nullable String halted,
        List<String> peers) {}

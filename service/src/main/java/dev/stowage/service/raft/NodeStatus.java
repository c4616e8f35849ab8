package dev.stowage.service.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a node.
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
 * @param peers ids of the nodes that are members of the group, or are configured to be while that is not known
 * @param group the group, or empty
 * @param member which member it is: its id and which incarnation; empty while it is none
 * @param waits why it does not take part though it runs, or what is wrong with it; else null
 * @param behind entries that the leader has committed and this node has not applied
 * @param members what this node knows of the others; how far they are only if it leads
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
        List<String> peers,
        String group,
        String member,
        @Nullable String waits,
        long behind,
        List<Follower> members) {
    /**
     * A member of the group.
     *
     * @param member its id and which incarnation
     * @param node its id
     * @param address where its Raft server listens
     * @param behind entries that are committed and it is not known to have as such; -1 if this node does not know
     * @param silentMillis since it answered last; -1 if this node does not know
     */
    public record Follower(String member, String node, String address, long behind, long silentMillis) {}
}

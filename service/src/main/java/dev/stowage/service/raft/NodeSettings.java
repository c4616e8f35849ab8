package dev.stowage.service.raft;

import dev.stowage.service.directory.HistoryFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a node takes part in its group.
 *
 * @param id its own id, one of the peers'
 * @param peers all nodes of the group
 * @param data directory that it keeps log and snapshots in
 * @param queueLimit operations that may wait for the log; more are turned away
 * @param window how long an operation waits for others to share a log entry with
 * @param snapshotEntries log entries between two snapshots
 * @param checkEvery how often the leader logs its digest
 * @param electionTimeout how long the leader of a group may be silent until another is elected, plus up to half of
 *     that at random
 * @param tls certificates for the Raft port, or null for none
 * @param bootstrap whether it may make the group: at the first start of all nodes, on one of them. A node alone always
 *     may
 * @param history how much is kept on the disk of what requests became
 */
public record NodeSettings(
        String id,
        List<Peer> peers,
        Path data,
        int queueLimit,
        Duration window,
        long snapshotEntries,
        Duration checkEvery,
        Duration electionTimeout,
        @Nullable Tls tls,
        boolean bootstrap,
        HistoryFiles.Extent history) {
    private static final int QUEUE_LIMIT = 16_384;
    private static final Duration WINDOW = Duration.ofMillis(1);
    private static final long SNAPSHOT_ENTRIES = 50_000;
    private static final Duration CHECK_EVERY = Duration.ofSeconds(5);
    /** A day, and at 20 requests a second about two days. */
    public static final HistoryFiles.Extent HISTORY =
            HistoryFiles.Extent.of(Duration.ofDays(1).toNanos(), 2L << 30);

    /** Shorter ones make elections storm when a node is busy for some 100 ms. */
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(1);

    /**
     * A node of the group.
     *
     * @param id name
     * @param address host and port that its Raft server listens on; port 0 only for a group of one
     */
    public record Peer(String id, String address) {}

    /** Takes a copy. */
    public NodeSettings {
        peers = List.copyOf(peers);
        String own = id;
        if (peers.stream().noneMatch(peer -> peer.id().equals(own))) {
            throw new IllegalArgumentException("node '" + id + "' is not one of the group " + peers);
        }
    }

    /** Its place among the peers, from 0. */
    int turn() {
        return turn(id);
    }

    /** A peer's place, or -1. */
    int turn(String peer) {
        return peers.stream().map(Peer::id).toList().indexOf(peer);
    }

    /** A group of one, with the usual limits. */
    public static NodeSettings single(Path data) {
        return of("n1", List.of(new Peer("n1", "127.0.0.1:0")), data);
    }

    /** A node with the usual limits. */
    public static NodeSettings of(String id, List<Peer> peers, Path data) {
        return new NodeSettings(
                id,
                peers,
                data,
                QUEUE_LIMIT,
                WINDOW,
                SNAPSHOT_ENTRIES,
                CHECK_EVERY,
                ELECTION_TIMEOUT,
                null,
                false,
                HISTORY);
    }

    /** The same with another number of entries between snapshots. */
    public NodeSettings withSnapshotEntries(long entries) {
        return new NodeSettings(
                id, peers, data, queueLimit, window, entries, checkEvery, electionTimeout, tls, bootstrap, history);
    }

    /** The same with another time between checks. */
    public NodeSettings withCheckEvery(Duration every) {
        return new NodeSettings(
                id, peers, data, queueLimit, window, snapshotEntries, every, electionTimeout, tls, bootstrap, history);
    }

    /** The same with another time until a silent leader is replaced. */
    public NodeSettings withElectionTimeout(Duration timeout) {
        return new NodeSettings(
                id, peers, data, queueLimit, window, snapshotEntries, checkEvery, timeout, tls, bootstrap, history);
    }

    /** The same with another limit of the queue. */
    public NodeSettings withQueueLimit(int limit) {
        return new NodeSettings(
                id, peers, data, limit, window, snapshotEntries, checkEvery, electionTimeout, tls, bootstrap, history);
    }

    /** The same with TLS between the nodes. */
    public NodeSettings withTls(@Nullable Tls how) {
        return new NodeSettings(
                id,
                peers,
                data,
                queueLimit,
                window,
                snapshotEntries,
                checkEvery,
                electionTimeout,
                how,
                bootstrap,
                history);
    }

    /** The same, allowed to make the group or not. */
    public NodeSettings withBootstrap(boolean may) {
        return new NodeSettings(
                id, peers, data, queueLimit, window, snapshotEntries, checkEvery, electionTimeout, tls, may, history);
    }

    /** Where its own Raft server listens. */
    String address() {
        return peers.get(turn()).address();
    }

    /** The other nodes. */
    List<Peer> others() {
        return peers.stream().filter(peer -> !peer.id().equals(id)).toList();
    }

    boolean alone() {
        return peers.size() == 1;
    }
}

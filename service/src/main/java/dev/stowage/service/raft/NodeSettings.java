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
 * @param log how the log is written
 * @param tls certificates for the Raft port, or null for none
 * @param bootstrap whether it may make the group: at the first start of all nodes, on one of them. A node alone always
 *     may
 * @param history how much is kept on the disk of what requests became
 * @param held whether it leaves all that is due until {@link RaftNode#open}: agents cannot keep leases before
 */
public record NodeSettings(
        String id,
        List<Peer> peers,
        Path data,
        LogSettings log,
        @Nullable Tls tls,
        boolean bootstrap,
        HistoryFiles.Extent history,
        boolean held) {
    /** A day, and at 20 requests a second about two days. */
    public static final HistoryFiles.Extent HISTORY =
            HistoryFiles.Extent.of(Duration.ofDays(1).toNanos(), 2L << 30);

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
        return new NodeSettings(id, peers, data, LogSettings.USUAL, null, false, HISTORY, false);
    }

    /** The same with another log. */
    public NodeSettings withLog(LogSettings other) {
        return new NodeSettings(id, peers, data, other, tls, bootstrap, history, held);
    }

    /** The same, allowed to make the group or not. */
    public NodeSettings withBootstrap(boolean may) {
        return new NodeSettings(id, peers, data, log, tls, may, history, held);
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

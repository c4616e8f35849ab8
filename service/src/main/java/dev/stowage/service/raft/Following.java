package dev.stowage.service.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.NetUtils;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node as one that may take a leader's place.
 *
 * <p>Of the followers only one whose log goes farthest asks for votes: a node gets no vote of one that has more, and its vain
 * attempt would begin a new term, in which the other has to wait for its election timeout. A node that has just started may have the
 * log and not yet the state; it would lead for seconds without an answer.
 */
final class Following implements LeaderWatch.Follower, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Following.class);
    private static final long ASK_MILLIS = 200;
    /** Entries that a leader applies before anybody notices. */
    private static final long MOST_TO_APPLY = 100;

    private static final long TURN_MILLIS = 500;

    private static final TermIndex NOTHING = TermIndex.valueOf(-1, -1);

    private final RaftNode node;
    private final NodeSettings settings;
    /** After twice the longest election timeout; not all at once. */
    private final long silentMillis;

    private final AtomicLong calls = new AtomicLong();
    private final ExecutorService asking = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "stowage-last-entries");
        thread.setDaemon(true);
        return thread;
    });

    Following(RaftNode node, NodeSettings settings) {
        this.node = node;
        this.settings = settings;
        silentMillis = 3 * settings.electionTimeout().toMillis() + TURN_MILLIS * settings.turn();
    }

    @Override
    public @Nullable String leader() {
        String leader = node.out() ? null : node.leader();
        return settings.id().equals(leader) ? null : leader;
    }

    @Override
    public InetSocketAddress address(String id) {
        return NetUtils.createSocketAddr(settings.peers().get(settings.turn(id)).address());
    }

    /**
     * Those with the same last entry, or no answer, go by their place, and before it if it has yet to apply much of its log. If somebody
     * has a later one, it does not ask at all.
     */
    @Override
    public int turn(String leader) {
        Map<String, CompletableFuture<Integer>> others = new TreeMap<>();
        for (NodeSettings.Peer peer : settings.peers()) {
            if (!peer.id().equals(leader) && !peer.id().equals(settings.id())) {
                others.put(peer.id(), compared(peer.id()));
            }
        }
        int same = 0;
        int before = 0;
        for (Map.Entry<String, CompletableFuture<Integer>> other : others.entrySet()) {
            int compared = other.getValue().join();
            if (compared > 0) {
                return NEVER;
            }
            same += compared == 0 ? 1 : 0;
            before += (compared == 0 && settings.turn(other.getKey()) < settings.turn()) ? 1 : 0;
        }
        boolean behind = node.toApply() > MOST_TO_APPLY;
        return before + (behind ? same + 1 : 0);
    }

    /**
     * Asks for votes if Ratis will not. It does not while entries are being appended; in Ratis 3.3 an append that fails, as it may where
     * connections are cut and come back, counts as under way for ever. If that node has more of the log than the others, none of them
     * gets the votes either.
     */
    void askIfStuck() {
        String leader = leader();
        FollowerInfoProto info = node.followerInfo();
        if (leader == null
                || info == null
                || info.getOutstandingOp() == 0
                || info.getLeaderInfo().getLastRpcElapsedTimeMs() < silentMillis) {
            return;
        }
        int heard = 1;
        for (NodeSettings.Peer peer : settings.peers()) {
            Integer compared =
                    peer.id().equals(settings.id()) ? null : answered(peer.id()).join();
            if (compared != null && compared > 0) {
                return;
            }
            heard += compared == null ? 0 : 1;
        }
        if (2 * heard > settings.peers().size()) {
            try {
                LOG.warn(
                        "leader {} is silent, and Ratis counts {} appends as under way; this node asks for votes: {}",
                        leader,
                        info.getOutstandingOp(),
                        replace(leader));
            } catch (IOException e) {
                LOG.warn("no election in place of leader {} yet: {}", leader, e.toString());
            }
        }
    }

    /** How another's last entry compares with this node's; 0 if it does not say. */
    private CompletableFuture<Integer> compared(String id) {
        return answered(id).thenApply(compared -> compared == null ? 0 : compared);
    }

    /** The same, or null if it does not say. */
    private CompletableFuture<@Nullable Integer> answered(String id) {
        return CompletableFuture.<@Nullable Integer>supplyAsync(() -> last(id).compareTo(last()), asking)
                .completeOnTimeout(null, ASK_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(unreachable -> null);
    }

    private TermIndex last() {
        TermIndex last = node.lastEntry();
        return last == null ? NOTHING : last;
    }

    /** The last entry of another's: a reply about votes has it, whatever the vote. This one asks for none. */
    private TermIndex last(String id) {
        try {
            RequestVoteReplyProto reply = node.server()
                    .getServerRpc()
                    .requestVote(RequestVoteRequestProto.newBuilder()
                            .setServerRequest(request(settings.id(), id))
                            .setPreVote(true)
                            .build());
            return TermIndex.valueOf(reply.getLastEntry());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean replace(String leader) throws IOException {
        TermIndex last = node.lastEntry();
        if (last == null) {
            return false;
        }
        // As the leader itself would ask for it when it hands leadership over: without asking the others first
        // whether they hear it.
        return node.server()
                .startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                        .setServerRequest(request(leader, settings.id()))
                        .setLeaderLastEntry(last.toProto())
                        .build())
                .getServerReply()
                .getSuccess();
    }

    private RaftRpcRequestProto.Builder request(String from, String to) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(bytes(from))
                .setReplyId(bytes(to))
                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(RaftNode.GROUP))
                .setCallId(calls.incrementAndGet());
    }

    private static org.apache.ratis.thirdparty.com.google.protobuf.ByteString bytes(String id) {
        return org.apache.ratis.protocol.RaftPeerId.valueOf(id).toByteString();
    }

    @Override
    public void close() {
        asking.shutdown();
    }
}
